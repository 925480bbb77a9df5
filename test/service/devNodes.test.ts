// The whole service over real nodes (Anvil, Hardhat 3, Ganache), compared with an independent reading of the same scenario.
// Hardhat 3 also with a provider's limits and Ethereum's chain id: indexed on demand.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TRANSFER, TRANSFER_SINGLE } from '../../src/api/eventTopics.ts';
import { type Hex, toQuantity, ZERO_ADDRESS } from '../../src/base/hex.ts';
import { fetchTrace } from '../../src/service/trace/fetchTrace.ts';
import { expectedBlock } from '../support/blockWitness.ts';
import { startAnvil } from '../support/chain/anvil.ts';
import { HOSTILE_NAME, HOSTILE_SYMBOL } from '../support/chain/deployContracts.ts';
import { type FillOptions, fillChain } from '../support/chain/fillChain.ts';
import { GANACHE_EVM, startGanache } from '../support/chain/ganache.ts';
import { findMissingHardhatPackage, startHardhat } from '../support/chain/hardhat.ts';
import type { TestChain } from '../support/chain/testChain.ts';
import type { TestNode } from '../support/chain/testNode.ts';
import { startFaultyNode } from '../support/faultyNode.ts';
import { isBehind, type ServiceUnderTest, startService } from '../support/filledChain.ts';
import { pages as logPages, records as logRecords } from '../support/logPages.ts';
import {
  allPages,
  fetchSyncedPage,
  lower,
  mineTransactions,
  mintApeTransaction,
  moveApeTransaction,
  tokenNames,
  toRecords,
} from '../support/nftPages.ts';
import { type OwnerOnWire, readChain, type TransferOnWire, type Witness } from '../support/nftWitness.ts';
import { readUntil } from '../support/readUntil.ts';
import { sellApes } from '../support/seaportSales.ts';
import { expectSameSteps, fetchHashes, openNode } from '../support/traceFixture.ts';
import { readTransactions } from '../support/transactionWitness.ts';
import { type ChainWitness, describeScopedIndexes, readChainWitness } from './scopedIndexesSuite.ts';

interface Kind {
  readonly name: string;
  readonly start: () => Promise<TestNode>;
  readonly fill: FillOptions;
  /** What it calls itself. */
  readonly client: RegExp;
  readonly chainId: number;
}

const push = (value: bigint | Hex) => `7f${BigInt(value).toString(16).padStart(64, '0')}`;
const SELF_DESTRUCT = '33ff';

/** Creation code that emits so many ERC-721 mints to the account, with the ids down to 1, and then ends or runs `last`. */
const createLogs = (count: number, to: Hex, last = '00'): Hex => {
  const topics = `80${push(to)}6000${push(TRANSFER)}`; // the id is the counter
  const loop = `5b${topics}60006000a4600190038060${LOOP_START}57`;
  return `0x61${count.toString(16).padStart(4, '0')}${loop}${last}`;
};
/** The position of the loop, after a push of two bytes. */
const LOOP_START = '03';

/** Creation code that emits an ERC-1155 mint of the greatest amount of the greatest id. */
const createGreatestTransfer = (to: Hex): Hex => {
  const max = push(2n ** 256n - 1n);
  const data = `${max}600052${max}602052`;
  return `0x${data}${push(to)}60006000${push(TRANSFER_SINGLE)}60406000a4`;
};

