// The local index of an Aptos fullnode: limits, faults, pruning, resets and restarts.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Progress } from '../../src/api/workerProtocol.ts';
import type { Clock } from '../../src/base/clock.ts';
import { createCancelledFault, HexLensError } from '../../src/base/errors.ts';
import { createLocalIndexSource, type LocalIndexSource } from '../../src/service/aptos/indexer/localIndexSource.ts';
import { createAptosSqliteOpener } from '../../src/service/aptos/store/aptosSqliteStore.ts';
import type { AptosStore } from '../../src/service/aptos/store/aptosStore.ts';
import { createTaskRegistry } from '../../src/service/taskRegistry.ts';
import {
  APT,
  assetStore,
  collection,
  createFakeFullnode,
  type FakeFullnode,
  moduleEvent,
  nft,
  payment,
  user,
  wallet,
} from '../support/aptos/fakeFullnode.ts';
import { createTestLog } from '../support/testClock.ts';

/** A clock whose sleeps end only when the test says so. */
function createManualClock(): Clock & { wakeAll(): void; waitUntilAsleep(): Promise<void> } {
  let wake: (() => void)[] = [];
  let onSleep: (() => void)[] = [];
  return {
    now: () => Date.now(),
    sleep: (_ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted === true) return reject(createCancelledFault());
        wake.push(resolve);
        signal?.addEventListener('abort', () => reject(createCancelledFault()), { once: true });
        for (const notify of onSleep) notify();
        onSleep = [];
      }),
    wakeAll() {
      for (const resolve of wake) resolve();
      wake = [];
    },
    waitUntilAsleep: () => new Promise(resolve => onSleep.push(resolve)),
  };
}

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function createTemporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'hexlens-aptos-'));
  ends.push(() => rm(folder, { recursive: true }));
  return folder;
}

function createSource(
  fullnode: FakeFullnode,
  folder: string | null = null,
  wrapStore: (store: AptosStore) => AptosStore = store => store,
) {
  const log = createTestLog();
  const clock = createManualClock();
  const reports: Progress[] = [];
  // Each step is half a second after the one before: all of them are reported.
  let time = 0;
  const tasks = createTaskRegistry({
    clock: { now: () => (time += 500), sleep: async () => {} },
    report: progress => reports.push(progress),
  });
  const source = createLocalIndexSource({
    name: 'local',
    fullnode: fullnode.reader,
    openStore: async info => wrapStore(await createAptosSqliteOpener({ folder, log })(info)),
    clock,
    log,
    tasks,
  });
  ends.push(() => source.stop());
  return { source, log, clock, tasks, reports };
}

const all = { limit: 100, offset: 0 };
const alice = wallet(1);
const bob = wallet(2);

const fetchAmounts = async (source: LocalIndexSource, owner = alice) =>
  (await source.fetchPage('coinActivitiesByOwner', { owners: [owner] }, all)).rows.map(row => Number(row.amount));

