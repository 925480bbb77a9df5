// Aptos: rows per second from REST transactions into the index, lossless JSON parsing, pages at a million activities.

import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { Hex } from '../../src/base/hex.ts';
import { silentLog } from '../../src/base/log.ts';
import { quoteLongNumbers } from '../../src/service/aptos/aptosHttpClient.ts';
import type { JsonObject } from '../../src/service/aptos/jsonFields.ts';
import { processTransaction } from '../../src/service/aptos/processors/processTransaction.ts';
import type { TransactionInBlock } from '../../src/service/aptos/restTransaction.ts';
import { createAptosSqliteOpener } from '../../src/service/aptos/store/aptosSqliteStore.ts';
import { type AptosStore, MAX_BATCH_TRANSACTIONS } from '../../src/service/aptos/store/aptosStore.ts';
import { createDice } from '../store/generatedChain.ts';
import { APT, assetStore, collection, moduleEvent, nft, payment, user, wallet } from '../support/aptos/fakeFullnode.ts';
import { type BenchResult, type BenchRow, measureInTurn, median } from './benchResult.ts';

/** Coin activities; NFTs are extra. */
const LARGE = 1_000_000;
/** As the indexer writes them. */
const PER_BATCH = MAX_BATCH_TRANSACTIONS;
const WALLETS = 20_000;
/** This many wallets take part in a third of all transactions. */
const BUSY_WALLETS = 20;
const COINS = [APT, ...Array.from({ length: 30 }, (_, i) => `0x${(0xc0 + i).toString(16)}::coin_${i}::Coin`)];
const METADATA = Array.from({ length: 10 }, (_, i) => wallet(500_000 + i));
const COLLECTIONS = Array.from({ length: 40 }, (_, i) => wallet(600_000 + i));
const PAGES = 500;
const PAGE = 100;
const RUNS = 3;

const SECONDS = 1_700_000_000;

/** Of ten, six pay with coin stores, two with fungible assets, two mint or transfer an NFT. */
function* batches(rows: number): Generator<readonly TransactionInBlock[]> {
  const roll = createDice(7);
  const pickWallet = () => wallet(1 + (roll(3) === 0 ? roll(BUSY_WALLETS) : roll(WALLETS)));
  const minted: { token: Hex; owner: Hex; collectionId: Hex; name: string }[] = [];
  const asset = (from: Hex, to: Hex): JsonObject => {
    const metadata = METADATA[roll(METADATA.length)] ?? wallet(500_000);
    const store = (owner: Hex) => `0x${owner.slice(-20)}${metadata.slice(-12)}`.padEnd(66, '7') as Hex;
    const events = [
      moduleEvent('0x1::fungible_asset::Withdraw', { store: store(from), amount: '5' }),
      moduleEvent('0x1::fungible_asset::Deposit', { store: store(to), amount: '5' }),
    ];
    return user(from, events, [...assetStore(store(from), from, metadata), ...assetStore(store(to), to, metadata)]);
  };
  const token = (from: Hex, to: Hex): JsonObject => {
    const old = roll(2) === 0 ? minted[roll(Math.max(1, minted.length))] : undefined;
    if (old === undefined) {
      const number = roll(COLLECTIONS.length);
      const collectionId = COLLECTIONS[number] ?? wallet(600_000);
      const one = { token: wallet(10_000_000 + minted.length), owner: to, collectionId, name: `Ape ${minted.length}` };
      minted.push(one);
      const event = moduleEvent('0x4::collection::Mint', { token: one.token, collection: collectionId });
      return user(
        from,
        [event],
        [collection(collectionId, wallet(1 + number), `Apes ${number}`), ...nft(one.token, to, collectionId, one.name)],
      );
    }
    const event = moduleEvent('0x1::object::Transfer', { object: old.token, from: old.owner, to });
    old.owner = to;
    return user(old.owner, [event], nft(old.token, to, old.collectionId, old.name));
  };
  let version = 1;
  for (let written = 0; written < rows; ) {
    const batch: TransactionInBlock[] = [];
    while (batch.length < PER_BATCH && written < rows) {
      const sort = roll(10);
      const transaction =
        sort < 6
          ? payment(pickWallet(), pickWallet(), BigInt(roll(1_000_000)), COINS[roll(2) === 0 ? 0 : roll(COINS.length)])
          : (sort < 8 ? asset : token)(pickWallet(), pickWallet());
      written += sort < 8 ? 3 : 1;
      const timestamp = String((SECONDS + Math.floor(version / 10)) * 1_000_000);
      batch.push({
        transaction: { ...transaction, version: String(version), timestamp, success: true },
        blockHeight: BigInt(Math.floor(version / 5)),
      });
      version++;
    }
    yield batch;
  }
}

