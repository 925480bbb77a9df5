// An index file of the first version, whose activities repeat their transactions: every list is the same after its rows are rewritten.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/service/aptos/jsonFields.ts';
import { aptosSchema } from '../../../src/service/aptos/store/aptosSchema.ts';
import { createAptosSqliteOpener } from '../../../src/service/aptos/store/aptosSqliteStore.ts';
import type { AptosStore } from '../../../src/service/aptos/store/aptosStore.ts';
import { APT, assetStore, moduleEvent, payment, user, wallet } from '../../support/aptos/fakeFullnode.ts';
import { createTemporaryFolder } from '../../support/temporaryFolder.ts';
import { createTestLog } from '../../support/testClock.ts';
import { createBatchFrom, createTransactionAt, info, PER_BATCH } from './aptosStoreChild.ts';

const stores: AptosStore[] = [];
afterEach(async () => {
  for (const store of stores.splice(0)) await store.close();
});

const log = createTestLog();
const FILE = `aptos-4-${'7'.repeat(16)}.db`;

async function open(folder: string): Promise<AptosStore> {
  const store = await createAptosSqliteOpener({ folder, log })(info);
  stores.push(store);
  return store;
}

const LARGEST = 2n ** 64n - 1n;
const deposit = { store: wallet(700), amount: String(LARGEST) };

/** Numbers that JavaScript has not exactly, a failed transaction, and events without a gas fee. */
const RARE: readonly JsonObject[] = [
  { ...payment(wallet(1), wallet(2), LARGEST), sequence_number: String(LARGEST) },
  { ...payment(wallet(1), wallet(2), 2n ** 53n - 1n), gas_used: String(2n ** 53n), gas_unit_price: '1' },
  { ...user(wallet(3)), success: false },
  user(
    wallet(3),
    [moduleEvent('0x1::fungible_asset::Deposit', deposit)],
    assetStore(wallet(700), wallet(3), wallet(800)),
  ),
  { ...payment(wallet(4), wallet(5), 7n), type: 'block_metadata_transaction' },
];

async function fill(store: AptosStore): Promise<void> {
  for (let from = 0; from < 5 * PER_BATCH; from += PER_BATCH)
    await store.writeBatch(BigInt(from), createBatchFrom(from));
  const first = 5 * PER_BATCH;
  const transactions = RARE.map((transaction, index) => {
    const { blockHeight, transaction: common } = createTransactionAt(first + index);
    const { version, timestamp, success } = common;
    return { blockHeight, transaction: { version, timestamp, success, ...transaction } };
  });
  const nextVersion = BigInt(first + transactions.length);
  await store.writeBatch(BigInt(first), { transactions, nextVersion, lastHash: null, lastBlockHeight: 26n });
}

/** The file as the first version wrote it. */
function createOldFile(path: string, newPath: string): void {
  const database = new DatabaseSync(path);
  database.exec(
    `PRAGMA journal_mode = wal; ${aptosSchema.migrations[0]} DELETE FROM progress; PRAGMA user_version = 1`,
  );
  database.prepare('ATTACH ? AS new').run(newPath);
  for (const table of ['account', 'name', 'pair', 'collection', 'token', 'ownership', 'handle', 'asset_store'])
    database.exec(`INSERT INTO main.${table} SELECT * FROM new.${table}`);
  database.exec(`
    INSERT INTO main.chain SELECT * FROM new.chain;
    INSERT INTO main.progress SELECT * FROM new.progress;
    INSERT OR IGNORE INTO main.name (text) VALUES ('${APT}'), ('0x1::aptos_coin::GasFeeEvent');
    CREATE TEMP TABLE place AS
      SELECT r.*, m.time, m.block, m.entry, m.success, r.id / 131072 AS version, r.id % 131072 - 1 AS event FROM (
        SELECT id, type, amount, asset, account, creation, sequence, owner FROM new.coin UNION ALL
        SELECT id, (SELECT id FROM main.name WHERE text = '0x1::aptos_coin::GasFeeEvent'), fee,
          (SELECT id FROM main.name WHERE text = '${APT}'), sender, -1, sequence, sender
          FROM new.committed_transaction WHERE sender IS NOT NULL) AS r
      JOIN new.committed_transaction AS m ON m.id = r.id / 131072 * 131072;
    INSERT INTO main.coin
      SELECT row_number() OVER (ORDER BY id), version, event, time, block, type, CAST(amount AS TEXT), asset,
        (SELECT text LIKE '0x1::fungible_asset%' FROM main.name WHERE id = type), entry, account,
        CAST(creation AS TEXT), CAST(sequence AS TEXT), iif(event = -1, success, 1), owner
      FROM place;
    INSERT INTO main.token_activity
      SELECT row_number() OVER (ORDER BY r.id), r.id / 131072, r.id % 131072 - 1, m.time, token, collection, type, account,
        CAST(creation AS TEXT), CAST(r.sequence AS TEXT), r.sender, recipient, CAST(property_version AS TEXT),
        CAST(amount AS TEXT)
      FROM new.token_activity AS r JOIN new.committed_transaction AS m ON m.id = r.id / 131072 * 131072;
    CREATE INDEX coin_owner ON coin (owner);
    CREATE INDEX coin_block ON coin (block);
    CREATE INDEX token_sender ON token_activity (sender);`);
  database.close();
}

