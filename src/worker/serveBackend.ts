// Serves a backend over a port: what the worker thread and the worker of a browser have in common.
import type { LookupId, LookupInput, LookupOutput } from '../api/lookups.ts';
import type { HttpEndpoint, LogLine, WorkerClientInterface, WorkerInterface } from '../api/workerProtocol.ts';
import { CallChannel, type CallHandlers, type ChannelMessage, type NotificationHandlers } from '../base/callChannel.ts';
import { systemClock } from '../base/clock.ts';
import { formatFault } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import { createTaskRegistry } from '../service/taskRegistry.ts';
import type { Backend, BackendDeps } from './backend.ts';

/** What the worker does for the main thread. */
export interface WorkerHandlers {
  readonly calls: Omit<CallHandlers<WorkerInterface>, 'lookup'>;
  lookup<Id extends LookupId>(
    id: Id,
    input: LookupInput<Id>,
    options: { readonly signal: AbortSignal },
  ): Promise<LookupOutput<Id>>;
  /** `configure` may throw: that is logged. */
  readonly notifications: Omit<NotificationHandlers<WorkerInterface>, 'stop'>;
  stop(): Promise<void>;
}

/** `parentPort` of node:worker_threads, or a `MessagePort`. */
export interface ServedPort {
  postMessage(message: ChannelMessage): void;
  on(event: 'message' | 'close', listener: (message: unknown) => void): unknown;
  close(): void;
}

/** Sends notifications to the main thread. */
export type WorkerPortServer = Pick<CallChannel<WorkerInterface, WorkerClientInterface>, 'notify'>;

/** Handles calls until `stop` arrives or the other end closes; then `handlers.stop` runs and the port is closed. */
export function serveWorkerPort(port: ServedPort, handlers: WorkerHandlers): WorkerPortServer {
  let ended = false;
  let ending = false;

  const channel = new CallChannel<WorkerInterface, WorkerClientInterface>({
    post: message => {
      if (!ended) port.postMessage(message);
    },
    calls: {
      ...handlers.calls,
      lookup: ({ lookup, input }, options) => handlers.lookup(lookup, input as LookupInput<typeof lookup>, options),
    },
    notifications: {
      ...handlers.notifications,
      configure(configuration) {
        try {
          handlers.notifications.configure(configuration);
        } catch (error) {
          channel.notify('log', [{ level: 'error', message: `The configuration was rejected: ${formatFault(error)}` }]);
        }
      },
      stop: () => void end(),
    },
  });

  async function end(): Promise<void> {
    if (ending) return;
    ending = true;
    channel.abortIncoming();
    try {
      await handlers.stop();
    } finally {
      ended = true;
      port.close();
    }
  }

  port.on('message', message => channel.receive(message));
  port.on('close', () => void end());
  return channel;
}

/** Log lines are collected for this long: each message sent before a reply delays the reply. */
const LOG_FLUSH_MS = 20;
const MAX_BUFFERED_LINES = 100;

function createBufferedLog(send: (lines: readonly LogLine[]) => void): Log {
  let bufferedLines: LogLine[] = [];
  let flushTimer: ReturnType<typeof setTimeout> | undefined;
  const flush = () => {
    clearTimeout(flushTimer);
    flushTimer = undefined;
    const lines = bufferedLines;
    bufferedLines = [];
    send(lines);
  };
  const writeLine = (level: keyof Log) => (message: string) => {
    bufferedLines.push({ level, message });
    if (level === 'error' || bufferedLines.length >= MAX_BUFFERED_LINES) flush();
    else flushTimer ??= setTimeout(flush, LOG_FLUSH_MS);
  };
  return { debug: writeLine('debug'), info: writeLine('info'), warn: writeLine('warn'), error: writeLine('error') };
}

/** What serves HTTP at an endpoint; nothing at `null`. */
interface HttpServer {
  serve(endpoint: HttpEndpoint | null): Promise<string | null>;
}

/** Until the other end of the port says `stop`, or closes it. The log is written to the other end. */
export function serveBackend(
  port: ServedPort,
  createBackend: (deps: Pick<BackendDeps, 'log' | 'tasks' | 'onHeadChange'>) => Backend,
  createHttpServer: (deps: { readonly backend: Backend; readonly log: Log }) => HttpServer,
): Log {
  let server: WorkerPortServer | null = null;
  const log = createBufferedLog(lines => server?.notify('log', lines));
  const tasks = createTaskRegistry({ clock: systemClock, report: progress => server?.notify('progress', progress) });
  const backend = createBackend({ log, tasks, onHeadChange: selector => server?.notify('headChange', selector) });
  const httpServer = createHttpServer({ backend, log });
  server = serveWorkerPort(port, {
    calls: {
      request: (request, options) => backend.call(request, options),
      serveHttp: endpoint => httpServer.serve(endpoint),
    },
    lookup: (id, input, options) => backend.lookup(id, input, options),
    notifications: { configure: next => backend.configure(next), pauseTask: tasks.pause, resumeTask: tasks.resume },
    async stop() {
      await httpServer.serve(null);
      await backend.stop();
    },
  });
  return log;
}