const percentile = (sorted: readonly number[], part: number) => sorted[Math.floor(sorted.length * part)] ?? Number.NaN;

async function timed(
  read: (roll: (below: number) => number) => Promise<readonly unknown[]>,
): Promise<readonly number[]> {
  const roll = createDice(11);
  const times: number[] = [];
  let rows = 0;
  for (let page = 0; page < PAGES; page++) {
    const start = performance.now();
    rows += (await read(roll)).length;
    times.push(performance.now() - start);
  }
  if (rows < PAGES) throw new Error(`${PAGES} pages had ${rows} rows.`);
  return times.sort((a, b) => a - b);
}

/** Pages as the operations query them: newest first, from the middle, filtered, by date, with an offset. */
function pagesOf(store: AptosStore, highest: number): Readonly<Record<string, () => Promise<readonly number[]>>> {
  const slice = { limit: PAGE, offset: 0 };
  const busy = (roll: (below: number) => number) => wallet(1 + roll(BUSY_WALLETS));
  const middle = (roll: (below: number) => number) => ({
    ...slice,
    after: { transactionVersion: BigInt(roll(highest)), eventIndex: 0 },
  });
  const coin = (roll: (below: number) => number) => COINS[1 + roll(COINS.length - 1)] ?? APT;
  const id = (address: Hex) => address.slice(2);
  const pickCollection = (roll: (below: number) => number) =>
    id(COLLECTIONS[roll(COLLECTIONS.length)] ?? wallet(600_000));
  return {
    'one coin, from the middle': () =>
      timed(roll => store.read('coinActivitiesByType', { coinType: APT }, middle(roll))),
    'one coin, between dates': () =>
      timed(roll => {
        const fromDate = new Date((SECONDS + roll(Math.floor(highest / 10))) * 1000);
        return store.read(
          'coinActivitiesByType',
          { coinType: APT, fromDate, toDate: new Date(fromDate.getTime() + 86_400_000) },
          slice,
        );
      }),
    'coins of a busy wallet': () =>
      timed(roll => store.read('coinActivitiesByOwner', { owners: [busy(roll)] }, middle(roll))),
    'coins of a busy wallet, one coin': () =>
      timed(roll => store.read('coinActivitiesByOwner', { owners: [busy(roll)], coinTypes: [coin(roll)] }, slice)),
    'coins of a busy wallet, offset 100': () =>
      timed(roll => store.read('coinActivitiesByOwner', { owners: [busy(roll)] }, { limit: PAGE, offset: 100 })),
    'coins in blocks': () =>
      timed(roll =>
        store.read('coinActivitiesByBlock', { blockHeights: [BigInt(roll(Math.floor(highest / 5)))] }, slice),
      ),
    'NFT transfers of a busy wallet': () =>
      timed(roll => store.read('tokenActivities', { wallets: [busy(roll)] }, slice)),
    'NFTs by creator': () => timed(roll => store.read('tokensByCreator', { creators: [busy(roll)] }, slice)),
    'owners of a collection': () =>
      timed(roll => store.read('collectionOwners', { collection: pickCollection(roll) }, slice)),
    'NFTs of a busy wallet': () => timed(roll => store.read('ownedTokens', { owners: [busy(roll)] }, slice)),
  };
}

