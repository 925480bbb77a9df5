// The Aptos index in SQLite: pages against a plain list, quarantine of corrupt files, and kills that leave whole batches.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as after } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import type { Hex } from '../../../src/base/hex.ts';
import type { AptosPageRequest } from '../../../src/service/aptos/aptosSource.ts';
import type { JsonObject } from '../../../src/service/aptos/jsonFields.ts';
import type { ActivityKey, CoinActivity, OwnershipKey, TokenDataKey } from '../../../src/service/aptos/models.ts';
import { processTransaction } from '../../../src/service/aptos/processors/processTransaction.ts';
import type { TransactionInBlock } from '../../../src/service/aptos/restTransaction.ts';
import { createAptosSqliteOpener } from '../../../src/service/aptos/store/aptosSqliteStore.ts';
import { type AptosStore, MAX_BATCH_TRANSACTIONS } from '../../../src/service/aptos/store/aptosStore.ts';
import {
  APT,
  assetStore,
  collection,
  moduleEvent,
  nft,
  payment,
  user,
  wallet,
} from '../../support/aptos/fakeFullnode.ts';
import { transferObject, transferToken } from '../../support/aptos/ledgerActions.ts';
import { alice, bob, card, carol, createSampleLedger, gem } from '../../support/aptos/sampleLedger.ts';
import { bundleProgram } from '../../support/bundle.ts';
import { scaleRounds } from '../../support/rounds.ts';
import { createTemporaryFolder } from '../../support/temporaryFolder.ts';
import { createTestLog } from '../../support/testClock.ts';
import { createDice } from '../generatedChain.ts';
import { createBatchFrom, createTransactionAt, getOwnerAt, info, PER_BATCH } from './aptosStoreChild.ts';

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const scratch = () => createTemporaryFolder('hexlens-aptos-store-');

const COINS = [APT, '0xc1::moon::Coin', '0xc2::sun::Coin'];
const MADE = [wallet(600), wallet(601)] as const;

function history(count: number): readonly TransactionInBlock[] {
  const roll = createDice(5);
  const someone = () => wallet(1 + roll(6));
  const owners: { token: ReturnType<typeof wallet>; owner: ReturnType<typeof wallet>; made: (typeof MADE)[number] }[] =
    [];
  return Array.from({ length: count }, (_, index) => {
    const version = index + 1;
    let transaction: JsonObject;
    const sort = roll(4);
    if (sort < 2) transaction = payment(someone(), someone(), BigInt(version), COINS[roll(3)]);
    else if (sort === 2) {
      const owner = someone();
      const event = moduleEvent('0x1::fungible_asset::Deposit', {
        store: wallet(700 + roll(9)),
        amount: String(version),
      });
      const store = wallet(700 + roll(9));
      transaction = user(owner, [event], assetStore(store, owner, wallet(800 + roll(3))));
    } else if (roll(2) === 0 || owners.length === 0) {
      const made = MADE[roll(2)] ?? MADE[0];
      const one = { token: wallet(2_000 + version), owner: someone(), made };
      owners.push(one);
      const event = moduleEvent('0x4::collection::Mint', { token: one.token, collection: made });
      transaction = user(
        someone(),
        [event],
        [collection(made, wallet(9), 'Apes'), ...nft(one.token, one.owner, made, `Ape ${version}`)],
      );
    } else {
      const one = owners[roll(owners.length)];
      if (one === undefined) throw new Error('There is no token yet.');
      const to = someone();
      const event = moduleEvent('0x1::object::Transfer', { object: one.token, from: one.owner, to });
      one.owner = to;
      transaction = user(to, [event], nft(one.token, to, one.made, 'Ape'));
    }
    const timestamp = String((1_700_000_000 + Math.floor(version / 3)) * 1_000_000);
    return {
      transaction: { ...transaction, version: String(version), timestamp, success: true },
      blockHeight: BigInt(Math.floor(version / 5)),
    };
  });
}

async function filled(
  transactions: readonly TransactionInBlock[],
  folder: string | null = null,
  batchSize = 37,
): Promise<AptosStore> {
  const store = await createAptosSqliteOpener({ folder, log: createTestLog() })(info);
  ends.push(() => store.close());
  for (let from = 0; from < transactions.length; from += batchSize) {
    const part = transactions.slice(from, from + batchSize);
    const { nextVersion: next } = await store.readProgress();
    const last = BigInt(String(part.at(-1)?.transaction['version']));
    await store.writeBatch(next, {
      transactions: part,
      nextVersion: last + 1n,
      lastHash: `0x${last}`,
      lastBlockHeight: null,
    });
  }
  return store;
}

