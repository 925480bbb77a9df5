// Entry of the worker thread: serves a backend over the thread's port. An unexpected error ends the thread.
import { parentPort } from 'node:worker_threads';
import { createHttpServerController } from '../server/httpServerController.ts';
import { createNodeBackend } from './nodeBackend.ts';
import { serveBackend } from './serveBackend.ts';

if (parentPort === null) throw new Error('This file is the entry of a worker thread: start it with new Worker().');

const log = serveBackend(parentPort, createNodeBackend, createHttpServerController);

// Includes unhandled rejections. The state of the thread is unknown after either, so the main thread starts a new one.
process.on('uncaughtException', (error: unknown, origin) => {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  log.error(`The service failed (${origin}) and restarts: ${text}`);
  process.exit(1);
});
