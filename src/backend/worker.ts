// Entry of the backend's worker thread: the backend behind the port; a mistake of ours ends the thread, never silently.
import { parentPort } from 'node:worker_threads';
import type { Log } from '../base/log.ts';
import { type PortServer, servePort } from '../client/portServer.ts';
import { createBackend } from './backend.ts';

if (parentPort === null) throw new Error('This file is the entry of a worker thread: start it with new Worker().');

let server: PortServer | null = null;

const say = (level: keyof Log) => (message: string) => server?.emit({ type: 'log', level, message });
const log: Log = { debug: say('debug'), info: say('info'), warn: say('warn'), error: say('error') };

// Unhandled rejections arrive here too. After either nobody knows what state we are in: the link starts a new thread.
process.on('uncaughtException', (error: unknown, origin) => {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  log.error(`The backend made a mistake (${origin}) and is started anew: ${text}`);
  process.exit(1);
});

server = servePort(parentPort, createBackend({ log }));
