// `hexlens` as a child process of a test: its ready line, its output, and its end.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';

const ROOT = join(import.meta.dirname, '../..');

/** The command line as source. */
export const SOURCE = join(ROOT, 'src/cli.ts');

/** The command line as a CommonJS file next to its SQLite thread, in a folder like the shipped one. It starts several times as fast. */
export async function bundleCli(): Promise<{ readonly script: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'hexlens-cli-'));
  const script = join(folder, 'dist/cli.js');
  await copyFile(join(ROOT, 'package.json'), join(folder, 'package.json'));
  const entries = { cli: SOURCE, sqliteWorkerThread: join(ROOT, 'src/service/store/sqlite/sqliteWorkerThread.ts') };
  await build({
    entryPoints: Object.entries(entries).map(([out, entry]) => ({ in: entry, out })),
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'cjs',
    mainFields: ['module', 'main'],
    define: { 'import.meta.filename': '__filename' },
    logLevel: 'silent',
    outdir: join(folder, 'dist'),
  });
  return { script, remove: () => rm(folder, { recursive: true, force: true }) };
}

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ServeProcess {
  readonly ready: { readonly url: string; readonly key: string };
  readonly child: ChildProcess;
  stdout(): string;
  /** Only the end of a very long log. */
  stderr(): string;
  /** Resolves when the process has ended. */
  readonly ended: Promise<Ended>;
  /** SIGTERM; resolves when it has ended. */
  stop(): Promise<Ended>;
}

/** Characters of the log that are always available: under load a process writes more than fits in a string. */
const MAX_LOG_LENGTH = 32 * 1024 * 1024;

type Environment = Readonly<Record<string, string>>;

function start(script: string, args: readonly string[], env: Environment) {
  const child = spawn(process.execPath, [script, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, HEXLENS_API_KEY: '', ...env },
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', text => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', text => {
    stderr += text;
    if (stderr.length > 2 * MAX_LOG_LENGTH) stderr = stderr.slice(-MAX_LOG_LENGTH);
  });
  const ended = once(child, 'close').then(([code]): Ended => ({ code: code as number | null, stdout, stderr }));
  return { child, ended, stdout: () => stdout, stderr: () => stderr };
}

/** Runs `hexlens` to its end. */
export function runCli(script: string, args: readonly string[], env: Environment = {}): Promise<Ended> {
  return start(script, args, env).ended;
}

/** Starts `hexlens serve` and waits for its ready line. Rejects when the process ends before. */
export async function startServe(
  script: string,
  args: readonly string[],
  env: Environment = {},
): Promise<ServeProcess> {
  const running = start(script, ['serve', ...args], env);
  const { child, ended, stdout, stderr } = running;
  const line = new Promise<string>(resolve => {
    child.stdout.on('data', () => {
      if (stdout().includes('\n')) resolve(stdout().split('\n')[0] ?? '');
    });
  });
  const first = await Promise.race([line, ended.then(() => null)]);
  if (first === null) throw new Error(`hexlens serve ended before it was ready: ${stderr()}`);
  const stop = () => {
    child.kill('SIGTERM');
    return ended;
  };
  return { ...running, ready: JSON.parse(first), stop };
}
