// How the index grows in SQLite and PostgreSQL: curves through the small sizes predict the large one, which is measured too.
// `HEXLENS_BENCH_ROWS=20000000 npm run bench growth` is the simulation of docs/performance.md.
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import type { Hex } from '../../src/base/hex.ts';
import { silentLog } from '../../src/base/log.ts';
import { createPostgresStoreOpener } from '../../src/service/store/postgres/postgresStore.ts';
import type { BlockBatch } from '../../src/service/store/rows.ts';
import { createSqliteStoreOpener } from '../../src/service/store/sqlite/sqliteStore.ts';
import type { Store } from '../../src/service/store/store.ts';
import { createDice } from '../store/generatedChain.ts';
import { startPostgres } from '../support/postgresServer.ts';
import type { BenchResult, BenchRow } from './benchResult.ts';
import { readSchemaBytes } from './databases.ts';
import { generateBatches, getPercentile, getTestHash, measurePages } from './sqliteStore.ts';

/** The measured size; the curve is fitted through the sizes that are these parts of it. */
const ROWS = Number(process.env['HEXLENS_BENCH_ROWS'] ?? 200_000);
const SMALLER_PARTS = [0.02, 0.05, 0.1];
/** `getconf CLK_TCK` is 100 on Linux. */
const MS_PER_TICK = 10;
const CHAIN = { chainId: 1, genesisHash: getTestHash(1, 0) };

interface Kind {
  readonly name: string;
  createBatches(rows: number): Iterable<BlockBatch>;
  readPage(store: Store, wallet: Hex): Promise<readonly unknown[]>;
}

const kinds: readonly Kind[] = [
  {
    name: 'NFT',
    createBatches: generateBatches,
    readPage: (store, wallet) => store.readTransfers({ wallet }, { limit: 100 }),
  },
  {
    name: 'ERC-20',
    createBatches: generateErc20Batches,
    readPage: (store, wallet) => store.readErc20Transfers({ wallet }, { limit: 100 }),
  },
];

/** The same wallets and contracts as those of NFTs, with amounts of up to a million units of 18 decimals. */
function* generateErc20Batches(rows: number): Generator<BlockBatch> {
  const dice = createDice(3);
  for (const batch of generateBatches(rows)) {
    const erc20Transfers = batch.transfers.map(({ blockNumber, place, transactionHash, transactionIndex, ...row }) => {
      const { tokenAddress, from, to } = row;
      const amount = BigInt(1 + dice(1_000_000_000)) * 10n ** 15n;
      return { blockNumber, place, transactionHash, transactionIndex, tokenAddress, from, to, amount };
    });
    yield { ...batch, transfers: [], erc20Transfers };
  }
}

interface Size {
  readonly rows: number;
  /** CPU time of this process and of the database, with indexes, which are built at the end. */
  readonly microsecondsPerRow: number;
  readonly bytesPerRow: number;
  readonly pageMs: number;
}

interface Database {
  readonly name: string;
  open(): Promise<OpenDatabase>;
}

interface OpenDatabase {
  /** Empty at first. */
  readonly store: Store;
  /** On disk. */
  readBytes(): Promise<number>;
  /** Milliseconds of CPU time that processes of the database have used. */
  readServerCpuMs(): Promise<number>;
  remove(): Promise<void>;
}

async function measureSize(database: Database, kind: Kind, rows: number): Promise<Size> {
  const { store, readBytes, readServerCpuMs, remove } = await database.open();
  let cpuMs = 0;
  const timed = async (work: () => Promise<unknown> | undefined) => {
    const start = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(start);
    cpuMs += (user + system) / 1_000;
  };
  try {
    for (const batch of kind.createBatches(rows)) await timed(() => store.applyBatch(batch));
    await timed(() => store.prepareReads?.());
    const readPage = (wallet: Hex) => kind.readPage(store, wallet);
    await timed(() => readPage(getTestHash(9, 9).slice(0, 42) as Hex)); // PostgreSQL builds its indexes at the first page
    cpuMs += await readServerCpuMs();
    await measurePages(readPage); // warms up
    const pageMs = getPercentile(await measurePages(readPage), 0.5);
    await store.close();
    console.error(
      `  ${database.name}, ${kind.name}, ${rows.toLocaleString('en')} transfers: ${(cpuMs / 1_000).toFixed(1)} s`,
    );
    return { rows, microsecondsPerRow: (cpuMs * 1_000) / rows, bytesPerRow: (await readBytes()) / rows, pageMs };
  } finally {
    await remove();
  }
}

