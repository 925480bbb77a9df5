// Finds the Chromium that shows VS Code in the browser, and installs it where that needs no question.
import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from 'playwright-core';
import { root } from './places.ts';
import { asProgram, runVisibly } from './processes.ts';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome', 'microsoft-edge'];

const fixedPlaces = [
  '/usr/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];

const debianPackages = ['chromium', 'fonts-liberation'];
const patienceSeconds = 300;

export interface ChromiumOptions {
  readonly progress?: (line: string) => void;
  /** False: never install, only look. */
  readonly install?: boolean;
}

/** Path of a Chromium, Chrome or Edge on this machine: `CHROMIUM` first, then PATH, then the usual places. */
export function findChromium(): string | undefined {
  const wanted = process.env['CHROMIUM'];
  if (wanted) {
    if (isExecutable(wanted)) return wanted;
    throw new Error(`CHROMIUM names ${wanted}, which is not an executable file. Correct or unset CHROMIUM.`);
  }
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter(Boolean);
  const onPath = names.flatMap(name => folders.map(folder => join(folder, name + suffix)));
  return [...onPath, ...fixedPlaces, chromium.executablePath()].find(isExecutable);
}

/** Like {@link findChromium}, and as root on Debian installs it when there is none. */
export async function ensureChromium(options: ChromiumOptions = {}): Promise<string> {
  const found = findChromium();
  if (found !== undefined) return found;
  if (options.install !== false && isDebian() && process.getuid?.() === 0) {
    options.progress?.(`Installing ${debianPackages.join(' and ')} with apt…`);
    const installed = await installOnDebian();
    if (installed !== undefined) return installed;
    throw new Error(`apt could not install Chromium (its output is above). ${howToGetChromium()}`);
  }
  throw new Error(`No Chromium or Chrome was found. ${howToGetChromium()}`);
}

function howToGetChromium(): string {
  const install = isDebian()
    ? `sudo apt-get update && sudo apt-get install ${debianPackages.join(' ')}`
    : 'npx playwright-core install --with-deps chromium';
  return `Install one (${install}) or name one: CHROMIUM=/path/to/chrome.`;
}

/** apt's own locks cover only part of an update, so two harnesses that start at once take turns by a lock on the repository. */
async function installOnDebian(): Promise<string | undefined> {
  const packages = debianPackages.join(' ');
  const unlessInstalled = 'command -v chromium > /dev/null';
  const aptInstall = `apt-get -q -o DPkg::Lock::Timeout=${patienceSeconds} install -y --no-install-recommends ${packages}`;
  const script = `${unlessInstalled} || { apt-get -q update; ${aptInstall}; }`;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  await runVisibly('flock', ['--timeout', String(patienceSeconds), root, 'sh', '-c', script], { env });
  return findChromium();
}

function isDebian(): boolean {
  // Ubuntu's chromium package is only a pointer to a snap, so "like Debian" is not enough.
  return existsSync('/etc/os-release') && /^ID=debian$/m.test(readFileSync('/etc/os-release', 'utf8'));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

await asProgram(import.meta.url, async () => {
  console.log(await ensureChromium({ progress: line => console.log(line) }));
});
