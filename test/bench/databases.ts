// SQLite and PostgreSQL side by side: the same first load, the same pages, the room they take, many readers at once.
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { silentLog } from '../../src/base/log.ts';
import { openPostgresStore } from '../../src/service/store/postgres/postgresStore.ts';
import { readStoreUrl } from '../../src/service/store/postgres/postgresUrl.ts';
import { openSqliteStore } from '../../src/service/store/sqlite/sqliteStore.ts';
import type { Store } from '../../src/service/store/store.ts';
import { address, dice } from '../store/generatedChain.ts';
import { startPostgres } from '../support/postgresServer.ts';
import type { Bench, Row } from './benchResult.ts';
import { batches, hash, share, timed } from './sqliteStore.ts';

const ROWS = 100_000;
const READERS = 16;
const PAGES_EACH = 60;

async function load(store: Store): Promise<number> {
  let ms = 0;
  for (const batch of batches(ROWS)) {
    const start = performance.now();
    await store.apply(batch);
    ms += performance.now() - start;
  }
  const start = performance.now();
  await store.prepareReads?.(); // SQLite makes its secondary indexes last
  if ((await store.countTransfers({})) !== ROWS) throw new Error('Rows are missing.');
  return ms + performance.now() - start;
}

/** Pages a second of many readers at once. */
async function together(store: Store): Promise<number> {
  const start = performance.now();
  await Promise.all(
    Array.from({ length: READERS }, async (_, reader) => {
      const roll = dice(reader + 1);
      for (let page = 0; page < PAGES_EACH; page++)
        await store.transfers({ wallet: address('a', 1 + roll(20)) }, { limit: 100 });
    }),
  );
  return (READERS * PAGES_EACH * 1_000) / (performance.now() - start);
}

interface Measured {
  readonly loadMs: number;
  readonly transfers: readonly number[];
  readonly owners: readonly number[];
  readonly together: number;
}

async function measure(store: Store): Promise<Measured> {
  const loadMs = await load(store);
  const pages = async () => ({
    transfers: await timed(wallet => store.transfers({ wallet }, { limit: 100 })),
    owners: await timed(owner => store.owners({ owner }, { limit: 100 })),
  });
  await pages(); // warms up
  return { loadMs, ...(await pages()), together: await together(store) };
}

/** Bytes of all tables and indexes of a schema. */
async function bytesOf(url: string): Promise<number> {
  const { url: plain, schema } = readStoreUrl(url);
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

export async function runDatabaseBench(): Promise<Bench> {
  const server = await startPostgres();
  const folder = await mkdtemp(join(tmpdir(), 'hexlens-bench-databases-'));
  try {
    if (server === null) {
      return {
        title: 'SQLite and PostgreSQL',
        rows: [{ what: 'skipped: there is no PostgreSQL on this machine', value: Number.NaN, unit: '' }],
      };
    }
    const info = { chainId: 1, genesisHash: hash(1, 0) };
    const url = server.fresh();
    const sqlite = await openSqliteStore({ folder, log: silentLog })(info);
    const postgres = await openPostgresStore({ url, log: silentLog })(info);
    const one = await measure(sqlite);
    const other = await measure(postgres);
    const room = await bytesOf(url);
    await sqlite.close();
    await postgres.close();
    const files = await Promise.all((await readdir(folder)).map(name => stat(join(folder, name))));
    const bytes = files.reduce((sum, { size }) => sum + size, 0);
    const both = (what: string, unit: string, of: (measured: Measured) => number): readonly Row[] => [
      { what: `${what}, SQLite`, value: of(one), unit },
      { what: `${what}, PostgreSQL`, value: of(other), unit },
    ];
    return {
      title: `SQLite and PostgreSQL, ${ROWS.toLocaleString('en')} transfers`,
      rows: [
        ...both('first load with indexes', 'rows/s', ({ loadMs }) => (ROWS * 1_000) / loadMs),
        { what: 'first load, PostgreSQL to SQLite', value: other.loadMs / one.loadMs, unit: 'x' },
        { what: 'bytes a transfer, SQLite', value: bytes / ROWS, unit: 'bytes' },
        { what: 'bytes a transfer, PostgreSQL', value: room / ROWS, unit: 'bytes' },
        ...both('page of transfers of a wallet, p50', 'ms', ({ transfers }) => share(transfers, 0.5)),
        ...both('page of transfers of a wallet, p99', 'ms', ({ transfers }) => share(transfers, 0.99)),
        ...both('page of NFTs of a wallet, p50', 'ms', ({ owners }) => share(owners, 0.5)),
        ...both(`pages a second, ${READERS} readers at once`, 'pages/s', ({ together: rate }) => rate),
      ],
    };
  } finally {
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
