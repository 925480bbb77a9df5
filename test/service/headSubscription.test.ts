// New heads of a real Anvil by `eth_subscribe`: without requests while they are announced, by polling as soon as they are not.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { defaultConfiguration, defaultProxyConfiguration } from '../../src/api/configuration.ts';
import { systemClock } from '../../src/base/clock.ts';
import { createCancelledFault } from '../../src/base/errors.ts';
import type { Hex } from '../../src/base/hex.ts';
import { createUndiciHttp } from '../../src/client/undiciHttp.ts';
import { EvmNode } from '../../src/service/evm/evmNode.ts';
import { FallbackRpc } from '../../src/service/evm/fallbackRpc.ts';
import { JsonRpcClient, type OnAnnouncedHead, type RpcClient } from '../../src/service/evm/rpcClient.ts';
import { createNodeBackend } from '../../src/worker/nodeBackend.ts';
import { type Anvil, startAnvil } from '../support/chain/anvil.ts';
import { createFakeClock } from '../support/fakeClock.ts';
import { createTestLog } from '../support/testClock.ts';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function startChain(): Promise<Anvil> {
  const anvil = await startAnvil();
  ends.push(() => anvil.stop());
  return anvil;
}

/** The clock of the node does not move, so that no interval of a poll or of a subscription passes by itself. */
function createFollower(
  urls: string | readonly [string, ...string[]],
  subscribeToHeads?: RpcClient['subscribeToHeads'],
) {
  const http = createUndiciHttp({ ...defaultProxyConfiguration, systemCertificates: false });
  const clock = createFakeClock('manual');
  const log = createTestLog();
  const [client, ...others] = [urls]
    .flat()
    .map(
      (url): RpcClient =>
        new JsonRpcClient({ selector: 'local', url, http, clock: systemClock, log, timeoutMs: 60_000 }),
    ) as [RpcClient, ...RpcClient[]];
  const several = { clients: [client, ...others] as const, expectedChainId: null };
  const rpc: RpcClient = others.length === 0 ? client : new FallbackRpc({ selector: 'local', clock, log, ...several });
  const requests: string[] = [];
  const [send, sendAll] = [rpc.send.bind(rpc), rpc.sendAll.bind(rpc)];
  rpc.send = (method, params, signal) => {
    requests.push(method);
    return send(method, params, signal);
  };
  rpc.sendAll = (calls, signal) => {
    requests.push(calls.map(({ method }) => method).join());
    return sendAll(calls, signal);
  };
  if (subscribeToHeads !== undefined) Object.defineProperty(rpc, 'subscribeToHeads', { value: subscribeToHeads });
  let changes = 0;
  const onHeadChange = () => {
    changes++;
  };
  const node = new EvmNode({ selector: 'local', rpc, clock, log, onHeadChange });
  ends.push(
    () => node.close(),
    () => http.stop(),
  );
  const readHead = async () => (await node.followState()).headNumber;
  return {
    ...{ node, clock, requests, readHead },
    changes: () => changes,
    /** Polls until the node announces its heads. */
    async subscribe() {
      await readHead();
      await readHead();
      await expect.poll(() => changes).toBe(1);
      await readHead(); // one may have been mined before
      requests.length = 0;
    },
  };
}

const toWebSocketUrl = (url: string) => url.replace('http:', 'ws:');

it.each([
  ['a ws:// URL', toWebSocketUrl],
  ['the HTTP URL of a development node, which takes WebSockets too', (url: string) => url],
])('%s: new heads come without a request', async (_, toUrl) => {
  const anvil = await startChain();
  const follower = createFollower(toUrl(anvil.url));
  await follower.subscribe();
  const before = follower.changes();
  await anvil.rpc('anvil_mine', ['0x3']);
  await expect.poll(follower.readHead).toBe(3);
  expect(follower.changes()).toBeGreaterThan(before);
  expect(follower.requests).toEqual([]);
  // What is not announced is found by the poll that stays.
  const snapshot = await anvil.rpc('evm_snapshot');
  await anvil.rpc('anvil_mine', ['0x1']);
  await expect.poll(follower.readHead).toBe(4);
  await anvil.rpc('evm_revert', [snapshot]);
  follower.clock.advance(3_000);
  expect(await follower.readHead()).toBe(3);
});

it('a reorganization is found at once', async () => {
  const anvil = await startChain();
  const follower = createFollower(toWebSocketUrl(anvil.url));
  await follower.subscribe();
  await anvil.rpc('anvil_mine', ['0x3']);
  await expect.poll(follower.readHead).toBe(3);
  await anvil.rpc('anvil_setCoinbase', [`0x${'77'.repeat(20)}`]); // else the new blocks could be the old ones
  await anvil.rpc('anvil_reorg', [2, []]);
  const { hash } = await anvil.rpc<{ hash: Hex }>('eth_getBlockByNumber', ['latest', false]);
  await expect.poll(async () => (await follower.node.followState()).headHash).toBe(hash);
});

