// Finds a Chromium for VS Code in the browser, and installs it where no confirmation is needed.
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from 'playwright-core';
import { canInstall, installPackages, isDebian } from '../apt.ts';
import { asProgram } from './processes.ts';

/** Chromium without windows, which takes a fifth less time. */
const SHELL = 'chromium-headless-shell';
const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome', 'microsoft-edge'];

const fixedPlaces = [
  '/usr/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];

const debianPackages = (hasWindow: boolean) => [hasWindow ? 'chromium' : SHELL, 'fonts-liberation'];

export interface ChromiumOptions {
  readonly progress?: (line: string) => void;
  /** True: one that people can use. Tests need no window. */
  readonly hasWindow?: boolean;
}

/** Path of a Chromium, Chrome or Edge on this machine: `CHROMIUM` first, then PATH, then the usual places. */
export function findChromium(hasWindow = false): string | undefined {
  const wanted = process.env['CHROMIUM'];
  if (wanted) {
    if (isExecutable(wanted)) return wanted;
    throw new Error(`CHROMIUM names ${wanted}, which is not an executable file. Correct or unset CHROMIUM.`);
  }
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter(Boolean);
  const onPath = [...(hasWindow ? [] : [SHELL]), ...names].flatMap(name =>
    folders.map(folder => join(folder, name + suffix)),
  );
  return [...onPath, ...fixedPlaces, chromium.executablePath()].find(isExecutable);
}

/** Like {@link findChromium}, and as root on Debian installs it when there is none. */
export async function ensureChromium({ progress, hasWindow = false }: ChromiumOptions = {}): Promise<string> {
  const found = findChromium(hasWindow);
  if (found !== undefined) return found;
  const packages = debianPackages(hasWindow);
  if (canInstall()) {
    progress?.(`Installing ${packages.join(' and ')} with apt…`);
    await installPackages(packages, `command -v ${packages[0]} > /dev/null`);
    const installed = findChromium(hasWindow);
    if (installed !== undefined) return installed;
    throw new Error(`apt could not install Chromium (its output is above). ${howToGetChromium(packages)}`);
  }
  throw new Error(`No Chromium or Chrome was found. ${howToGetChromium(packages)}`);
}

function howToGetChromium(packages: readonly string[]): string {
  const install = isDebian()
    ? `sudo apt-get update && sudo apt-get install ${packages.join(' ')}`
    : 'npx playwright-core install --with-deps chromium';
  return `Install one (${install}) or name one: CHROMIUM=/path/to/chrome.`;
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
