// The worker thread with the real connection of the main thread: calls, log, cancel, errors, stop.
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { defaultConfiguration } from '../../../src/api/configuration.ts';
import { encodeRequest } from '../../../src/api/wire/request.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { getFaultCode } from '../../../src/base/errors.ts';
import { type Log, silentLog } from '../../../src/base/log.ts';
import { WorkerConnection } from '../../../src/client/workerConnection.ts';
import { bundleProgram } from '../../support/bundle.ts';
import { createFakeClock } from '../../support/fakeClock.ts';
import { findFreePort } from '../../support/freePort.ts';
import { type ScriptedNode, startScriptedNode } from './scriptedNode.ts';

const ENTRY = pathToFileURL(await bundleProgram('src/worker/worker.ts'));
const WALLET = `0x${'ab'.repeat(20)}` as const;
const request = encodeRequest('walletBalances', { walletAddresses: [WALLET] });

let node: ScriptedNode;
let link: WorkerConnection;
let workers: Worker[] = [];
let exits: number[] = [];
let lines: string[] = [];
const line = (level: string) => (message: string) => void lines.push(`${level}: ${message}`);
const log: Log = { ...silentLog, info: line('info'), warn: line('warn'), error: line('error') };

function open(entry: URL | string, options: { eval?: boolean } = {}): Worker {
  const worker = new Worker(entry, options);
  worker.on('exit', code => exits.push(code));
  workers.push(worker);
  return worker;
}

beforeEach(async () => {
  node = await startScriptedNode();
  workers = [];
  exits = [];
  lines = [];
  // Its time does not pass: a thread that is slow to stop is not terminated, which would be another exit code.
  link = new WorkerConnection({ start: () => open(ENTRY), clock: createFakeClock('manual'), log });
  link.configure({ ...defaultConfiguration, nodes: { local: node.url } });
});
afterEach(async () => {
  await link.stop();
  await node.stop();
});

describe('the HTTP server for programs', () => {
  const get = (url: string, key = 'k') =>
    fetch(`${url}/api/v2/wallets/balances?wallet_addresses=${WALLET}`, { headers: { 'x-api-key': key } });

  test('opens, moves and closes, and accepts one key', async () => {
    const first = (await link.serve({ port: 0, key: 'k' })) ?? '';
    expect(await (await get(first)).json()).toMatchObject([{ total_balance: '5' }]);
    expect((await get(first, 'other')).status).toBe(401);
    const second = (await link.serve({ port: 0, key: 'another' })) ?? '';
    await expect(get(first)).rejects.toThrow();
    expect((await get(second, 'another')).status).toBe(200);
    expect((await link.transport.send(request)).status).toBe(200);
    expect(await link.serve(null)).toBeNull();
    await expect(get(second, 'another')).rejects.toThrow();
    expect((await link.transport.send(request)).status).toBe(200);
  });

  test('of several concurrent calls only the last server stays open', async () => {
    const urls = await Promise.all([1, 2, 3].map(() => link.serve({ port: 0, key: 'k' })));
    const answers = await Promise.allSettled(urls.map(url => get(url ?? '')));
    expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
  });

  test('a port in use is a fault with a message, and can be tried again', async () => {
    const port = await findFreePort(); // no connection takes it in between
    const taken = createServer().listen(port, '127.0.0.1');
    await once(taken, 'listening');
    await expect(link.serve({ port, key: 'k' })).rejects.toMatchObject({
      code: 'bad-input',
      message: `Port ${port} is already in use.`,
    });
    taken.close();
    await once(taken, 'close');
    expect(await link.serve({ port, key: 'k' })).toBe(`http://127.0.0.1:${port}`);
  });

  test('it closes when the worker stops', async () => {
    const url = (await link.serve({ port: 0, key: 'k' })) ?? '';
    const ended = new Promise<void>(resolve => link.onExit(resolve));
    await link.restart();
    await ended;
    await expect(get(url)).rejects.toThrow();
    expect((await link.transport.send(request)).status).toBe(200);
  });
});

test('calls and look-ups resolve, and every request of the worker is logged on the main thread', async () => {
  const reply = await link.transport.send(request);
  expect(reply).toMatchObject({ status: 200, body: [{ total_balance: '5' }] });
  const summary = await link.lookup('addressSummary', { chain: 'local', address: WALLET });
  expect(summary).toMatchObject({ balance: 5n, nonce: 1 });
  // Log lines arrive after the responses.
  await expect.poll(() => lines.filter(text => text.startsWith('info: POST 127.0.0.1'))).not.toEqual([]);
});

test('faults cross the port with code and fix', async () => {
  const error = await link.lookup('blockSummary', { chain: 'eth', block: 1 }).catch(caught => caught);
  expect(getFaultCode(error)).toBe('no-node');
  expect(error.fix).toContain('the setting hexlens.nodes');
});

test('a cancelled look-up aborts its request to the node', async () => {
  await link.transport.send(request);
  node.hold = 'eth_getCode';
  const controller = new AbortController();
  const pending = link.lookup('addressSummary', { chain: 'local', address: WALLET }, { signal: controller.signal });
  const outcome = pending.then(() => 'answered', getFaultCode);
  await expect.poll(() => node.held()).toBe(1);
  controller.abort();
  expect(await outcome).toBe('cancelled');
  await expect.poll(() => node.held()).toBe(0);
});

test('stop ends the thread, also during a request', async () => {
  await link.transport.send(request);
  node.hold = 'eth_getCode';
  const pending = link
    .lookup('addressSummary', { chain: 'local', address: WALLET })
    .then(() => 'answered', getFaultCode);
  await expect.poll(() => node.held()).toBe(1);
  await link.stop();
  expect(await pending).toBe('backend-stopped');
  await expect.poll(() => exits).toEqual([0]);
});

test.each([
  ['an exception', "setTimeout(() => { throw new Error('oops'); }, 0);"],
  ['an unhandled rejection', "Promise.reject(new Error('oops'));"],
])('%s ends the thread with an error and a log line; the connection starts it again', async (_, mistake) => {
  await link.stop();
  // The real entry, and an error that occurs at the first request to the node.
  const source = `import(${JSON.stringify(ENTRY.href)}).then(() => { ${mistake} });`;
  let starts = 0;
  link = new WorkerConnection({
    start: () => (starts++ === 0 ? open(source, { eval: true }) : open(ENTRY)),
    clock: systemClock,
    log,
  });
  link.configure({ ...defaultConfiguration, nodes: { local: node.url } });
  node.hold = 'eth_getBalance';
  const pending = link.transport.send(request).then(() => 'answered', getFaultCode);
  await expect.poll(() => exits).toEqual([1]);
  expect(await pending).toBe('backend-stopped');
  expect(lines.join('\n')).toMatch(/error: The service failed \(\w+\) and restarts: Error: oops/);
  node.release();
  expect((await link.transport.send(request)).status).toBe(200);
});

test('run as a program, the entry fails and says that it is the entry of a worker thread', () => {
  const { status, stderr } = spawnSync(process.execPath, [fileURLToPath(ENTRY)], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([1, expect.stringContaining('entry of a worker thread')]);
});
