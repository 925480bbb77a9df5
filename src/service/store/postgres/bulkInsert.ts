// Writes many rows to PostgreSQL: one array per column, one statement per few thousand rows.

import type { Hex } from '../../../base/hex.ts';
import { toBatches } from '../../../base/toBatches.ts';
import { encodeAmountHex, encodeNumberHex, toHexDigits } from '../encoding.ts';
import type { QueryRunner } from './queryRunner.ts';

export interface BulkColumn<Row> {
  readonly name: string;
  readonly type: 'integer' | 'bigint' | 'smallint' | 'boolean' | 'bytea' | 'text';
  /** In PostgreSQL's array syntax; bytes as hex digits. */
  encode(row: Row): number | string | null;
}

type CreateColumn<Value> = <Row>(name: string, getValue: (row: Row) => Value) => BulkColumn<Row>;

const defineColumn =
  <Value>(type: BulkColumn<never>['type'], encode: (value: Value) => number | string | null): CreateColumn<Value> =>
  (name, getValue) => ({ name, type, encode: row => encode(getValue(row)) });

const unchanged = <Value>(value: Value) => value;

/** Creates a column of each type. */
export const bulkColumn = {
  int: defineColumn<number>('integer', unchanged),
  /** For values that may exceed 2,147,483,647. */
  big: defineColumn<number | null>('bigint', unchanged),
  small: defineColumn<number | null>('smallint', unchanged),
  flag: defineColumn<boolean>('boolean', flag => (flag ? 't' : 'f')),
  hash: defineColumn<Hex>('bytea', hash => toHexDigits(hash, 32)),
  /** The address itself, where it has no id. */
  address: defineColumn<Hex>('bytea', address => toHexDigits(address, 20)),
  number: defineColumn<bigint | null>('bytea', number => (number === null ? null : encodeNumberHex(number))),
  amount: defineColumn<bigint>('bytea', encodeAmountHex),
  utf8: defineColumn<string | null>('bytea', text =>
    text === null ? null : Buffer.from(text, 'utf8').toString('hex'),
  ),
  /** Digits and commas only. */
  digits: defineColumn<string>('text', digits => `"${digits}"`),
};

/** An array of bytes in PostgreSQL's syntax, from hex digits: no buffer is created for each. */
export const toByteaArray = (hexDigits: readonly (string | null)[]): string =>
  `{${hexDigits.map(digits => (digits === null ? 'NULL' : `\\\\x${digits}`)).join()}}`;

/** The values of one column of these rows, for `unnest`. */
export function toColumnArray<Row>({ type, encode }: BulkColumn<Row>, rows: readonly Row[]): string {
  const values = rows.map(encode);
  return type === 'bytea' ? toByteaArray(values as (string | null)[]) : `{${values.map(one => one ?? 'NULL').join()}}`;
}

const ROWS_PER_STATEMENT = 10_000;

/** `suffix` ends the statement (`ON CONFLICT ...`). */
export async function insertRows<Row>(
  queries: QueryRunner,
  table: string,
  chain: number,
  rows: readonly Row[],
  columns: readonly BulkColumn<Row>[],
  suffix = '',
): Promise<void> {
  const names = columns.map(({ name }) => name).join(', ');
  const arrays = columns.map(({ type }, index) => `$${index + 2}::${type}[]`).join(', ');
  const sql = `INSERT INTO @${table} (chain, ${names}) SELECT $1::integer, * FROM unnest(${arrays}) ${suffix}`;
  for (const part of toBatches(rows, ROWS_PER_STATEMENT))
    await queries.query(sql, [chain, ...columns.map(column => toColumnArray(column, part))]);
}
