// Rows to PostgreSQL in bulk: one array per column, one statement per few thousand rows.
import type { Queries } from './postgresPool.ts';

export interface Column<Row> {
  readonly name: string;
  readonly type: string;
  value(row: Row): unknown;
}

const column =
  (type: string) =>
  <Row>(name: string, value: (row: Row) => unknown): Column<Row> => ({ name, type, value });

/** By PostgreSQL type: `bytes` is bytea, `big` bigint, `small` smallint. */
export const columns = {
  bytes: column('bytea'),
  big: column('bigint'),
  int: column('integer'),
  small: column('smallint'),
  numeric: column('numeric'),
  flag: column('boolean'),
  text: column('text'),
};

const ROWS_AT_ONCE = 4_000;

/** `further` stands behind the statement (`ON CONFLICT ...`). */
export async function insertRows<Row>(
  queries: Queries,
  table: string,
  chain: number,
  rows: readonly Row[],
  list: readonly Column<Row>[],
  further = '',
): Promise<void> {
  const names = list.map(({ name }) => name).join(', ');
  const arrays = list.map(({ type }, index) => `$${index + 2}::${type}[]`).join(', ');
  const sql = `INSERT INTO ${table} (chain, ${names}) SELECT $1::integer, * FROM unnest(${arrays}) ${further}`;
  for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
    const part = rows.slice(start, start + ROWS_AT_ONCE);
    await queries.all(sql, [chain, ...list.map(({ value }) => part.map(value))]);
  }
}
