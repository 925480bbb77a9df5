import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { silentLog } from '../../src/base/log.ts';
import { listen } from '../../src/server/httpListener.ts';
import { OutgoingResponse } from '../../src/server/outgoingResponse.ts';

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

it('writes responses that are ready at once when all requests that had arrived are read', async () => {
  const events: string[] = [];
  class ObservedResponse extends OutgoingResponse {
    override get headerList() {
      events.push('write');
      return super.headerList;
    }
  }
  const app = {
    async handle() {
      events.push('read');
      return { response: new ObservedResponse(200, {}, ''), headers: [] };
    },
  };
  const server = await listen(app, { port: 0 }, silentLog);
  const sockets = [connect(server.port, '127.0.0.1'), connect(server.port, '127.0.0.1')];
  const sendAll = async () => {
    for (const socket of sockets) socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await Promise.all(sockets.map(socket => once(socket, 'data')));
  };
  await sendAll(); // the server has accepted both connections then
  events.length = 0;
  await sendAll();
  expect(events).toEqual(['read', 'read', 'write', 'write']);
  for (const socket of sockets) socket.destroy();
  await server.close(0);
});
