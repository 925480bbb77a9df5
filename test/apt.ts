// Installs Debian packages that tests need, where that asks nobody anything: as root on Debian.
import { existsSync, readFileSync } from 'node:fs';
import { root } from './editor/paths.ts';
import { runVisibly } from './editor/processes.ts';

const patienceSeconds = 300;

export function isDebian(): boolean {
  // Ubuntu's chromium package is only a pointer to a snap, so "like Debian" is not enough.
  return existsSync('/etc/os-release') && /^ID=debian$/m.test(readFileSync('/etc/os-release', 'utf8'));
}

export const mayInstall = (): boolean => isDebian() && process.getuid?.() === 0;

/**
 * `unless` is a shell command that succeeds when nothing is missing; `before` runs ahead of the installation. apt's own
 * locks cover only part of an update, so those who start at once take turns by a lock on the repository.
 */
export async function installPackages(packages: readonly string[], unless: string, before = 'true'): Promise<void> {
  const options = `-q -o DPkg::Lock::Timeout=${patienceSeconds} -o Dpkg::Options::=--force-confold`;
  const install = `apt-get ${options} install -y --no-install-recommends ${packages.join(' ')}`;
  const script = `${unless} || { ${before}; apt-get -q update; ${install}; }`;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  await runVisibly('flock', ['--timeout', String(patienceSeconds), root, 'sh', '-c', script], { env });
}
