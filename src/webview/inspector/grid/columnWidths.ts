// How wide a column is until somebody drags it, by what it holds, and where it stands.
import type { CellKind, TableColumn, TableRow } from '../../../protocol/table.ts';
import { isNumericColumn } from '../rows/cellFormat.ts';

const WIDTHS: Readonly<Record<CellKind, number>> = {
  address: 134,
  transaction: 112,
  blockHash: 132,
  block: 96,
  topic: 150,
  method: 126,
  word: 150,
  hex: 132,
  amount: 116,
  coin: 128,
  tokenAmount: 138,
  number: 64,
  time: 148,
  tokenId: 132,
  text: 168,
  flag: 76,
  status: 96,
  json: 220,
  aptos: 140,
};

/** Pixels of a digit or comma, and of what stands beside them in a cell. */
const [DIGIT, BESIDE] = [7.4, 24];
/** Rows that are looked at: those that come with the head of a table. */
const LOOKED_AT = 100;

/**
 * The widths that were dragged, and those of raw amounts whose first rows need more room than usual: a number whose end
 * is missing is another number.
 */
export function addAmountWidths(
  dragged: ReadonlyMap<string, number>,
  columns: readonly TableColumn[],
  rows: readonly TableRow[],
): ReadonlyMap<string, number> {
  const first = rows.slice(0, LOOKED_AT);
  const widths = columns.flatMap((column, at): [string, number][] => {
    if (column.kind !== 'amount') return [];
    const digits = Math.max(0, ...first.map(row => String(row[at] ?? '').length));
    const width = Math.ceil((digits + Math.floor((digits - 1) / 3)) * DIGIT) + BESIDE;
    return width > widthOf(column) ? [[column.key, Math.min(width, WIDEST_AMOUNT)]] : [];
  });
  return new Map([...widths, ...dragged]);
}

const widthOf = ({ kind, label }: TableColumn): number => Math.max(WIDTHS[kind], label.length * 7 + 28);

/** Kinds whose cells are often cut: they share the room that is left. */
const GROWING: readonly CellKind[] = ['text', 'json'];
/** 2^64 - 1 with its commas. What is longer is cut, and whole in the tooltip. */
const WIDEST_AMOUNT = 220;
/** No text column becomes wider than this unless somebody drags it. */
const WIDEST_GROWN = 420;

/** Widths in the order of the columns. Numbers never grow: they would stand far from what they belong to. */
export function getColumnWidths(
  columns: readonly TableColumn[],
  dragged: ReadonlyMap<string, number>,
  room: number,
): readonly number[] {
  const widths = columns.map(column => dragged.get(column.key) ?? widthOf(column));
  const growing = columns.flatMap(({ key, kind }, at) => (GROWING.includes(kind) && !dragged.has(key) ? [at] : []));
  const spare = () => room - widths.reduce((sum, width) => sum + width, 0);
  const share = Math.floor(Math.max(0, spare()) / Math.max(1, growing.length));
  for (const at of growing) {
    const own = widths[at] ?? 0;
    widths[at] = Math.max(own, Math.min(WIDEST_GROWN, own + share));
  }
  const last = columns.at(-1);
  if (last !== undefined && !isNumericColumn(last) && !dragged.has(last.key))
    widths[columns.length - 1] = (widths.at(-1) ?? 0) + Math.max(0, spare());
  return widths;
}

/** Rules that put column n (`.c<n>`) in its place; rows are as wide as `room` at least. */
export function createColumnCss(
  columns: readonly TableColumn[],
  dragged: ReadonlyMap<string, number>,
  room: number,
): string {
  let left = 0;
  const rules = getColumnWidths(columns, dragged, room).map((width, at) => {
    const rule = `.c${at}{left:${left}px;width:${width}px}`;
    left += width;
    return rule;
  });
  return `.head,.row,.body{width:${Math.max(left, room)}px}${rules.join('')}`;
}
