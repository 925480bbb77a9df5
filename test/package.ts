// `npm run package`: the .vsix as it would be published, refused when vsce has anything to warn about.
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
if (warned) console.error('vsce warned: see above. A package without warnings is what we publish.');
process.exitCode = status === 0 && !warned ? 0 : 1;
