// `hexlens serve` with Aptos networks: the flags, their mistakes, and an operation over a localnet's node alone.
import { afterEach, describe, expect, test } from 'vitest';
import { type FakeAptosNetwork, startFakeAptosNetwork } from '../support/aptos/fakeAptosNetwork.ts';
import { alice, createSampleLedger } from '../support/aptos/sampleLedger.ts';
import { type Anvil, startAnvil } from '../support/chain/anvil.ts';
import { runCli, type ServeProcess, SOURCE, startServe } from './cliProcess.ts';

/** What is down is asked again a few times before it is given up. */
const patient = { timeout: 40_000 };

let anvil: Anvil | undefined;
let double: FakeAptosNetwork | undefined;
let cli: ServeProcess | undefined;
afterEach(async () => {
  await cli?.stop();
  await double?.stop();
  await anvil?.stop();
  cli = undefined;
  anvil = undefined;
  double = undefined;
});

describe('hexlens serve --aptos', () => {
  test('answers over a node alone and over both ends, each under its name', async () => {
    double = await startFakeAptosNetwork(createSampleLedger().ledger);
    const flags = ['--aptos', `local=${double.node}`, '--aptos', `other=${double.node}`];
    const indexer = ['--aptos-indexer', `other=${double.indexer}`];
    cli = await startServe(SOURCE, ['--port', '0', '--key', 'k', ...flags, ...indexer]);
    for (const [network, graphql] of [
      ['local', false],
      ['other', true],
    ] as const) {
      const path = `/aptos/coins/transfers/wallets?limit=3&owner_addresses=${alice}&network=${network}`;
      const reply = await fetch(`${cli.ready.url}${path}`, { headers: { 'x-api-key': 'k' } });
      const page = (await reply.json()) as { result: { is_gas_fee: boolean }[]; hasNextPage: boolean };
      expect(reply.status, JSON.stringify(page)).toBe(200);
      expect(reply.headers.get('x-hexlens-network')).toBe(network);
      expect(page.result).toHaveLength(3);
      expect(page.hasNextPage).toBe(true);
      expect(double.requests.some(line => line.startsWith('POST /graphql'))).toBe(graphql);
    }
  });

  test('/ready asks both ends of every network, and says which is not well', async () => {
    double = await startFakeAptosNetwork(createSampleLedger().ledger);
    anvil = await startAnvil();
    const flags = ['--node', `local=${anvil.url}`, '--aptos', `alone=${double.node}`, '--aptos', `both=${double.node}`];
    cli = await startServe(SOURCE, [
      '--port',
      '0',
      '--key',
      'k',
      ...flags,
      '--aptos-indexer',
      `both=${double.indexer}`,
    ]);
    const { url } = cli.ready;
    const ready = async () => {
      const reply = await fetch(`${url}/ready`);
      return [reply.status, await reply.json()];
    };
    const said = (alone: string, both: string) => ({ chains: { local: 'ok' }, aptos: { alone, both } });
    await expect.poll(ready, patient).toEqual([200, { status: 'ready', ...said('ok', 'ok') }]);
    double.indexerFailure = { errors: [{ message: 'gone', extensions: { code: 'not-found' } }] };
    await expect.poll(ready, patient).toEqual([503, { status: 'not ready', ...said('ok', 'node-error') }]);
    double.fullnodeFailure = { down: true };
    await expect
      .poll(ready, patient)
      .toMatchObject([503, { status: 'not ready', aptos: { alone: 'node-unreachable' } }]);
    double.fullnodeFailure = {};
    double.indexerFailure = {};
    await expect.poll(ready, patient).toEqual([200, { status: 'ready', ...said('ok', 'ok') }]);
  }, 60_000);

  test.each([
    [['--aptos', 'local'], 'local needs the URL of its node'],
    [['--aptos', '=http://127.0.0.1:1/v1'], '--aptos needs NAME=URL'],
    [['--aptos', 'a=ftp://127.0.0.1/v1'], 'must begin with http:// or https://'],
    [['--aptos', 'a=http://127.0.0.1:1/v1', '--aptos', 'A=http://127.0.0.1:2/v1'], 'a is given twice'],
    [['--aptos-indexer', 'a'], '--aptos-indexer: a needs a URL'],
  ] as const)('%j is wrong use', async (args, message) => {
    const { code, stderr } = await runCli(SOURCE, ['serve', ...args]);
    expect(stderr).toContain(message);
    expect(code).toBe(2);
  });
});
