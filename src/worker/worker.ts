// Entry of the backend's worker thread: the backend behind the port; a mistake of ours ends the thread, never silently.
import { parentPort } from 'node:worker_threads';
import type { Progress, WorkerEvent } from '../api/workerProtocol.ts';
import type { Log } from '../base/log.ts';
import { serveWorkerPort, type WorkerPortServer } from '../client/serveWorkerPort.ts';
import { createHttpServerController } from '../server/httpServerController.ts';
import { createBackend } from './backend.ts';

if (parentPort === null) throw new Error('This file is the entry of a worker thread: start it with new Worker().');

let server: WorkerPortServer | null = null;

/** Log lines wait for a moment without answers: every message that goes ahead of an answer delays it. */
const LATER_MS = 20;
let waiting: WorkerEvent[] = [];
let timer: NodeJS.Timeout | undefined;

function flush(): void {
  clearTimeout(timer);
  timer = undefined;
  const events = waiting;
  waiting = [];
  for (const event of events) server?.emit(event);
}

const say = (level: keyof Log) => (message: string) => {
  waiting.push({ type: 'log', level, message });
  if (level === 'error' || waiting.length >= 100) flush();
  else timer ??= setTimeout(flush, LATER_MS);
};
const log: Log = { debug: say('debug'), info: say('info'), warn: say('warn'), error: say('error') };

// Unhandled rejections arrive here too. After either nobody knows what state we are in: the link starts a new thread.
process.on('uncaughtException', (error: unknown, origin) => {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  log.error(`The backend made a mistake (${origin}) and is started anew: ${text}`);
  process.exit(1);
});

const onProgress = (progress: Progress) => server?.emit({ type: 'progress', progress });
const backend = createBackend({ log, onProgress });
const door = createHttpServerController({ backend, log });
server = serveWorkerPort(parentPort, {
  ...backend,
  serve: door.serve,
  async stop() {
    await door.serve(null);
    await backend.stop();
  },
});