/** All rows of a list, page by page. */
async function walk<Row extends Key, Key>(
  read: (slice: AptosPageRequest<Key>) => Promise<readonly Row[]>,
  limit: number,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (let last: Key | undefined; ; ) {
    const page = await read({ limit, offset: 0, after: last });
    rows.push(...page);
    last = page.at(-1);
    if (page.length < limit) return rows;
  }
}

const place = ({ transactionVersion, eventIndex }: ActivityKey) => `${transactionVersion}/${eventIndex}`;
const newestFirst = (rows: readonly CoinActivity[]) =>
  rows.toSorted((a, b) => Number(b.transactionVersion - a.transactionVersion) || b.eventIndex - a.eventIndex);

describe('pages', () => {
  const transactions = history(600);

  it('of coins are the filtered slices of the whole list', async () => {
    const store = await filled(transactions);
    const everything = await walk<CoinActivity, ActivityKey>(
      slice =>
        store.read('coinActivitiesByOwner', { owners: Array.from({ length: 6 }, (_, i) => wallet(1 + i)) }, slice),
      1_000,
    );
    // Rows whose owner the transaction alone does not know are the index's own.
    const plain = newestFirst(transactions.flatMap(placed => processTransaction(placed).coinActivities));
    expect(everything.length).toBeGreaterThan(1_000);
    const inBlocks = await walk<CoinActivity, ActivityKey>(
      slice =>
        store.read('coinActivitiesByBlock', { blockHeights: Array.from({ length: 200 }, (_, i) => BigInt(i)) }, slice),
      61,
    );
    expect(inBlocks.map(place)).toEqual(plain.map(place));

    const roll = createDice(9);
    for (let attempt = 0; attempt < 60; attempt++) {
      const owners = Array.from({ length: 1 + roll(3) }, () => wallet(1 + roll(8)));
      const coinTypes = roll(3) === 0 ? [COINS[roll(3)] ?? APT, '0x9::un::Known'] : undefined;
      const excludedCoinTypes = roll(3) === 0 ? [COINS[roll(3)] ?? APT] : undefined;
      const from = 1_700_000_000 + roll(200);
      const dates =
        roll(2) === 0 ? {} : { fromDate: new Date(from * 1000), toDate: new Date((from + roll(60)) * 1000) };
      const wanted = everything.filter(
        row =>
          owners.some(owner => owner === row.ownerAddress) &&
          (coinTypes === undefined || coinTypes.includes(row.coinType ?? '')) &&
          (excludedCoinTypes === undefined || !excludedCoinTypes.includes(row.coinType ?? '')) &&
          (dates.fromDate === undefined || row.transactionTimestamp >= dates.fromDate) &&
          (dates.toDate === undefined || row.transactionTimestamp <= dates.toDate),
      );
      const query = { owners, coinTypes, excludedCoinTypes, ...dates };
      const limit = 1 + roll(40);
      const walked = await walk<CoinActivity, ActivityKey>(
        slice => store.read('coinActivitiesByOwner', query, slice),
        limit,
      );
      expect(walked).toEqual(wanted);
      const offset = roll(50);
      expect(await store.read('coinActivitiesByOwner', query, { limit, offset })).toEqual(
        wanted.slice(offset, offset + limit),
      );
    }
    for (const coinType of COINS) {
      const walked = await walk<CoinActivity, ActivityKey>(
        slice => store.read('coinActivitiesByType', { coinType }, slice),
        17,
      );
      expect(walked.map(place)).toEqual(plain.filter(row => row.coinType === coinType).map(place));
    }
  });

  it('of NFTs list each row once, at any page size', async () => {
    const store = await filled(transactions);
    const wallets = Array.from({ length: 6 }, (_, i) => wallet(1 + i));
    const limits = [1, 3, 7, 1_000] as const;
    const lists = {
      transfers: (limit: number) =>
        walk((slice: AptosPageRequest<ActivityKey>) => store.read('tokenActivities', { wallets }, slice), limit),
      owners: (limit: number) =>
        walk((slice: AptosPageRequest<OwnershipKey>) => store.read('ownedTokens', { owners: wallets }, slice), limit),
      collection: (limit: number) =>
        walk(
          (slice: AptosPageRequest<OwnershipKey>) =>
            store.read('collectionOwners', { collection: MADE[0].slice(2) }, slice),
          limit,
        ),
      created: (limit: number) =>
        walk(
          (slice: AptosPageRequest<TokenDataKey>) =>
            store.read('tokensByCreator', { creators: [wallet(9), wallet(1)] }, slice),
          limit,
        ),
    };
    for (const read of Object.values(lists)) {
      const [whole, ...parts] = await Promise.all(limits.toReversed().map(limit => read(limit)));
      expect(whole?.length).toBeGreaterThan(20);
      for (const part of parts) expect(part).toEqual(whole);
    }
    const transfers = await lists.transfers(1_000);
    expect(new Set(transfers.map(place)).size).toBe(transfers.length);

    // Every object has one owner, the last one it was given to.
    const owner = new Map<string, string>();
    for (const placed of transactions)
      for (const row of processTransaction(placed).ownerships)
        if (row.amount > 0n) owner.set(row.tokenDataIdHash, row.ownerAddress ?? '');
    const held = await lists.owners(1_000);
    expect(new Map(held.map(row => [row.tokenDataIdHash, row.ownerAddress]))).toEqual(owner);
    const some = [wallet(1), wallet(2)];
    const collectionOf = (row: { readonly collectionDataIdHash: string | null }) =>
      row.collectionDataIdHash === MADE[0].slice(2);
    const slice = { limit: 1_000, offset: 0 };
    const one = { collection: MADE[0].slice(2) };
    expect(await store.read('collectionOwners', { ...one, owners: some }, slice)).toEqual(
      held.filter(row => collectionOf(row) && some.includes(row.ownerAddress)),
    );
    expect(await store.read('collectionOwners', { ...one, excludedOwners: some }, slice)).toEqual(
      held.filter(row => collectionOf(row) && !some.includes(row.ownerAddress)),
    );
    expect(await store.read('ownedTokens', { owners: wallets, excludedCollections: [one.collection] }, slice)).toEqual(
      held.filter(row => !collectionOf(row)),
    );
  });
});

