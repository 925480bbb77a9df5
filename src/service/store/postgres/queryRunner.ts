// Runs statements of the PostgreSQL index, on any connection or within one transaction.
import type { PoolClient, QueryResultRow } from 'pg';
import { toPostgresFault } from './faults.ts';

export interface QueryRunner {
  /** All rows. `$1` is the first value. Rejects with a HexLensError. */
  query<Row extends QueryResultRow>(sql: string, values?: readonly unknown[]): Promise<readonly Row[]>;
}

export const createQueryRunner = (client: PoolClient): QueryRunner => ({
  async query(sql, values = []) {
    try {
      return (await client.query(sql, [...values])).rows;
    } catch (error) {
      throw toPostgresFault(error);
    }
  },
});
