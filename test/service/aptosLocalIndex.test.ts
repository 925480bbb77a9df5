// An Aptos node alone: its chain goes into the index page after page, through limits, faults, pruning, wipes and restarts.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Clock } from '../../src/base/clock.ts';
import { cancelledFault, HexLensError } from '../../src/base/errors.ts';
import { createLocalIndexSource, type LocalIndexSource } from '../../src/service/aptos/indexer/localIndexSource.ts';
import { createAptosSqliteOpener } from '../../src/service/aptos/store/aptosSqliteStore.ts';
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

/** Waiting ends only when the test says so, so that every answer is complete unless it is to be late. */
function createPatience(): Clock & { hurry(): void; asleep(): Promise<void> } {
  let wake: (() => void)[] = [];
  let onSleep: (() => void)[] = [];
  return {
    now: () => Date.now(),
    sleep: (_ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted === true) return reject(cancelledFault());
        wake.push(resolve);
        signal?.addEventListener('abort', () => reject(cancelledFault()), { once: true });
        for (const tell of onSleep) tell();
        onSleep = [];
      }),
    hurry() {
      for (const tell of wake) tell();
      wake = [];
    },
    asleep: () => new Promise(resolve => onSleep.push(resolve)),
  };
}

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function scratch(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'hexlens-aptos-'));
  ends.push(() => rm(folder, { recursive: true }));
  return folder;
}

function sourceOf(chain: FakeFullnode, folder: string | null = null) {
  const log = createTestLog();
  const clock = createPatience();
  const source = createLocalIndexSource({
    name: 'local',
    fullnode: chain.reader,
    openStore: createAptosSqliteOpener({ folder, log }),
    clock,
    log,
  });
  ends.push(() => source.stop());
  return { source, log, clock };
}

const all = { limit: 100, offset: 0 };
const alice = wallet(1);
const bob = wallet(2);

const amounts = async (source: LocalIndexSource, owner = alice) =>
  (await source.getCoinActivitiesByOwner({ owners: [owner] }, all)).rows.map(row => Number(row.amount));