describe('batches', () => {
  const burn = (object: Hex, owner: Hex) =>
    user(owner, [
      moduleEvent('0x4::collection::Burn', { token: object, collection: MADE[0], previous_owner: owner, index: '1' }),
    ]);
  /** Tokens of both standards that move back and forth, and objects that are burned where they were minted or later. */
  const moved: readonly TransactionInBlock[] = (() => {
    const { ledger } = createSampleLedger();
    for (let round = 0; round < 3; round++) {
      ledger.block(transferToken(card, bob, carol), transferObject(gem, carol, bob), transferToken(card, carol, alice));
      ledger.block(transferToken(card, alice, bob), transferObject(gem, bob, alice), transferObject(gem, alice, carol));
    }
    const objects = Array.from({ length: 30 }, (_, i) => wallet(3_000 + i)).flatMap((object, i) => {
      const minted = user(
        wallet(1),
        [moduleEvent('0x4::collection::Mint', { token: object, collection: MADE[0] })],
        [collection(MADE[0], wallet(9), 'Apes'), ...nft(object, wallet(1), MADE[0], `Ape ${i}`)],
      );
      return i % 3 === 0 ? [minted] : [minted, burn(object, wallet(1))];
    });
    const all = [...ledger.transactions, ...objects, burn(wallet(3_000), wallet(1))];
    return all.map((transaction, version) => ({
      transaction: { timestamp: '1700000000000000', success: true, ...transaction, version: String(version) },
      blockHeight: BigInt(version),
    }));
  })();

  it('of any size result in the same lists', async () => {
    const slice = { limit: 1_000, offset: 0 };
    const accounts = [alice, bob, carol, wallet(1), wallet(9)];
    const lists = async (batchSize: number) => {
      const store = await filled(moved, null, batchSize);
      return {
        coins: await store.read('coinActivitiesByOwner', { owners: accounts }, slice),
        transfers: await store.read('tokenActivities', { wallets: accounts }, slice),
        owned: await store.read('ownedTokens', { owners: accounts }, slice),
        created: await store.read('tokensByCreator', { creators: accounts }, slice),
      };
    };
    const [one, ...others] = await Promise.all([1, 2, 7, 1_000].map(lists));
    for (const other of others) expect(other).toEqual(one);
    expect(one?.owned.map(row => [row.name, row.ownerAddress])).toEqual(
      expect.arrayContaining([
        ['Ace #1', bob],
        ['Ace #2', alice],
        ['Blue', bob],
        ['Ruby', carol],
        ['Ape 27', wallet(1)],
      ]),
    );
    const apes = (rows: readonly { readonly name: string | null }[] = []) =>
      rows.map(row => row.name).filter(name => name?.startsWith('Ape '));
    const left = [27, 24, 21, 18, 15, 12, 9, 6, 3].map(number => `Ape ${number}`);
    expect(apes(one?.owned)).toEqual(left);
    expect(apes(one?.created)).toEqual(left);
    expect(apes(one?.transfers)).toContain('Ape 1'); // its activities remain
  });
});

