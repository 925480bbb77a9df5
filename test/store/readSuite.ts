// The part of the store suite about lists: filters, stable pages, mints and lowest trades.
import { describe, expect, it } from 'vitest';
import { type Hex, ZERO_ADDRESS } from '../../src/base/hex.ts';
import {
  type Erc20TransferRow,
  getLogIndex,
  getLogPlaces,
  type LogPosition,
  type OwnerRow,
  type TradeRow,
  type TransferRow,
} from '../../src/service/store/rows.ts';
import type { CollectionRow, TransferQuery } from '../../src/service/store/store.ts';
import { allOwners, allTransfers, readAllPages } from './compareStores.ts';
import {
  address,
  COINS,
  createBatch,
  createBlockBatch,
  createNextBlocks,
  getBlockTime,
  hashText,
  MARKETPLACES,
  NFTS,
  WALLETS,
} from './generatedChain.ts';
import type { StoreFixture } from './storeSuite.ts';

const [alice, bob] = [address('a', 1), address('a', 2)];
const token = address('c', 1);

/** Reads all pages, and waits for `onPage` after each. */
async function readWhile<Row, Key>(
  read: (slice: { limit: number; after?: Key }) => Promise<readonly Row[]>,
  key: (row: Row) => Key,
  onPage: () => Promise<unknown>,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (;;) {
    const last = rows.at(-1);
    const page = await read(last === undefined ? { limit: 3 } : { limit: 3, after: key(last) });
    rows.push(...page);
    expect(rows.length).toBeLessThan(1_000);
    if (page.length < 3) return rows;
    await onPage();
  }
}

/** Some chains number the logs of their own transactions from the end of 32 bits. */
const LAST_LOG_INDEX = 0xffff_ffff;

