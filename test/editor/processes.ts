// Child processes of the editor harness, which are terminated with this process, however it ends.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { realpathSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** Runs a program and returns its standard output; the error has the end of its output. */
export async function runQuietly(command: string, args: readonly string[], options: RunOptions = {}): Promise<string> {
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  const forget = onTermination(() => stopProcess(child));
  const chunks = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    chunks.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    chunks.stderr += text;
  });
  try {
    const [code, signal] = await closed(child, command);
    if (code === 0) return chunks.stdout;
    const output = `${chunks.stdout}${chunks.stderr}`.trim().slice(-2000);
    throw new Error(`${command} ${args[0] ?? ''} ended with ${signal ?? `code ${code}`}: ${output}`);
  } finally {
    forget();
  }
}

/** Runs a program with inherited output; resolves with its exit code. */
export async function runVisibly(command: string, args: readonly string[], options: RunOptions = {}): Promise<number> {
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'inherit', 'inherit'] });
  const forget = onTermination(() => stopProcess(child));
  try {
    const [code] = await closed(child, command);
    return code ?? 1;
  } finally {
    forget();
  }
}

async function closed(child: ChildProcess, command: string): Promise<[number | null, NodeJS.Signals | null]> {
  try {
    return (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw new Error(`${command} was not found on PATH.`);
    throw error;
  }
}

/** Sends SIGTERM and, after the grace period, SIGKILL; resolves when the process has exited. */
export async function stopProcess(child: ChildProcess, graceMs = 3000): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  const force = setTimeout(() => child.kill('SIGKILL'), graceMs);
  await gone;
  clearTimeout(force);
}

/**
 * Terminates a process that was started `detached`, and then its process group: the extension host of the VS Code server
 * runs for seconds after the server.
 */
export async function stopProcessGroup(child: ChildProcess, graceMs = 3000): Promise<void> {
  await stopProcess(child, graceMs);
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // The group has no processes.
  }
}

/** Terminates a process that another one has started, unless it has ended already. */
export function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGTERM');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

const pending = new Set<() => unknown>();
let listening = false;
let terminating = false;

/**
 * Runs `cleanUp` when this process receives a termination signal (Ctrl+C, TERM, closed terminal), newest first, before
 * it exits with 128 + signal number. Returns a function that unregisters it.
 */
export function onTermination(cleanUp: () => unknown): () => void {
  pending.add(cleanUp);
  if (!listening) {
    listening = true;
    for (const [signal, number] of [
      ['SIGINT', 2],
      ['SIGTERM', 15],
      ['SIGHUP', 1],
    ] as const) {
      process.once(signal, () => void terminate(128 + number));
    }
  }
  return () => pending.delete(cleanUp);
}

async function terminate(exitCode: number): Promise<void> {
  terminating = true;
  for (const cleanUp of [...pending].reverse()) await Promise.resolve(cleanUp()).catch(() => {});
  process.exit(exitCode);
}

/**
 * Runs `main` if the module with this `import.meta.url` is the entry point. An error is printed as its message, with
 * exit code 1; a signal is not an error.
 */
export async function asProgram(url: string, main: () => Promise<void>): Promise<void> {
  const started = process.argv[1];
  if (started === undefined || url !== pathToFileURL(realpathSync(started)).href) return;
  endWithNpm();
  try {
    await main();
  } catch (error) {
    // After Ctrl+C the child processes end too, which is not an error.
    if (terminating) return;
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}

/** npm sends signals to its shell, which exits without forwarding them to this process. */
function endWithNpm(): void {
  if (process.env['npm_lifecycle_event'] === undefined || process.platform === 'win32') return;
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM');
  }, 500).unref();
}