describe('an Aptos node alone', () => {
  it('is read whole, once, and only on when there is more', async () => {
    const chain = createFakeFullnode();
    for (let i = 1; i <= 150; i++) chain.block(payment(alice, bob, BigInt(i)));
    const { source } = sourceOf(chain);
    const first = await source.getCoinActivitiesByOwner({ owners: [alice] }, { limit: 3, offset: 0 });
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
    expect(first).toMatchObject({ hasNext: true, problem: null });
    expect(source.getProgress()).toMatchObject({ firstVersion: 0n, indexedVersion: 450n, headVersion: 450n, fault: null });
    expect(chain.requests.blocks).toBe(0); // blocks name themselves
    const pages = chain.requests.pages.length;
    chain.block(payment(alice, bob, 7n));
    expect((await amounts(source)).slice(0, 2)).toEqual([7, 700]);
    expect(chain.requests.pages.slice(pages)).toEqual(['450+1', '451+3']);
    await amounts(source);
    expect(chain.requests.pages.slice(pages + 2)).toEqual(['453+1']); // a look whether it is still that chain
  });

  it('goes by the limit of a node that gives less than it is asked for', async () => {
    const chain = createFakeFullnode();
    chain.limitPages(25);
    for (let i = 1; i <= 60; i++) chain.block(payment(alice, bob, BigInt(i)));
    const { source } = sourceOf(chain);
    expect((await source.getCoinActivitiesByOwner({ owners: [bob] }, all)).rows).toHaveLength(60);
    // The first pages were asked for before the limit was known.
    expect(chain.requests.pages.filter(page => page.endsWith('+100')).length).toBeLessThanOrEqual(3);
    expect(source.getProgress().indexedVersion).toBe(180n);
  });

  it('asks for smaller pages where large ones take too long', async () => {
    const chain = createFakeFullnode();
    for (let i = 1; i <= 60; i++) chain.block(payment(alice, bob, BigInt(i)));
    chain.fail(new HexLensError('node-timeout', 'Too slow.'), 1_000, 25);
    const { source } = sourceOf(chain);
    expect(await amounts(source, bob)).toHaveLength(60);
    const limits = chain.requests.pages.map(page => Number(page.split('+')[1]));
    expect(limits.filter(limit => limit > 1 && limit <= 25).length).toBeGreaterThanOrEqual(180 / 25);
  });

  it('holds blocks of ten thousand transactions', async () => {
    const chain = createFakeFullnode();
    chain.block(...Array.from({ length: 10_000 }, (_, i) => payment(wallet(10 + (i % 50)), bob, BigInt(i + 1))));
    const { source } = sourceOf(chain);
    const page = await source.getCoinActivitiesByBlock({ blockHeights: [1n] }, all);
    expect(page.hasNext).toBe(true);
    expect(page.rows[0]).toMatchObject({ amount: 10_000n, blockHeight: 1n });
    const deep = await source.getCoinActivitiesByBlock({ blockHeights: [1n, 1n] }, { limit: 2, offset: 29_997 });
    expect(deep.rows.map(row => row.amount)).toEqual([1n, 1n]);
    expect(deep.hasNext).toBe(true);
  });

  it('answers with what it has when the rest takes long, says so, and goes on', async () => {
    const chain = createFakeFullnode();
    chain.block(payment(alice, bob, 1n));
    const { source, clock } = sourceOf(chain);
    await amounts(source);
    chain.block(payment(alice, bob, 2n));
    const release = chain.hold();
    const asleep = clock.asleep();
    const late = source.getCoinActivitiesByOwner({ owners: [alice] }, all);
    await asleep;
    clock.hurry();
    const partial = await late;
    expect(partial.rows.map(row => row.amount)).toEqual([1n, 700n]);
    expect(partial.partialReason).toMatch(/^The index of local is at version 3 of \d+ and reads on\.$/);
    release();
    expect(await amounts(source)).toEqual([2, 700, 1, 700]);
  });

  it('goes on where it stopped after a restart', async () => {
    const chain = createFakeFullnode();
    const folder = await scratch();
    for (let i = 1; i <= 40; i++) chain.block(payment(alice, bob, BigInt(i)));
    const before = sourceOf(chain, folder);
    await amounts(before.source);
    await before.source.stop();
    chain.block(payment(alice, bob, 41n));
    chain.requests.pages.length = 0;
    const after = sourceOf(chain, folder);
    expect((await amounts(after.source)).slice(0, 3)).toEqual([41, 700, 40]);
    expect(chain.requests.pages).toEqual(['0+1', '120+1', '121+3']);
  });

  it('keeps what it has read when the node fails in between, and reads on at the next question', async () => {
    const chain = createFakeFullnode();
    for (let i = 1; i <= 40; i++) chain.block(payment(alice, bob, BigInt(i)));
    const { source } = sourceOf(chain);
    await amounts(source);
    chain.block(payment(alice, bob, 41n));
    // The first look is whether it is still that chain; then comes the page.
    chain.fail(new HexLensError('node-unreachable', 'Nobody answers.'), 1);
    await expect(amounts(source)).rejects.toMatchObject({ code: 'node-unreachable' });
    expect(source.getProgress().fault).toMatchObject({ code: 'node-unreachable' });
    expect((await amounts(source)).slice(0, 2)).toEqual([41, 700]);
    expect(source.getProgress().fault).toBeNull();
  });

  for (const sameGenesis of [false, true])
    it(`begins anew when the localnet was wiped, ${sameGenesis ? 'though its genesis is the same' : 'with another genesis'}`, async () => {
      const chain = createFakeFullnode();
      const folder = await scratch();
      for (let i = 1; i <= 5; i++) chain.block(payment(alice, bob, BigInt(i)));
      const { source, log } = sourceOf(chain, folder);
      expect(await amounts(source, bob)).toEqual([5, 4, 3, 2, 1]);
      chain.wipe(sameGenesis);
      chain.block(payment(alice, bob, 77n));
      expect(await amounts(source, bob)).toEqual([77]);
      expect(log.of('info').join()).toMatch(/begins anew/);
      // The new chain is longer than the old one was when it is looked at next.
      chain.wipe(sameGenesis);
      for (let i = 1; i <= 9; i++) chain.block(payment(alice, bob, BigInt(100 + i)));
      expect(await amounts(source, bob)).toEqual([109, 108, 107, 106, 105, 104, 103, 102, 101]);
    });

  it('begins at the oldest version that the node still has, and says so', async () => {
    const chain = createFakeFullnode();
    for (let i = 1; i <= 20; i++) chain.block(payment(alice, bob, BigInt(i)));
    chain.prune(32); // in the middle of block 11
    const { source, log } = sourceOf(chain);
    const page = await source.getCoinActivitiesByOwner({ owners: [bob] }, all);
    expect(page.rows.map(row => Number(row.amount))).toEqual([20, 19, 18, 17, 16, 15, 14, 13, 12, 11]);
    expect(page.rows.at(-1)?.blockHeight).toBe(11n);
    expect(chain.requests.blocks).toBe(1);
    expect(page.partialReason).toBe('The node has pruned everything before version 32.');
    expect(log.of('warn').join()).toMatch(/pruned everything before version 32/);
  });

  it('begins anew when more was pruned than it had read', async () => {
    const chain = createFakeFullnode();
    chain.block(payment(alice, bob, 1n));
    const { source } = sourceOf(chain);
    expect(await amounts(source, bob)).toEqual([1]);
    for (let i = 2; i <= 20; i++) chain.block(payment(alice, bob, BigInt(i)));
    chain.prune(31);
    const page = await source.getCoinActivitiesByOwner({ owners: [bob] }, all);
    expect(page.rows[0]?.amount).toBe(20n);
    expect(page.partialReason).toMatch(/pruned everything before version 31/);
  });

  it('refuses a chain that is too long to be read whole', async () => {
    const chain = createFakeFullnode(1);
    const ledger = async () => ({ ...(await chain.reader.fetchLedgerInfo()), ledgerVersion: 4_000_000_000n });
    const { source } = sourceOf({ ...chain, reader: { ...chain.reader, fetchLedgerInfo: ledger } });
    await expect(amounts(source)).rejects.toMatchObject({
      code: 'not-implemented',
      fix: expect.stringContaining('Indexer'),
    });
    expect(chain.requests.pages).toEqual([]);
  });

  it('keeps the index of a permanent chain when the node is behind', async () => {
    const chain = createFakeFullnode(2);
    for (let i = 1; i <= 3; i++) chain.block(payment(alice, bob, BigInt(i)));
    let behind = 0n;
    const ledger = async () => {
      const now = await chain.reader.fetchLedgerInfo();
      return { ...now, ledgerVersion: now.ledgerVersion - behind };
    };
    const { source } = sourceOf({ ...chain, reader: { ...chain.reader, fetchLedgerInfo: ledger } });
    expect(await amounts(source, bob)).toEqual([3, 2, 1]);
    behind = 5n;
    expect(await amounts(source, bob)).toEqual([3, 2, 1]);
  });

  it('refuses a node that sends other versions than it was asked for', async () => {
    const chain = createFakeFullnode();
    for (let i = 1; i <= 3; i++) chain.block(payment(alice, bob, BigInt(i)));
    const { fetchTransactions: transactions } = chain.reader;
    const lying = {
      ...chain,
      rest: {
        ...chain.reader,
        transactions: async (start: bigint, limit: number) => (await transactions(start, limit)).toReversed(),
      },
    };
    const { source } = sourceOf(lying);
    await expect(amounts(source)).rejects.toMatchObject({ code: 'node-answer' });
  });

  it('ends its reading when it is stopped, and rejects who waits', async () => {
    const chain = createFakeFullnode();
    chain.block(payment(alice, bob, 1n));
    const { source } = sourceOf(chain);
    const release = chain.hold();
    const waiting = amounts(source);
    const stopping = source.stop();
    release();
    await expect(waiting).rejects.toMatchObject({ code: 'backend-stopped' });
    await stopping;
    await expect(amounts(source)).rejects.toMatchObject({ code: 'backend-stopped' });
  });
});

