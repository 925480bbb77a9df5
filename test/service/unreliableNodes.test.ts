// The fault catalogue: a real node behind a gateway with named faults, and what the indexes promise of each of them.
import { describe, expect, it } from 'vitest';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import type { Hex } from '../../src/base/hex.ts';
import { PUNK_BOUGHT, TRANSFER } from '../../src/service/indexer/logFilters.ts';
import type { Anvil } from '../support/chain/anvil.ts';
import { apesAbi, encodeData } from '../support/chain/contractAbis.ts';
import { fillChain } from '../support/chain/fillChain.ts';
import { mineBlock, withoutAutomine } from '../support/chain/mineBlock.ts';
import { type Fault, type FaultyNodeOptions, refuse, startFaultyNode, stopAt } from '../support/faultyNode.ts';
import { isBehind, type ServiceOptions, type ServiceUnderTest, startService } from '../support/filledChain.ts';
import { createIndexFixture, lower, readStoreContent, waitUntilSynced } from '../support/indexFixture.ts';
import { fetchSyncedPage, type PageOnWire } from '../support/nftPages.ts';
import { createTestLog } from '../support/testClock.ts';

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

/** A filled chain with an NFT contract that mints one token per call. */
async function collection() {
  const anvil = await stage.anvil({ chainId: 1 });
  const chain = await fillChain(anvil, { blocks: 24 });
  const from = chain.accounts.alice;
  const apes = lower(chain.contracts.apes);
  let nextId = 900n;
  const mint = () =>
    withoutAutomine(anvil, () =>
      mineBlock(anvil, [{ from, to: apes, data: encodeData(apesAbi.mint, [from, nextId++]) }]),
    );
  return { anvil, apes, mint };
}

/** The transfers of a contract, from an index that has come to this block. */
async function fetchUntil(service: ServiceUnderTest, address: Hex, block: number) {
  for (;;) {
    const { headers, body } = await service.send('contractNftTransfers', { address, toBlock: block });
    if (!isBehind(headers) && (body as PageOnWire).block_exists === true) return body as PageOnWire;
  }
}

/** The service over a public chain, which is indexed only as far as requests need. */
function serve(url: string, options: ServiceOptions = {}) {
  const service = startService({ eth: url }, options);
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

/** The system's clock, which can be put forward. */
function shiftableClock(): Clock & { advance(ms: number): void } {
  let shift = 0;
  return {
    ...systemClock,
    now: () => systemClock.now() + shift,
    advance(ms) {
      shift += ms;
    },
  };
}

const heightOf = async (anvil: Anvil) => Number(await anvil.rpc<Hex>('eth_blockNumber'));

describe('a node that is behind', () => {
  it('is waited for, however far behind: nothing is rolled back', async () => {
    const anvil = await filledChain();
    await anvil.rpc('anvil_mine', ['0xc8']);
    const node = await faulty(anvil);
    const log = createTestLog();
    const clock = shiftableClock();
    const index = await stage.index(node.url, { log, clock });
    const height = await heightOf(anvil);
    expect(await (await waitUntilSynced(index)).readHead()).toMatchObject({ number: height });
    node.setFault(stopAt(height - 150));
    clock.advance(120_000);
    const { store, head } = await index.current();
    expect(head.number).toBe(height);
    expect((await store.readHead())?.number).toBe(height);
    expect(JSON.stringify(log.lines)).toContain('150 blocks behind its index');
    expect(JSON.stringify(log.lines)).not.toMatch(/reorganized|reset/);
    node.setFault(null);
    await anvil.rpc('anvil_mine', ['0x1']);
    expect(await (await waitUntilSynced(index)).readHead()).toMatchObject({ number: height + 1 });
  });

  it('is distinguished from a reorg to a shorter chain', async () => {
    const anvil = await filledChain();
    const node = await faulty(anvil);
    const index = await stage.index(node.url);
    await waitUntilSynced(index);
    await anvil.rpc('anvil_setCoinbase', [`0x${'77'.repeat(20)}`]);
    await anvil.rpc('anvil_reorg', [8, []]);
    await anvil.rpc('anvil_rollback', [4]);
    expect(await readStoreContent(await waitUntilSynced(index))).toEqual(await stage.readFreshContent(anvil.url));
  });
});

describe('a gateway whose logs lag behind its headers', () => {
  /** No logs of blocks from `above` on, however they are there already; by hash a block is known or not. */
  const logsUpTo =
    (above: number): Fault =>
    ({ method, params }, honest) => {
      if (method !== 'eth_getLogs') return undefined;
      const { toBlock, blockHash } = params[0] as { toBlock?: Hex; blockHash?: Hex };
      return blockHash === undefined && Number(toBlock) >= above ? { result: [] } : honest();
    };

  it('loses no transfer of the newest block', async () => {
    const { anvil, apes, mint } = await collection();
    const height = await heightOf(anvil);
    const node = await faulty(anvil, { fault: logsUpTo(height + 1) });
    const service = serve(node.url);
    const before = await fetchSyncedPage(service, 'contractNftTransfers', { address: apes });
    await mint();
    const after = await fetchUntil(service, apes, height + 1);
    expect(after.result.length).toBe(before.result.length + 1);
  });

  it('loses no transfer in between: blocks are read again once they are final', async () => {
    const { anvil, apes, mint } = await collection();
    const height = await heightOf(anvil);
    const node = await faulty(anvil, { fault: logsUpTo(height + 1) });
    const clock = shiftableClock();
    const service = serve(node.url, { clock });
    const before = await fetchSyncedPage(service, 'contractNftTransfers', { address: apes });
    await anvil.rpc('anvil_mine', ['0x2']);
    await mint();
    await anvil.rpc('anvil_mine', ['0x2']);
    expect((await fetchUntil(service, apes, height + 5)).result.length).toBe(before.result.length);
    node.setFault(null);
    await anvil.rpc('anvil_mine', ['0x60']);
    clock.advance(120_000);
    await fetchUntil(service, apes, height + 5 + 0x60);
    clock.advance(120_000);
    await anvil.rpc('anvil_mine', ['0x1']);
    const after = await fetchUntil(service, apes, height + 6 + 0x60);
    expect(after.result.length).toBe(before.result.length + 1);
  });
});

describe('many indexes', () => {
  it('stay open while they are read', async () => {
    const { anvil, apes } = await collection();
    const opened = Promise.withResolvers<void>();
    const node = await faulty(anvil, {
      fault: async ({ method }, honest) => {
        if (method === 'eth_getTransactionByHash') await opened.promise;
        return honest();
      },
    });
    const service = serve(node.url);
    await service.send('nftOwners', { address: apes, tokenId: 1n });
    const slow = service.send('contractNftTransfers', { address: apes });
    await expect.poll(() => node.countCalls('eth_getTransactionByHash')).toBeGreaterThan(0);
    for (let wallet = 1; wallet <= 26; wallet++)
      await fetchSyncedPage(service, 'walletNftTransfers', { address: `0x${wallet.toString(16).padStart(40, '0')}` });
    opened.resolve();
    expect((await slow).status).toBe(200);
  });
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
