// The SQLite index: a first load of NFT transfers with their owners, the size on disk, and pages at two sizes.
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Hex, ZERO_ADDRESS } from '../../src/base/hex.ts';
import { silentLog } from '../../src/base/log.ts';
import type { BlockBatch, BlockRow, TransferRow } from '../../src/service/store/rows.ts';
import { createSqliteStoreOpener } from '../../src/service/store/sqlite/sqliteStore.ts';
import type { Store } from '../../src/service/store/store.ts';
import { address, createDice } from '../store/generatedChain.ts';
import { type BenchResult, type BenchRow, measureLongestTask, median } from './benchResult.ts';

const LARGE = 1_000_000;
const SMALL = 10_000;
const PER_BLOCK = 100;
const BATCH = 100;
const WALLETS = 20_000;
/** This many wallets receive a third of all transfers. */
const BUSY_WALLETS = 20;
const TOKENS = 40;
const PAGES = 1_000;
const PAGE = 100;
/** Fewer than the collections of a busy wallet at both sizes; the larger chain has more of them per wallet. */
const COLLECTIONS_PAGE = 25;
const RUNS = 3;

export const getTestHash = (kind: number, number: number): Hex =>
  `0x${kind.toString(16).padStart(8, '0')}${(number * 2_654_435_761).toString(16).padStart(56, '7')}`;

const createBlock = (number: number): BlockRow => ({
  number,
  hash: getTestHash(1, number),
  parentHash: number === 0 ? getTestHash(0, 0) : getTestHash(1, number - 1),
  timestamp: 1_700_000_000 + 12 * number,
});

/** Half mints, half transfers; a tenth ERC-1155. */
export function* generateBatches(rows: number): Generator<BlockBatch> {
  const dice = createDice(7);
  const pickWallet = () => 1 + (dice(3) === 0 ? dice(BUSY_WALLETS) : dice(WALLETS));
  // By id - 1. Numbers, not objects: the garbage collector would visit millions of them during the loads that are measured.
  const tokens = new Uint8Array(rows);
  const owners = new Uint16Array(rows);
  let minted = 0;
  const transfer = (blockNumber: number, place: number): TransferRow => {
    const position = { blockNumber, place, batchIndex: 0 };
    const transaction = {
      transactionHash: getTestHash(2, blockNumber * 16 + (place >> 3)),
      transactionIndex: place >> 3,
    };
    const recipient = pickWallet();
    const to = address('a', recipient);
    if (dice(10) === 0) {
      const token = address('d', 1 + dice(TOKENS));
      const from = dice(2) === 0 ? ZERO_ADDRESS : address('a', pickWallet());
      const tokenId = BigInt(dice(500));
      return {
        ...position,
        ...transaction,
        tokenAddress: token,
        tokenId,
        standard: 'ERC1155',
        from,
        to,
        amount: 5n,
        operator: to,
        value: 0n,
      };
    }
    const index = dice(2) === 0 ? dice(Math.max(1, minted)) : minted;
    if (index === minted) {
      minted++;
      tokens[index] = 1 + dice(TOKENS);
    }
    const owner = owners[index] ?? 0;
    owners[index] = recipient;
    return {
      ...position,
      ...transaction,
      tokenAddress: address('c', tokens[index] ?? 0),
      tokenId: BigInt(index + 1),
      standard: 'ERC721',
      from: owner === 0 ? ZERO_ADDRESS : address('a', owner),
      to,
      amount: 1n,
      operator: null,
      value: 0n,
    };
  };
  const count = rows / PER_BLOCK;
  for (let first = 0; first < count; first += BATCH) {
    const blocks = Array.from({ length: Math.min(BATCH, count - first) }, (_, index) => createBlock(first + index));
    const transfers = blocks.flatMap(({ number }) =>
      Array.from({ length: PER_BLOCK }, (_, place) => transfer(number, place)),
    );
    yield { blocks, transactions: [], transfers, erc20Transfers: [], trades: [], tokens: [] };
  }
}

interface Loaded {
  readonly store: Store;
  readonly loadMs: number;
  readonly indexMs: number;
  /** The longest time that this thread was busy while indexes were built. */
  readonly blockedMs: number;
  readonly longestMs: number;
}

