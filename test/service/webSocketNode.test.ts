// Nodes whose URL is ws://: a real Anvil that is restarted, and doubles that hang, close, and refuse.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net';
import { afterEach, expect, it, vi } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { HexLensError, toFault } from '../../src/base/errors.ts';
import type { HttpRequest } from '../../src/base/httpPort.ts';
import { createFetchHttp } from '../../src/client/fetchHttp.ts';
import { ResponseBudget } from '../../src/client/responseBudget.ts';
import { createUndiciHttp } from '../../src/client/undiciHttp.ts';
import { MAX_SOCKETS, WebSocketHttp } from '../../src/client/webSocketHttp.ts';
import { JsonRpcClient } from '../../src/service/evm/rpcClient.ts';
import { startAnvil } from '../support/chain/anvil.ts';
import { createTestLog } from '../support/testClock.ts';
import {
  acceptUpgrade,
  startUpgradeServer,
  startWebSocketNode,
  type WebSocketServer,
} from '../support/webSocketServer.ts';

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
  const create = () => new JsonRpcClient({ selector: 'local', url, http, clock, log: createTestLog(), timeoutMs });
  return { http, rpc: create(), other: create() };
}

/** The same server as long as the test runs. */
async function started(server: Promise<WebSocketServer>): Promise<WebSocketServer> {
  const { stop, ...rest } = await server;
  ends.push(stop);
  return { stop, ...rest };
}
const startServer = async (onUpgrade: Parameters<typeof startUpgradeServer>[0]) =>
  (await started(startUpgradeServer(onUpgrade))).url;
const startNode = async (respond: Parameters<typeof startWebSocketNode>[0]) =>
  (await started(startWebSocketNode(respond))).url;

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

const createHttp = () => {
  const http = createUndiciHttp(directConnection);
  ends.push(() => http.stop());
  return (url: string, body: string, options: Partial<HttpRequest> = {}) =>
    http.send({ method: 'POST', url, body, logLabel: 'test', ...options });
};

const toWebSocketUrl = (url: string) => url.replace('http:', 'ws:');

