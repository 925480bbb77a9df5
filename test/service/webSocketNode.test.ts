// Nodes whose URL is ws://: a real Anvil that is restarted, and doubles that hang, close, and refuse.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net';
import { afterEach, expect, it, vi } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { toFault } from '../../src/base/errors.ts';
import type { HttpRequest } from '../../src/base/httpPort.ts';
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

/** Forwards connections to a server on loopback, and counts them. */
async function startForwarder(target: string) {
  const sockets: Socket[] = [];
  const server = createTcpServer(socket => {
    const forwarded = connect(Number(new URL(target).port), '127.0.0.1');
    sockets.push(socket, forwarded);
    for (const end of [socket, forwarded]) end.on('error', () => {});
    socket.pipe(forwarded).pipe(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ends.push(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections: () => sockets.length / 2,
  };
}

/** A text message as a server sends it: not masked. */
function toFrame(text: string): Buffer {
  const body = Buffer.from(text);
  const length = body.length < 126 ? [body.length] : [126, body.length >> 8, body.length & 255];
  return Buffer.concat([Buffer.from([0x81, ...length]), body]);
}

/** The text messages that a client sends, each up to 65,535 bytes; it never answers that the client closes the socket. */
function readFrames(socket: Socket, onMessage: (text: string) => void): void {
  let received = Buffer.alloc(0);
  socket.on('data', chunk => {
    received = Buffer.concat([received, chunk]);
    for (;;) {
      const isLong = ((received[1] ?? 0) & 127) === 126;
      const start = isLong ? 8 : 6;
      if (received.length < start) return;
      const length = isLong ? received.readUInt16BE(2) : (received[1] ?? 0) & 127;
      if (received.length < start + length) return;
      const mask = received.subarray(start - 4, start);
      const body = received.subarray(start, start + length).map((byte, at) => byte ^ (mask[at % 4] ?? 0));
      if (((received[0] ?? 0) & 15) === 1) onMessage(Buffer.from(body).toString());
      received = received.subarray(start + length);
    }
  });
}

/** A WebSocket node that responds what `respond` returns to each message: the first of its connection, or a later one. */
async function startNode(respond: (text: string, isFirst: boolean) => string | null): Promise<string> {
  return startServer((socket, key) => {
    let messages = 0;
    const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\nsec-websocket-accept: ${accept}\r\n\r\n`,
    );
    readFrames(socket, text => {
      const response = respond(text, messages++ === 0);
      if (response !== null) socket.write(toFrame(response));
    });
  });
}

const createHttp = () => {
  const http = createUndiciHttp(directConnection);
  ends.push(() => http.stop());
  return (url: string, body: string, options: Partial<HttpRequest> = {}) =>
    http.send({ method: 'POST', url, body, logLabel: 'test', ...options });
};

const toWebSocketUrl = (url: string) => url.replace('http:', 'ws:');

it('are asked over one socket, in several batches at once and by several clients with the same ids over more', async () => {
  const anvil = await startAnvil();
  ends.push(() => anvil.stop());
  const { url, connections } = await startForwarder(anvil.url);
  const { rpc, other } = createClient(url);
  expect(rpc).toMatchObject({ host: new URL(url).host, isLoopback: true });
  expect(await rpc.request('eth_chainId', [])).toBe('0x7a69');
  expect(await rpc.sendAll([{ method: 'eth_chainId', params: [] }])).toEqual([{ result: '0x7a69' }]);
  expect(await rpc.request('eth_chainId', [])).toBe('0x7a69');
  expect(connections()).toBe(1);
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

it('that are silent while a request times out get no further requests on that socket, whatever else waits there', async () => {
  const url = await startNode((text, isFirst) => (isFirst && text === '{"id":3}' ? '{"id":3,"result":"0x1"}' : null));
  const send = createHttp();
  const waiting = send(url, '{"id":1}').catch(toFault);
  await expect(send(url, '{"id":2}', { timeoutMs: 200 })).rejects.toMatchObject({ code: 'node-timeout' });
  expect(await send(url, '{"id":3}')).toMatchObject({ body: '{"id":3,"result":"0x1"}' });
  await ends.pop()?.();
  expect(await waiting).toMatchObject({ code: 'cancelled' });
});

it('that do not say that they close get no further requests on the socket that is being closed', async () => {
  const url = await startNode((text, isFirst) => (isFirst && text === '{"id":2}' ? '{"id":2,"result":"0x1"}' : null));
  const send = createHttp();
  await expect(send(url, '{"id":1}', { timeoutMs: 200 })).rejects.toMatchObject({ code: 'node-timeout' });
  expect(await send(url, '{"id":2}')).toMatchObject({ body: '{"id":2,"result":"0x1"}' });
});

it('may respond to a batch with one error without an id, while other messages wait', async () => {
  const error = '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"batch too large"}}';
  const url = await startNode(text => (text.startsWith('[') ? error : null));
  const send = createHttp();
  const single = send(url, '{"id":1}').catch(toFault);
  const batches = [2, 4].map(id => send(url, JSON.stringify([{ id }, { id: id + 1 }])));
  expect((await Promise.all(batches)).map(({ body }) => body)).toEqual([error, error]);
  await ends.pop()?.();
  expect(await single).toMatchObject({ code: 'cancelled' });
});

it('may write the id of a response at its end, and responses that are too long fail only the request they answer', async () => {
  const result = 'f'.repeat(1_000);
  const responses = [
    `{"jsonrpc":"2.0","result":"${result}","id":1}`,
    `{"jsonrpc": "2.0", "id": 2, "result": "${result}"}`,
    `{"jsonrpc":"2.0","result":{"id":4},"id":3}`,
  ];
  let waiting = 0;
  const url = await startNode(() => responses[waiting++] ?? null);
  const send = createHttp();
  const limits = [2_000, 500, 500];
  const [last, tooLong, inner] = await Promise.all(
    limits.map((maxBytes, at) => send(url, `{"id":${at + 1}}`, { maxBytes }).catch(toFault)),
  );
  expect(last).toMatchObject({ body: responses[0] });
  expect(tooLong).toMatchObject({ code: 'too-large' });
  expect(inner).toMatchObject({ body: responses[2] });
});

it('whose responses are longer than any request allows fail without being parsed', async () => {
  const marker = 'a result that is too long ';
  const url = await startNode(() => `{"result":"${marker.repeat(40)}","id":1}`);
  const parse = vi.spyOn(JSON, 'parse');
  ends.push(async () => parse.mockRestore());
  await expect(createHttp()(url, '{"id":1}', { maxBytes: 500 })).rejects.toMatchObject({ code: 'too-large' });
  // Others in this process parse as well.
  expect(parse.mock.calls.filter(([text]) => String(text).includes(marker))).toEqual([]);
});

it('get no user name or password: the request fails with a sentence that names neither', async () => {
  const url = (await startNode(() => '{"id":1,"result":"0x1"}')).replace('//', '//user:pass4word@');
  const sentence = /: the WebSocket URL of 127\.0\.0\.1:\d+ holds a user name or password, which is not sent\.$/;
  await expect(createClient(url).rpc.request('eth_chainId', [])).rejects.toMatchObject({
    code: 'node-unreachable',
    message: expect.stringMatching(sentence),
  });
});