async function load(folder: string, chainId: number, rows: number): Promise<Loaded> {
  const store = await createSqliteStoreOpener({ folder, log: silentLog })({ chainId, genesisHash: getTestHash(1, 0) });
  let [loadMs, longestMs] = [0, 0];
  // Generating the rows is not counted.
  for (const batch of generateBatches(rows)) {
    const start = performance.now();
    await store.applyBatch(batch);
    const elapsedMs = performance.now() - start;
    loadMs += elapsedMs;
    longestMs = Math.max(longestMs, elapsedMs);
  }
  const start = performance.now();
  const blockedMs = await measureLongestTask(store.prepareReads?.() ?? Promise.resolve());
  const indexMs = performance.now() - start;
  const found = await store.countTransfers({});
  if (found !== rows) throw new Error(`The index holds ${found} of ${rows} transfers.`);
  return { store, loadMs, longestMs, indexMs, blockedMs };
}

/** Milliseconds of each page, sorted. */
export async function measurePages(read: (wallet: Hex) => Promise<readonly unknown[]>): Promise<readonly number[]> {
  const dice = createDice(11);
  const times: number[] = [];
  let rows = 0;
  for (let page = 0; page < PAGES; page++) {
    // Wallets that fill their pages at both sizes, so that only the size differs.
    const wallet = address('a', 1 + dice(BUSY_WALLETS));
    const start = performance.now();
    rows += (await read(wallet)).length;
    times.push(performance.now() - start);
  }
  if (rows < PAGES) throw new Error(`${PAGES} pages had ${rows} rows.`);
  return times.sort((a, b) => a - b);
}

interface Pages {
  readonly transfers: readonly number[];
  readonly nfts: readonly number[];
  readonly collections: readonly number[];
}

export const getPercentile = (sorted: readonly number[], part: number) =>
  sorted[Math.floor(sorted.length * part)] ?? Number.NaN;

export async function runStoreBench(large = LARGE, small = SMALL): Promise<BenchResult> {
  const folder = await mkdtemp(join(tmpdir(), 'hexlens-bench-store-'));
  try {
    const few = await load(folder, 1, small);
    const many = await load(folder, 2, large);
    const measureAllPages = async ({ store }: Loaded): Promise<Pages> => ({
      transfers: await measurePages(wallet => store.readTransfers({ wallet }, { limit: PAGE })),
      nfts: await measurePages(owner => store.readOwners({ owner }, { limit: PAGE })),
      collections: await measurePages(owner => store.readCollections(owner, { limit: COLLECTIONS_PAGE })),
    });
    // Alternately, under the same conditions; the first runs only warm up.
    await measureAllPages(few);
    await measureAllPages(many);
    const runs: { readonly before: Pages; readonly after: Pages }[] = [];
    for (let run = 0; run < RUNS; run++)
      runs.push({ before: await measureAllPages(few), after: await measureAllPages(many) });
    const p = (part: number, which: keyof Pages, at: 'before' | 'after') =>
      median(runs.map(run => getPercentile(run[at][which], part)));
    const pageRows = (['transfers', 'nfts', 'collections'] as const).flatMap((which): readonly BenchRow[] => [
      {
        what: `page of ${which} of a busy wallet, p50`,
        value: p(0.5, which, 'after'),
        unit: 'ms',
        target: { max: 1 },
      },
      { what: `page of ${which} of a busy wallet, p99`, value: p(0.99, which, 'after'), unit: 'ms' },
      {
        what: `p50 against ${small.toLocaleString('en')} transfers`,
        value: p(0.5, which, 'after') / p(0.5, which, 'before'),
        unit: 'x',
        target: { max: 1.5 },
      },
    ]);
    await few.store.close();
    await many.store.close();
    const file = (await readdir(folder)).find(name => name.startsWith('2-')) ?? '';
    const { size } = await stat(join(folder, file));
    const reopened = performance.now();
    await (
      await createSqliteStoreOpener({ folder, log: silentLog })({ chainId: 2, genesisHash: getTestHash(1, 0) })
    ).close();
    const openMs = performance.now() - reopened;
    const rate = large / (many.loadMs + many.indexMs);
    return {
      title: `Index of ${large.toLocaleString('en')} NFT transfers in SQLite: ${rate.toFixed(0)},000 a second on first load`,
      rows: [
        { what: 'first load: transfers and owners', value: many.loadMs, unit: 'ms' },
        { what: 'first load: indexes, built once', value: many.indexMs, unit: 'ms' },
        { what: 'longest task of this thread meanwhile', value: many.blockedMs, unit: 'ms', target: { max: 20 } },
        {
          what: `longest batch of ${(BATCH * PER_BLOCK).toLocaleString('en')} transfers`,
          value: many.longestMs,
          unit: 'ms',
        },
        { what: 'reopen with integrity check', value: openMs, unit: 'ms' },
        { what: 'size on disk, per transfer', value: size / large / 1_000, unit: 'kB', target: { max: 0.26 } },
        ...pageRows,
      ],
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}
