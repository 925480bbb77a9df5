// A PostgreSQL database: one connection pool for all its chains, its schema migrated before the first use.
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'pg';
import type { Log } from '../../../base/log.ts';
import { type AddressTable, createAddressTable } from './addressTable.ts';
import { type AdvisoryLocks, createAdvisoryLocks } from './advisoryLocks.ts';
import { toPostgresFault } from './faults.ts';
import { getReadOnlyReason, migrate } from './migrations.ts';
import { createQueryRunner, type QueryRunner } from './queryRunner.ts';

export interface Database extends QueryRunner {
  /** Shared by all chains. */
  readonly addresses: AddressTable;
  /** Rolled back when `work` rejects. */
  transaction<T>(work: (queries: QueryRunner) => Promise<T>): Promise<T>;
  /** As {@link AdvisoryLocks.tryAcquire}. */
  readonly tryAcquireLock: AdvisoryLocks['tryAcquire'];
  /** Whether this user may not write, or the server takes no writes. */
  readonly isReadOnly: boolean;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** `postgres://user:password@host:port/database`. */
  readonly url: string;
  /** Schema of all tables; created when it does not exist. */
  readonly schema: string;
  /** Further settings of each session, from the URL. */
  readonly options: string;
  readonly log: Log;
  /** 8 when absent. */
  readonly maxConnections?: number | undefined;
}

const CONNECT_TIMEOUT_MS = 10_000;
/** SQLSTATE of a server that has no connection left. */
const TOO_MANY_CONNECTIONS = '53300';
/** How long a connection is waited for when the server has none left. */
const MAX_CONNECTION_WAIT_MS = 5_000;
const CONNECTION_RETRY_MS = 100;
/** After this the server ends a transaction that a hung process left open. */
const IDLE_TRANSACTION_TIMEOUT_MS = 15_000;

/** Rejects with `internal` when the database can not be used. */
export async function openDatabase({
  url,
  schema,
  options,
  log,
  maxConnections = 8,
}: DatabaseOptions): Promise<Database> {
  const config = {
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    // No JIT: compiling a statement would take longer than running it.
    options: `-c timezone=UTC -c jit=off -c idle_in_transaction_session_timeout=${IDLE_TRANSACTION_TIMEOUT_MS} ${options} -c search_path=${schema}`,
  };
  const pool = new Pool({ ...config, max: maxConnections, application_name: 'hexlens' });
  // A client that breaks between two queries of a transaction emits an error: without a listener it would end this process.
  pool.on('connect', client => client.on('error', () => {}));
  // An idle connection broke; the next query gets another one.
  pool.on('error', error => log.warn(`A connection to PostgreSQL broke: ${error.message}`));
  /** Other programs may use all connections of the server for a moment: then waits until one is free. */
  const connect = async () => {
    for (let waitedMs = 0; ; waitedMs += CONNECTION_RETRY_MS) {
      try {
        return await pool.connect();
      } catch (error) {
        const isCrowded = (error as { code?: unknown }).code === TOO_MANY_CONNECTIONS;
        if (!isCrowded || waitedMs >= MAX_CONNECTION_WAIT_MS) throw toPostgresFault(error);
        await sleep(CONNECTION_RETRY_MS);
      }
    }
  };
  const locks = createAdvisoryLocks(config);
  let readOnlyReason: string | null;
  let closing: Promise<void> | null = null;

  try {
    const client = await connect();
    try {
      await migrate(client, schema, log);
      readOnlyReason = await getReadOnlyReason(client);
    } finally {
      client.release();
    }
  } catch (error) {
    await pool.end();
    throw toPostgresFault(error);
  }
  if (readOnlyReason !== null)
    log.warn(`The index in PostgreSQL is only read, since ${readOnlyReason}: other processes have to write it.`);

  return {
    async query(sql, values) {
      const client = await connect();
      let hasFailed = false;
      try {
        return await createQueryRunner(client).query(sql, values);
      } catch (error) {
        hasFailed = true;
        throw error;
      } finally {
        client.release(hasFailed); // a failed connection is not reused
      }
    },
    addresses: createAddressTable(),
    async transaction(work) {
      const client = await connect();
      let rollbackError: Error | undefined;
      try {
        await client.query('BEGIN');
        const result = await work(createQueryRunner(client));
        await client.query('COMMIT');
        return result;
      } catch (error) {
        await client.query('ROLLBACK').catch((failure: Error) => {
          rollbackError = failure;
        });
        throw toPostgresFault(error);
      } finally {
        client.release(rollbackError);
      }
    },
    isReadOnly: readOnlyReason !== null,
    tryAcquireLock: locks.tryAcquire,
    close() {
      closing ??= (async () => {
        await locks.close();
        await pool.end();
      })();
      return closing;
    },
  };
}
