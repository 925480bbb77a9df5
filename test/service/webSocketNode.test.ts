// Nodes whose URL is ws://: a real Anvil that is restarted, and doubles that hang, close, and refuse.
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { toFault } from '../../src/base/errors.ts';
import { createUndiciHttp } from '../../src/client/undiciHttp.ts';
import { createRpcClient } from '../../src/service/evm/rpcClient.ts';
import { startAnvil } from '../support/chain/anvil.ts';
import { createTestLog } from '../support/testClock.ts';

const directConnection = {
  support: 'off',
  url: null,
  noProxy: [],
  authorization: null,
  strictSsl: true,
  systemCertificates: false,
} as const;

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

function createClient(url: string, timeoutMs = 60_000) {
  const http = createUndiciHttp(directConnection);
  ends.push(() => http.stop());
  const clock = systemClock;
  const create = () => createRpcClient({ selector: 'local', url, http, clock, log: createTestLog(), timeoutMs });
  return { http, rpc: create(), other: create() };
}

/** An HTTP server on loopback that gets requests for a WebSocket. */
async function startServer(onUpgrade: (socket: Socket, key: string) => void): Promise<string> {
  const server: Server = createServer((_, response) => response.writeHead(404).end());
  const sockets = new Set<Socket>();
  server.on('connection', socket => sockets.add(socket));
  server.on('upgrade', ({ headers }, socket) => onUpgrade(socket as Socket, headers['sec-websocket-key'] ?? ''));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ends.push(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const toWebSocketUrl = (url: string) => url.replace('http:', 'ws:');

it('are asked over one socket, in batches and by several clients with the same ids', async () => {
  const anvil = await startAnvil();
  ends.push(() => anvil.stop());
  const { rpc, other } = createClient(toWebSocketUrl(anvil.url));
  expect(rpc).toMatchObject({ host: new URL(anvil.url).host, isLoopback: true });
  expect(await rpc.request('eth_chainId', [])).toBe('0x7a69');
  const calls = Array.from({ length: 60 }, () => ({ method: 'eth_blockNumber', params: [] }));
  expect(await rpc.sendAll(calls)).toEqual(calls.map(() => ({ result: '0x0' })));
  await anvil.rpc('anvil_mine', ['0x5']);
  const both = await Promise.all(
    [rpc, other].flatMap(client => calls.map(() => client.request('eth_blockNumber', []))),
  );
  expect(new Set(both)).toEqual(new Set(['0x5']));
  await expect(rpc.request('eth_noSuchMethod', [])).rejects.toMatchObject({ code: 'node-error' });
});

it('are asked again after they were restarted', async () => {
  const first = await startAnvil();
  const { port } = new URL(first.url);
  const { rpc } = createClient(toWebSocketUrl(first.url));
  expect(await rpc.request('eth_blockNumber', [])).toBe('0x0');
  await first.stop();
  await expect(rpc.request('eth_blockNumber', [])).rejects.toMatchObject({ code: 'node-unreachable' });
  const second = await startAnvil({ port: Number(port) });
  ends.push(() => second.stop());
  expect(await rpc.request('eth_blockNumber', [])).toBe('0x0');
});

it('that refuse, close or hang have faults, and requests can be cancelled', async () => {
  const refusing = await startServer(socket => socket.end('HTTP/1.1 403 Forbidden\r\n\r\n'));
  await expect(createClient(refusing).rpc.request('eth_chainId', [])).rejects.toMatchObject({
    code: 'node-unreachable',
    message: expect.stringContaining('closed the WebSocket, or does not open one'),
  });
  const hanging = await startServer(() => {});
  await expect(createClient(hanging, 200).rpc.request('eth_chainId', [])).rejects.toMatchObject({
    code: 'node-timeout',
  });
  const { http, rpc } = createClient(hanging);
  const leaving = new AbortController();
  const left = rpc.request('eth_chainId', [], leaving.signal).catch(toFault);
  leaving.abort();
  expect(await left).toMatchObject({ code: 'cancelled' });
  const stopped = rpc.request('eth_chainId', []).catch(toFault);
  await http.stop();
  expect(await stopped).toMatchObject({ code: 'cancelled' });
});

it('on another machine are not asked around the proxy of the settings', async () => {
  const http = createUndiciHttp({ ...directConnection, support: 'on', url: 'http://127.0.0.1:9' });
  ends.push(() => http.stop());
  const fault = await http
    .send({ method: 'POST', url: 'wss://node.example/v1', body: '{"id":1}', logLabel: 'eth_chainId' })
    .catch(toFault);
  expect(fault).toMatchObject({ code: 'node-unreachable', message: 'HexLens opens no WebSocket through a proxy.' });
});
