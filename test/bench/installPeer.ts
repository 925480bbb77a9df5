// Installs the programs that benchmarks compare with: once, into out/peers; they are never shipped.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const PEERS = fileURLToPath(new URL('../../out/peers/', import.meta.url));
const INSTALL_MS = 300_000;

async function isInstalled(folder: string, [name, version]: readonly [string, string]): Promise<boolean> {
  const file = join(folder, 'node_modules', name, 'package.json');
  return existsSync(file) && (JSON.parse(await readFile(file, 'utf8')) as { version: string }).version === version;
}

/** Returns the folder `out/peers/NAME` with these versions of packages. Rejects when npm can not install them. */
export async function installPeer(name: string, packages: Readonly<Record<string, string>>): Promise<string> {
  const folder = join(PEERS, name);
  const wanted = Object.entries(packages);
  const there = await Promise.all(wanted.map(entry => isInstalled(folder, entry)));
  if (!there.includes(false)) return folder;
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'peer', private: true, type: 'module' }));
  const flags = ['--no-audit', '--no-fund', '--ignore-scripts', '--save-exact'];
  const names = wanted.map(([key, version]) => `${key}@${version}`);
  const options = { cwd: folder, timeout: INSTALL_MS, shell: process.platform === 'win32' };
  await promisify(execFile)('npm', ['install', ...flags, ...names], options);
  return folder;
}
