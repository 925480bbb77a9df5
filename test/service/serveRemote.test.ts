// Look-ups and operations of a remote host compared with the embedded service, both over the same real chain.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Configuration, defaultConfiguration } from '../../src/api/configuration.ts';
import type { Hex } from '../../src/base/hex.ts';
import { silentLog } from '../../src/base/log.ts';
import { type RunningServer, startServer } from '../../src/cli/startServer.ts';
import { createClient } from '../../src/client/client.ts';
import type { Backend } from '../../src/worker/backend.ts';
import { createNodeBackend } from '../../src/worker/nodeBackend.ts';
import type { Anvil } from '../support/chain/anvil.ts';
import { MIN_BLOCKS } from '../support/chain/fillChain.ts';
import { startFilledAnvil } from '../support/chain/filledAnvil.ts';
import { BLOCK_NAMES, type TestChain, TRANSACTION_NAMES } from '../support/chain/testChain.ts';

const CHAIN = '0x7a69';

let anvil: Anvil;
let chain: TestChain;
let host: RunningServer;
let embedded: Backend;
let remote: Backend;

function backend(configuration: Configuration): Backend {
  const made = createNodeBackend({ log: silentLog });
  made.configure(configuration);
  return made;
}

beforeAll(async () => {
  ({ anvil, chain } = await startFilledAnvil({ blocks: MIN_BLOCKS }));
  const nodes = { [CHAIN]: anvil.url };
  host = await startServer({ port: 0, configuration: { ...defaultConfiguration, nodes }, log: silentLog });
  embedded = backend({ ...defaultConfiguration, nodes });
  remote = backend({
    ...defaultConfiguration,
    nodes: {},
    groups: { ...defaultConfiguration.groups, evm: { mode: 'remote', baseUrl: `${host.url}/api/v2.2/` } },
    keys: { [host.url]: host.key ?? '' },
  });
});
afterAll(async () => {
  await remote?.stop();
  await embedded?.stop();
  await host?.stop();
  await anvil?.stop();
});

describe('look-ups', () => {
  test.each(TRANSACTION_NAMES)('find the transaction %s', async name => {
    const hash = chain.transactions[name];
    const input = { chain: CHAIN, hash };
    const summary = await remote.lookup('hashSummary', input);
    expect(summary).toEqual(await embedded.lookup('hashSummary', input));
    expect(summary).toMatchObject({ kind: 'transaction', hash });
  });

  test.each(BLOCK_NAMES)('find the block %s by number and by hash', async name => {
    const { number, hash, transactions } = chain.blocks[name];
    const wanted = await embedded.lookup('blockSummary', { chain: CHAIN, block: number });
    expect(await remote.lookup('blockSummary', { chain: CHAIN, block: number })).toEqual(wanted);
    expect(await remote.lookup('hashSummary', { chain: CHAIN, hash })).toEqual(wanted);
    expect(wanted).toMatchObject({ kind: 'block', number, hash, transactions });
  });

  test('an unknown hash or block is nothing on both', async () => {
    const hash: Hex = `0x${'12'.repeat(32)}`;
    for (const side of [embedded, remote]) {
      expect(await side.lookup('hashSummary', { chain: CHAIN, hash })).toMatchObject({ kind: 'nothing' });
      expect(await side.lookup('blockSummary', { chain: CHAIN, block: 1e9 })).toMatchObject({ kind: 'nothing' });
    }
    expect(await remote.lookup('chainStatus', { chain: CHAIN })).toMatchObject({ problem: null });
  });

  test('addresses: balance and block are equal, fields that no operation has are null', async () => {
    for (const address of [...Object.values(chain.accounts), chain.contracts.apes, chain.vacant]) {
      const wanted = await embedded.lookup('addressSummary', { chain: CHAIN, address });
      const nothing = { nonce: null, codeSize: null, codeHash: null, token: null, proxy: null, delegate: null };
      expect(await remote.lookup('addressSummary', { chain: CHAIN, address })).toEqual({
        ...wanted,
        ...nothing,
        address: address.toLowerCase(),
      });
    }
  });
});

describe('operations', () => {
  const transport = (side: Backend) => ({ send: side.call.bind(side) });

  test('the typed client gets the same results from both', async () => {
    const [here, there] = [createClient(transport(embedded)), createClient(transport(remote))];
    const block = { block: chain.blocks.internal.number, chain: CHAIN, include: 'internal_transactions' } as const;
    expect(await there.block(block)).toEqual(await here.block(block));
    const logs = { address: chain.contracts.apes, chain: CHAIN, topic0: chain.topics.transfer, limit: 4 };
    const all = async (client: typeof here) => {
      const found = [];
      for await (const log of client.records('contractLogs', logs)) found.push(log);
      return found;
    };
    const wanted = await all(here);
    expect(wanted.length).toBeGreaterThan(8);
    expect(await all(there)).toEqual(wanted);
  });

  test('a fault of the host is a fault with its message', async () => {
    const client = createClient(transport(remote));
    await expect(client.block({ block: 1e9, chain: CHAIN })).rejects.toMatchObject({ code: 'not-found' });
    await expect(client.block({ block: 1, chain: 'polygon' })).rejects.toMatchObject({
      code: 'bad-input',
      message: expect.stringContaining('No node is configured for the chain polygon'),
    });
  });
});
