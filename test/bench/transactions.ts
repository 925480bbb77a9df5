// The index of transactions: size on disk and pages of a wallet at two sizes, in SQLite.
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLog } from '../../src/base/log.ts';
import type { BlockBatch } from '../../src/service/store/rows.ts';
import { createSqliteStoreOpener } from '../../src/service/store/sqlite/sqliteStore.ts';
import type { Store } from '../../src/service/store/store.ts';
import { address, createDice } from '../store/generatedChain.ts';
import { type BenchResult, median } from './benchResult.ts';
import { generateBatches, getPercentile, getTestHash, measurePages } from './sqliteStore.ts';

const LARGE = 1_000_000;
const SMALL = 100_000;
const PAGE = 100;
const RUNS = 3;
const WALLETS = 20_000;

/** One transaction for each transfer, of the same wallets; a tenth pays a third wallet by a call inside it. */
export function* generateTransactionBatches(rows: number): Generator<BlockBatch> {
  const dice = createDice(5);
  for (const batch of generateBatches(rows)) {
    const transactions = batch.transfers.map(({ blockNumber, place, to }, index) => ({
      ...{ blockNumber, transactionIndex: place, to },
      transactionHash: getTestHash(3, blockNumber * 100 + place),
      from: address('a', 1 + dice(WALLETS)),
      internalRecipients: index % 10 === 0 ? [address('f', 1 + dice(WALLETS))] : [],
    }));
    yield { ...batch, transfers: [], transactions };
  }
}

export async function runTransactionsBench(large = LARGE, small = SMALL): Promise<BenchResult> {
  const folder = await mkdtemp(join(tmpdir(), 'hexlens-bench-transactions-'));
  const load = async (chainId: number, rows: number) => {
    const store = await createSqliteStoreOpener({ folder, log: silentLog })({
      chainId,
      genesisHash: getTestHash(1, 0),
    });
    let ms = 0;
    const timed = async (work: Promise<void> | undefined) => {
      const start = performance.now();
      await work;
      ms += performance.now() - start;
    };
    for (const batch of generateTransactionBatches(rows)) await timed(store.applyBatch(batch));
    await timed(store.prepareReads?.());
    return { store, ms };
  };
  const measure = async (store: Store) =>
    getPercentile(await measurePages(wallet => store.readTransactions({ wallet }, { limit: PAGE })), 0.5);
  try {
    const few = await load(1, small);
    const many = await load(2, large);
    await measure(few.store); // warms up
    await measure(many.store);
    const runs: { readonly before: number; readonly after: number }[] = [];
    for (let run = 0; run < RUNS; run++)
      runs.push({ before: await measure(few.store), after: await measure(many.store) });
    await Promise.all([few.store.close(), many.store.close()]);
    const file = (await readdir(folder)).find(name => name.startsWith('2-')) ?? '';
    const { size } = await stat(join(folder, file));
    const after = median(runs.map(run => run.after));
    return {
      title: `Index of ${large.toLocaleString('en')} transactions in SQLite`,
      rows: [
        { what: 'first load, with indexes', value: many.ms, unit: 'ms' },
        { what: 'size on disk, per transaction', value: size / large, unit: 'bytes', target: { max: 160 } },
        { what: 'page of a busy wallet, p50', value: after, unit: 'ms', target: { max: 1 } },
        {
          what: `p50 against ${small.toLocaleString('en')} transactions`,
          value: after / median(runs.map(run => run.before)),
          unit: 'x',
          target: { max: 1.5 },
        },
      ],
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}
