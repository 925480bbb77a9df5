// Entry of the worker thread: serves a backend over the thread's port. An unexpected error ends the thread.
import { parentPort } from 'node:worker_threads';
import type { LogLine } from '../api/workerProtocol.ts';
import { systemClock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { serveWorkerPort, type WorkerPortServer } from '../client/serveWorkerPort.ts';
import { createHttpServerController } from '../server/httpServerController.ts';
import { createTaskRegistry } from '../service/taskRegistry.ts';
import { createNodeBackend } from './nodeBackend.ts';

if (parentPort === null) throw new Error('This file is the entry of a worker thread: start it with new Worker().');

let server: WorkerPortServer | null = null;

/** Log lines are collected for this long: each message sent before a reply delays the reply. */
const LOG_FLUSH_MS = 20;
const MAX_BUFFERED_LINES = 100;
let bufferedLines: LogLine[] = [];
let flushTimer: NodeJS.Timeout | undefined;

function flushLog(): void {
  clearTimeout(flushTimer);
  flushTimer = undefined;
  const lines = bufferedLines;
  bufferedLines = [];
  server?.notify('log', lines);
}

const writeLine = (level: keyof Log) => (message: string) => {
  bufferedLines.push({ level, message });
  if (level === 'error' || bufferedLines.length >= MAX_BUFFERED_LINES) flushLog();
  else flushTimer ??= setTimeout(flushLog, LOG_FLUSH_MS);
};
const log: Log = {
  debug: writeLine('debug'),
  info: writeLine('info'),
  warn: writeLine('warn'),
  error: writeLine('error'),
};

// Includes unhandled rejections. The state of the thread is unknown after either, so the main thread starts a new one.
process.on('uncaughtException', (error: unknown, origin) => {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  log.error(`The service failed (${origin}) and restarts: ${text}`);
  process.exit(1);
});

const tasks = createTaskRegistry({
  clock: systemClock,
  report: progress => server?.notify('progress', progress),
});
const backend = createNodeBackend({ log, tasks, onHeadChange: selector => server?.notify('headChange', selector) });
const httpServer = createHttpServerController({ backend, log });
server = serveWorkerPort(parentPort, {
  calls: {
    request: (request, options) => backend.call(request, options),
    serveHttp: endpoint => httpServer.serve(endpoint),
  },
  lookup: (id, input, options) => backend.lookup(id, input, options),
  notifications: {
    configure: next => backend.configure(next),
    pauseTask: tasks.pause,
    resumeTask: tasks.resume,
  },
  async stop() {
    await httpServer.serve(null);
    await backend.stop();
  },
});
