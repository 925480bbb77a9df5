// Compares two stores by every query, page by page.
import { expect } from 'vitest';
import { ZERO_ADDRESS } from '../../src/base/hex.ts';
import type {
  LocatedTransaction,
  LogPosition,
  OwnerRow,
  TransactionPosition,
  TransferRow,
} from '../../src/service/store/rows.ts';
import type {
  CollectionRow,
  MintQuery,
  OwnerKey,
  OwnerQuery,
  PageQuery,
  Store,
  TransferQuery,
} from '../../src/service/store/store.ts';
import { address, COINS, createDice, getBlockTime, IDS, NFTS, WALLETS } from './generatedChain.ts';

/** Reads pages until one is not full. */
export async function readAllPages<Row, Key>(
  limit: number,
  read: (slice: PageQuery<Key>) => Promise<readonly Row[]>,
  key: (row: Row) => Key,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (let after: Key | undefined; ; ) {
    const page = await read({ limit, after });
    expect(page.length).toBeLessThanOrEqual(limit);
    rows.push(...page);
    // Else pages that never end would not fail the test.
    expect(rows.length).toBeLessThan(10_000);
    const last = page.at(-1);
    if (last === undefined || page.length < limit) return rows;
    after = key(last);
  }
}

export const allTransfers = (store: Store, query: TransferQuery = {}, limit = 100): Promise<readonly TransferRow[]> =>
  readAllPages<TransferRow, LogPosition>(
    limit,
    slice => store.readTransfers(query, slice),
    row => row,
  );

export const allOwners = (store: Store, query: OwnerQuery = {}, limit = 100): Promise<readonly OwnerRow[]> =>
  readAllPages<OwnerRow, OwnerKey>(
    limit,
    slice => store.readOwners(query, slice),
    row => row,
  );

const pageTransactions = (
  limit: number,
  read: (slice: PageQuery<TransactionPosition>) => Promise<readonly LocatedTransaction[]>,
) => readAllPages<LocatedTransaction, TransactionPosition>(limit, read, row => row);

const unknownAddress = address('b', 9);

/** Runs `rounds` queries of each kind with filters chosen by the seed. */
export async function expectSameResults(store: Store, model: Store, seed: number, rounds = 4): Promise<void> {
  const dice = createDice(seed);
  const pick = <T>(list: readonly T[]): T => list[dice(list.length)] as T;
  const some = <T>(list: readonly T[]): readonly T[] => list.filter(() => dice(2) === 0);
  const maybe = <T>(value: T): T | undefined => (dice(2) === 0 ? value : undefined);

  const head = await model.readHead();
  expect(await store.readHead()).toEqual(head);
  const height = (head?.number ?? 0) + 2;
  const range = () => ({ fromBlock: maybe(dice(height)), toBlock: maybe(dice(height)) });
  const wallets = [...WALLETS, ZERO_ADDRESS, unknownAddress];
  const nfts = [...NFTS, unknownAddress];

  expect(await store.readBlocksDownFrom(height, height + 1)).toEqual(
    await model.readBlocksDownFrom(height, height + 1),
  );
  expect(await store.readTokens([...nfts, ...COINS])).toEqual(await model.readTokens([...nfts, ...COINS]));
  const named = async (of: Store) =>
    (await of.readNamedTokens(1_000)).toSorted((a, b) => (a.tokenAddress < b.tokenAddress ? -1 : 1));
  expect(await named(store)).toEqual(await named(model));
  expect(await allTransfers(store)).toEqual(await allTransfers(model));
  expect(await allOwners(store)).toEqual(await allOwners(model));

  for (let round = 0; round < rounds; round++) {
    const limit = 1 + dice(7);
    const number = dice(height);
    expect(await store.readBlock(number)).toEqual(await model.readBlock(number));
    const time = getBlockTime(dice(height)) - dice(2);
    expect(await store.readFirstBlockAt(time)).toEqual(await model.readFirstBlockAt(time));

    const [from, to] = [dice(height), dice(height)].sort((a, b) => a - b) as [number, number];
    expect(await store.countRows(from, to)).toEqual(await model.countRows(from, to));

    const transfers: TransferQuery = {
      ...range(),
      wallet: maybe(pick(wallets)),
      direction: maybe(pick(['both', 'from', 'to'] as const)),
      contract: maybe(pick(nfts)),
      tokenId: maybe(pick(IDS)),
    };
    const expectedTransfers = await allTransfers(model, transfers);
    expect(await allTransfers(store, transfers, limit), JSON.stringify(transfers, plain)).toEqual(expectedTransfers);
    expect(await store.countTransfers(transfers)).toBe(expectedTransfers.length);

    const owners: OwnerQuery = {
      owner: maybe(pick(wallets)),
      contracts: maybe(some(nfts)),
      tokenId: maybe(pick(IDS)),
    };
    const expectedOwners = await allOwners(model, owners);
    expect(await allOwners(store, owners, limit), JSON.stringify(owners, plain)).toEqual(expectedOwners);
    expect(await store.countOwners(owners)).toBe(expectedOwners.length);

    const wallet = pick(wallets);
    const collections = (of: Store, size: number) =>
      readAllPages<CollectionRow, CollectionRow>(
        size,
        slice => of.readCollections(wallet, slice),
        row => row,
      );
    const expectedCollections = await collections(model, 100);
    expect(await collections(store, limit)).toEqual(expectedCollections);
    expect(await store.countCollections(wallet)).toBe(expectedCollections.length);

    const mints: MintQuery = {
      ...range(),
      contracts: maybe(some(COINS)),
      excludedContracts: maybe(some(COINS)),
      wallets: maybe(some(wallets)),
      excludedWallets: maybe(some(wallets)),
    };
    const minted = (of: Store, size: number) =>
      readAllPages(
        size,
        (slice: PageQuery<LogPosition>) => of.readMints(mints, slice),
        row => ({ ...row, batchIndex: 0 }),
      );
    const expectedMints = await minted(model, 100);
    expect(await minted(store, limit), JSON.stringify(mints)).toEqual(expectedMints);
    expect(await store.countMints(mints)).toBe(expectedMints.length);

    const erc20Query = { ...range(), wallet: maybe(pick(wallets)), contracts: maybe(some(COINS)) };
    for (const isOldestFirst of [false, true]) {
      const moved = (of: Store, size: number) =>
        readAllPages(
          size,
          (slice: PageQuery<LogPosition>) => of.readErc20Transfers(erc20Query, { ...slice, isOldestFirst }),
          row => ({ ...row, batchIndex: 0 }),
        );
      expect(await moved(store, limit), JSON.stringify(erc20Query)).toEqual(await moved(model, 100));
    }
    expect((await store.readErc20Tokens(wallet)).toSorted()).toEqual((await model.readErc20Tokens(wallet)).toSorted());

    const transactions = { ...range(), wallet };
    for (const isOldestFirst of [false, true]) {
      const listed = (of: Store, size: number) =>
        pageTransactions(size, slice => of.readTransactions(transactions, { ...slice, isOldestFirst }));
      expect(await listed(store, limit), JSON.stringify(transactions)).toEqual(await listed(model, 100));
      const untraced = (of: Store, size: number) =>
        pageTransactions(size, slice => of.readUntracedTransactions(transactions, { ...slice, isOldestFirst }));
      expect(await untraced(store, limit)).toEqual(await untraced(model, 100));
    }

    const trade = { contract: pick(nfts), fromTime: getBlockTime(dice(height)) };
    expect(await store.readLowestTrade(trade), JSON.stringify(trade)).toEqual(await model.readLowestTrade(trade));
  }
}

const plain = (_: string, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value);