/** `value = factor * rows ** exponent` by least squares of the logarithms, at `rows`. */
function extrapolate(points: readonly (readonly [rows: number, value: number])[], rows: number): number {
  const logs = points.map(([x, y]) => [Math.log(x), Math.log(y)] as const);
  const mean = (index: 0 | 1) => logs.reduce((sum, log) => sum + log[index], 0) / logs.length;
  const [x, y] = [mean(0), mean(1)];
  const exponent =
    logs.reduce((sum, log) => sum + (log[0] - x) * (log[1] - y), 0) /
    logs.reduce((sum, log) => sum + (log[0] - x) ** 2, 0);
  return Math.exp(y + exponent * (Math.log(rows) - x));
}

async function measureGrowth(database: Database, kind: Kind): Promise<readonly BenchRow[]> {
  const sizes: Size[] = [];
  for (const part of [...SMALLER_PARTS, 1]) sizes.push(await measureSize(database, kind, Math.round(ROWS * part)));
  const smaller = sizes.slice(0, -1);
  const describe = (what: string, unit: string, read: (size: Size) => number): readonly BenchRow[] => {
    const measured = sizes.map(size => ({
      what: `${database.name}, ${kind.name}, ${what}, ${size.rows.toLocaleString('en')} transfers`,
      value: read(size),
      unit,
    }));
    const predicted = extrapolate(
      smaller.map(size => [size.rows, read(size)]),
      ROWS,
    );
    return [
      ...measured,
      { what: '  measured against extrapolated', value: (measured.at(-1)?.value ?? 0) / predicted, unit: 'x' },
    ];
  };
  return [
    ...describe('CPU time of the first load, a transfer', 'µs', size => size.microsecondsPerRow),
    ...describe('size on disk, a transfer', 'bytes', size => size.bytesPerRow),
    ...describe('page of a busy wallet, p50', 'ms', size => size.pageMs),
  ];
}

const sqlite: Database = {
  name: 'SQLite',
  async open() {
    const folder = await mkdtemp(join(tmpdir(), 'hexlens-bench-growth-'));
    return {
      store: await createSqliteStoreOpener({ folder, log: silentLog })(CHAIN),
      async readBytes() {
        const files = await Promise.all((await readdir(folder)).map(name => stat(join(folder, name))));
        return files.reduce((sum, { size }) => sum + size, 0);
      },
      readServerCpuMs: async () => 0,
      remove: () => rm(folder, { recursive: true, force: true }),
    };
  },
};

/** Of the server and its processes, also those that have ended, since its start: /proc/PID/stat (Linux). */
async function readServerCpuMs(url: string): Promise<number> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  /** From the third field on. */
  const readFields = async (pid: number | string) =>
    (await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ''))
      .replace(/^.*\) /s, '')
      .split(' ')
      .map(Number);
  const [, server = 0] = await readFields(rows[0]?.pid ?? 'self');
  const [, , , , , , , , , , , ...times] = await readFields(server);
  let ticks = times.slice(0, 4).reduce((sum, time) => sum + time, 0);
  for (const pid of (await readdir('/proc')).filter(name => /^\d+$/.test(name))) {
    const fields = await readFields(pid);
    if (fields[1] === server) ticks += (fields[11] ?? 0) + (fields[12] ?? 0);
  }
  await client.end();
  return ticks * MS_PER_TICK;
}

/** A server for each size, so that a removed schema leaves nothing behind. */
const postgres: Database = {
  name: 'PostgreSQL',
  async open() {
    const server = await startPostgres();
    if (server === null) throw new Error('There is no PostgreSQL on this machine.');
    const url = server.createSchemaUrl();
    return {
      store: await createPostgresStoreOpener({ url, log: silentLog })(CHAIN),
      readBytes: () => readSchemaBytes(url),
      readServerCpuMs: () => readServerCpuMs(server.url),
      remove: () => server.stop(),
    };
  },
};

export async function runGrowthBench(): Promise<BenchResult> {
  const server = await startPostgres();
  await server?.stop();
  const databases = server === null ? [sqlite] : [sqlite, postgres];
  const rows: BenchRow[] = [];
  for (const database of databases) for (const kind of kinds) rows.push(...(await measureGrowth(database, kind)));
  return { title: `Growth of the index up to ${ROWS.toLocaleString('en')} transfers`, rows };
}