it('when the WebSocket is lost, the node is polled at once, and announces heads again later', async () => {
  const anvil = await startChain();
  const sockets = new Set<Socket>();
  const forwarder = createTcpServer(socket => {
    const forwarded = connect(Number(new URL(anvil.url).port), '127.0.0.1');
    for (const end of [socket, forwarded]) {
      sockets.add(end);
      end.on('error', () => {});
    }
    socket.pipe(forwarded).pipe(socket);
  });
  forwarder.listen(0, '127.0.0.1');
  await once(forwarder, 'listening');
  const loseSockets = () => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  ends.push(() => {
    loseSockets();
    forwarder.close();
  });
  const follower = createFollower(`ws://127.0.0.1:${(forwarder.address() as AddressInfo).port}`);
  await follower.subscribe();
  const before = follower.changes();
  loseSockets();
  await expect.poll(follower.changes).toBe(before + 1); // it is time to poll
  await anvil.rpc('anvil_mine', ['0x1']);
  expect(await follower.readHead()).toBe(1);
  await anvil.rpc('anvil_mine', ['0x1']);
  expect(await follower.readHead()).toBe(2);
  expect(follower.requests).toHaveLength(2);
  follower.clock.advance(1_000);
  await follower.readHead();
  await expect.poll(follower.changes).toBe(before + 2);
  await follower.readHead();
  follower.requests.length = 0;
  await anvil.rpc('anvil_mine', ['0x1']);
  await expect.poll(follower.readHead).toBe(3);
  expect(follower.requests).toEqual([]);
});

it('a subscription is renewed when the head has changed and nothing was announced', async () => {
  const anvil = await startChain();
  let subscriptions = 0;
  let announce: OnAnnouncedHead = () => {};
  const follower = createFollower(toWebSocketUrl(anvil.url), (onSubscribed, onHead, signal) => {
    subscriptions++;
    announce = onHead;
    onSubscribed();
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(createCancelledFault())));
  });
  await follower.subscribe();
  await anvil.rpc('anvil_mine', ['0x1']);
  announce(await anvil.rpc('eth_getBlockByNumber', ['latest', false]), false);
  await anvil.rpc('anvil_mine', ['0x1']);
  follower.clock.advance(3_000);
  expect(await follower.readHead()).toBe(2);
  expect(subscriptions).toBe(1); // the second block may be announced in a moment
  await anvil.rpc('anvil_mine', ['0x1']);
  follower.clock.advance(3_000);
  expect(await follower.readHead()).toBe(3);
  expect(subscriptions).toBe(2);
});

it('a node that stops is noticed at once', async () => {
  const anvil = await startAnvil();
  const follower = createFollower(anvil.url);
  await follower.subscribe();
  const before = follower.changes();
  await anvil.stop();
  await expect.poll(follower.changes).toBeGreaterThan(before);
  await expect(follower.readHead()).rejects.toMatchObject({ code: 'node-unreachable' });
});

