// Installs the Debian packages that tests need (Chromium, PostgreSQL) when they run as root on Debian.
import { existsSync, readFileSync } from 'node:fs';
import { root } from './editor/paths.ts';
import { runVisibly } from './editor/processes.ts';

const LOCK_TIMEOUT_SECONDS = 300;

export function isDebian(): boolean {
  // Ubuntu's chromium package only points to a snap, so distributions based on Debian are not enough.
  return existsSync('/etc/os-release') && /^ID=debian$/m.test(readFileSync('/etc/os-release', 'utf8'));
}

export const canInstall = (): boolean => isDebian() && process.getuid?.() === 0;

/**
 * Installs `packages` unless the shell command `unless` succeeds; runs `before` first. The lists of packages are updated only
 * where they are missing or too old.
 * apt's own locks cover only part of an update, so concurrent calls wait for a lock on the repository's folder.
 */
export async function installPackages(packages: readonly string[], unless: string, before = 'true'): Promise<void> {
  const options = `-q -o DPkg::Lock::Timeout=${LOCK_TIMEOUT_SECONDS} -o Dpkg::Options::=--force-confold`;
  const install = `apt-get ${options} install -y --no-install-recommends ${packages.join(' ')}`;
  const script = `${unless} || { ${before}; ${install} || { apt-get -q update; ${install}; }; }`;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  await runVisibly('flock', ['--timeout', String(LOCK_TIMEOUT_SECONDS), root, 'sh', '-c', script], { env });
}
