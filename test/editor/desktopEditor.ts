// Opens desktop VS Code, where it is installed, with the extension in development mode and a profile of its own.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { isAlive, onTermination, stopProcess } from './processes.ts';
import { unattendedSettings } from './quietSettings.ts';

const patienceMs = 5000;

export interface DesktopOptions {
  readonly extension: string;
  readonly workspace: string;
  /** Absolute path of the file to show first. */
  readonly openFile: string;
}

export interface DesktopEditor {
  /** Resolves when the user closed the window, or {@link stop} did. */
  readonly closed: Promise<void>;
  stop(): Promise<void>;
}

/** Path of `code` on PATH; not the one inside a remote window, which cannot open windows in development mode. */
export function findDesktopCode(): string | undefined {
  if (process.env['VSCODE_IPC_HOOK_CLI']) return undefined;
  const name = process.platform === 'win32' ? 'code.cmd' : 'code';
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter(Boolean)
    .map(folder => join(folder, name))
    .find(isExecutable);
}

/** Opens a window with its own settings and extensions, without changing the user's VS Code. */
export async function openDesktop(code: string, options: DesktopOptions): Promise<DesktopEditor> {
  const profile = await mkdtemp(join(tmpdir(), 'hexlens-code-'));
  const settings = join(profile, 'User', 'settings.json');
  await mkdir(join(settings, '..'), { recursive: true });
  await writeFile(settings, JSON.stringify(unattendedSettings, null, 2));
  const child = spawn(
    code,
    [
      ...['--new-window', '--wait', '--user-data-dir', profile, '--extensions-dir', join(profile, 'extensions')],
      // Required by VS Code when it runs as root.
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      `--extensionDevelopmentPath=${options.extension}`,
      ...[options.workspace, options.openFile],
    ],
    { stdio: ['ignore', 'ignore', 'pipe'], shell: process.platform === 'win32' },
  );
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const stop = async () => {
    await endWindow(profile);
    await stopProcess(child);
    await rm(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    forget();
  };
  const forget = onTermination(stop);
  return { closed: ended(child, code, () => stderr).finally(stop), stop };
}

async function ended(child: ChildProcess, code: string, stderr: () => string): Promise<void> {
  const [exitCode] = (await once(child, 'exit')) as [number | null];
  if (exitCode !== 0 && exitCode !== null) {
    throw new Error(`${code} ended with code ${exitCode}. ${stderr().trim()} To use a browser: npm start -- --browser`);
  }
}

/** `code` only starts the window's process, whose id VS Code writes to the profile. */
async function endWindow(profile: string): Promise<void> {
  const lock = join(profile, 'code.lock');
  if (!existsSync(lock)) return;
  const pid = Number(readFileSync(lock, 'utf8'));
  if (!Number.isInteger(pid) || pid <= 1 || !isAlive(pid)) return;
  process.kill(pid, 'SIGTERM');
  const deadline = performance.now() + patienceMs;
  while (isAlive(pid) && performance.now() < deadline) await new Promise(resolve => setTimeout(resolve, 50));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
