// Runs statements of the PostgreSQL index, on any connection or within one transaction.
import type { PoolClient, QueryResultRow } from 'pg';
import { toPostgresFault } from './faults.ts';

export interface QueryOptions {
  /** A statement over all rows of a table, such as the creation of an index, which may take hours. */
  readonly isLong?: boolean;
}

export interface QueryRunner {
  /**
   * All rows. `$1` is the first value, `@transfer` the table `transfer` of the index: its schema is written into each
   * statement, since behind a connection pooler no session keeps a `search_path`. Rejects with a HexLensError.
   */
  query<Row extends QueryResultRow>(
    sql: string,
    values?: readonly unknown[],
    options?: QueryOptions,
  ): Promise<readonly Row[]>;
}

/** After this the server ends a transaction that a hung process left open between two statements. */
export const IDLE_TRANSACTION_TIMEOUT_MS = 15_000;
/**
 * For the first statement of a transaction that locks a chain: a connection pooler may ignore the settings of a session, and
 * a statement of its own would be one round trip more.
 */
export const SET_IDLE_TRANSACTION_TIMEOUT = `set_config('idle_in_transaction_session_timeout', '${IDLE_TRANSACTION_TIMEOUT_MS}', true)`;

/** The longest timer of Node.js: 24 days. */
const NO_TIMEOUT_MS = 0x7fff_ffff;

export const createQueryRunner = (client: PoolClient, schema: string): QueryRunner => ({
  async query(sql, values = [], { isLong = false } = {}) {
    const text = sql.replace(/@(?=[a-z])/g, `"${schema}".`);
    try {
      return (await client.query({ text, values: [...values], ...(isLong && { query_timeout: NO_TIMEOUT_MS }) })).rows;
    } catch (error) {
      throw toPostgresFault(error);
    }
  },
});

/** Whether the server did not respond in time: then the connection runs a statement that no one waits for. */
export const isQueryTimeout = (error: unknown): boolean =>
  error instanceof Error && error.cause instanceof Error && error.cause.message === 'Query read timeout';