describe('the local index of an Aptos fullnode', () => {
  it('reads the fullnode once, and then only new transactions', async () => {
    const fullnode = createFakeFullnode();
    for (let i = 1; i <= 150; i++) fullnode.block(payment(alice, bob, BigInt(i)));
    const { source } = createSource(fullnode);
    const first = await source.fetchPage('coinActivitiesByOwner', { owners: [alice] }, { limit: 3, offset: 0 });
    expect(first.rows.map(row => [row.activityType, row.amount])).toEqual([
      ['0x1::coin::WithdrawEvent', 150n],
      ['0x1::aptos_coin::GasFeeEvent', 700n],
      ['0x1::coin::WithdrawEvent', 149n],
    ]);
    expect(first.rows[0]).toMatchObject({
      blockHeight: 150n,
      coinType: APT,
      transactionVersion: 449n,
      isGasFee: false,
    });
    expect(first).toMatchObject({ hasNext: true, partialReason: null });
    expect(source.getProgress()).toMatchObject({
      firstVersion: 0n,
      indexedVersion: 450n,
      headVersion: 450n,
      fault: null,
    });
    expect(fullnode.requests.blocks).toBe(0); // blocks name themselves
    const pages = fullnode.requests.pages.length;
    fullnode.block(payment(alice, bob, 7n));
    expect((await fetchAmounts(source)).slice(0, 2)).toEqual([7, 700]);
    expect(fullnode.requests.pages.slice(pages)).toEqual(['450+1', '451+3']);
    await fetchAmounts(source);
    expect(fullnode.requests.pages.slice(pages + 2)).toEqual(['453+1']); // a look whether it is still that fullnode
  });

  it('reads transactions again that were not committed when a later batch failed', async () => {
    const fullnode = createFakeFullnode();
    for (let i = 1; i <= 1_100; i++) fullnode.block(payment(alice, bob, BigInt(i)));
    const written: (bigint | 'failed')[] = [];
    const { source, log } = createSource(fullnode, null, store => ({
      ...store,
      async writeBatch(firstVersion, batch) {
        try {
          const isThird = written.length === 2;
          const transactions = isThird ? [...batch.transactions, ...batch.transactions] : batch.transactions;
          const result = await store.writeBatch(firstVersion, { ...batch, transactions });
          written.push(firstVersion);
          return result;
        } catch (error) {
          written.push('failed');
          throw error;
        }
      },
    }));
    const { rows } = await source.fetchPage('coinActivitiesByOwner', { owners: [bob] }, { limit: 2_000, offset: 0 });
    expect(rows.map(row => Number(row.amount))).toEqual(Array.from({ length: 1_100 }, (_, i) => 1_100 - i));
    expect(written).toContain('failed');
    expect(log.of('debug').join()).toContain('Reading the Aptos network local again');
  });

  it('adapts to a node that returns fewer transactions than requested', async () => {
    const fullnode = createFakeFullnode();
    fullnode.limitPages(25);
    for (let i = 1; i <= 60; i++) fullnode.block(payment(alice, bob, BigInt(i)));
    const { source } = createSource(fullnode);
    expect((await source.fetchPage('coinActivitiesByOwner', { owners: [bob] }, all)).rows).toHaveLength(60);
    // The first pages were asked for before the limit was known.
    expect(fullnode.requests.pages.filter(page => page.endsWith('+100')).length).toBeLessThanOrEqual(3);
    expect(source.getProgress().indexedVersion).toBe(180n);
  });

  it('requests smaller pages when large ones time out', async () => {
    const fullnode = createFakeFullnode();
    for (let i = 1; i <= 60; i++) fullnode.block(payment(alice, bob, BigInt(i)));
    fullnode.fail(new HexLensError('node-timeout', 'Too slow.'), 1_000, 25);
    const { source } = createSource(fullnode);
    expect(await fetchAmounts(source, bob)).toHaveLength(60);
    const limits = fullnode.requests.pages.map(page => Number(page.split('+')[1]));
    expect(limits.filter(limit => limit > 1 && limit <= 25).length).toBeGreaterThanOrEqual(180 / 25);
  });

  it('indexes blocks of ten thousand transactions', async () => {
    const fullnode = createFakeFullnode();
    fullnode.block(...Array.from({ length: 10_000 }, (_, i) => payment(wallet(10 + (i % 50)), bob, BigInt(i + 1))));
    const { source } = createSource(fullnode);
    const page = await source.fetchPage('coinActivitiesByBlock', { blockHeights: [1n] }, all);
    expect(page.hasNext).toBe(true);
    expect(page.rows[0]).toMatchObject({ amount: 10_000n, blockHeight: 1n });
    const deep = await source.fetchPage(
      'coinActivitiesByBlock',
      { blockHeights: [1n, 1n] },
      { limit: 2, offset: 29_997 },
    );
    expect(deep.rows.map(row => row.amount)).toEqual([1n, 1n]);
    expect(deep.hasNext).toBe(true);
  });

  it('answers with what is indexed and a reason while the rest is still being read', async () => {
    const fullnode = createFakeFullnode();
    fullnode.block(payment(alice, bob, 1n));
    const { source, clock } = createSource(fullnode);
    await fetchAmounts(source);
    fullnode.block(payment(alice, bob, 2n));
    const release = fullnode.hold();
    const asleep = clock.waitUntilAsleep();
    const late = source.fetchPage('coinActivitiesByOwner', { owners: [alice] }, all);
    await asleep;
    clock.wakeAll();
    const partial = await late;
    expect(partial.rows.map(row => row.amount)).toEqual([1n, 700n]);
    expect(partial.partialReason).toMatch(/^The index of local is at version 3 of \d+ and is still being built\.$/);
    release();
    expect(await fetchAmounts(source)).toEqual([2, 700, 1, 700]);
  });

  it('reports how many transactions are indexed, and pauses and resumes by its name', async () => {
    const fullnode = createFakeFullnode();
    for (let i = 1; i <= 1_000; i++) fullnode.block(payment(alice, bob, BigInt(i)));
    const { source, clock, tasks, reports } = createSource(fullnode);
    const release = fullnode.hold();
    const first = fetchAmounts(source);
    tasks.pause('index aptos local');
    release();
    await expect.poll(() => reports.at(-1)).toMatchObject({ isRunning: false, total: 3_001 });
    clock.wakeAll();
    expect(await first).toHaveLength(100); // of what one step has indexed
    const paused = reports.at(-1);
    expect(paused).toMatchObject({
      ...{ task: 'index aptos local', chain: null, aptosNetwork: 'local', unit: 'transactions' },
    });
    expect(paused?.done).toBe(Number(source.getProgress().indexedVersion) + 1);
    expect(paused?.done).toBeLessThan(3_001);
    tasks.resume('index aptos local');
    await expect.poll(() => reports.at(-1)).toMatchObject({ isRunning: false, done: 3_001, total: 3_001 });
  });

  it('continues where it stopped after a restart', async () => {
    const fullnode = createFakeFullnode();
    const folder = await createTemporaryFolder();
    for (let i = 1; i <= 40; i++) fullnode.block(payment(alice, bob, BigInt(i)));
    const before = createSource(fullnode, folder);
    await fetchAmounts(before.source);
    await before.source.stop();
    fullnode.block(payment(alice, bob, 41n));
    fullnode.requests.pages.length = 0;
    const after = createSource(fullnode, folder);
    expect((await fetchAmounts(after.source)).slice(0, 3)).toEqual([41, 700, 40]);
    expect(fullnode.requests.pages).toEqual(['0+1', '120+1', '121+3']);
  });

  it('keeps indexed transactions when the node fails, and continues at the next query', async () => {
    const fullnode = createFakeFullnode();
    for (let i = 1; i <= 40; i++) fullnode.block(payment(alice, bob, BigInt(i)));
    const { source } = createSource(fullnode);
    await fetchAmounts(source);
    fullnode.block(payment(alice, bob, 41n));
    // The first look is whether it is still that fullnode; then comes the page.
    fullnode.fail(new HexLensError('node-unreachable', 'No response.'), 1);
    await expect(fetchAmounts(source)).rejects.toMatchObject({ code: 'node-unreachable' });
    expect(source.getProgress().fault).toMatchObject({ code: 'node-unreachable' });
    expect((await fetchAmounts(source)).slice(0, 2)).toEqual([41, 700]);
    expect(source.getProgress().fault).toBeNull();
  });

  for (const sameGenesis of [false, true])
    it(`restarts when the localnet was reset, with ${sameGenesis ? 'the same' : 'another'} genesis`, async () => {
      const fullnode = createFakeFullnode();
      const folder = await createTemporaryFolder();
      for (let i = 1; i <= 5; i++) fullnode.block(payment(alice, bob, BigInt(i)));
      const { source, log } = createSource(fullnode, folder);
      expect(await fetchAmounts(source, bob)).toEqual([5, 4, 3, 2, 1]);
      fullnode.reset(sameGenesis);
      fullnode.block(payment(alice, bob, 77n));
      expect(await fetchAmounts(source, bob)).toEqual([77]);
      expect(log.of('info').join()).toMatch(/restarting its index/);
      // The new fullnode is longer than the old one was when it is looked at next.
      fullnode.reset(sameGenesis);
      for (let i = 1; i <= 9; i++) fullnode.block(payment(alice, bob, BigInt(100 + i)));
      expect(await fetchAmounts(source, bob)).toEqual([109, 108, 107, 106, 105, 104, 103, 102, 101]);
    });

  it('begins at the oldest version that the node has, and reports it', async () => {
    const fullnode = createFakeFullnode();
    for (let i = 1; i <= 20; i++) fullnode.block(payment(alice, bob, BigInt(i)));
    fullnode.prune(32); // in the middle of block 11
    const { source, log } = createSource(fullnode);
    const page = await source.fetchPage('coinActivitiesByOwner', { owners: [bob] }, all);
    expect(page.rows.map(row => Number(row.amount))).toEqual([20, 19, 18, 17, 16, 15, 14, 13, 12, 11]);
    expect(page.rows.at(-1)?.blockHeight).toBe(11n);
    expect(fullnode.requests.blocks).toBe(1);
    expect(page.partialReason).toBe('The node has pruned everything before version 32.');
    expect(log.of('warn').join()).toMatch(/pruned everything before version 32/);
  });

  it('restarts when the node has pruned transactions that were not indexed', async () => {
    const fullnode = createFakeFullnode();
    fullnode.block(payment(alice, bob, 1n));
    const { source } = createSource(fullnode);
    expect(await fetchAmounts(source, bob)).toEqual([1]);
    for (let i = 2; i <= 20; i++) fullnode.block(payment(alice, bob, BigInt(i)));
    fullnode.prune(31);
    const page = await source.fetchPage('coinActivitiesByOwner', { owners: [bob] }, all);
    expect(page.rows[0]?.amount).toBe(20n);
    expect(page.partialReason).toMatch(/pruned everything before version 31/);
  });

  it('rejects a fullnode that is too long to be indexed', async () => {
    const fullnode = createFakeFullnode(1);
    const ledger = async () => ({ ...(await fullnode.reader.fetchLedgerInfo()), ledgerVersion: 4_000_000_000n });
    const { source } = createSource({ ...fullnode, reader: { ...fullnode.reader, fetchLedgerInfo: ledger } });
    await expect(fetchAmounts(source)).rejects.toMatchObject({
      code: 'not-implemented',
      fix: expect.stringContaining('Indexer'),
    });
    expect(fullnode.requests.pages).toEqual([]);
  });

  it('keeps the index of mainnet and testnet when the node is behind', async () => {
    const fullnode = createFakeFullnode(2);
    for (let i = 1; i <= 3; i++) fullnode.block(payment(alice, bob, BigInt(i)));
    let behind = 0n;
    const ledger = async () => {
      const now = await fullnode.reader.fetchLedgerInfo();
      return { ...now, ledgerVersion: now.ledgerVersion - behind };
    };
    const { source } = createSource({ ...fullnode, reader: { ...fullnode.reader, fetchLedgerInfo: ledger } });
    expect(await fetchAmounts(source, bob)).toEqual([3, 2, 1]);
    behind = 5n;
    expect(await fetchAmounts(source, bob)).toEqual([3, 2, 1]);
  });

  it('rejects versions other than the requested ones', async () => {
    const fullnode = createFakeFullnode();
    for (let i = 1; i <= 3; i++) fullnode.block(payment(alice, bob, BigInt(i)));
    const { fetchTransactions } = fullnode.reader;
    const reader = {
      ...fullnode.reader,
      fetchTransactions: async (start: bigint, limit: number) => (await fetchTransactions(start, limit)).toReversed(),
    };
    const { source } = createSource({ ...fullnode, reader });
    await expect(fetchAmounts(source)).rejects.toMatchObject({ code: 'node-answer' });
  });

  it('stops reading when it is stopped, and rejects waiting queries', async () => {
    const fullnode = createFakeFullnode();
    fullnode.block(payment(alice, bob, 1n));
    const { source } = createSource(fullnode);
    const release = fullnode.hold();
    const waiting = fetchAmounts(source);
    const stopping = source.stop();
    release();
    await expect(waiting).rejects.toMatchObject({ code: 'backend-stopped' });
    await stopping;
    await expect(fetchAmounts(source)).rejects.toMatchObject({ code: 'backend-stopped' });
  });
});