describe('full batches', () => {
  const batch = (from: number, count = 1_000) => {
    const transactions = Array.from({ length: count }, (_, i) => createTransactionAt(from + i));
    return { transactions, nextVersion: BigInt(from + count), lastHash: null, lastBlockHeight: null };
  };
  /** What other windows see. */
  const openOther = (folder: string) => {
    const other = new DatabaseSync(join(folder, `aptos-4-${'7'.repeat(16)}.db`), { readOnly: true });
    ends.push(async () => other.close());
    return () => other.prepare('SELECT next FROM progress').get()?.['next'];
  };

  it('are committed together: before a read, with a smaller one, after a moment, or at the end', async () => {
    const folder = scratch();
    let wake = () => {};
    const sleep = () =>
      new Promise<void>(resolve => {
        wake = resolve;
      });
    const store = await createAptosSqliteOpener({ folder, log: createTestLog(), clock: { now: Date.now, sleep } })(
      info,
    );
    ends.push(() => store.close());
    const readNext = openOther(folder);
    await store.writeBatch(0n, batch(0));
    await store.writeBatch(1_000n, batch(1_000));
    expect(await store.readProgress()).toMatchObject({ nextVersion: 2_000n });
    expect(readNext()).toBe(0);
    const page = await store.read('ownedTokens', { owners: [getOwnerAt(1_998)] }, { limit: 1, offset: 0 });
    expect(page[0]?.lastTransactionVersion).toBe(1_998n);
    expect(readNext()).toBe(2_000);
    await store.writeBatch(2_000n, batch(2_000));
    await store.writeBatch(3_000n, batch(3_000, 5));
    expect(readNext()).toBe(3_005);
    await store.writeBatch(3_005n, batch(3_005));
    expect(readNext()).toBe(3_005);
    wake();
    await expect.poll(readNext).toBe(4_005);
    await store.writeBatch(4_005n, batch(4_005));
    await store.close();
    expect(readNext()).toBe(5_005);
  });

  it('are committed when they have many rows', async () => {
    const folder = scratch();
    const store = await createAptosSqliteOpener({ folder, log: createTestLog() })(info);
    ends.push(() => store.close());
    const readNext = openOther(folder);
    const deposit = moduleEvent('0x1::fungible_asset::Deposit', { store: wallet(700), amount: '1' });
    const deposits = user(wallet(1), Array(31).fill(deposit), assetStore(wallet(700), wallet(1), wallet(800)));
    const many = batch(0).transactions.map(({ transaction, blockHeight }) => ({
      transaction: { ...transaction, ...deposits },
      blockHeight,
    }));
    expect(await store.writeBatch(0n, { ...batch(0), transactions: many })).toMatchObject({ activityCount: 32_000 });
    expect(readNext()).toBe(1_000);
  });

  it('are committed once the log before them is in the file, so that the next one waits for few rows', async () => {
    const folder = scratch();
    const clock = { now: Date.now, sleep: () => new Promise<void>(() => {}) };
    const store = await createAptosSqliteOpener({ folder, log: createTestLog(), clock })(info);
    ends.push(() => store.close());
    const readNext = openOther(folder);
    // A full batch with a checkpoint's worth of rows, and a smaller one, which is committed with it.
    const deposit = moduleEvent('0x1::fungible_asset::Deposit', { store: wallet(700), amount: '1' });
    const deposits = user(wallet(1), Array(9).fill(deposit), assetStore(wallet(700), wallet(1), wallet(800)));
    const many = batch(0).transactions.map(placed => ({
      ...placed,
      transaction: { ...placed.transaction, ...deposits },
    }));
    await store.writeBatch(0n, { ...batch(0), transactions: many });
    await store.writeBatch(1_000n, batch(1_000, 1));
    let next = 1_001;
    for (let full = 0; full < 20 && readNext() === 1_001; full++) {
      await after(50);
      await store.writeBatch(BigInt(next), batch(next, MAX_BATCH_TRANSACTIONS));
      next += MAX_BATCH_TRANSACTIONS;
    }
    expect(readNext()).toBe(next);
  });

  it('are written again from the last commit on when one is rejected', async () => {
    const folder = scratch();
    const store = await createAptosSqliteOpener({ folder, log: createTestLog() })(info);
    ends.push(() => store.close());
    await store.writeBatch(0n, batch(0, 10));
    await store.writeBatch(10n, batch(10));
    // Ids of transactions are unique.
    await expect(store.writeBatch(1_010n, batch(5))).rejects.toMatchObject({ code: 'internal' });
    expect(await store.readProgress()).toMatchObject({ nextVersion: 10n });
    await store.writeBatch(10n, batch(10));
    await store.writeBatch(1_010n, batch(1_010));
    const alone = await filled(Array.from({ length: 2_010 }, (_, version) => createTransactionAt(version)));
    const owners = Array.from({ length: 9 }, (_, i) => wallet(1 + i));
    const all = { limit: 10_000, offset: 0 };
    for (const list of ['ownedTokens', 'coinActivitiesByOwner'] as const)
      expect(await store.read(list, { owners }, all)).toEqual(await alone.read(list, { owners }, all));
  });
});

