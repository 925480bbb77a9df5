// The backend over real sockets: deduplication, cache, change of configuration, stop.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Configuration, defaultConfiguration } from '../../../src/api/configuration.ts';
import type { AddressSummary } from '../../../src/api/lookups.ts';
import { encodeRequest } from '../../../src/api/wire/request.ts';
import { type Clock, systemClock } from '../../../src/base/clock.ts';
import { getFaultCode } from '../../../src/base/errors.ts';
import type { Hex } from '../../../src/base/hex.ts';
import { type Log, silentLog } from '../../../src/base/log.ts';
import { createUndiciHttp } from '../../../src/client/undiciHttp.ts';
import type { Backend, BackendDeps } from '../../../src/worker/backend.ts';
import { createNodeBackend } from '../../../src/worker/nodeBackend.ts';
import { STATE_TTL_MS } from '../../../src/worker/resultCache.ts';
import { type ScriptedNode, startScriptedNode } from './scriptedNode.ts';

const WALLET: Hex = `0x${'ab'.repeat(20)}`;
const balances = (chain?: string) => encodeRequest('walletBalances', { walletAddresses: [WALLET], chain });

let node: ScriptedNode;
let backend: Backend;
let lines: string[] = [];
let skipped = 0;
const line = (level: string) => (message: string) => void lines.push(`${level}: ${message}`);
const log: Log = { ...silentLog, info: line('info'), warn: line('warn'), error: line('error') };
const STARTED = Date.now();
/** A test advances it; a busy machine does not: what is cached for a second stays cached. */
const clock: Clock = { ...systemClock, now: () => STARTED + skipped };
const ports = { made: 0, stopped: 0 };
const createHttp: BackendDeps['createHttp'] = proxy => {
  ports.made++;
  const port = createUndiciHttp(proxy);
  return {
    ...port,
    stop: () => {
      ports.stopped++;
      return port.stop();
    },
  };
};

const embedded = (nodes: Configuration['nodes'] = { local: node.url }): Configuration => ({
  ...defaultConfiguration,
  nodes,
  timeoutMs: 60_000,
});
const start = (configuration = embedded(), deps: Partial<BackendDeps> = {}): Backend => {
  backend = createNodeBackend({ log, clock, createHttp, ...deps });
  backend.configure(configuration);
  return backend;
};
const summary = (address: Hex = WALLET, signal?: AbortSignal): Promise<AddressSummary> =>
  backend.lookup('addressSummary', { chain: 'local', address }, { signal });
const code = (promise: Promise<unknown>) => promise.then(() => 'answered', getFaultCode);

beforeEach(async () => {
  node = await startScriptedNode();
  lines = [];
  skipped = 0;
  ports.made = 0;
  ports.stopped = 0;
});
afterEach(async () => {
  await backend.stop();
  await node.stop();
});

describe('deduplication', () => {
  test('concurrent look-ups of the same thing share one request, also in different spellings', async () => {
    start();
    const upper: Hex = `0x${'AB'.repeat(20)}`;
    const answers = await Promise.all([summary(), summary(upper), summary()]);
    expect(node.count('eth_getCode')).toBe(1);
    expect(answers.map(answer => answer.balance)).toEqual([5n, 5n, 5n]);
  });

  test('concurrent equal requests of an operation share one request; different ones do not', async () => {
    start();
    const other = encodeRequest('walletBalances', { walletAddresses: [`0x${'cd'.repeat(20)}`] });
    await Promise.all([backend.call(balances()), backend.call(balances()), backend.call(other)]);
    expect(node.count('eth_getBalance')).toBe(2);
  });

  test('an aborting caller rejects at once; the request is aborted only with its last caller', async () => {
    start();
    await summary(`0x${'11'.repeat(20)}`); // the node is known from here on
    node.hold = 'eth_getCode';
    const [first, second] = [new AbortController(), new AbortController()];
    const left = code(summary(WALLET, first.signal));
    const stays = code(summary(WALLET, second.signal));
    await expect.poll(() => node.held()).toBe(1);
    first.abort();
    expect(await left).toBe('cancelled');
    expect(node.held()).toBe(1);
    second.abort();
    expect(await stays).toBe('cancelled');
    await expect.poll(() => node.held()).toBe(0);
  });

  test('an already aborted signal sends no request', async () => {
    start();
    expect(await code(summary(WALLET, AbortSignal.abort()))).toBe('cancelled');
    expect(node.calls).toEqual([]);
  });
});