describe('the state before a transaction', () => {
  const metadata = wallet(900);
  const store = wallet(901);

  it('provides owner and asset of a store that a transaction deletes without an event', async () => {
    const fullnode = createFakeFullnode();
    fullnode.block(user(alice, [], assetStore(store, bob, metadata)));
    fullnode.block(user(alice, [moduleEvent('0x1::fungible_asset::Withdraw', { store, amount: '5' })]));
    const { source } = createSource(fullnode);
    const { rows } = await source.fetchPage('coinActivitiesByOwner', { owners: [bob] }, all);
    expect(rows).toMatchObject([
      { ownerAddress: bob, assetType: metadata, coinType: metadata, amount: 5n, tokenStandard: 'v2' },
    ]);
  });

  it('shows the paired asset of a coin as that coin, and finds both by coin type', async () => {
    const fullnode = createFakeFullnode();
    fullnode.block(payment(alice, bob, 9n, '0x0ab::moon::Coin'));
    const { getPairedMetadataAddress } = await import('../../src/service/aptos/derivedIds.ts');
    const paired = getPairedMetadataAddress('0xab::moon::Coin');
    fullnode.block(
      user(
        alice,
        [moduleEvent('0x1::fungible_asset::Deposit', { store, amount: '5' })],
        assetStore(store, bob, paired),
      ),
    );
    const { source } = createSource(fullnode);
    const { rows } = await source.fetchPage('coinActivitiesByType', { coinType: '0x00ab::moon::Coin' }, all);
    expect(rows.map(row => [row.amount, row.coinType, row.assetType])).toEqual([
      [5n, '0xab::moon::Coin', paired],
      [9n, '0xab::moon::Coin', '0xab::moon::Coin'],
      [9n, '0xab::moon::Coin', '0xab::moon::Coin'],
    ]);
    const filtered = await source.fetchPage(
      'coinActivitiesByOwner',
      { owners: [bob], excludedCoinTypes: ['0xab::moon::Coin'] },
      all,
    );
    expect(filtered.rows).toEqual([]);
  });

  it('follows an NFT through mint, transfer and burn', async () => {
    const fullnode = createFakeFullnode();
    const creator = wallet(5);
    const made = wallet(950);
    const token = wallet(951);
    const id = (address: string) => address.slice(2);
    fullnode.block(
      user(
        creator,
        [moduleEvent('0x4::collection::Mint', { token, collection: made, index: { value: '1' } })],
        [collection(made, creator, 'Apes'), ...nft(token, alice, made, 'Ape 1')],
      ),
    );
    const { source } = createSource(fullnode);
    const owners = async () =>
      (await source.fetchPage('collectionOwners', { collection: id(made) }, all)).rows.map(row => [
        row.name,
        row.ownerAddress,
        row.collectionName,
      ]);
    expect(await owners()).toEqual([['Ape 1', alice, 'Apes']]);
    // Later transactions write the token without its collection: the index remembers it.
    fullnode.block(
      user(
        alice,
        [moduleEvent('0x1::object::Transfer', { object: token, from: alice, to: bob })],
        nft(token, bob, made, 'Ape 1'),
      ),
    );
    expect(await owners()).toEqual([['Ape 1', bob, 'Apes']]);
    expect((await source.fetchPage('ownedTokens', { owners: [alice] }, all)).rows).toEqual([]);
    expect((await source.fetchPage('tokensByCreator', { creators: [creator] }, all)).rows).toMatchObject([
      { name: 'Ape 1', creatorAddress: creator, metadataUri: 'ipfs://x' },
    ]);
    fullnode.block(
      user(bob, [moduleEvent('0x4::collection::Burn', { token, collection: made, index: '1', previous_owner: bob })]),
    );
    expect(await owners()).toEqual([]);
    expect((await source.fetchPage('tokensByCreator', { creators: [creator] }, all)).rows).toEqual([]);
    const { rows } = await source.fetchPage('tokenActivities', { wallets: [alice, bob], collections: [id(made)] }, all);
    expect(rows.map(row => [row.transferType, row.fromAddress, row.toAddress, row.name, row.collectionName])).toEqual([
      ['0x4::collection::Burn', bob, null, 'Ape 1', 'Apes'],
      ['0x1::object::Transfer', alice, bob, 'Ape 1', 'Apes'],
      ['0x4::collection::MintEvent', alice, null, 'Ape 1', 'Apes'],
    ]);
    expect(
      (await source.fetchPage('tokenActivities', { wallets: [alice], excludedCollections: [id(made)] }, all)).rows,
    ).toEqual([]);
  });

  it('removes an NFT that was burned without an event', async () => {
    const fullnode = createFakeFullnode();
    const token = wallet(951);
    fullnode.block(user(alice, [], [collection(wallet(950), bob, 'Apes'), ...nft(token, alice, wallet(950), 'Ape 1')]));
    const { source } = createSource(fullnode);
    expect((await source.fetchPage('ownedTokens', { owners: [alice] }, all)).rows).toHaveLength(1);
    const gone = { type: 'delete_resource', address: token, resource: '0x1::object::ObjectGroup' };
    fullnode.block(user(alice, [], [gone, { ...gone, address: wallet(777) }]));
    expect((await source.fetchPage('ownedTokens', { owners: [alice] }, all)).rows).toEqual([]);
    expect((await source.fetchPage('tokensByCreator', { creators: [bob] }, all)).rows).toEqual([]);
  });
});
