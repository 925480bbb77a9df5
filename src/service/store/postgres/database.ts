// Connections to PostgreSQL: one pool for all chains of a database, its schema made and migrated before the first use.
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool, type PoolClient, type QueryResultRow } from 'pg';
import type { Log } from '../../../base/log.ts';
import { type AddressTable, createAddressTable } from './addressTable.ts';
import { type AdvisoryLocks, createAdvisoryLocks } from './advisoryLocks.ts';
import { toPostgresFault } from './faults.ts';
import { getReadOnlyReason, migrate } from './migrate.ts';

/** One connection within a transaction, or any of the pool. */
export interface QueryRunner {
  /** All rows. `$1` stands for the first value. */
  query<Row extends QueryResultRow>(sql: string, values?: readonly unknown[]): Promise<readonly Row[]>;
}

export interface Database extends QueryRunner, Pick<AdvisoryLocks, 'lock'> {
  /** Addresses by number, for all chains. */
  readonly addresses: AddressTable;
  /** All of it or nothing. */
  transaction<T>(work: (queries: QueryRunner) => Promise<T>): Promise<T>;
  /** Whether this user, or this server, takes no writes. */
  readonly isReadOnly: boolean;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** `postgres://user:password@host:port/database`. */
  readonly url: string;
  /** Schema that everything is kept in; made when it is not there. */
  readonly schema: string;
  /** Further settings of its sessions, as the URL asks for them. */
  readonly options: string;
  readonly log: Log;
  /** Connections at most. */
  readonly maxConnections?: number | undefined;
}

const CONNECT_MS = 10_000;
/** SQLSTATE of a server that has no connection left. */
const CROWDED = '53300';
/** Milliseconds that one is waited for, and after which it is asked for again. */
const CROWDED_MS = 5_000;
const ASK_AGAIN_MS = 100;
/** Milliseconds after which the server ends a transaction that nobody goes on with. */
const HUNG_MS = 15_000;

const queriesOf = (client: PoolClient): QueryRunner => ({
  async query(sql, values = []) {
    try {
      return (await client.query(sql, [...values])).rows;
    } catch (error) {
      throw toPostgresFault(error);
    }
  },
});

/** Rejects with `internal` when the database can not be used. */
export async function openDatabase({
  url,
  schema,
  options,
  log,
  maxConnections: connections = 8,
}: DatabaseOptions): Promise<Database> {
  const config = {
    connectionString: url,
    connectionTimeoutMillis: CONNECT_MS,
    // Compiling a statement takes longer than any of ours runs. A process that hangs in a transaction holds nobody up.
    options: `-c timezone=UTC -c jit=off -c idle_in_transaction_session_timeout=${HUNG_MS} ${options} -c search_path=${schema}`,
  };
  const pool = new Pool({ ...config, max: connections, application_name: 'hexlens' });
  // A connection that breaks while nobody uses it; the next query gets another one.
  // One that breaks between two queries of a transaction says it by itself: unheard, it would end this process.
  pool.on('connect', client => client.on('error', () => {}));
  pool.on('error', error => log.warn(`A connection to PostgreSQL broke: ${error.message}`));
  /** Others may have taken all connections of the server for a moment: then those of ours that come free are waited for. */
  const connect = async () => {
    for (let waited = 0; ; waited += ASK_AGAIN_MS) {
      try {
        return await pool.connect();
      } catch (error) {
        if ((error as { code?: unknown }).code !== CROWDED || waited >= CROWDED_MS) throw toPostgresFault(error);
        await sleep(ASK_AGAIN_MS);
      }
    }
  };
  const locks = createAdvisoryLocks(config);
  let readOnly: boolean;
  let ending: Promise<void> | null = null;

  try {
    const client = await connect();
    try {
      await migrate(client, schema, log);
      const why = await getReadOnlyReason(client);
      readOnly = why !== null;
      if (why !== null)
        log.warn(`The index in PostgreSQL is only read here, since ${why}: what others store is answered with.`);
    } finally {
      client.release();
    }
  } catch (error) {
    await pool.end();
    throw toPostgresFault(error);
  }

  return {
    async query(sql, values) {
      const client = await connect();
      let failure: unknown;
      try {
        return await queriesOf(client).query(sql, values);
      } catch (error) {
        failure = error;
        throw error;
      } finally {
        client.release(failure !== undefined);
      }
    },
    addresses: createAddressTable(),
    async transaction(work) {
      const client = await connect();
      let broken: Error | undefined;
      try {
        await client.query('BEGIN');
        const result = await work(queriesOf(client));
        await client.query('COMMIT');
        return result;
      } catch (error) {
        await client.query('ROLLBACK').catch((failure: Error) => {
          broken = failure;
        });
        throw toPostgresFault(error);
      } finally {
        client.release(broken);
      }
    },
    isReadOnly: readOnly,
    tryAcquire: locks.tryAcquire,
    close() {
      ending ??= (async () => {
        await locks.close();
        await pool.end();
      })();
      return ending;
    },
  };
}
