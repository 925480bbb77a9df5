// The worker of a browser: the backend behind a message channel, over fetch.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { defaultConfiguration } from '../../../src/api/configuration.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { getFaultCode } from '../../../src/base/errors.ts';
import { silentLog } from '../../../src/base/log.ts';
import { createClient } from '../../../src/client/client.ts';
import { WorkerConnection } from '../../../src/client/workerConnection.ts';
import { startBrowserWorker } from '../../../src/worker/browserWorker.ts';
import { type ScriptedNode, startScriptedNode } from './scriptedNode.ts';

const createdBackends = vi.hoisted(() => vi.fn());
vi.mock('../../../src/worker/backend.ts', async load => {
  const actual = await load<typeof import('../../../src/worker/backend.ts')>();
  class Backend extends actual.Backend {
    constructor(deps: ConstructorParameters<typeof actual.Backend>[0]) {
      createdBackends();
      super(deps);
    }
  }
  return { ...actual, Backend };
});

let node: ScriptedNode;
let connection: WorkerConnection;

beforeEach(async () => {
  createdBackends.mockClear();
  node = await startScriptedNode();
  connection = new WorkerConnection({ start: startBrowserWorker, clock: systemClock, log: silentLog });
  connection.configure({ ...defaultConfiguration, nodes: { local: node.url } });
});
afterEach(async () => {
  await connection.stop();
  await node.stop();
});

const address = `0x${'ab'.repeat(20)}` as const;

test('answers lookups and operations', async () => {
  node.balance = 7n;
  const summary = await connection.lookup('addressSummary', { chain: 'local', address });
  expect(summary).toMatchObject({ kind: 'address', balance: 7n });
  const [balances] = await createClient(connection.transport).walletBalances({
    walletAddresses: [address],
    chain: 'local',
  });
  expect(balances?.walletBalances?.[0]?.balance).toBe(7n);
});

test('ends its calls when it is restarted, and answers again', async () => {
  node.hold = 'eth_getBalance';
  const pending = connection.lookup('addressSummary', { chain: 'local', address }).then(() => 'answered', getFaultCode);
  await expect.poll(() => node.held()).toBe(1);
  await connection.restart();
  expect(await pending).toBe('backend-stopped');
  node.hold = null;
  node.release();
  expect(await connection.lookup('addressSummary', { chain: 'local', address })).toMatchObject({ kind: 'address' });
});

test('a worker that is terminated while its backend is loaded creates none, which nothing would stop', async () => {
  const worker = startBrowserWorker();
  await worker.terminate();
  await vi.dynamicImportSettled();
  expect(createdBackends).toHaveBeenCalledTimes(0);
  await connection.lookup('addressSummary', { chain: 'local', address });
  expect(createdBackends).toHaveBeenCalledTimes(1);
});

test('opens no port', async () => {
  expect(await connection.serve({ port: 0, key: 'key' }).then(() => 'opened', getFaultCode)).toBe('not-implemented');
});
