// Asks two stores everything that can be asked of a test chain, page by page, and expects the same answers.
import { expect } from 'vitest';
import { ZERO_ADDRESS } from '../../src/base/hex.ts';
import type { OwnerRow, Place, TransferRow } from '../../src/service/store/rows.ts';
import type {
  CollectionRow,
  MintQuery,
  OwnerKey,
  OwnerQuery,
  Slice,
  Store,
  TransferQuery,
} from '../../src/service/store/store.ts';
import { address, COINS, dice, IDS, MARKETPLACES, NFTS, timeOf, WALLETS } from './generatedChain.ts';

/** Every page, until one is not full. */
export async function pages<Row, Key>(
  limit: number,
  read: (slice: Slice<Key>) => Promise<readonly Row[]>,
  key: (row: Row) => Key,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (let after: Key | undefined; ; ) {
    const page = await read({ limit, after });
    expect(page.length).toBeLessThanOrEqual(limit);
    rows.push(...page);
    // Pages that never end would keep the test from ever failing.
    expect(rows.length).toBeLessThan(10_000);
    const last = page.at(-1);
    if (last === undefined || page.length < limit) return rows;
    after = key(last);
  }
}

export const allTransfers = (store: Store, query: TransferQuery = {}, limit = 100): Promise<readonly TransferRow[]> =>
  pages<TransferRow, Place>(
    limit,
    slice => store.transfers(query, slice),
    row => row,
  );

export const allOwners = (store: Store, query: OwnerQuery = {}, limit = 100): Promise<readonly OwnerRow[]> =>
  pages<OwnerRow, OwnerKey>(
    limit,
    slice => store.owners(query, slice),
    row => row,
  );

const stranger = address('b', 9);

/** Questions with all their filters by chance, `rounds` of each kind. The seed decides which. */
export async function expectSame(store: Store, model: Store, seed: number, rounds = 4): Promise<void> {
  const roll = dice(seed);
  const pick = <T>(list: readonly T[]): T => list[roll(list.length)] as T;
  const some = <T>(list: readonly T[]): readonly T[] => list.filter(() => roll(2) === 0);
  const maybe = <T>(value: T): T | undefined => (roll(2) === 0 ? value : undefined);

  const head = await model.head();
  expect(await store.head()).toEqual(head);
  const height = (head?.number ?? 0) + 2;
  const range = () => ({ fromBlock: maybe(roll(height)), toBlock: maybe(roll(height)) });
  const wallets = [...WALLETS, ZERO_ADDRESS, stranger];
  const nfts = [...NFTS, stranger];

  expect(await store.blocksDown(height, height + 1)).toEqual(await model.blocksDown(height, height + 1));
  expect(await store.tokens([...nfts, ...COINS])).toEqual(await model.tokens([...nfts, ...COINS]));
  expect(await allTransfers(store)).toEqual(await allTransfers(model));
  expect(await allOwners(store)).toEqual(await allOwners(model));

  for (let round = 0; round < rounds; round++) {
    const limit = 1 + roll(7);
    const number = roll(height);
    expect(await store.block(number)).toEqual(await model.block(number));
    const time = timeOf(roll(height)) - roll(2);
    expect(await store.firstBlockAt(time)).toEqual(await model.firstBlockAt(time));

    const transfers: TransferQuery = {
      ...range(),
      wallet: maybe(pick(wallets)),
      direction: maybe(pick(['both', 'from', 'to'] as const)),
      token: maybe(pick(nfts)),
      tokenId: maybe(pick(IDS)),
    };
    const moved = await allTransfers(model, transfers);
    expect(await allTransfers(store, transfers, limit), JSON.stringify(transfers, plain)).toEqual(moved);
    expect(await store.countTransfers(transfers)).toBe(moved.length);

    const owners: OwnerQuery = {
      owner: maybe(pick(wallets)),
      tokens: maybe(some(nfts)),
      tokenId: maybe(pick(IDS)),
    };
    const owned = await allOwners(model, owners);
    expect(await allOwners(store, owners, limit), JSON.stringify(owners, plain)).toEqual(owned);
    expect(await store.countOwners(owners)).toBe(owned.length);

    const wallet = pick(wallets);
    const collections = (of: Store, size: number) =>
      pages<CollectionRow, CollectionRow>(
        size,
        slice => of.collections(wallet, slice),
        row => row,
      );
    const collected = await collections(model, 100);
    expect(await collections(store, limit)).toEqual(collected);
    expect(await store.countCollections(wallet)).toBe(collected.length);

    const mints: MintQuery = {
      ...range(),
      tokens: maybe(some(COINS)),
      notTokens: maybe(some(COINS)),
      wallets: maybe(some(wallets)),
      notWallets: maybe(some(wallets)),
    };
    const minted = (of: Store, size: number) =>
      pages(
        size,
        (slice: Slice<Place>) => of.mints(mints, slice),
        row => ({ ...row, position: 0 }),
      );
    const fresh = await minted(model, 100);
    expect(await minted(store, limit), JSON.stringify(mints)).toEqual(fresh);
    expect(await store.countMints(mints)).toBe(fresh.length);

    const trade = { token: pick(nfts), since: timeOf(roll(height)), marketplaces: maybe(some(MARKETPLACES)) };
    expect(await store.lowestTrade(trade), JSON.stringify(trade)).toEqual(await model.lowestTrade(trade));
  }
}

const plain = (_: string, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value);
