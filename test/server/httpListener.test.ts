import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';

const HEADER_LENGTH = 30_000;
const REQUESTS = 200;

it('keeps nothing of a request until the next full garbage collection', async () => {
  const thread = new Worker(join(import.meta.dirname, 'listenerThread.ts'));
  const [url] = (await once(thread, 'message')) as [string];
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const send = () =>
    new Promise((resolve, reject) => {
      get(url, { agent, headers: { 'x-long': 'x'.repeat(HEADER_LENGTH) } }, response =>
        response.resume().on('end', resolve),
      ).on('error', reject);
    });
  const measureAfterRequests = async () => {
    for (let sent = 0; sent < REQUESTS; sent++) await send();
    thread.postMessage('measure');
    const [bytes] = (await once(thread, 'message')) as [number];
    return bytes;
  };
  try {
    await measureAfterRequests();
    const before = await measureAfterRequests();
    const after = await measureAfterRequests();
    expect(after - before).toBeLessThan((REQUESTS * HEADER_LENGTH) / 4);
  } finally {
    agent.destroy();
    await thread.terminate();
  }
});