async function readLists(store: AptosStore) {
  const page = { limit: 1_000, offset: 0 };
  const wallets = Array.from({ length: 9 }, (_, index) => wallet(1 + index));
  const [fromDate, toDate] = [20, 60].map(second => new Date((1_700_000_000 + second) * 1000));
  return {
    progress: await store.readProgress(),
    owner: await store.read('coinActivitiesByOwner', { owners: wallets }, page),
    dates: await store.read('coinActivitiesByOwner', { owners: wallets, fromDate, toDate }, page),
    type: await store.read('coinActivitiesByType', { coinType: APT }, page),
    blocks: await store.read('coinActivitiesByBlock', { blockHeights: [2n, 3n, 11n, 25n, 26n] }, page),
    transfers: await store.read('tokenActivities', { wallets }, page),
    created: await store.read('tokensByCreator', { creators: wallets }, page),
    owned: await store.read('ownedTokens', { owners: wallets }, page),
    owners: await store.read('collectionOwners', { collection: wallet(600).slice(2) }, page),
  };
}

describe('an index file of the first version', () => {
  it('has the same lists after its rows are rewritten, says so, and is continued', async () => {
    const [folder, oldFolder] = [
      createTemporaryFolder('hexlens-aptos-new-'),
      createTemporaryFolder('hexlens-aptos-old-'),
    ];
    const store = await open(folder);
    await fill(store);
    const lists = await readLists(store);
    expect(lists.owner.map(row => [row.amount, row.eventSequenceNumber, row.isTransactionSuccess])).toContainEqual([
      LARGEST,
      5n,
      true,
    ]);
    expect(lists.type).toContainEqual(expect.objectContaining({ isGasFee: true, eventSequenceNumber: LARGEST }));
    expect(lists.type).toContainEqual(expect.objectContaining({ isGasFee: true, amount: 2n ** 53n }));
    expect(lists.type).toContainEqual(expect.objectContaining({ isGasFee: true, isTransactionSuccess: false }));
    expect(lists.owner).toContainEqual(expect.objectContaining({ tokenStandard: 'v2', amount: LARGEST }));
    const withoutFee = lists.owner.filter(row => row.transactionVersion === BigInt(5 * PER_BATCH + 4));
    expect(withoutFee.map(row => row.eventIndex)).toEqual([1, 0]);
    for (const list of Object.values(lists)) expect(Array.isArray(list) ? list.length : 1).toBeGreaterThan(0);

    createOldFile(join(oldFolder, FILE), join(folder, FILE));
    const migrated = await open(oldFolder);
    expect(await readLists(migrated)).toEqual(lists);
    expect(log.of('info').join()).toContain('The index of 4 has version 1: its rows are rewritten.');
    expect(log.of('warn')).toEqual([]);

    const { nextVersion } = lists.progress;
    for (const each of [store, migrated]) await each.writeBatch(nextVersion, createBatchFrom(Number(nextVersion)));
    expect(await readLists(migrated)).toEqual(await readLists(store));
  });

  it('never changes the migrations of a released version', () => {
    const digests = aptosSchema.migrations.map(sql =>
      createHash('sha256').update(sql.replace(/\s+/g, ' ').trim()).digest('hex').slice(0, 16),
    );
    expect(digests).toEqual(['a0c6148e5c7f2743', 'b0cf0d112c3a3953']);
  });
});

describe('places that no id has', () => {
  it('are skipped and reported, and cursors there have the rows before them', async () => {
    const store = await open(createTemporaryFolder('hexlens-aptos-places-'));
    const empty = { type: 'other', guid: {}, data: {} };
    const [withdrawal, arrival] = payment(wallet(1), wallet(2), 1n)['events'] as readonly JsonObject[];
    const events = [withdrawal, ...Array<JsonObject>(131_069).fill(empty), arrival, arrival] as readonly JsonObject[];
    const common = { timestamp: '1700000000000000', success: true };
    const transactions = [
      { ...payment(wallet(1), wallet(2), 1n), events, ...common, version: '0' },
      { ...payment(wallet(1), wallet(2), 1n), ...common, version: String(2n ** 36n) },
    ].map(transaction => ({ transaction, blockHeight: 1n }));
    const end = { nextVersion: 1n, lastHash: null, lastBlockHeight: 1n };
    const { activityCount, skipped } = await store.writeBatch(0n, { transactions, ...end });
    expect(activityCount).toBe(3);
    expect([...skipped]).toEqual([
      ['an event after too many others in its transaction', 1],
      ['a transaction whose version is too large', 1],
    ]);
    const read = (transactionVersion: bigint, eventIndex: number) =>
      store.read(
        'coinActivitiesByBlock',
        { blockHeights: [1n] },
        { limit: 9, offset: 0, after: { transactionVersion, eventIndex } },
      );
    expect((await read(2n ** 70n, 0)).map(row => row.eventIndex)).toEqual([131_070, 0, -1]);
    expect((await read(0n, 2 ** 50)).map(row => row.eventIndex)).toEqual([131_070, 0, -1]);
    expect((await read(0n, 131_070)).map(row => row.eventIndex)).toEqual([0, -1]);
    expect(await read(0n, -(2 ** 50))).toEqual([]);
  });
});
