// `npm run package`: builds the .vsix as published, and fails if vsce prints a warning.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
mkdirSync(join(root, 'out'), { recursive: true });

// vsce would make addresses of the pictures on a host that is not ours: the packed README has none.
const readme = join(root, 'out/README.md');
writeFileSync(readme, readFileSync(join(root, 'README.md'), 'utf8').replace(/^!\[[^\]\n]*\]\([^)\n]*\)\n+/gm, ''));

const { status, stdout, stderr } = spawnSync(
  process.execPath,
  [
    join(root, 'node_modules/@vscode/vsce/vsce'),
    ...['package', '--no-dependencies', '--readme-path', 'out/README.md', '--out', 'out/hexlens.vsix'],
  ],
  { cwd: root, encoding: 'utf8' },
);
const output = `${stdout}${stderr}`;
process.stdout.write(output);
if (/!\[[^\]]*\]\(/.test(readFileSync(readme, 'utf8'))) throw new Error('The packed README has a picture.');
const warned = /\bWARNING\b|\bwarning\b/.test(output);
if (warned) console.error('vsce printed a warning (see above): fix it, packages are published without warnings.');
process.exitCode = status === 0 && !warned ? 0 : 1;