const BLOCKS = 24;
/** In each of two transactions of a block. */
const LOGS = 600;
const kinds: readonly Kind[] = [
  { name: 'Anvil', start: startAnvil, fill: {}, client: /^anvil\//i, chainId: 31337 },
  { name: 'Hardhat 3', start: startHardhat, fill: {}, client: /^HardhatNetwork\//, chainId: 31337 },
  { name: 'Ganache', start: startGanache, fill: { evmVersion: GANACHE_EVM }, client: /^Ganache\//, chainId: 1337 },
];

const noHardhat = findMissingHardhatPackage();
if (noHardhat !== null) console.warn(`SKIPPED: Hardhat's node does not run on this machine: ${noHardhat}`);
const running = kinds.filter(({ start }) => noHardhat === null || start !== startHardhat);

describe.each(running)('on $name', ({ start, fill, client, chainId }) => {
  let anvil: TestNode;
  let chain: TestChain;
  let service: ServiceUnderTest;
  let witness: Witness;
  const hostile = { name: HOSTILE_NAME, symbol: HOSTILE_SYMBOL, decimals: 18, spam: true };
  const read = () => readChain(anvil, tokenNames(chain, hostile));
  beforeAll(async () => {
    anvil = await start();
    chain = await fillChain(anvil, { blocks: BLOCKS, ...fill });
    service = startService({ local: anvil.url });
    witness = await read();
  });
  afterAll(async () => {
    await service?.stop();
    await anvil?.stop();
  });

  const describeAsProvider = () => {
    let known: ChainWitness;
    let snapshot: unknown;
    beforeAll(async () => {
      snapshot = await anvil.rpc('evm_snapshot');
      await sellApes(anvil, chain);
      known = await readChainWitness(anvil, chain);
    });
    afterAll(() => anvil?.rpc('evm_revert', [snapshot]));

    describeScopedIndexes('as a provider that caps ranges and has little old state', () => known, {
      range: { blocks: 9, message: blocks => `exceed maximum block range: ${blocks}` },
      states: 20,
      limitEvery: 9,
      override: ({ method }) => (method === 'eth_chainId' ? Promise.resolve({ result: '0x1' }) : undefined),
    });
  };
  // Anvil: scopedIndexes.test.ts. What Ganache says otherwise, the tests below read of it.
  if (start === startHardhat) describe('with other sales, which are reverted then', describeAsProvider);

  const people = () => Object.values(chain.accounts).map(lower);
  const allAddresses = () => [...people(), ...Object.values(chain.contracts).map(lower)];
  const with_ = (wallet: Hex) => (transfer: TransferOnWire) =>
    transfer.from_address === wallet || transfer.to_address === wallet;
  const collectionsOf = (owned: readonly OwnerOnWire[]) => [...new Set(owned.map(owner => owner.token_address))];

  /** Lists of the index, whole, beside the witness: those of all that there is, and those of these addresses. */
  async function compare(
    wanted: Witness,
    addresses: readonly Hex[] = [...allAddresses(), ZERO_ADDRESS],
  ): Promise<void> {
    const all = async (...given: Parameters<typeof allPages<'nftTransfers'>>) => toRecords(await allPages(...given));
    expect(await all(service, 'nftTransfers', { limit: 37 })).toEqual(wanted.transfers);
    for (const address of addresses) {
      expect(
        toRecords(await allPages(service, 'walletNftTransfers', { address, limit: 23 })),
        `transfers of ${address}`,
      ).toEqual(wanted.transfers.filter(with_(address)));
      const owned = wanted.owners.filter(owner => owner.owner_of === address);
      expect(toRecords(await allPages(service, 'walletNfts', { address, limit: 11 })), `NFTs of ${address}`).toEqual(
        owned,
      );
      const collections = toRecords(await allPages(service, 'walletNftCollections', { address, limit: 2 }));
      expect(collections.map(row => row['token_address'])).toEqual(collectionsOf(owned));
    }
    for (const address of Object.values(chain.contracts)
      .map(lower)
      .filter(each => addresses.includes(each))) {
      expect(
        toRecords(await allPages(service, 'contractNftTransfers', { address })),
        `transfers in ${address}`,
      ).toEqual(wanted.transfers.filter(transfer => transfer.token_address === address));
    }
    const tokens = new Map(wanted.transfers.map(entry => [`${entry.token_address} ${entry.token_id}`, entry]));
    for (const { token_address: address, token_id } of [...tokens.values()].filter((_, index) => index % 3 === 0)) {
      const of = (row: TransferOnWire | OwnerOnWire) => row.token_address === address && row.token_id === token_id;
      const tokenId = BigInt(token_id);
      expect(toRecords(await allPages(service, 'tokenNftTransfers', { address, tokenId }))).toEqual(
        wanted.transfers.filter(of),
      );
      expect(toRecords(await allPages(service, 'nftOwners', { address, tokenId }))).toEqual(wanted.owners.filter(of));
    }
    expect(toRecords(await allPages(service, 'erc20Mints', { limit: 9 }))).toEqual(wanted.mints);
  }

  it('identifies the node', async () => {
    const { value } = await service.lookup('chainStatus', { chain: 'local' });
    expect(value).toMatchObject({ head: chain.head.number, chain: { id: chainId }, problem: null });
    expect(value.client).toMatch(client);
    expect(witness.head).toBe(BLOCKS);
  });

  it('lists the transfers, owners, NFTs, collections and mints of the chain', async () => {
    expect(witness.transfers.length).toBeGreaterThan(90);
    expect(witness.owners.length).toBeGreaterThan(40);
    await compare(witness);
  });

  if (start === startHardhat)
    it('has the same steps as a replay of each transaction', async () => {
      const { node, stop } = openNode(anvil.url);
      for (const hash of await fetchHashes(anvil)) {
        await expectSameSteps(node, anvil, hash);
      }
      await stop();
    });

  if (start === startGanache)
    it.each([
      ...(['creationOfSeaport', 'mintApes', 'batchMint', 'ethTransfer', 'ethTransferAccessList', 'memo'] as const),
      ...(['internal', 'internalCreate', 'failedReason', 'failedOutOfGas', 'failedCreation', 'sale'] as const),
    ])('used as much gas and emitted the same logs as a replay, though it has no tracer: %s', async name => {
      const { node, stop } = openNode(anvil.url);
      const { result } = await fetchTrace(node, chain.transactions[name], undefined);
      expect('trace' in result ? result.trace.by : result).toBe('replay');
      await stop();
    });

  it('finds the lowest Seaport sale, ignoring sales paid in tokens', async () => {
    const { apes, items } = chain.contracts;
    const { status, body } = await readUntil(
      () => service.send('nftLowestPrice', { address: apes, days: 3_650 }),
      ({ headers }) => !isBehind(headers),
    );
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body).toMatchObject({
      transaction_hash: chain.transactions.sale,
      block_number: String(chain.blocks.sales.number),
      block_hash: chain.blocks.sales.hash,
      token_ids: ['2'],
      buyer_address: lower(chain.accounts.dave),
      seller_address: lower(chain.accounts.bob),
      price: (10n ** 18n).toString(),
    });
    expect(await service.getFault('nftLowestPrice', { address: items, days: 3_650 })).toMatchObject({ status: 404 });
  });

  // Ganache takes half a minute to trace the chain for this; its traces are compared below.
  const isFast = start !== startGanache;
  it.runIf(isFast)(
    'lists the transactions of every address, with those that only paid or created it inside',
    async () => {
      const { all, direct } = await readTransactions(anvil);
      const blockOf = new Map(all.map(({ hash, blockNumber }) => [hash, Number(blockNumber)]));
      const heights = Array.from({ length: witness.head + 1 }, (_, number) => toQuantity(number));
      const { accounts, contracts } = chain;
      const { vault, forwarder1, picky, apes } = contracts;
      for (const address of [accounts.alice, accounts.erin, accounts.frank, vault, forwarder1, picky, apes].map(
        lower,
      )) {
        const listed: Hex[] = [];
        for (let cursor: string | undefined; ; ) {
          const input = { address, limit: 40, cursor, order: 'asc' } as const;
          // On a busy machine not all is read yet.
          const { status, headers, body } = await readUntil(
            () => service.send('walletTransactions', input),
            reply => !isBehind(reply.headers) && !reply.headers['x-hexlens-partial']?.includes('being read'),
          );
          expect(status, JSON.stringify(body)).toBe(200);
          expect(headers['x-hexlens-partial']).toBeUndefined();
          const page = body as { result: { hash: Hex }[]; cursor: string | null };
          listed.push(...page.result.map(({ hash }) => hash));
          if (page.cursor === null) break;
          cursor = page.cursor;
        }
        const own = direct(address);
        const inside = listed.filter(hash => !own.includes(hash));
        expect(listed, address).toEqual(all.map(({ hash }) => hash).filter(hash => listed.includes(hash)));
        expect(own.filter(hash => !listed.includes(hash))).toEqual([]);
        // An address whose balance grew without a transaction of its own was paid inside one.
        const balances = await anvil.batch<Hex>(
          heights.map(height => ({ method: 'eth_getBalance', params: [address, height] })),
        );
        const ownBlocks = new Set(own.map(hash => blockOf.get(hash)));
        const richer = balances.flatMap((balance, block) =>
          block > 0 && BigInt(balance) > BigInt(balances[block - 1] ?? 0) && !ownBlocks.has(block) ? [block] : [],
        );
        const insideBlocks = inside.map(hash => blockOf.get(hash));
        expect(
          richer.filter(block => !insideBlocks.includes(block)),
          address,
        ).toEqual([]);
        for (const hash of inside) {
          const { internalTransactions } = await service.get('transaction', { hash, include: 'internal_transactions' });
          expect(internalTransactions?.some(({ to, error }) => to?.toLowerCase() === address && error === null)).toBe(
            true,
          );
        }
      }
      const { erin, frank } = accounts;
      const transactionsOf = async (address: Hex) =>
        (await service.get('walletTransactions', { address })).result.map(({ hash }) => hash);
      expect(await transactionsOf(erin)).toContain(chain.transactions.internal);
      expect(await transactionsOf(frank)).toContain(chain.transactions.internalCreate);
      expect(await transactionsOf(forwarder1)).toContain(chain.transactions.internal);
      expect(await transactionsOf(picky)).not.toContain(chain.transactions.internal);
    },
  );

  it('returns every block and its transactions with every field', async () => {
    for (let number = 0; number <= witness.head; number++) {
      const { status, body } = await service.send('block', { block: number });
      expect(status).toBe(200);
      expect(body, `block ${number}`).toEqual(await expectedBlock(anvil, number));
    }
    const sale = await service.send('transaction', { hash: chain.transactions.sale });
    const { transactions } = await expectedBlock(anvil, chain.blocks.sales.number);
    expect([sale.body]).toEqual(transactions.filter(({ hash }) => hash === chain.transactions.sale));
  });

  it('returns internal transactions, whatever trace method the node has', async () => {
    const include = 'internal_transactions';
    const of = async (hash: Hex) => {
      const reply = await service.send('transaction', { hash, include });
      expect(reply.headers).toEqual({});
      const list = (reply.body as { internal_transactions: Record<string, unknown>[] }).internal_transactions;
      return list.map(({ type, from, to, value, error }) => ({ type, from, to, value, failed: error !== undefined }));
    };
    const name = (contract: keyof TestChain['contracts']) => lower(chain.contracts[contract]);
    const two = (2n * 10n ** 18n).toString();
    const half = (5n * 10n ** 17n).toString();
    const call = (from: Hex, to: Hex, value: string, failed = false) => ({ type: 'CALL', from, to, value, failed });
    expect(await of(chain.transactions.internal)).toEqual([
      call(name('vault'), name('picky'), '1', true),
      call(name('vault'), name('forwarder1'), two),
      call(name('forwarder1'), name('forwarder2'), two),
      call(name('forwarder2'), name('forwarder3'), two),
      call(name('forwarder3'), lower(chain.accounts.erin), two),
    ]);
    const { bob, carol, dave, erin } = chain.accounts;
    expect(await of(chain.transactions.internalSplit)).toEqual(
      [bob, carol, dave, erin].map(person => call(name('vault'), lower(person), (10n ** 18n).toString())),
    );
    const created = await of(chain.transactions.internalCreate);
    expect(created.map(({ type, value }) => [type, value]).slice(0, 3)).toEqual([
      ['CREATE', half],
      ['CREATE2', half],
      ['CALL', '0'],
    ]);
    expect(created.slice(3).map(({ type, to }) => [type, to])).toEqual([['SELFDESTRUCT', lower(chain.accounts.frank)]]);
    expect(await of(chain.transactions.ethTransfer)).toEqual([]);
    // A whole block is requested in another way, and says the same.
    const block = await service.send('block', { block: chain.blocks.internal.number, include });
    expect(block.headers).toEqual({});
    const { transactions } = block.body as { transactions: { internal_transactions: unknown[] }[] };
    expect(transactions.map(entry => entry.internal_transactions.length)).toEqual([0, 5, 4, 4]);
  });

  it('returns logs of contracts, by blocks and topics', async () => {
    for (const address of Object.values(chain.contracts)) {
      const range = { fromBlock: '0x0', toBlock: toQuantity(witness.head) };
      const raw = await anvil.rpc<{ transactionHash: Hex; data: Hex }[]>('eth_getLogs', [{ address, ...range }]);
      const found = logRecords(await logPages(service, { address, limit: 17 }));
      expect(found.map(({ transactionHash, data }) => ({ transactionHash, data }))).toEqual(
        raw.map(({ transactionHash, data }) => ({ transactionHash, data })).reverse(),
      );
    }
    const { apes } = chain.contracts;
    const topic0 = chain.topics.approvalForAll;
    expect(logRecords(await logPages(service, { address: apes, topic0, toBlock: 1_000_000 }))).toHaveLength(4);
    expect(logRecords(await logPages(service, { address: apes, fromBlock: 1_000_000 }))).toEqual([]);
  });

  it('returns balances at the head and at every block before', async () => {
    const walletAddresses = Object.values(chain.accounts);
    for (const block of [0, 1, 8, 12, witness.head]) {
      const [record] = await service.get('walletBalances', { walletAddresses, toBlock: block });
      const balances = await anvil.batch<Hex>(
        walletAddresses.map(wallet => ({ method: 'eth_getBalance', params: [wallet, toQuantity(block)] })),
      );
      expect(record?.blockNumber).toBe(block);
      expect(record?.walletBalances?.map(({ balance }) => balance)).toEqual(balances.map(BigInt));
    }
    expect((await service.send('walletBalances', { walletAddresses, toBlock: 1_000_000 })).status).toBe(404);
    const [now] = await service.get('walletBalances', { walletAddresses });
    expect(now?.blockNumber).toBe(witness.head);
  });

  it('returns the summaries for hovers', async () => {
    const { accounts, contracts, transactions, blocks, holdings } = chain;
    const { value: alice } = await service.lookup('addressSummary', { chain: 'local', address: accounts.alice });
    const balance = BigInt(await anvil.rpc<Hex>('eth_getBalance', [accounts.alice, 'latest']));
    expect(alice).toMatchObject({ balance, codeSize: 0, token: null, blockNumber: witness.head });
    const { value: coin } = await service.lookup('addressSummary', { chain: 'local', address: contracts.coin });
    const totalSupply = Object.values(holdings.coin).reduce((sum, amount) => sum + BigInt(amount), 0n);
    expect(coin).toMatchObject({
      token: { standard: 'ERC20', name: 'HexLens Test Coin', symbol: 'TEST', decimals: 18, totalSupply },
    });
    const { value: apes } = await service.lookup('addressSummary', { chain: 'local', address: contracts.apes });
    expect(apes).toMatchObject({ token: { standard: 'ERC721', name: 'HexLens Test Apes' } });
    const { value: vault } = await service.lookup('addressSummary', { chain: 'local', address: contracts.vault });
    expect(vault).toMatchObject({ token: null });
    const of = (hash: Hex) => service.lookup('hashSummary', { chain: 'local', hash });
    expect((await of(transactions.transferCoin)).value).toMatchObject({ kind: 'transaction', status: 'success' });
    expect((await of(transactions.failedReason)).value).toMatchObject({ kind: 'transaction', status: 'failed' });
    expect((await of(blocks.sales.hash)).value).toMatchObject({ kind: 'block', number: blocks.sales.number });
    expect((await of(`0x${'12'.repeat(32)}`)).value).toMatchObject({ kind: 'nothing' });
  });

  it('follows new blocks, reverted blocks and replaced blocks', async () => {
    const { alice, bob, carol } = chain.accounts;
    const world = { anvil, chain };
    const changed = [alice, bob, carol, chain.contracts.apes, ZERO_ADDRESS].map(lower);
    const snapshot = await anvil.rpc('evm_snapshot');
    await mineTransactions(world, [
      mintApeTransaction(world, alice, 930_001n),
      mintApeTransaction(world, bob, 930_002n),
    ]);
    await mineTransactions(world, [moveApeTransaction(world, alice, carol, 930_001n)]);
    const grown = await read();
    expect(grown.head).toBe(witness.head + 2);
    await compare(grown, changed);
    const first = await fetchSyncedPage(service, 'nftTransfers', { limit: 1 });

    expect(await anvil.rpc('evm_revert', [snapshot])).toBe(true);
    const [after] = toRecords(await allPages(service, 'nftTransfers', { limit: 100 }));
    expect(after).toEqual(witness.transfers[0]);
    expect((await service.send('block', { block: witness.head + 1 })).status).toBe(404);
    await compare(witness, changed);

    await mineTransactions(world, [mintApeTransaction(world, carol, 930_003n)]);
    await mineTransactions(world, []);
    await mineTransactions(world, [moveApeTransaction(world, carol, bob, 930_003n)]);
    const other = await read();
    expect(other.head).toBe(witness.head + 3);
    await compare(other, changed);
    // A cursor from before the change continues below its position, or is rejected: another chain, or a reorganized block.
    const { status } = await service.send('nftTransfers', { limit: 5, cursor: first.cursor ?? '' });
    expect([200, 400, 409]).toContain(status);
  });

  it('is indexed in the same way again from the start', async () => {
    const fresh = startService({ local: anvil.url });
    try {
      const pages = await allPages(fresh, 'nftTransfers', { limit: 50 });
      expect(toRecords(pages)).toEqual((await read()).transfers);
      expect(pages.at(-1)).toMatchObject({ index_complete: true, block_exists: true });
    } finally {
      await fresh.stop();
    }
  });

  it('stores whatever a chain may hold: many logs, 256 bits, empty blocks, contracts that destroy themselves', async () => {
    const from = chain.accounts.deployer;
    const to = lower(chain.accounts.carol);
    const { receipts, number } = await mineTransactions({ anvil }, [
      { from, data: createLogs(LOGS, to), gas: 2_600 * LOGS },
      { from, data: createLogs(LOGS, to), gas: 2_600 * LOGS },
    ]);
    const greatest = await mineTransactions({ anvil }, [{ from, data: createGreatestTransfer(to) }]);
    const destroyed = await mineTransactions({ anvil }, [
      { from, data: createLogs(2, to, SELF_DESTRUCT), gas: 400_000 },
    ]);
    for (let empty = 0; empty < 20; empty++) await mineTransactions({ anvil }, []);

    const block = { fromBlock: number, toBlock: number };
    const busy = await fetchSyncedPage(service, 'nftTransfers', { ...block, disableTotal: false });
    expect(busy.total).toBe(String(2 * LOGS));
    expect(busy.result.map(row => row['log_index'])).toEqual(Array.from({ length: 100 }, (_, at) => 2 * LOGS - 1 - at));
    expect(busy.result[1]).toMatchObject({
      token_address: receipts[1]?.contractAddress,
      token_id: '2',
      to_address: to,
    });

    const ofGreatest = { address: greatest.receipts[0]?.contractAddress ?? '0x' } as const;
    const [transfer] = toRecords(await allPages(service, 'contractNftTransfers', ofGreatest));
    const max = (2n ** 256n - 1n).toString();
    expect(transfer).toMatchObject({ contract_type: 'ERC1155', token_id: max, amount: max, to_address: to });
    const owners = { ...ofGreatest, tokenId: 2n ** 256n - 1n };
    expect(toRecords(await allPages(service, 'nftOwners', owners))).toMatchObject([{ owner_of: to, amount: max }]);

    const gone = { address: destroyed.receipts[0]?.contractAddress ?? '0x' } as const;
    expect(await anvil.rpc('eth_getCode', [gone.address, 'latest'])).toBe('0x');
    expect(toRecords(await allPages(service, 'contractNftTransfers', gone))).toHaveLength(2);
    const head = Number(await anvil.rpc<Hex>('eth_blockNumber'));
    const empty = await service.get('block', { block: head });
    expect(empty).toMatchObject({ number: head, transactions: [] });
  });

  it('stores log indexes of 32 bits', async () => {
    const { number } = await mineTransactions({ anvil }, [
      mintApeTransaction({ chain }, chain.accounts.alice, 940_001n),
    ]);
    const gateway = await startFaultyNode(anvil.url, {
      client: null,
      async fault({ method }, honest) {
        const reply = await honest();
        if (method !== 'eth_getLogs' || !('result' in reply)) return reply;
        const logs = reply.result as readonly Readonly<Record<string, unknown>>[];
        const shift = (log: (typeof logs)[number]) =>
          Number(log['blockNumber']) === number ? { ...log, logIndex: '0xfffffffe' } : log;
        return { result: logs.map(shift) };
      },
    });
    const shifted = startService({ local: gateway.url });
    try {
      const { result } = await fetchSyncedPage(shifted, 'nftTransfers', { fromBlock: number, toBlock: number });
      expect(result).toMatchObject([{ log_index: 4_294_967_294, token_id: '940001' }]);
    } finally {
      await shifted.stop();
      await gateway.stop();
    }
  });
});
