// Starts a real worker of echoWorker.ts for a test, and creates requests for it.
import { Worker } from 'node:worker_threads';
import { onTestFinished } from 'vitest';
import type { WireRequest } from '../../../src/api/wire/request.ts';

export const request = (path: string): WireRequest => ({
  operation: 'block',
  group: 'evm',
  method: 'GET',
  path,
  query: [],
  body: null,
});

export const startWorker = (): Worker => {
  const worker = new Worker(new URL('echoWorker.ts', import.meta.url), { stdout: true, stderr: true });
  onTestFinished(async () => {
    await worker.terminate();
  });
  return worker;
};
