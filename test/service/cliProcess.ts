// `hexlens` as a child process of a test, with its ready line, its output and its end; or its command line in this process.
import { once } from 'node:events';
import { join } from 'node:path';
import { setTranslations } from '../../src/base/localize.ts';
import { SerialQueue } from '../../src/base/serialQueue.ts';
import { runCommandLine } from '../../src/cli/commandLine.ts';
import { bundleProgram } from '../support/bundle.ts';
import { type StartedProcess, startProcess } from '../support/startProcess.ts';
import { BUILT_VARIABLE } from '../testFolders.ts';

const ROOT = join(import.meta.dirname, '../..');

/** The path of the command line as it is shipped, or where it may be out of date, as one CommonJS file. */
export const bundleCli = async (): Promise<string> =>
  process.env[BUILT_VARIABLE] === undefined ? bundleProgram('src/cli.ts', 'cjs') : join(ROOT, 'dist', 'cli.js');

/** The variables of `hexlens mcp` as an agent starts it, and where compiled code is. */
export function mcpEnvironment(): Record<string, string> {
  const names = ['PATH', 'NODE_COMPILE_CACHE'] as const;
  return Object.fromEntries(names.map(name => [name, process.env[name] ?? '']));
}

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ServeProcess {
  readonly ready: { readonly url: string; readonly key: string };
  readonly child: StartedProcess;
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

async function start(args: readonly string[], env: Environment, folder?: string) {
  const child = await startProcess(process.execPath, [await bundleCli(), ...args], {
    env: { ...process.env, HEXLENS_API_KEY: '', ...env },
    cwd: folder,
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

/** Runs `hexlens` to its end in a process of its own, in `folder` where one is given. */
export async function runCli(args: readonly string[], env: Environment = {}, folder?: string): Promise<Ended> {
  return (await start(args, env, folder)).ended;
}

/** Takes what is written to a stream of this process, until it returns the text. */
function captureOutput(stream: NodeJS.WriteStream): () => string {
  const { write } = stream;
  let text = '';
  stream.write = (chunk: Uint8Array | string) => {
    text += String(chunk);
    return true;
  };
  return () => {
    stream.write = write;
    return text;
  };
}

/** Removes the listeners that are added until then. */
function watchListeners(emitter: NodeJS.EventEmitter, event: string): () => void {
  const before = new Set(emitter.rawListeners(event));
  return () => {
    for (const listener of emitter.rawListeners(event))
      if (!before.has(listener)) emitter.removeListener(event, listener as () => void);
  };
}

const turns = new SerialQueue();

/**
 * Runs `hexlens` to its end in this process, one at a time, since it reads and sets what a process has once. A process of its
 * own takes half a second of processor time to start. For commands that start no service.
 */
export function runCliHere(args: readonly string[], env: Environment = {}, folder?: string): Promise<Ended> {
  return turns.run(async (): Promise<Ended> => {
    const { argv, env: environment, exitCode } = process;
    const workingFolder = process.cwd();
    const removeListeners = [
      watchListeners(process, 'SIGINT'),
      watchListeners(process, 'SIGTERM'),
      watchListeners(process.stdout, 'error'),
    ];
    const [endOutput, endErrors] = [captureOutput(process.stdout), captureOutput(process.stderr)];
    let code = 0;
    let [stdout, stderr] = ['', ''];
    try {
      process.argv = [process.execPath, join(ROOT, 'src/cli.ts'), ...args];
      process.env = { ...environment, HEXLENS_API_KEY: '', ...env };
      process.exitCode = undefined;
      if (folder !== undefined) process.chdir(folder);
      await runCommandLine();
      code = Number(process.exitCode ?? 0);
    } finally {
      [stdout, stderr] = [endOutput(), endErrors()];
      for (const remove of removeListeners) remove();
      setTranslations(undefined);
      process.chdir(workingFolder);
      Object.assign(process, { argv, env: environment, exitCode });
    }
    return { code, stdout, stderr };
  });
}

/** Starts `hexlens serve` and waits for its ready line. Rejects when the process ends before. */
export async function startServe(args: readonly string[], env: Environment = {}): Promise<ServeProcess> {
  const running = await start(['serve', ...args], env);
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
