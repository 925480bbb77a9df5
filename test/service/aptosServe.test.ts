// `hexlens serve` with Aptos networks: the flags, their validation, and an operation over a localnet's fullnode alone.
import { afterEach, describe, expect, test } from 'vitest';
import { type FakeAptosNetwork, startFakeAptosNetwork } from '../support/aptos/fakeAptosNetwork.ts';
import { alice, createSampleLedger } from '../support/aptos/sampleLedger.ts';
import { type Anvil, startAnvil } from '../support/chain/anvil.ts';
import { readUntil } from '../support/readUntil.ts';
import { runCliHere, type ServeProcess, startServe } from './cliProcess.ts';

/** Requests to an unreachable endpoint are repeated a few times. */

let anvil: Anvil | undefined;
let fakeNetwork: FakeAptosNetwork | undefined;
let cli: ServeProcess | undefined;
afterEach(async () => {
  await cli?.stop();
  await fakeNetwork?.stop();
  await anvil?.stop();
  cli = undefined;
  anvil = undefined;
  fakeNetwork = undefined;
});

describe('hexlens serve --aptos', () => {
  test('answers over a fullnode alone and over fullnode and indexer, each under its name', async () => {
    fakeNetwork = await startFakeAptosNetwork(createSampleLedger().ledger);
    const flags = ['--aptos', `local=${fakeNetwork.node}`, '--aptos', `other=${fakeNetwork.node}`];
    const indexer = ['--aptos-indexer', `other=${fakeNetwork.indexer}`];
    cli = await startServe(['--port', '0', '--key', 'k', ...flags, ...indexer]);
    for (const [network, graphql] of [
      ['local', false],
      ['other', true],
    ] as const) {
      const path = `/aptos/coins/transfers/wallets?limit=3&owner_addresses=${alice}&network=${network}`;
      const { url } = cli.ready;
      // On a busy machine the first replies are of an index that is still being built.
      const reply = await readUntil(
        () => fetch(`${url}${path}`, { headers: { 'x-api-key': 'k' } }),
        ({ headers }) => headers.get('x-hexlens-partial')?.includes('still being built') !== true,
      );
      const page = (await reply.json()) as { result: { is_gas_fee: boolean }[]; hasNextPage: boolean };
      expect(reply.status, JSON.stringify(page)).toBe(200);
      expect(reply.headers.get('x-hexlens-network')).toBe(network);
      expect(page.result).toHaveLength(3);
      expect(page.hasNextPage).toBe(true);
      expect(fakeNetwork.requests.some(line => line.startsWith('POST /graphql'))).toBe(graphql);
    }
  });

  test('/ready checks both endpoints of every network, and names the fault of each', async () => {
    fakeNetwork = await startFakeAptosNetwork(createSampleLedger().ledger);
    anvil = await startAnvil();
    const flags = [
      '--node',
      `local=${anvil.url}`,
      '--aptos',
      `alone=${fakeNetwork.node}`,
      '--aptos',
      `both=${fakeNetwork.node}`,
    ];
    cli = await startServe(['--port', '0', '--key', 'k', ...flags, '--aptos-indexer', `both=${fakeNetwork.indexer}`]);
    const { url } = cli.ready;
    const ready = async () => {
      const reply = await fetch(`${url}/ready`);
      return [reply.status, await reply.json()];
    };
    const createChecks = (alone: string, both: string) => ({ chains: { local: 'ok' }, aptos: { alone, both } });
    await expect.poll(ready).toEqual([200, { status: 'ready', ...createChecks('ok', 'ok') }]);
    fakeNetwork.indexerFailure = { errors: [{ message: 'gone', extensions: { code: 'not-found' } }] };
    await expect.poll(ready).toEqual([503, { status: 'not ready', ...createChecks('ok', 'node-error') }]);
    fakeNetwork.fullnodeFailure = { down: true };
    await expect.poll(ready).toMatchObject([503, { status: 'not ready', aptos: { alone: 'node-unreachable' } }]);
    fakeNetwork.fullnodeFailure = {};
    fakeNetwork.indexerFailure = {};
    await expect.poll(ready).toEqual([200, { status: 'ready', ...createChecks('ok', 'ok') }]);
  });

  test.each([
    [['--aptos', 'local'], 'local needs the URL of its node'],
    [['--aptos', '=http://127.0.0.1:1/v1'], '--aptos needs NAME=URL'],
    [['--aptos', 'a=ftp://127.0.0.1/v1'], 'must begin with http:// or https://'],
    [['--aptos', 'a=http://127.0.0.1:1/v1', '--aptos', 'A=http://127.0.0.1:2/v1'], 'a is given twice'],
    [['--aptos-indexer', 'a'], '--aptos-indexer: a needs a URL'],
  ] as const)('rejects %j', async (args, message) => {
    const { code, stderr } = await runCliHere(['serve', ...args]);
    expect(stderr).toContain(message);
    expect(code).toBe(2);
  });
});
