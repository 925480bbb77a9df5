// `npm run package`: builds the .vsix as published, and fails if vsce prints a warning.
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
mkdirSync(join(root, 'out'), { recursive: true });

const { status, stdout, stderr } = spawnSync(
  process.execPath,
  [join(root, 'node_modules/@vscode/vsce/vsce'), 'package', '--no-dependencies', '--out', 'out/hexlens.vsix'],
  { cwd: root, encoding: 'utf8' },
);
const output = `${stdout}${stderr}`;
process.stdout.write(output);
const warned = /\bWARNING\b|\bwarning\b/.test(output);
if (warned) console.error('vsce printed a warning (see above): fix it, packages are published without warnings.');
process.exitCode = status === 0 && !warned ? 0 : 1;
