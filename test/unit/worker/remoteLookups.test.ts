// The backend with a remote group, over real sockets: base URL and key, embedded groups, look-ups and status of a host.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Configuration, defaultConfiguration } from '../../../src/api/configuration.ts';
import { encodeRequest } from '../../../src/api/wire/request.ts';
import { type Clock, systemClock } from '../../../src/base/clock.ts';
import { getFaultCode } from '../../../src/base/errors.ts';
import type { Hex } from '../../../src/base/hex.ts';
import { type Log, silentLog } from '../../../src/base/log.ts';
import { type RunningServer, startServer } from '../../../src/cli/startServer.ts';
import type { Backend } from '../../../src/worker/backend.ts';
import { createNodeBackend } from '../../../src/worker/nodeBackend.ts';
import { type ScriptedNode, startScriptedNode } from './scriptedNode.ts';

const WALLET: Hex = `0x${'ab'.repeat(20)}`;
const KEY = 'remote-key';
const balances = (chain: string) => encodeRequest('walletBalances', { walletAddresses: [WALLET], chain });

let node: ScriptedNode;
let host: RunningServer;
let backend: Backend;
let lines: string[] = [];
let skipped = 0;
const line = (level: string) => (message: string) => void lines.push(`${level}: ${message}`);
const log: Log = { ...silentLog, info: line('info'), warn: line('warn'), error: line('error') };
const STARTED = Date.now();
/** A test advances it; a busy machine does not. */
const clock: Clock = { ...systemClock, now: () => STARTED + skipped };

const embedded = (nodes: Configuration['nodes']): Configuration => ({
  ...defaultConfiguration,
  nodes,
  timeoutMs: 60_000,
});
const start = (configuration: Configuration): void => {
  backend = createNodeBackend({ log, clock });
  backend.configure(configuration);
};
const code = (promise: Promise<unknown>) => promise.then(() => 'answered', getFaultCode);
const remote = (over: Partial<Configuration> = {}): Configuration => ({
  ...embedded({}),
  groups: { ...defaultConfiguration.groups, evm: { mode: 'remote', baseUrl: `${host.url}/api/v2` } },
  keys: { [host.url]: KEY },
  ...over,
});

beforeEach(async () => {
  node = await startScriptedNode();
  lines = [];
  skipped = 0;
  // Another HexLens is the remote host; its node has the id of a public chain.
  host = await startServer({ port: 0, key: KEY, configuration: embedded({ '0x7a69': node.url }), log: silentLog });
});
afterEach(async () => {
  await backend.stop();
  await host.stop();
  await node.stop();
});

test('requests of a remote group go to its base URL with its key', async () => {
  start(remote());
  const reply = await backend.call(balances('0x7a69'));
  expect(reply.status).toBe(200);
  expect(reply.body).toMatchObject([{ chain_id: '0x7a69', total_balance: '5' }]);
  expect(lines).toEqual([expect.stringMatching(/^info: GET 127\.0\.0\.1:\d+ \/wallets\/balances 200 \d+ ms$/)]);
});

test('the key is sent to no other origin', async () => {
  start(remote({ keys: { 'http://127.0.0.1:1': KEY } }));
  expect(await code(backend.call(balances('0x7a69')))).toBe('unauthorized');
});

test('the other groups stay embedded', async () => {
  start(remote());
  const reply = await backend.call(encodeRequest('verifySignIn', { message: 'm', signature: '0x' }));
  expect(reply.headers['x-hexlens-fault']).toBeDefined();
  expect(lines).toEqual([]);
});

test('look-ups use the operations of the host and are cached for a time', async () => {
  start(remote());
  const lookUp = () => backend.lookup('addressSummary', { chain: '0x7a69', address: WALLET });
  expect(await lookUp()).toEqual({
    kind: 'address',
    chain: expect.objectContaining({ id: 0x7a69 }),
    address: WALLET,
    balance: 5n,
    blockNumber: 10,
    nonce: null,
    codeSize: null,
    codeHash: null,
    delegate: null,
    proxy: null,
    token: null,
  });
  node.balance = 6n;
  skipped += 14_000;
  expect((await lookUp()).balance).toBe(5n);
  skipped += 2_000;
  expect((await lookUp()).balance).toBe(6n);
});

test('the status of a remote chain is made of earlier responses, without a request', async () => {
  start(remote());
  const status = () => backend.lookup('chainStatus', { chain: '0x7a69' });
  expect(await status()).toMatchObject({ source: 'host', head: null, problem: null, chain: { id: 0x7a69 } });
  expect(lines).toEqual([]);
  await backend.lookup('addressSummary', { chain: '0x7a69', address: WALLET });
  expect(await status()).toMatchObject({ head: 10, headTime: new Date(1_700_000_120_000), problem: null });
  await host.stop();
  await code(backend.lookup('addressSummary', { chain: '0x7a69', address: `0x${'11'.repeat(20)}` }));
  const { problem } = await status();
  expect(problem).toContain(new URL(host.url).host);
});

test('what is known of a remote chain stays known when the address book changes', async () => {
  start(remote());
  await backend.lookup('addressSummary', { chain: '0x7a69', address: WALLET });
  backend.configure(remote({ addressBook: { [WALLET]: [{ name: 'Mine', chains: [] }] } }));
  expect(await backend.lookup('chainStatus', { chain: '0x7a69' })).toMatchObject({ head: 10 });
  backend.configure(remote({ keys: {} }));
  expect(await backend.lookup('chainStatus', { chain: '0x7a69' })).toMatchObject({ head: null });
});

test('a local chain is rejected with a fix', async () => {
  start(remote());
  expect(await code(backend.lookup('addressSummary', { chain: 'local', address: WALLET }))).toBe('no-node');
  expect(await backend.lookup('chainStatus', { chain: 'local' })).toMatchObject({
    chain: null,
    problem: expect.stringContaining('embedded service'),
  });
});

test('a redirect is not followed: no part of the request reaches the other address', async () => {
  const reached: string[] = [];
  const elsewhere = createServer((request, response) => {
    reached.push(request.url ?? '');
    response.end('[]');
  }).listen(0, '127.0.0.1');
  const target = () => `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;
  const redirecting = createServer((_, response) => {
    response.writeHead(307, { location: `${target()}/stolen` }).end();
  }).listen(0, '127.0.0.1');
  await Promise.all([once(elsewhere, 'listening'), once(redirecting, 'listening')]);
  const origin = `http://127.0.0.1:${(redirecting.address() as AddressInfo).port}`;
  const groups = { ...remote().groups, evm: { mode: 'remote', baseUrl: origin } } as const;
  start(remote({ groups, keys: { [origin]: KEY } }));
  expect(await code(backend.call(balances('0x7a69')))).toBe('host-error');
  expect(reached).toEqual([]);
  for (const server of [elsewhere, redirecting]) server.close();
});

test('a base URL that is not allowed is not reached by look-ups either', async () => {
  start(remote());
  backend.configure(remote({ groups: { ...remote().groups, evm: { mode: 'remote', baseUrl: 'https://' } } }));
  expect(await code(backend.call(balances('0x7a69')))).toBe('bad-input');
});