it('are queried over one socket by several clients, and in several batches at once over more', async () => {
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

it('are queried again after they were restarted', async () => {
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
    message: expect.stringContaining('answers with status 403 and does not open a WebSocket.'),
  });
  const closing = await startNode(() => null);
  const asked = createClient(closing).rpc.request('eth_chainId', []).catch(toFault);
  await ends.at(-2)?.(); // the node stops
  expect(await asked).toMatchObject({ code: 'node-unreachable' });
  await expect(createClient(closing).rpc.request('eth_chainId', [])).rejects.toMatchObject({
    code: 'node-unreachable',
    message: expect.stringContaining('nothing is listening at'),
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

it('whose messages are long and have no id at either end are not parsed to find the request they answer', async () => {
  const marker = 'not parsed ';
  const url = await startNode(() => `[${`{"${marker}":1},`.repeat(20_000)}{}]`);
  const parse = vi.spyOn(JSON, 'parse');
  ends.push(async () => parse.mockRestore());
  const { body } = await createHttp()(url, '{"id":1}');
  expect(body).toContain(marker);
  expect(parse.mock.calls.filter(([text]) => String(text).includes(marker))).toEqual([]);
});

it('take no more memory with a message that does not end than all responses may', async () => {
  const url = await startServer((socket, key) => {
    acceptUpgrade(socket, key);
    socket.write(Buffer.from([0x01, 1, 0x61])); // a text with further frames
    const frame = Buffer.concat([Buffer.from([0x00, 126, 0xff, 0xff]), Buffer.alloc(65_535, 'a')]);
    for (let sent = 0; sent < 20; sent++) socket.write(frame);
  });
  const budget = new ResponseBudget(1024 * 1024);
  const http = createUndiciHttp(directConnection, { budget });
  ends.push(() => http.stop());
  const sent = http.send({ method: 'POST', url, body: '{"id":1}', logLabel: 'test' });
  await expect(sent).rejects.toMatchObject({ code: 'too-large' });
  expect(budget.take(budget.maxBytes)).toBe(true); // all of it is free again
});

it('are not offered to compress messages, and are refused when they do', async () => {
  const extension = 'sec-websocket-extensions: permessage-deflate\r\n';
  const { url, upgrades } = await started(startUpgradeServer((socket, key) => acceptUpgrade(socket, key, extension)));
  await expect(createHttp()(url, '{"id":1}')).rejects.toMatchObject({
    code: 'node-unreachable',
    message: expect.stringMatching(/compresses the messages of a WebSocket, which it was not offered\.$/),
  });
  expect(upgrades.map(headers => headers['sec-websocket-extensions'])).toEqual([undefined]);
});

it('do not answer the request of one client with a late response to another', async () => {
  const idOf = (text: string) => (JSON.parse(text) as { id: number }).id;
  const received: string[] = [];
  const url = await startNode(text => {
    const [late] = received;
    received.push(text);
    return late === undefined
      ? null
      : [late, text].map((request, at) => JSON.stringify({ jsonrpc: '2.0', id: idOf(request), result: at }));
  });
  const { http, rpc } = createClient(url);
  const log = createTestLog();
  const other = new JsonRpcClient({ selector: 'eth', url, http, clock: systemClock, log, timeoutMs: 60_000 });
  const leaving = new AbortController();
  const left = rpc.request('eth_gasPrice', [], leaving.signal).catch(toFault);
  await expect.poll(() => received).toHaveLength(1);
  leaving.abort();
  expect(await left).toMatchObject({ code: 'cancelled' });
  expect(await other.request('eth_blockNumber', [])).toBe(1);
});

it('may return ids as text, and send notifications before a response', async () => {
  const notification = '{"jsonrpc":"2.0","method":"eth_subscription","params":{"subscription":"0x1","result":{}}}';
  const responses = ['{"jsonrpc":"2.0","id":"1","result":"0x1"}', '{"jsonrpc":"2.0","result":{"id":3},"id":"2"}'];
  let at = 0;
  const url = await startNode(() => [notification, responses[at++] ?? '']);
  const send = createHttp();
  expect(await send(url, '{"id":1}')).toMatchObject({ body: responses[0] });
  expect(await send(url, '{"id":2}')).toMatchObject({ body: responses[1] });
});

it('are queried through the proxy of the settings, with its certificate settings', async () => {
  const lines: (string | undefined)[] = [];
  const tls = {
    key: readFileSync(new URL('../unit/client/fixtures/self-signed.key.pem', import.meta.url)),
    cert: readFileSync(new URL('../unit/client/fixtures/self-signed.cert.pem', import.meta.url)),
  };
  const answer = () => '{"id":1,"result":"0x1"}';
  const nodes = await Promise.all([started(startWebSocketNode(answer)), started(startWebSocketNode(answer, tls))]);
  const proxy = createHttpServer().on('connect', ({ url: line = '' }, client: Socket) => {
    lines.push(line);
    const upstream = connect(Number(line.split(':')[1]), '127.0.0.1', () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n');
      upstream.pipe(client).pipe(upstream);
    });
    for (const socket of [upstream, client]) {
      socket.on('error', () => {});
      ends.push(async () => socket.destroy());
    }
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  ends.push(async () => proxy.close());
  const settings = {
    ...directConnection,
    support: 'on',
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
  } as const;
  for (const strictSsl of [false, true]) {
    const http = createUndiciHttp({ ...settings, strictSsl });
    ends.push(() => http.stop());
    for (const [index, { url }] of nodes.entries()) {
      // It reaches this machine without being a name for it, so that proxies are used for it.
      const outside = url.replace('127.0.0.1', '0.0.0.0');
      const found = await http
        .send({ method: 'POST', url: outside, body: '{"id":1}', logLabel: 'test' })
        .catch(error => toFault(error).message);
      const isRefused = strictSsl && index === 1;
      expect(found).toEqual(
        isRefused
          ? expect.stringMatching(/^The certificate of 0\.0\.0\.0/)
          : expect.objectContaining({ body: answer() }),
      );
    }
  }
  const hosts = nodes.map(({ port }) => `0.0.0.0:${port}`);
  expect(lines).toEqual([...hosts, ...hosts]);
});

it('get user name and password of their URL, which a browser does not send', async () => {
  const node = await started(startWebSocketNode(text => JSON.stringify({ ...JSON.parse(text), result: '0x1' })));
  const url = node.url.replace('//', '//user:pass%20word@');
  expect(await createClient(url).rpc.request('eth_chainId', [])).toBe('0x1');
  expect(node.upgrades[0]).toMatchObject({ authorization: `Basic ${btoa('user:pass word')}` });
  expect(await createHttp()(url, '{"id":1}')).toMatchObject({ status: 200 });
  expect(node.upgrades[1]).toMatchObject({ authorization: `Basic ${btoa('user:pass word')}` });
  const http = createFetchHttp();
  ends.push(() => http.stop());
  await expect(http.send({ method: 'POST', url, body: '{"id":1}', logLabel: 'test' })).rejects.toMatchObject({
    code: 'node-unreachable',
    message: `The WebSocket URL of 127.0.0.1:${node.port} holds a user name or password, which a browser does not send.`,
  });
});

it('lose their connection although they do not close too, so that the process can end', async () => {
  const node = await started(startWebSocketNode(() => '{"id":1,"result":"0x1"}'));
  const http = createUndiciHttp(directConnection);
  await http.send({ method: 'POST', url: node.url, body: '{"id":1}', logLabel: 'test' });
  expect(node.connections.size).toBe(1);
  await http.stop();
  await expect.poll(() => node.connections.size).toBe(0);
});

it('are queried over a bounded number of sockets: those that are not used are closed, and batches wait', async () => {
  const nodes = await Promise.all(
    Array.from({ length: MAX_SOCKETS + 2 }, () => started(startWebSocketNode(() => '{"id":1,"result":"0x1"}'))),
  );
  const send = createHttp();
  for (const { url } of nodes) await send(url, '{"id":1}');
  const isOpen = () => nodes.map(({ connections }) => connections.size);
  await expect.poll(isOpen).toEqual([0, 0, ...Array(MAX_SOCKETS).fill(1)]);
  const busy = await started(startWebSocketNode(text => text));
  const sendToOne = createHttp();
  const bodies = Array.from({ length: 3 * MAX_SOCKETS }, (_, at) =>
    JSON.stringify([{ id: 2 * at }, { id: 2 * at + 1 }]),
  );
  const responses = await Promise.all(bodies.map(body => sendToOne(busy.url, body)));
  expect(responses.map(({ body }) => body)).toEqual(bodies);
  expect(busy.upgrades).toHaveLength(MAX_SOCKETS);
});

it('get no socket for a request that was cancelled before', async () => {
  let opened = 0;
  const openWebSocket = () => {
    opened++;
    return { socket: Object.assign(new EventTarget(), { readyState: 0, close() {} }) as unknown as WebSocket };
  };
  const http = new WebSocketHttp({
    timeoutMs: 60_000,
    maxBytes: 1_000,
    budget: new ResponseBudget(1_000),
    openWebSocket,
  });
  const request = { method: 'POST', url: 'ws://node.example/', body: '{"id":1}', logLabel: 'test' } as const;
  const fault = await http.send({ ...request, signal: AbortSignal.abort() }).catch(toFault);
  expect(fault).toMatchObject({ code: 'cancelled' });
  expect(opened).toBe(0);
});

it('have faults where the platform rejects the URL or a message', async () => {
  const opened = Object.assign(new EventTarget(), { readyState: 1, OPEN: 1, CLOSING: 2, close() {} });
  const rejecting = Object.assign(opened, {
    send() {
      throw new HexLensError('node-unreachable', 'It is not sent.');
    },
  });
  const platforms = [
    () => {
      throw new SyntaxError('secret');
    },
    () => ({ socket: rejecting as unknown as WebSocket }),
  ];
  const messages: string[] = [];
  for (const openWebSocket of platforms) {
    const http = new WebSocketHttp({
      timeoutMs: 60_000,
      maxBytes: 1_000,
      budget: new ResponseBudget(1_000),
      openWebSocket,
    });
    const sent = http.send({ method: 'POST', url: 'ws://node.example/', body: '{"id":1}', logLabel: 'test' });
    rejecting.dispatchEvent(new Event('open'));
    messages.push(((await sent.catch(toFault)) as HexLensError).message);
    await http.stop();
  }
  expect(messages).toEqual(['The WebSocket URL of node.example cannot be used.', 'It is not sent.']);
});
