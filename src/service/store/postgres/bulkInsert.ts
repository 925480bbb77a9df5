// Rows to PostgreSQL in bulk: one array per column, one statement per few thousand rows.
import type { Hex } from '../../../base/hex.ts';
import { encodeAmountHex, encodeNumberHex, toHexDigits } from '../encoding.ts';
import type { QueryRunner } from './database.ts';

export interface BulkColumn<Row> {
  readonly name: string;
  readonly type: 'integer' | 'bigint' | 'smallint' | 'bytea' | 'text';
  /** As PostgreSQL reads it, bytes as digits of hex. */
  value(row: Row): number | string | null;
}

type Of<Value> = <Row>(name: string, value: (row: Row) => Value) => BulkColumn<Row>;

const column =
  <Value>(type: BulkColumn<never>['type'], write: (value: Value) => number | string | null): Of<Value> =>
  (name, value) => ({ name, type, value: row => write(value(row)) });

const asIs = <Value>(value: Value) => value;

export const bulkColumn = {
  int: column<number>('integer', asIs),
  /** For what may be beyond 2,147,483,647. */
  big: column<number | null>('bigint', asIs),
  small: column<number | null>('smallint', asIs),
  hash: column<Hex>('bytea', hash => toHexDigits(hash, 32)),
  /** In full, where addresses have no numbers. */
  address: column<Hex>('bytea', address => toHexDigits(address, 20)),
  number: column<bigint | null>('bytea', number => (number === null ? null : encodeNumberHex(number))),
  amount: column<bigint>('bytea', encodeAmountHex),
  utf8: column<string | null>('bytea', text => (text === null ? null : Buffer.from(text, 'utf8').toString('hex'))),
  /** Digits and commas only. */
  digits: column<string>('text', digits => `"${digits}"`),
};

/** An array of bytes given as digits of hex, as PostgreSQL reads it: no buffer is made for each. */
export const toByteaArray = (list: readonly (string | null)[]): string =>
  `{${list.map(digits => (digits === null ? 'NULL' : `\\\\x${digits}`)).join()}}`;

/** Values of one column of these rows, for `unnest`. */
export function toColumnArray<Row>({ type, value }: BulkColumn<Row>, rows: readonly Row[]): string {
  const values = rows.map(value);
  return type === 'bytea' ? toByteaArray(values as (string | null)[]) : `{${values.map(one => one ?? 'NULL').join()}}`;
}

const ROWS_AT_ONCE = 10_000;

/** `further` stands behind the statement (`ON CONFLICT ...`). */
export async function insertRows<Row>(
  queries: QueryRunner,
  table: string,
  chain: number,
  rows: readonly Row[],
  list: readonly BulkColumn<Row>[],
  further = '',
): Promise<void> {
  const names = list.map(({ name }) => name).join(', ');
  const arrays = list.map(({ type }, index) => `$${index + 2}::${type}[]`).join(', ');
  const sql = `INSERT INTO ${table} (chain, ${names}) SELECT $1::integer, * FROM unnest(${arrays}) ${further}`;
  for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
    const part = rows.slice(start, start + ROWS_AT_ONCE);
    await queries.query(sql, [chain, ...list.map(one => toColumnArray(one, part))]);
  }
}