it('a node that refuses WebSockets is polled, with one request a poll', async () => {
  const anvil = await startChain();
  let upgrades = 0;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(anvil.url, { method: 'POST', headers, body: Buffer.concat(chunks) });
    response.writeHead(200, headers).end(await answer.text());
  });
  server.on('upgrade', (_, socket) => {
    upgrades++;
    socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ends.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const follower = createFollower(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  await follower.readHead();
  await follower.readHead();
  await expect.poll(() => upgrades).toBe(1);
  follower.requests.length = 0;
  for (let head = 1; head <= 5; head++) {
    await anvil.rpc('anvil_mine', ['0x1']);
    follower.clock.advance(3_000);
    expect(await follower.readHead()).toBe(head);
  }
  expect(follower.requests).toEqual(Array(5).fill('eth_getBlockByNumber'));
  expect([upgrades, follower.changes()]).toEqual([1, 0]);
});

it('one look-up of the status begins no subscription, and it ends a minute after the last one', async () => {
  const anvil = await startChain();
  const follower = createFollower(toWebSocketUrl(anvil.url));
  await follower.readHead();
  follower.clock.advance(60_000);
  await follower.readHead();
  expect(follower.clock.sleeps).toEqual([]); // nothing waits for its end
  await follower.readHead();
  await expect.poll(follower.changes).toBe(1);
  await expect.poll(() => follower.clock.sleeps).toContain(60_000);
  follower.clock.advance(60_000);
  await expect.poll(follower.changes).toBe(2);
});

it('pollers of a backend are notified of new heads', async () => {
  const anvil = await startChain();
  const changed: string[] = [];
  const backend = createNodeBackend({ log: createTestLog(), onHeadChange: selector => changed.push(selector) });
  ends.push(() => backend.stop());
  backend.configure({ ...defaultConfiguration, nodes: { local: toWebSocketUrl(anvil.url) } });
  const poll = async () => (await backend.lookup('chainStatus', { chain: 'local', isPoll: true })).head;
  await poll();
  await poll();
  await expect.poll(() => changed).toContain('local');
  await poll();
  changed.length = 0;
  await anvil.rpc('anvil_mine', ['0x1']);
  await expect.poll(() => changed).toContain('local');
  await expect.poll(poll).toBe(1);
});

/** Two nodes of one chain; `mine` gives some of them a block, which is the same in all of them. */
async function startTwoNodes() {
  const timestamp = 1_700_000_000;
  const [one, two] = [await startAnvil({ timestamp }), await startAnvil({ timestamp })];
  ends.push(() => one.stop());
  ends.push(() => two.stop());
  const mine = async (block: number, chains: readonly Anvil[]) => {
    for (const chain of chains) await chain.rpc('evm_mine', [timestamp + 12 * block]);
  };
  return { one, two, mine };
}

it('of several URLs, the one that is used announces heads, and the next one when it stops', async () => {
  const { one, two, mine } = await startTwoNodes();
  const follower = createFollower([toWebSocketUrl(one.url), toWebSocketUrl(two.url)]);
  await follower.subscribe();
  await mine(1, [two, one]);
  await expect.poll(follower.readHead).toBe(1);
  expect(follower.requests).toEqual([]);
  await mine(2, [one]);
  await expect.poll(follower.readHead).toBe(2);
  const before = follower.changes();
  await one.stop();
  await expect.poll(follower.changes).toBeGreaterThan(before);
  // What was announced is not undone by a node that is behind.
  await expect(follower.readHead()).rejects.toMatchObject({ code: 'node-unreachable' });
  await mine(2, [two]);
  const readOther = () => follower.readHead().catch(() => -1);
  const lost = follower.changes();
  follower.clock.advance(1_000);
  await expect.poll(readOther).toBe(2);
  // A first attempt may have been at the node that stopped: the next one is later.
  const retry = async () => {
    follower.clock.advance(1_000);
    await follower.readHead();
    return follower.changes();
  };
  await expect.poll(retry).toBeGreaterThan(lost);
  await follower.readHead();
  follower.requests.length = 0;
  await mine(3, [two]);
  await expect.poll(follower.readHead).toBe(3);
  expect(follower.requests).toEqual([]);
});

it('of several URLs, one with a WebSocket announces heads although requests go to another one', async () => {
  const { one, two, mine } = await startTwoNodes();
  const follower = createFollower([one.url, toWebSocketUrl(two.url)]);
  await follower.subscribe();
  await follower.readHead();
  expect(follower.requests).toEqual([]);
  const before = follower.changes();
  await mine(1, [two]);
  await expect.poll(follower.changes).toBeGreaterThan(before);
  // The node that is read gets the block later: until then it is polled.
  expect(await follower.readHead()).toBe(0);
  expect(await follower.readHead()).toBe(0);
  expect(follower.requests).toHaveLength(2);
  await mine(1, [one]);
  expect(await follower.readHead()).toBe(1);
  expect(await follower.readHead()).toBe(1);
  expect(follower.requests).toHaveLength(3);
  expect(follower.node.rpc.host).toBe(new URL(one.url).host);
});

it('of several URLs, one whose requests fail announces no more heads, and the next one does', async () => {
  const { one, two, mine } = await startTwoNodes();
  let isFailing = false;
  const sockets = new Set<Socket>();
  const forwarder = createTcpServer(socket => {
    const forwarded = connect(Number(new URL(one.url).port), '127.0.0.1');
    for (const end of [socket, forwarded]) {
      sockets.add(end);
      end.on('error', () => {});
    }
    socket.on('data', chunk => {
      if (isFailing && chunk.toString('latin1').startsWith('POST ')) socket.destroy();
      else forwarded.write(chunk);
    });
    socket.on('close', () => forwarded.destroy());
    forwarded.pipe(socket);
  });
  forwarder.listen(0, '127.0.0.1');
  await once(forwarder, 'listening');
  ends.push(() => {
    for (const socket of sockets) socket.destroy();
    forwarder.close();
  });
  const follower = createFollower([`http://127.0.0.1:${(forwarder.address() as AddressInfo).port}`, two.url]);
  await follower.subscribe();
  await mine(1, [one]);
  await expect.poll(follower.readHead).toBe(1);
  expect(follower.requests).toEqual([]);
  const before = follower.changes();
  isFailing = true;
  await expect(follower.node.fetchState()).rejects.toMatchObject({ code: 'node-unreachable' });
  await expect.poll(follower.changes).toBe(before + 1);
  await mine(2, [one]);
  await mine(1, [two]);
  expect(await follower.readHead()).toBe(1);
  const retry = async () => {
    follower.clock.advance(1_000);
    await follower.readHead();
    return follower.changes();
  };
  await expect.poll(retry).toBeGreaterThan(before + 1);
  await follower.readHead();
  follower.requests.length = 0;
  await mine(2, [two]);
  await expect.poll(follower.readHead).toBe(2);
  expect(follower.requests).toEqual([]);
});