describe('what earlier transactions said', () => {
  const metadata = wallet(900);
  const store = wallet(901);

  it('names owner and asset of a store that a transaction takes away without a word', async () => {
    const chain = createFakeFullnode();
    chain.block(user(alice, [], assetStore(store, bob, metadata)));
    chain.block(user(alice, [moduleEvent('0x1::fungible_asset::Withdraw', { store, amount: '5' })]));
    const { source } = sourceOf(chain);
    const { rows } = await source.getCoinActivitiesByOwner({ owners: [bob] }, all);
    expect(rows).toMatchObject([
      { ownerAddress: bob, assetType: metadata, coinType: metadata, amount: 5n, tokenStandard: 'v2' },
    ]);
  });

  it('shows assets of a coin as that coin, and finds both by its type', async () => {
    const chain = createFakeFullnode();
    chain.block(payment(alice, bob, 9n, '0x0ab::moon::Coin'));
    const { getPairedMetadataAddress } = await import('../../src/service/aptos/derivedIds.ts');
    const paired = getPairedMetadataAddress('0xab::moon::Coin');
    chain.block(
      user(
        alice,
        [moduleEvent('0x1::fungible_asset::Deposit', { store, amount: '5' })],
        assetStore(store, bob, paired),
      ),
    );
    const { source } = sourceOf(chain);
    const { rows } = await source.getCoinActivitiesByType({ coinType: '0x00ab::moon::Coin' }, all);
    expect(rows.map(row => [row.amount, row.coinType, row.assetType])).toEqual([
      [5n, '0xab::moon::Coin', paired],
      [9n, '0xab::moon::Coin', '0xab::moon::Coin'],
      [9n, '0xab::moon::Coin', '0xab::moon::Coin'],
    ]);
    const filtered = await source.getCoinActivitiesByOwner(
      { owners: [bob], excludedCoinTypes: ['0xab::moon::Coin'] },
      all,
    );
    expect(filtered.rows).toEqual([]);
  });

  it('follows an NFT through mint, transfer and burn', async () => {
    const chain = createFakeFullnode();
    const creator = wallet(5);
    const made = wallet(950);
    const token = wallet(951);
    const id = (address: string) => address.slice(2);
    chain.block(
      user(
        creator,
        [moduleEvent('0x4::collection::Mint', { token, collection: made, index: { value: '1' } })],
        [collection(made, creator, 'Apes'), ...nft(token, alice, made, 'Ape 1')],
      ),
    );
    const { source } = sourceOf(chain);
    const owners = async () =>
      (await source.getCollectionOwners({ collection: id(made) }, all)).rows.map(row => [
        row.name,
        row.ownerAddress,
        row.collectionName,
      ]);
    expect(await owners()).toEqual([['Ape 1', alice, 'Apes']]);
    // Later transactions write the token without its collection: the index remembers it.
    chain.block(
      user(
        alice,
        [moduleEvent('0x1::object::Transfer', { object: token, from: alice, to: bob })],
        nft(token, bob, made, 'Ape 1'),
      ),
    );
    expect(await owners()).toEqual([['Ape 1', bob, 'Apes']]);
    expect((await source.getOwnedTokens({ owners: [alice] }, all)).rows).toEqual([]);
    expect((await source.getTokensByCreator({ creators: [creator] }, all)).rows).toMatchObject([
      { name: 'Ape 1', creatorAddress: creator, metadataUri: 'ipfs://x' },
    ]);
    chain.block(
      user(bob, [moduleEvent('0x4::collection::Burn', { token, collection: made, index: '1', previous_owner: bob })]),
    );
    expect(await owners()).toEqual([]);
    expect((await source.getTokensByCreator({ creators: [creator] }, all)).rows).toEqual([]);
    const { rows } = await source.getTokenActivities({ wallets: [alice, bob], collections: [id(made)] }, all);
    expect(rows.map(row => [row.transferType, row.fromAddress, row.toAddress, row.name, row.collectionName])).toEqual([
      ['0x4::collection::Burn', bob, null, 'Ape 1', 'Apes'],
      ['0x1::object::Transfer', alice, bob, 'Ape 1', 'Apes'],
      ['0x4::collection::MintEvent', alice, null, 'Ape 1', 'Apes'],
    ]);
    expect((await source.getTokenActivities({ wallets: [alice], excludedCollections: [id(made)] }, all)).rows).toEqual(
      [],
    );
  });

  it('takes an NFT away that was burned without an event', async () => {
    const chain = createFakeFullnode();
    const token = wallet(951);
    chain.block(user(alice, [], [collection(wallet(950), bob, 'Apes'), ...nft(token, alice, wallet(950), 'Ape 1')]));
    const { source } = sourceOf(chain);
    expect((await source.getOwnedTokens({ owners: [alice] }, all)).rows).toHaveLength(1);
    const gone = { type: 'delete_resource', address: token, resource: '0x1::object::ObjectGroup' };
    chain.block(user(alice, [], [gone, { ...gone, address: wallet(777) }]));
    expect((await source.getOwnedTokens({ owners: [alice] }, all)).rows).toEqual([]);
    expect((await source.getTokensByCreator({ creators: [bob] }, all)).rows).toEqual([]);
  });
});
