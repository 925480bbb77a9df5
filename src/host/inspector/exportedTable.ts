// A table that a page wants to have saved: checked, then as CSV or JSON text.
import { isListOf, isObject } from '../../panels/shape.ts';
import { type Cell, type Column, cellKinds, fromBytes, type Row, type Table } from '../../panels/table.ts';

type Rows = Pick<Table, 'columns' | 'rows'>;

const isCell = (value: unknown): value is Cell =>
  value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
const isColumn = (value: unknown): value is Column =>
  isObject(value) &&
  typeof value['key'] === 'string' &&
  typeof value['label'] === 'string' &&
  cellKinds.some(kind => kind === value['kind']);

/** `null` when the bytes are no table. */
export function readExport(bytes: ArrayBuffer): Rows | null {
  try {
    const value = fromBytes(bytes);
    if (!isObject(value)) return null;
    const { columns, rows } = value;
    return isListOf(isColumn)(columns) && isListOf(isListOf(isCell))(rows) ? { columns, rows } : null;
  } catch {
    return null;
  }
}

const plain = ({ kind }: Column, cell: Cell | undefined): Cell =>
  kind === 'time' && typeof cell === 'number' ? new Date(cell).toISOString() : (cell ?? null);

/** A spreadsheet takes what begins with one of these for a formula; numbers of ours are none. */
const FORMULA = /^[=+\-@\t\r]/;
const NUMBER = /^-?\d+(\.\d+)?$/;

function csvField(cell: Cell): string {
  if (cell === null) return '';
  const text = String(cell);
  const safe = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return /[",\r\n']/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** RFC 4180, with the fields' own names as the header. */
export function csvOf({ columns, rows }: Rows): string {
  const lines = [columns.map(({ key }) => csvField(key))];
  for (const row of rows) lines.push(columns.map((column, at) => csvField(plain(column, row[at]))));
  return `${lines.map(line => line.join(',')).join('\r\n')}\r\n`;
}

export function jsonOf({ columns, rows }: Rows): string {
  const entries = (row: Row) => Object.fromEntries(columns.map((column, at) => [column.key, plain(column, row[at])]));
  return `${JSON.stringify(rows.map(entries), null, 2)}\n`;
}
