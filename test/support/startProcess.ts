// Starts child processes of tests, in a test worker from a small process: see `startFromSmallProcess`.
import { fork, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { createTemporaryFolder } from './temporaryFolder.ts';

export interface ProcessOptions {
  readonly cwd?: string | undefined;
  readonly env?: NodeJS.ProcessEnv;
  readonly uid?: number | undefined;
  readonly gid?: number | undefined;
  /** Default: there is no input. */
  readonly stdin?: 'ignore' | 'pipe';
}

/** The part of Node's `ChildProcess` that tests use. */
export interface StartedProcess extends EventEmitter {
  readonly pid?: number | undefined;
  readonly stdin: Writable | null;
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly exitCode: number | null;
  readonly signalCode: NodeJS.Signals | null;
  kill(signal?: NodeJS.Signals): boolean;
}

/** A program to start, with the socket in place of each of its streams; `null`: none. */
export interface StartRequest {
  readonly id: number;
  readonly command: string;
  readonly args: readonly string[];
  readonly options: Omit<ProcessOptions, 'stdin'>;
  readonly sockets: readonly (string | null)[];
}

export type StartReply = { readonly id: number } & (
  | { readonly pid: number }
  | { readonly error: { readonly message: string; readonly code?: string | undefined } }
  | { readonly code: number | null; readonly signal: NodeJS.Signals | null }
);

const isTestWorker = () => process.platform === 'linux' && '__vitest_worker__' in globalThis;

/** Like `spawn` of Node, with pipes for the output. */
export async function startProcess(
  command: string,
  args: readonly string[],
  { stdin = 'ignore', ...options }: ProcessOptions = {},
): Promise<StartedProcess> {
  if (isTestWorker()) return startFromSmallProcess(command, args, stdin, options);
  const child = spawn(command, args, { ...options, stdio: [stdin, 'pipe', 'pipe'] });
  return child as typeof child & { readonly stdout: Readable; readonly stderr: Readable }; // pipes have them
}

class RemoteProcess extends EventEmitter implements StartedProcess {
  readonly stdin: Socket | null;
  readonly stdout: Socket;
  readonly stderr: Socket;
  readonly pid: number | undefined;
  exitCode: number | null = null;
  signalCode: NodeJS.Signals | null = null;

  constructor(pid: number | undefined, stdin: Socket | null, stdout: Socket, stderr: Socket) {
    super();
    this.pid = pid;
    [this.stdin, this.stdout, this.stderr] = [stdin, stdout, stderr];
    stdin?.on('error', () => {}); // of a process that has ended: as with `spawn`, what it did not read is lost
  }

  kill(signal: NodeJS.Signals = 'SIGTERM'): boolean {
    if (this.pid === undefined || this.exitCode !== null || this.signalCode !== null) return false;
    try {
      return process.kill(this.pid, signal);
    } catch {
      return false; // it has just ended
    }
  }

  end(code: number | null, signal: NodeJS.Signals | null): void {
    [this.exitCode, this.signalCode] = [code, signal];
    this.stdin?.destroy();
    this.emit('exit', code, signal);
    const open = [this.stdout, this.stderr].filter(stream => !stream.closed);
    // As with `spawn`, the rest of the output may be read or not.
    for (const stream of open) stream.resume();
    void Promise.all(open.map(stream => once(stream, 'close'))).then(() => this.emit('close', code, signal));
  }
}

interface Starter {
  request(command: string, args: readonly string[], stdin: string, options: ProcessOptions): Promise<RemoteProcess>;
}

let starter: Starter | undefined;

/**
 * Linux copies the tables of all pages of a process that starts another one, and then each page that it writes to. With the
 * gigabyte of a test worker this takes a tenth of a second of processor time; so a small process starts them.
 */
async function startFromSmallProcess(
  command: string,
  args: readonly string[],
  stdin: string,
  options: ProcessOptions,
): Promise<StartedProcess> {
  starter ??= createStarter();
  return starter.request(command, args, stdin, options);
}

function createStarter(): Starter {
  const folder = createTemporaryFolder('hexlens-starter-');
  const helper = fork(join(import.meta.dirname, 'processStarter.ts'), { execArgv: [], stdio: 'inherit' });
  const waiting = new Map<number, (reply: StartReply) => void>();
  helper.on('message', reply => waiting.get((reply as StartReply).id)?.(reply as StartReply));
  // Like a child process, it lets this process end when none runs.
  const release = () => {
    if (waiting.size > 0) return;
    helper.unref();
    helper.channel?.unref();
  };
  let started = 0;
  return {
    async request(command, args, stdin, { cwd = process.cwd(), env = process.env, uid, gid }) {
      const id = started++;
      const names = stdin === 'pipe' ? ['in', 'out', 'err'] : [null, 'out', 'err'];
      const paths = names.map(name => (name === null ? null : join(folder, `${id}.${name}`)));
      const connected = await Promise.all(paths.map(path => (path === null ? null : listen(path))));
      helper.ref();
      helper.channel?.ref();
      const hasStarted = Promise.withResolvers<StartReply>();
      // A process may end before its streams are connected.
      const hasEnded = Promise.withResolvers<Pick<RemoteProcess, 'exitCode' | 'signalCode'>>();
      waiting.set(id, reply => {
        if ('signal' in reply) hasEnded.resolve({ exitCode: reply.code, signalCode: reply.signal });
        else hasStarted.resolve(reply);
      });
      const request: StartRequest = { id, command, args, options: { cwd, env, uid, gid }, sockets: paths };
      helper.send(request);
      const [input, output, errors] = await Promise.all(connected.map(server => server?.socket));
      if (output === undefined || errors === undefined) throw new Error('A process has no output.');
      const reply = await hasStarted.promise;
      const child = new RemoteProcess('pid' in reply ? reply.pid : undefined, input ?? null, output, errors);
      const finish = (act: () => void) => {
        waiting.delete(id);
        release();
        setImmediate(act); // first, its caller adds listeners
      };
      if ('error' in reply)
        finish(() => child.emit('error', Object.assign(new Error(reply.error.message), { code: reply.error.code })));
      else void hasEnded.promise.then(({ exitCode, signalCode }) => finish(() => child.end(exitCode, signalCode)));
      return child;
    },
  };
}

/** The first connection to a socket. */
function listen(path: string): Promise<{ readonly socket: Promise<Socket> }> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    const socket = new Promise<Socket>(connect => {
      server.once('connection', connection => {
        server.close();
        connect(connection);
      });
    });
    server.once('error', reject);
    server.listen(path, () => resolve({ socket }));
  });
}