describe('cache', () => {
  test('while the head is the same, a repeated call only queries the head', async () => {
    start();
    const input = { chain: 'local', address: WALLET, data: ['0x01'], block: node.chain.head } as const;
    const read = async () => (await backend.lookup('contractCalls', input)).results;
    await read();
    node.balance = 6n;
    skipped += 60_000;
    expect(await read()).toEqual([{ outcome: 'returned', output: '0x05' }]);
    expect(node.count('eth_call')).toBe(1);
    node.chain.head++;
    skipped += 60_000;
    expect(await read()).toEqual([{ outcome: 'returned', output: '0x06' }]);
  });

  test('balances of a dev chain are requested again after a moment, while the head is the same', async () => {
    start();
    await summary();
    node.balance = 6n;
    skipped += STATE_TTL_MS;
    expect((await summary()).balance).toBe(6n);
    expect(node.count('eth_getCode')).toBe(2);
  });

  test('a reset of the chain drops its results and is logged once', async () => {
    start();
    await summary();
    node.chain = { genesis: 2, head: 10 };
    node.balance = 7n;
    skipped += 60_000;
    expect((await summary()).balance).toBe(7n);
    expect(lines.filter(text => text.includes('was reset'))).toHaveLength(1);
  });

  const forProgram = { forProgram: true };

  test('a program reads state that a cheat code changed without a new head', async () => {
    start();
    await backend.call(balances());
    node.balance = 6n;
    expect((await backend.call(balances(), forProgram)).body).toMatchObject([{ total_balance: '6' }]);
    node.balance = 7n;
    expect((await backend.call(balances(), forProgram)).body).toMatchObject([{ total_balance: '7' }]);
  });

  test('a program never joins a request that began before its own', async () => {
    start();
    node.hold = 'eth_getBalance';
    const early = [backend.call(balances(), forProgram), backend.call(balances(), forProgram)];
    await expect.poll(() => node.held()).toBe(1);
    const late = [backend.call(balances(), forProgram), backend.call(balances(), forProgram)];
    node.release();
    await Promise.all(early);
    const before = node.count('eth_getBalance');
    await Promise.all(late);
    expect([before, node.count('eth_getBalance')]).toEqual([1, 2]);
  });

  test('faults are not cached', async () => {
    start();
    await node.stop();
    expect(await code(summary())).toBe('node-unreachable');
    expect(await backend.call(balances())).toMatchObject({ status: 502 });
  });
});

describe('change of configuration', () => {
  test('calls before the first configuration reject', async () => {
    backend = createNodeBackend({ log });
    expect(await code(backend.call(balances()))).toBe('backend-stopped');
  });

  test('configuring the same again changes nothing', async () => {
    start();
    await summary();
    backend.configure(embedded());
    await summary();
    expect(node.count('eth_getCode')).toBe(1);
    expect(lines.filter(text => text.includes('configuration'))).toEqual([]);
  });

  test('running calls end on the old node, later ones use the new node', async () => {
    const other = await startScriptedNode();
    other.balance = 9n;
    start();
    await summary(`0x${'11'.repeat(20)}`);
    node.hold = 'eth_getCode';
    const before = summary();
    await expect.poll(() => node.held()).toBe(1);
    backend.configure(embedded({ local: other.url }));
    expect((await summary()).balance).toBe(9n);
    expect(ports).toEqual({ made: 1, stopped: 0 }); // connections stay: the proxy is the same
    node.release();
    expect((await before).balance).toBe(5n);
    expect((await summary()).balance).toBe(9n);
    await other.stop();
  });

  test('a changed proxy opens new connections and lets running requests finish', async () => {
    start();
    await summary(`0x${'11'.repeat(20)}`);
    node.hold = 'eth_getCode';
    const before = summary();
    await expect.poll(() => node.held()).toBe(1);
    const { proxy } = embedded();
    backend.configure({ ...embedded(), proxy: { ...proxy, support: 'off' } });
    node.hold = null;
    await summary();
    expect(ports).toEqual({ made: 2, stopped: 0 });
    node.release();
    await before;
    await expect.poll(() => ports.stopped).toBe(1);
  });

  test('an invalid node URL is a fault of the call', async () => {
    start(embedded({ local: 'nonsense', 'not a chain': 'x', eth: 'ftp://x' }));
    expect(await code(summary())).toBe('no-node');
    expect(await backend.call(balances())).toMatchObject({ status: 400 });
    backend.configure(embedded());
    expect((await summary()).balance).toBe(5n);
  });
});

describe('stop', () => {
  test('every pending call rejects, and so does every later one', async () => {
    start();
    await summary(`0x${'11'.repeat(20)}`);
    node.hold = 'eth_getCode';
    const pending = [code(summary()), code(summary(`0x${'22'.repeat(20)}`))];
    await expect.poll(() => node.held()).toBe(2);
    const stopped = backend.stop();
    expect(await Promise.all(pending)).toEqual(['backend-stopped', 'backend-stopped']);
    await stopped;
    await expect.poll(() => node.held()).toBe(0);
    expect(ports).toEqual({ made: 1, stopped: 1 });
    expect(await code(summary())).toBe('backend-stopped');
    await backend.stop();
    expect(ports.stopped).toBe(1);
  });

  test('a call that began a moment before creates no service', async () => {
    start();
    const pending = code(summary());
    await backend.stop();
    expect(await pending).toBe('backend-stopped');
    expect(ports.made).toBeLessThanOrEqual(1);
    expect(ports.stopped).toBe(ports.made);
  });
});