async function parseRow(): Promise<BenchRow> {
  const [batch = []] = batches(PER_BATCH * 3);
  const text = JSON.stringify(batch.slice(0, 100).map(placed => placed.transaction));
  const many = async (parse: (json: string) => unknown) => {
    for (let i = 0; i < 40; i++) parse(text);
  };
  const parseLossless = (json: string) => JSON.parse(quoteLongNumbers(json));
  await many(parseLossless);
  await many(JSON.parse);
  const { ratio } = await measureInTurn(
    9,
    () => many(parseLossless),
    () => many(JSON.parse),
  );
  const what = 'lossless parse of a page of transactions, speed against JSON.parse';
  return { what, value: 1 / ratio, unit: 'x', target: { min: 0.4 } };
}

export async function runAptosBench(rows = LARGE): Promise<BenchResult> {
  const folder = await mkdtemp(join(tmpdir(), 'hexlens-bench-aptos-'));
  try {
    const store = await createAptosSqliteOpener({ folder, log: silentLog })({
      chainId: 4,
      genesisHash: `0x${'1'.repeat(64)}`,
    });
    let [processorsMs, loadMs, longestMs, longestBusyMs, written, highest] = [0, 0, 0, 0, 0, 0];
    let from = 0n;
    // Generating the transactions is not counted.
    for (const transactions of batches(rows)) {
      await setImmediate(); // as where they come from a node: so it is noticed that a copy of the log has ended
      const alone = performance.now();
      for (const placed of transactions) processTransaction(placed);
      processorsMs += performance.now() - alone;
      const before = process.threadCpuUsage();
      const start = performance.now();
      highest += transactions.length;
      const next = BigInt(highest + 1);
      written += (
        await store.writeBatch(from, { transactions, nextVersion: next, lastHash: null, lastBlockHeight: null })
      ).activityCount;
      from = next;
      const took = performance.now() - start;
      loadMs += took;
      longestMs = Math.max(longestMs, took);
      const { user, system } = process.threadCpuUsage(before);
      longestBusyMs = Math.max(longestBusyMs, (user + system) / 1_000);
    }
    const start = performance.now();
    await store.read('coinActivitiesByBlock', { blockHeights: [1n] }, { limit: 1, offset: 0 });
    const indexMs = performance.now() - start;

    const pages = pagesOf(store, highest);
    const runs = new Map(Object.keys(pages).map(name => [name, [] as { p50: number; p99: number }[]]));
    for (let run = 0; run <= RUNS; run++)
      for (const [name, page] of Object.entries(pages)) {
        const times = await page();
        // The first run only warms up.
        if (run > 0) runs.get(name)?.push({ p50: percentile(times, 0.5), p99: percentile(times, 0.99) });
      }
    await store.close();
    const file = (await readdir(folder)).find(name => name.endsWith('.db')) ?? '';
    const { size } = await stat(join(folder, file));
    const rate = (milliseconds: number) => Math.round(written / milliseconds).toLocaleString('en');
    return {
      title: `Aptos index of ${written.toLocaleString('en')} activities from ${highest.toLocaleString('en')} transactions: ${rate(processorsMs)},000 rows a second by the processors alone, ${rate(loadMs + indexMs)},000 into SQLite`,
      rows: [
        { what: 'processors alone', value: processorsMs, unit: 'ms' },
        { what: 'first load: processors and tables', value: loadMs, unit: 'ms' },
        { what: 'first load: indexes, built once', value: indexMs, unit: 'ms' },
        {
          what: `longest batch of ${PER_BATCH.toLocaleString('en')} transactions`,
          value: longestMs,
          unit: 'ms',
          target: { max: 100 },
        },
        {
          what: '... without waiting for the thread that copies the log into the file',
          value: longestBusyMs,
          unit: 'ms',
        },
        {
          what: 'first load with indexes, a second',
          value: written / (loadMs + indexMs),
          unit: 'k rows',
          target: { min: 90 },
        },
        { what: 'size on disk, per activity', value: size / written, unit: 'bytes', target: { max: 90 } },
        await parseRow(),
        ...[...runs].flatMap(([name, times]): readonly BenchRow[] => [
          { what: `page: ${name}, p50`, value: median(times.map(time => time.p50)), unit: 'ms', target: { max: 1 } },
          { what: `page: ${name}, p99`, value: median(times.map(time => time.p99)), unit: 'ms' },
        ]),
      ],
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}
