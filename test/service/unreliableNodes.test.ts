// The fault catalogue: a real node behind a gateway with named faults, and what the indexes promise of each of them.
import { describe, expect, it } from 'vitest';
import type { Hex } from '../../src/base/hex.ts';
import { PUNK_BOUGHT, TRANSFER } from '../../src/service/indexer/logFilters.ts';
import type { Anvil } from '../support/chain/anvil.ts';
import { fillChain } from '../support/chain/fillChain.ts';
import { mineBlock } from '../support/chain/mineBlock.ts';
import { type FaultyNodeOptions, refuse, startFaultyNode } from '../support/faultyNode.ts';
import { startService } from '../support/filledChain.ts';
import { createIndexFixture, lower, readStoreContent, waitUntilSynced } from '../support/indexFixture.ts';
import { fetchSyncedPage } from '../support/nftPages.ts';

const stage = createIndexFixture();

async function faulty(anvil: Anvil, options?: FaultyNodeOptions) {
  const node = await startFaultyNode(anvil.url, options);
  stage.atEnd(() => node.stop());
  return node;
}

async function filledChain(blocks = 24): Promise<Anvil> {
  const anvil = await stage.anvil({ chainId: 1 });
  await fillChain(anvil, { blocks });
  return anvil;
}

/** The service over a public chain, which is indexed only as far as requests need. */
function serve(url: string) {
  const service = startService({ eth: url });
  stage.atEnd(() => service.stop());
  return service;
}

const word = (value: bigint | Hex) => BigInt(value).toString(16).padStart(64, '0');
/** EVM code that emits a log with these topics and one word of data. */
const emitLog = (topics: readonly (bigint | Hex)[], data: bigint) =>
  `7f${word(data)}5f52${[...topics]
    .reverse()
    .map(topic => `7f${word(topic)}`)
    .join('')}60205fa${topics.length}`;
/** Creation code that emits the logs and leaves a contract that returns the word 2 to every call. */
const emitter = (logs: readonly string[]): Hex =>
  `0x${logs.join('')}7f${'60025f5260205ff3'.padEnd(64, '0')}5f5260085ff3`;

describe('calls of contracts', () => {
  it('that the node refuses for a moment are repeated', async () => {
    const anvil = await filledChain();
    const node = await faulty(anvil, { fault: refuse('eth_call', 20, 'header not found') });
    const store = await waitUntilSynced(await stage.index(node.url));
    expect(await readStoreContent(store)).toEqual(await stage.readFreshContent(anvil.url));
  });

  it.each(['header not found', 'Internal error'])(
    'that the node refuses are no answer of the contract: %s',
    async message => {
      const anvil = await filledChain();
      const node = await faulty(anvil, { fault: refuse('eth_call', Number.POSITIVE_INFINITY, message, -32603) });
      const index = await stage.index(node.url);
      await expect(waitUntilSynced(index)).rejects.toMatchObject({ code: 'node-error' });
      node.setFault(null);
      expect(await readStoreContent(await waitUntilSynced(index))).toEqual(await stage.readFreshContent(anvil.url));
    },
  );
});

describe('the buyer of a CryptoPunk', () => {
  it('is found by wallet when the seller accepted a bid', async () => {
    const anvil = await stage.anvil({ chainId: 1 });
    const [seller = '0x' as Hex, buyer = '0x' as Hex] = await anvil.rpc<Hex[]>('eth_accounts');
    const logs = [emitLog([TRANSFER, seller, buyer], 1n), emitLog([PUNK_BOUGHT, 7n, seller, 0n], 0n)];
    await mineBlock(anvil, [{ from: seller, data: emitter(logs) }]);
    const node = await faulty(anvil);
    const { result } = await fetchSyncedPage(serve(node.url), 'walletNftTransfers', { address: lower(buyer) });
    expect(result).toMatchObject([{ from_address: lower(seller), to_address: lower(buyer), token_id: '7' }]);
  });
});
