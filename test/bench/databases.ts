// SQLite and PostgreSQL side by side: first load, pages, size on disk, many concurrent readers.
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { silentLog } from '../../src/base/log.ts';
import { createPostgresStoreOpener } from '../../src/service/store/postgres/postgresStore.ts';
import { parsePostgresUrl } from '../../src/service/store/postgres/postgresUrl.ts';
import { createSqliteStoreOpener } from '../../src/service/store/sqlite/sqliteStore.ts';
import type { Store } from '../../src/service/store/store.ts';
import { address, createDice } from '../store/generatedChain.ts';
import { startPostgres } from '../support/postgresServer.ts';
import type { BenchResult, BenchRow } from './benchResult.ts';
import { generateBatches, getPercentile, getTestHash, measurePages } from './sqliteStore.ts';

const ROWS = 100_000;
const READERS = 16;
const PAGES_EACH = 60;

async function load(store: Store): Promise<number> {
  let ms = 0;
  for (const batch of generateBatches(ROWS)) {
    const start = performance.now();
    await store.applyBatch(batch);
    ms += performance.now() - start;
  }
  const start = performance.now();
  await store.prepareReads?.(); // SQLite builds its secondary indexes last
  if ((await store.countTransfers({})) !== ROWS) throw new Error('Rows are missing.');
  return ms + performance.now() - start;
}

/** Pages per second of many concurrent readers. */
async function measureConcurrentPages(store: Store): Promise<number> {
  const start = performance.now();
  await Promise.all(
    Array.from({ length: READERS }, async (_, reader) => {
      const dice = createDice(reader + 1);
      for (let page = 0; page < PAGES_EACH; page++)
        await store.readTransfers({ wallet: address('a', 1 + dice(20)) }, { limit: 100 });
    }),
  );
  return (READERS * PAGES_EACH * 1_000) / (performance.now() - start);
}

interface Measured {
  readonly loadMs: number;
  readonly transfers: readonly number[];
  readonly owners: readonly number[];
  readonly concurrentRate: number;
}

async function measure(store: Store): Promise<Measured> {
  const loadMs = await load(store);
  const pages = async () => ({
    transfers: await measurePages(wallet => store.readTransfers({ wallet }, { limit: 100 })),
    owners: await measurePages(owner => store.readOwners({ owner }, { limit: 100 })),
  });
  await pages(); // warms up
  return { loadMs, ...(await pages()), concurrentRate: await measureConcurrentPages(store) };
}

/** Bytes of all tables and indexes of a schema. */
export async function readSchemaBytes(url: string): Promise<number> {
  const {
    urls: [plain],
    schema,
  } = parsePostgresUrl(url);
  const client = new Client({ connectionString: plain });
  await client.connect();
  try {
    const { rows } = await client.query<{ bytes: string }>(
      `SELECT sum(pg_total_relation_size(c.oid)) AS bytes FROM pg_class AS c
       JOIN pg_namespace AS n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relkind = 'r'`,
      [schema],
    );
    return Number(rows[0]?.bytes ?? 0);
  } finally {
    await client.end();
  }
}

export async function runDatabaseBench(): Promise<BenchResult> {
  const server = await startPostgres();
  const folder = await mkdtemp(join(tmpdir(), 'hexlens-bench-databases-'));
  try {
    if (server === null) {
      return {
        title: 'SQLite and PostgreSQL',
        rows: [{ what: 'skipped: there is no PostgreSQL on this machine', value: Number.NaN, unit: '' }],
      };
    }
    const info = { chainId: 1, genesisHash: getTestHash(1, 0) };
    const url = server.createSchemaUrl();
    const sqlite = await createSqliteStoreOpener({ folder, log: silentLog })(info);
    const postgres = await createPostgresStoreOpener({ url, log: silentLog })(info);
    const sqliteResult = await measure(sqlite);
    const postgresResult = await measure(postgres);
    const schemaBytes = await readSchemaBytes(url);
    await sqlite.close();
    await postgres.close();
    const files = await Promise.all((await readdir(folder)).map(name => stat(join(folder, name))));
    const bytes = files.reduce((sum, { size }) => sum + size, 0);
    const both = (what: string, unit: string, of: (measured: Measured) => number): readonly BenchRow[] => [
      { what: `${what}, SQLite`, value: of(sqliteResult), unit },
      { what: `${what}, PostgreSQL`, value: of(postgresResult), unit },
    ];
    return {
      title: `SQLite and PostgreSQL, ${ROWS.toLocaleString('en')} transfers`,
      rows: [
        ...both('first load with indexes', 'rows/s', ({ loadMs }) => (ROWS * 1_000) / loadMs),
        { what: 'first load, PostgreSQL to SQLite', value: postgresResult.loadMs / sqliteResult.loadMs, unit: 'x' },
        { what: 'bytes a transfer, SQLite', value: bytes / ROWS, unit: 'bytes' },
        { what: 'bytes a transfer, PostgreSQL', value: schemaBytes / ROWS, unit: 'bytes' },
        ...both('page of transfers of a wallet, p50', 'ms', ({ transfers }) => getPercentile(transfers, 0.5)),
        ...both('page of transfers of a wallet, p99', 'ms', ({ transfers }) => getPercentile(transfers, 0.99)),
        ...both('page of NFTs of a wallet, p50', 'ms', ({ owners }) => getPercentile(owners, 0.5)),
        ...both(`pages a second, ${READERS} concurrent readers`, 'pages/s', ({ concurrentRate: rate }) => rate),
      ],
    };
  } finally {
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
