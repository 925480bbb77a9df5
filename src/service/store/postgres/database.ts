// A PostgreSQL database: connections to one or several hosts, shared by all its chains, its schema migrated before the first use.

import { setTimeout as sleep } from 'node:timers/promises';
import type { QueryResultRow } from 'pg';
import { getBackOffMs } from '../../../base/backOff.ts';
import type { Log } from '../../../base/log.ts';
import { createAddressTable } from './addressTable.ts';
import { type ConnectionOptions, ConnectionPools } from './connectionPools.ts';
import { isConflict, toPostgresFault } from './faults.ts';
import { createLeases, type Leases } from './leases.ts';
import { fetchReadOnlyReason, migrate } from './migrations.ts';
import { createQueryRunner, isQueryTimeout, type QueryOptions, type QueryRunner } from './queryRunner.ts';

export interface DatabaseOptions extends ConnectionOptions {
  /** Schema of all tables; created when it does not exist. */
  readonly schema: string;
}

/** How often a statement or transaction is repeated that was undone because of another one. */
const MAX_CONFLICT_RETRIES = 6;
/** Of random length: the other one waits too. */
const CONFLICT_WAIT = { firstMs: 20 };

export class Database implements QueryRunner {
  /** Shared by all chains. */
  readonly addresses = createAddressTable();
  readonly leases: Leases;
  readonly schema: string;
  readonly log: Log;
  readonly #pools: ConnectionPools;
  #closing: Promise<void> | null = null;

  constructor(options: DatabaseOptions) {
    this.schema = options.schema;
    this.log = options.log;
    this.#pools = new ConnectionPools(options);
    this.leases = createLeases(this);
  }

  query<Row extends QueryResultRow>(
    sql: string,
    values?: readonly unknown[],
    options?: QueryOptions,
  ): Promise<readonly Row[]> {
    return this.#retryConflicts(() => this.#attemptQuery<Row>(sql, values, options));
  }

  /** Rolled back when `work` rejects. `work` runs again when the server undid it because of another transaction. */
  transaction<T>(work: (queries: QueryRunner) => Promise<T>): Promise<T> {
    return this.#retryConflicts(() => this.#attemptTransaction(work));
  }

  /** Why this user may not write or the server takes no writes at this moment; `null` when it does. */
  fetchReadOnlyReason(): Promise<string | null> {
    return fetchReadOnlyReason(this);
  }

  close(): Promise<void> {
    this.#closing ??= this.leases.close().then(() => this.#pools.end());
    return this.#closing;
  }

  async #retryConflicts<T>(attempt: () => Promise<T>): Promise<T> {
    for (let retries = 0; ; retries++) {
      try {
        return await attempt();
      } catch (error) {
        const fault = toPostgresFault(error);
        if (!isConflict(fault) || retries === MAX_CONFLICT_RETRIES) throw fault;
        this.log.debug(`PostgreSQL undid a transaction because of another one (${fault.details}): it is repeated.`);
        await sleep(getBackOffMs(retries + 1, CONFLICT_WAIT) * (0.5 + Math.random()));
      }
    }
  }

  async #attemptQuery<Row extends QueryResultRow>(
    sql: string,
    values: readonly unknown[] | undefined,
    options: QueryOptions | undefined,
  ): Promise<readonly Row[]> {
    const client = await this.#pools.connect();
    let hasFailed = false;
    try {
      return await createQueryRunner(client, this.schema).query<Row>(sql, values, options);
    } catch (error) {
      hasFailed = true;
      throw error;
    } finally {
      client.release(hasFailed); // a failed connection is not reused
    }
  }

  async #attemptTransaction<T>(work: (queries: QueryRunner) => Promise<T>): Promise<T> {
    const client = await this.#pools.connect();
    let brokenBy: Error | undefined;
    try {
      await client.query('BEGIN');
      const result = await work(createQueryRunner(client, this.schema));
      await client.query('COMMIT');
      return result;
    } catch (error) {
      const fault = toPostgresFault(error);
      // The server may still run the statement that has timed out: it ends with its connection.
      if (isQueryTimeout(fault)) brokenBy = fault;
      else
        await client.query('ROLLBACK').catch((failure: Error) => {
          brokenBy = failure;
        });
      throw fault;
    } finally {
      client.release(brokenBy);
    }
  }
}

/** Rejects with `store-unavailable` when the database can not be reached, with `internal` when it can not be used. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const database = new Database(options);
  try {
    await migrate(database, options.log);
    const reason = await database.fetchReadOnlyReason();
    if (reason !== null)
      options.log.warn(`The index in PostgreSQL is only read, since ${reason}: other processes have to write it.`);
  } catch (error) {
    await database.close();
    throw toPostgresFault(error);
  }
  return database;
}