describe('the index file', () => {
  const transactions = Array.from({ length: 40 }, (_, version) => createTransactionAt(version));
  const names = async (folder: string) => (await readdir(folder)).sort();

  it('keeps its contents when it is opened again, separately for each genesis hash', async () => {
    const folder = scratch();
    const store = await filled(transactions, folder);
    const before = await store.read('ownedTokens', { owners: [wallet(1)] }, { limit: 9, offset: 0 });
    await store.close();
    const again = await createAptosSqliteOpener({ folder, log: createTestLog() })(info);
    expect(await again.readProgress()).toMatchObject({ nextVersion: 40n, lastHash: '0x39' });
    expect(await again.read('ownedTokens', { owners: [wallet(1)] }, { limit: 9, offset: 0 })).toEqual(before);
    await again.close();
    const other = await createAptosSqliteOpener({ folder, log: createTestLog() })({
      ...info,
      genesisHash: `0x${'8'.repeat(64)}`,
    });
    expect(await other.readProgress()).toMatchObject({ nextVersion: 0n, lastHash: null });
    await other.close();
    expect(await names(folder)).toEqual([`aptos-4-${'7'.repeat(16)}.db`, `aptos-4-${'8'.repeat(16)}.db`]);
  });

  it('copies its write-ahead log into the file during a load, and begins the log again', async () => {
    const folder = scratch();
    const store = await createAptosSqliteOpener({ folder, log: createTestLog() })(info);
    ends.push(() => store.close());
    const file = join(folder, `aptos-4-${'7'.repeat(16)}.db`);
    let [version, activities, mostLogBytes] = [1, 0, 0];
    while (activities < 40_000) {
      // Smaller than full, so that each is committed.
      const length = MAX_BATCH_TRANSACTIONS - 1;
      const transactions = Array.from({ length }, (_, index) => createTransactionAt(version + index));
      version += transactions.length;
      const from = (await store.readProgress()).nextVersion;
      const end = { nextVersion: BigInt(version), lastHash: null, lastBlockHeight: null };
      activities += (await store.writeBatch(from, { transactions, ...end })).activityCount;
      mostLogBytes = Math.max(mostLogBytes, (await stat(`${file}-wal`)).size);
    }
    expect((await stat(file)).size).toBeGreaterThan(1_000_000);
    expect(mostLogBytes).toBeLessThan(40_000_000);
  });

  it('is quarantined and replaced when it is corrupt or of a newer version', async () => {
    const folder = scratch();
    const path = join(folder, `aptos-4-${'7'.repeat(16)}.db`);
    await writeFile(path, 'no database at all');
    const log = createTestLog();
    const store = await createAptosSqliteOpener({ folder, log })(info);
    await store.writeBatch(0n, createBatchFrom(0));
    await store.close();
    expect(log.of('warn').join()).toMatch(/moved to .*damaged.* because it is corrupt/);
    const database = new DatabaseSync(path);
    database.exec('PRAGMA user_version = 99');
    database.close();
    const replaced = await createAptosSqliteOpener({ folder, log })(info);
    expect(await replaced.readProgress()).toMatchObject({ nextVersion: 0n });
    await replaced.close();
    expect(log.of('warn').at(-1)).toMatch(/a newer version of HexLens wrote it/);
  });

  it('is cleared in full, and accepts another chain then', async () => {
    const store = await filled(transactions);
    await store.clear(100n);
    expect(await store.readProgress()).toEqual({
      firstVersion: 100n,
      nextVersion: 100n,
      lastHash: null,
      lastBlockHeight: null,
    });
    const all = { limit: 100, offset: 0 };
    expect(await store.read('coinActivitiesByOwner', { owners: [wallet(1)] }, all)).toEqual([]);
    expect(await store.read('ownedTokens', { owners: [wallet(1)] }, all)).toEqual([]);
    await store.writeBatch(100n, createBatchFrom(100));
    expect((await store.read('coinActivitiesByOwner', { owners: [wallet(2)] }, all)).length).toBeGreaterThan(5);
  });

  it('rejects a batch that does not continue at its end', async () => {
    const store = await filled(transactions);
    await expect(store.writeBatch(39n, createBatchFrom(39))).rejects.toMatchObject({ code: 'internal' });
    expect(await store.readProgress()).toMatchObject({ nextVersion: 40n });
  });

  it('resolves ids correctly when two windows write in turn', async () => {
    const folder = scratch();
    const [one, two] = await Promise.all(
      [0, 1].map(() => createAptosSqliteOpener({ folder, log: createTestLog() })(info)),
    );
    if (one === undefined || two === undefined) throw new Error('Two were opened.');
    ends.push(
      () => one.close(),
      () => two.close(),
    );
    for (let from = 0; from < 200; from += 2 * PER_BATCH) {
      await one.writeBatch(BigInt(from), createBatchFrom(from));
      if (from === 80) await two.clear(BigInt(from)).then(() => two.writeBatch(BigInt(from), createBatchFrom(from)));
      await two.writeBatch(BigInt(from + PER_BATCH), createBatchFrom(from + PER_BATCH));
    }
    const alone = await filled(Array.from({ length: 120 }, (_, i) => createTransactionAt(80 + i)));
    const all = { limit: 1_000, offset: 0 };
    const owners = Array.from({ length: 9 }, (_, i) => wallet(1 + i));
    for (const store of [one, two]) {
      expect(await store.read('coinActivitiesByOwner', { owners }, all)).toEqual(
        await alone.read('coinActivitiesByOwner', { owners }, all),
      );
      expect(await store.read('tokenActivities', { wallets: owners }, all)).toEqual(
        await alone.read('tokenActivities', { wallets: owners }, all),
      );
    }
  });
});