export function describeReads({ store, block }: StoreFixture): void {
  it('stores, orders and pages log indexes of 32 bits', async () => {
    const logIndexes = [0, 0x7fff_ffff, 0x8000_0000, LAST_LOG_INDEX];
    await block(...logIndexes.map((place, index) => ({ to: alice, place, tokenId: BigInt(index) })));
    const newestFirst = logIndexes.toReversed();
    expect((await allTransfers(store(), { wallet: alice }, 1)).map(row => row.place)).toEqual(newestFirst);
    expect((await allOwners(store(), { owner: alice }, 1)).map(row => row.changedAt.place)).toEqual(newestFirst);
    const shared = { blockNumber: 1, place: LAST_LOG_INDEX, transactionHash: hashText('last'), transactionIndex: 0 };
    const sale = { tokenIds: [1n], seller: alice, buyer: bob, marketplace: MARKETPLACES[0] as Hex, price: 7n };
    const erc20Transfers = [{ ...shared, tokenAddress: COINS[0] as Hex, from: ZERO_ADDRESS, to: bob, amount: 5n }];
    const trades = [{ ...shared, tokenAddress: token, ...sale }];
    await store().applyBatch(createBlockBatch(await store().readHead(), { erc20Transfers, trades }));
    expect((await store().readMints({}, { limit: 5 })).map(row => row.place)).toEqual([LAST_LOG_INDEX]);
    expect((await store().readLowestTrade({ contract: token, fromTime: 0 }))?.place).toBe(LAST_LOG_INDEX);
    await store().rollBackTo(0);
    expect(await store().countMints({})).toBe(0);
    expect(await store().countOwners({ owner: alice })).toBe(logIndexes.length);
  });

  it('orders logs by transaction, then by their place in its receipt, whatever their log indexes are', async () => {
    // Sei numbers the logs of each transaction, VeChain those of each clause: here 0 and 1 of the first, 0 of the second.
    const positions = [
      ...[0, 1].map(place => ({ transactionIndex: 3, place })),
      ...getLogPlaces([0, 1, 0]).map(place => ({ transactionIndex: 7, place })),
    ];
    await block(...positions.map((position, index) => ({ ...position, to: alice, tokenId: BigInt(index) })));
    const newestFirst = [
      [7, 0],
      [7, 1],
      [7, 0],
      [3, 1],
      [3, 0],
    ];
    const toIndexes = ({ transactionIndex, place }: LogPosition) => [transactionIndex, getLogIndex(place)];
    expect((await allTransfers(store(), { wallet: alice }, 1)).map(toIndexes)).toEqual(newestFirst);
    const owners = await allOwners(store(), { owner: alice }, 1);
    expect(owners.map(row => toIndexes(row.changedAt))).toEqual(newestFirst);
    const erc20Transfers = positions.map((position, index) => ({
      ...{ ...position, blockNumber: 1, transactionHash: hashText('coins'), amount: BigInt(index) },
      ...{ tokenAddress: COINS[0] as Hex, from: ZERO_ADDRESS, to: bob },
    }));
    await store().applyBatch(createBlockBatch(await store().readHead(), { erc20Transfers }));
    for (const isOldestFirst of [false, true]) {
      const rows: Erc20TransferRow[] = [];
      for (let last = rows.at(-1), done = false; !done; last = rows.at(-1)) {
        const after = last === undefined ? undefined : { ...last, batchIndex: 0 };
        const page = await store().readErc20Transfers({ wallet: bob }, { limit: 2, after, isOldestFirst });
        rows.push(...page);
        done = page.length < 2;
      }
      expect(rows.map(row => row.amount)).toEqual(isOldestFirst ? [0n, 1n, 2n, 3n, 4n] : [4n, 3n, 2n, 1n, 0n]);
    }
  });

  it('gives an NFT to the receiver of the last clause, although its log has the lower index', async () => {
    const [mint = 0, sale = 0] = getLogPlaces([1, 0]);
    await block({ to: bob, from: alice, place: sale, tokenId: 5n }, { to: alice, place: mint, tokenId: 5n });
    expect((await allOwners(store(), { tokenId: 5n }, 5)).map(row => row.owner)).toEqual([bob]);
    await store().rollBackTo(-1);
    expect(await store().countOwners({ owner: bob })).toBe(0);
  });

  it('lists transfers from both ends, and those of some contracts only', async () => {
    const other = address('c', 2);
    await block({ to: alice, tokenId: 1n }, { to: alice, tokenId: 2n, tokenAddress: other });
    await block({ to: alice, tokenId: 3n }, { to: bob, tokenId: 4n }, { from: alice, to: alice, tokenId: 1n });
    const read = async (query: TransferQuery, isOldestFirst: boolean) =>
      (
        await readAllPages<TransferRow, LogPosition>(
          1,
          slice => store().readTransfers(query, { ...slice, isOldestFirst }),
          row => row,
        )
      ).map(row => row.tokenId);
    expect(await read({ wallet: alice }, true)).toEqual([1n, 2n, 3n, 1n]);
    expect(await read({ wallet: alice }, false)).toEqual([1n, 3n, 2n, 1n]);
    expect(await read({}, true)).toEqual([1n, 2n, 3n, 4n, 1n]);
    for (const [contracts, ids] of [
      [[other], [2n]],
      [
        [token, other],
        [1n, 2n, 3n, 1n],
      ],
      [[address('c', 9)], []],
    ] as const) {
      expect(await read({ wallet: alice, contracts }, true)).toEqual(ids);
      expect(await store().countTransfers({ wallet: alice, contracts })).toBe(ids.length);
    }
  });

  describe('transfers of a wallet', () => {
    it('are listed once each, in the order of the chain', async () => {
      await block({ to: alice }, { from: alice, to: alice }, { from: alice, to: bob }, { from: bob, to: alice });
      await block({ from: bob, to: bob, tokenId: 9n });
      const logs = async (direction?: 'both' | 'from' | 'to') =>
        (await allTransfers(store(), { wallet: alice, direction }, 1)).map(row => row.place);
      expect(await logs()).toEqual([3, 2, 1, 0]);
      expect(await logs('both')).toEqual([3, 2, 1, 0]);
      expect(await logs('from')).toEqual([2, 1]);
      expect(await logs('to')).toEqual([3, 1, 0]);
      expect(await store().countTransfers({ wallet: alice, direction: 'to' })).toBe(3);
    });

    it('are limited to the range of blocks, both ends inclusive', async () => {
      for (let number = 0; number < 5; number++) await block({ to: alice });
      const blocks = async (fromBlock?: number, toBlock?: number) =>
        (await allTransfers(store(), { wallet: alice, fromBlock, toBlock })).map(row => row.blockNumber);
      expect(await blocks(1, 3)).toEqual([3, 2, 1]);
      expect(await blocks(3)).toEqual([4, 3]);
      expect(await blocks(undefined, 0)).toEqual([0]);
      expect(await blocks(3, 1)).toEqual([]);
      expect(await blocks(5, 9)).toEqual([]);
    });
  });

  describe('pages', () => {
    it('list the rows as they were at the first page, once each, while blocks arrive', async () => {
      await store().applyBatch(createBatch(createNextBlocks(null, 12)));
      const addBlocks = async () => store().applyBatch(createBatch(createNextBlocks(await store().readHead(), 2)));
      const before = await allTransfers(store());
      const seen = await readWhile<TransferRow, LogPosition>(
        slice => store().readTransfers({}, slice),
        row => row,
        addBlocks,
      );
      expect(before.length).toBeGreaterThan(6);
      expect(seen).toEqual(before);
    });

    it('of owners stay stable while blocks arrive', async () => {
      for (let number = 0; number < 4; number++)
        await block(...[0n, 1n, 2n].map(id => ({ to: alice, tokenId: BigInt(number) * 3n + id })));
      const before = await allOwners(store(), { owner: alice });
      let next = 100n;
      const addBlocks = () => block({ to: alice, tokenId: next++ });
      const seen = await readWhile<OwnerRow, OwnerRow>(
        slice => store().readOwners({ owner: alice }, slice),
        row => row,
        addBlocks,
      );
      expect(seen).toEqual(before);
    });

    it('of collections stay stable while blocks arrive', async () => {
      const tokens = Array.from({ length: 8 }, (_, index) => address('c', index + 1));
      for (const each of tokens) await block({ tokenAddress: each, to: alice });
      let next = 100;
      const addBlocks = () => block({ tokenAddress: address('c', next++), to: alice });
      const seen = await readWhile<CollectionRow, CollectionRow>(
        slice => store().readCollections(alice, slice),
        row => row,
        addBlocks,
      );
      expect(seen.map(row => row.tokenAddress)).toEqual(tokens.toReversed());
    });

    it('continue below their last row when a reorg removed it', async () => {
      for (let number = 0; number < 6; number++) await block({ to: alice, tokenId: BigInt(number) });
      const [first, second] = await store().readTransfers({ wallet: alice }, { limit: 2 });
      const [, owner] = await store().readOwners({ owner: alice }, { limit: 2 });
      expect([first?.blockNumber, second?.blockNumber]).toEqual([5, 4]);
      await store().rollBackTo(2);
      await block();
      const rest = await store().readTransfers({ wallet: alice }, { limit: 9, after: second });
      expect(rest.map(row => row.blockNumber)).toEqual([2, 1, 0]);
      const owned = await store().readOwners({ owner: alice }, { limit: 9, after: owner });
      expect(owned.map(row => row.tokenId)).toEqual([2n, 1n, 0n]);
    });

    it('apply all filters together', async () => {
      await store().applyBatch(createBatch(createNextBlocks(null, 60)));
      const all = await allTransfers(store());
      for (const wallet of WALLETS)
        for (const nft of NFTS)
          expect(await allTransfers(store(), { wallet, contract: nft, fromBlock: 10, toBlock: 50 }, 2)).toEqual(
            all.filter(
              row =>
                row.tokenAddress === nft &&
                (row.from === wallet || row.to === wallet) &&
                row.blockNumber >= 10 &&
                row.blockNumber <= 50,
            ),
          );
    });
  });

  describe('ERC-20 mints', () => {
    it('accept hundreds of addresses in every filter', async () => {
      await store().applyBatch(createBatch(createNextBlocks(null, 40)));
      const many = (kind: string) => Array.from({ length: 300 }, (_, index) => address(kind, index + 1));
      const read = (query: Parameters<ReturnType<StoreFixture['store']>['readMints']>[0]) =>
        readAllPages(
          7,
          (slice: { limit: number; after?: LogPosition | undefined }) => store().readMints(query, slice),
          row => ({
            ...row,
            batchIndex: 0,
          }),
        );
      const all = await read({});
      expect(all.length).toBeGreaterThan(20);
      expect(await read({ contracts: many('e') })).toEqual(all);
      expect(await read({ wallets: many('a'), contracts: many('e') })).toEqual(all);
      expect(await read({ excludedContracts: many('e') })).toEqual([]);
      expect(await read({ excludedWallets: many('a') })).toEqual([]);
      expect(await read({ contracts: [] })).toEqual([]);
      expect(await read({ excludedContracts: many('b') })).toEqual(all);
      const coin = COINS[0] as Hex;
      const apart = [await read({ contracts: [coin] }), await read({ excludedContracts: [coin] })].map(
        list => list.length,
      );
      expect(apart[0]).toBeGreaterThan(0);
      expect((apart[0] ?? 0) + (apart[1] ?? 0)).toBe(all.length);
      expect(await store().countMints({ contracts: [coin] })).toBe(apart[0]);
    });
  });

  describe('the lowest trade', () => {
    const trade = (blockNumber: number, price: bigint, more: Partial<TradeRow> = {}): TradeRow => ({
      blockNumber,
      transactionIndex: 0,
      place: 0,
      transactionHash: `0x${'7'.repeat(64)}`,
      tokenAddress: token,
      tokenIds: [2n ** 256n - 1n, 0n],
      seller: alice,
      buyer: bob,
      marketplace: MARKETPLACES[0] as Hex,
      price,
      ...more,
    });
    const trades = async (...rows: readonly TradeRow[]) => {
      for (let number = 0; number < 6; number++)
        await store().applyBatch(
          createBlockBatch(await store().readHead(), { trades: rows.filter(row => row.blockNumber === number) }),
        );
    };

    it('is the lowest by number, not by text, with all fields', async () => {
      const cheap = trade(2, 9n);
      await trades(trade(1, 10n), cheap, trade(3, 2n ** 255n), trade(4, 1n, { tokenAddress: NFTS[1] as Hex }));
      expect(await store().readLowestTrade({ contract: token, fromTime: 0 })).toEqual(cheap);
    });

    it('is the latest of equal ones', async () => {
      const last = trade(3, 5n, { place: 4 });
      await trades(trade(1, 5n), trade(3, 5n, { place: 2 }), last, trade(4, 6n));
      expect(await store().readLowestTrade({ contract: token, fromTime: 0 })).toEqual(last);
    });

    it('is limited by time', async () => {
      const other = trade(3, 7n, { marketplace: MARKETPLACES[1] as Hex });
      await trades(trade(1, 5n), other, trade(4, 8n));
      expect(await store().readLowestTrade({ contract: token, fromTime: getBlockTime(3) })).toEqual(other);
      expect((await store().readLowestTrade({ contract: token, fromTime: getBlockTime(3) + 1 }))?.price).toBe(8n);
      expect(await store().readLowestTrade({ contract: token, fromTime: getBlockTime(5) + 1 })).toBeNull();
    });

    it('may be one of two trades of the same log', async () => {
      const second = trade(1, 5n, { tokenAddress: NFTS[1] as Hex });
      await trades(trade(1, 5n), second);
      expect(await store().readLowestTrade({ contract: NFTS[1] as Hex, fromTime: 0 })).toEqual(second);
    });
  });
}