const KILLS = scaleRounds(4);

it.each([
  { perBatch: PER_BATCH, maxWaitMs: 60, commits: KILLS },
  // A process that is killed early has not committed any.
  { perBatch: 1_000, maxWaitMs: 1_500, commits: 1 },
])(`has whole batches of $perBatch after each of ${KILLS} kills`, async ({ perBatch, maxWaitMs, commits }) => {
  const folder = scratch();
  const roll = createDice(77);
  const heads = new Set<bigint>();
  const log = createTestLog();
  for (let kill = 0; kill < KILLS; kill++) {
    const child = spawn(
      process.execPath,
      [await bundleProgram('test/store/aptos/aptosStoreChild.ts'), folder, String(perBatch)],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    const ended = once(child, 'exit');
    await Promise.race([once(child.stdout, 'data'), ended]);
    // The moment of death is what the test is about: any will do.
    await after(roll(maxWaitMs));
    child.kill('SIGKILL');
    expect(await ended).toEqual([null, 'SIGKILL']);

    const store = await createAptosSqliteOpener({ folder, log })(info);
    const { nextVersion: next } = await store.readProgress();
    expect(Number(next) % perBatch).toBe(0);
    heads.add(next);
    const count = Number(next);
    // Two of three versions pay, each of those with one deposit.
    const deposits = await store.read(
      'coinActivitiesByOwner',
      { owners: [wallet(2)], coinTypes: [APT] },
      { limit: 1_000_000, offset: 0 },
    );
    const paid = Array.from({ length: count }, (_, version) => version).filter(version => version % 3 !== 0);
    const got = deposits.filter(row => row.activityType === '0x1::coin::DepositEvent').map(row => Number(row.amount));
    expect(got).toEqual(paid.toReversed());
    const apes = await store.read(
      'collectionOwners',
      { collection: wallet(600).slice(2) },
      { limit: 1_000_000, offset: 0 },
    );
    expect(apes.length).toBe(count - paid.length);
    await store.close();
  }
  expect(heads.size).toBeGreaterThanOrEqual(commits);
  expect(Math.max(...[...heads].map(Number))).toBeGreaterThan(0);
  expect(log.of('warn')).toEqual([]);
});
