// Widths and positions of the columns, by what they hold and what the user has dragged.

import { getRowUnit } from '../../../protocol/rowUnits.ts';
import type { CellKind, TableColumn, TableRow } from '../../../protocol/table.ts';
import { type FormatContext, formatCell, isNumericColumn } from '../rows/cellFormat.ts';

const DEFAULT_WIDTHS: Readonly<Record<CellKind, number>> = {
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
  linkedText: 168,
  flag: 76,
  status: 96,
  json: 220,
  aptos: 140,
};

const AMOUNT_KINDS: readonly CellKind[] = ['amount', 'coin', 'tokenAmount', 'number'];
/** Kinds whose columns are as wide as their first rows need. */
const MEASURED_KINDS: readonly CellKind[] = [...AMOUNT_KINDS, 'address', 'text'];
/** Narrower tables, such as in a side bar, put their secondary columns last and shorten names of addresses. */
const NARROW_WIDTH = 560;
const NARROW_WIDTHS: Readonly<Partial<Record<CellKind, number>>> = { address: 108, topic: 110 };

const isNarrow = (availableWidth: number): boolean => availableWidth > 0 && availableWidth < NARROW_WIDTH;

/** The columns in the order in which a table of this width shows them. */
export function orderColumns(columns: readonly TableColumn[], availableWidth: number): readonly TableColumn[] {
  if (!isNarrow(availableWidth) || !columns.some(({ isSecondary }) => isSecondary)) return columns;
  return [...columns.filter(({ isSecondary }) => !isSecondary), ...columns.filter(({ isSecondary }) => isSecondary)];
}

/** Pixels of a digit or comma, and of a cell's padding. */
const DIGIT_WIDTH = 7.4;
const CELL_PADDING = 24;
/** Rows that decide a column's width: those that come with the head of a table. */
const SAMPLE_ROWS = 100;

/** The width of a column that its first rows need; `null` where that of its kind is right. */
function getContentWidth(column: TableColumn, width: number, availableWidth: number): number | null {
  const own = getDefaultWidth(column);
  if (AMOUNT_KINDS.includes(column.kind)) return width > own ? Math.min(width, MAX_AMOUNT_WIDTH) : null;
  if (column.kind === 'address')
    return width > own && !isNarrow(availableWidth) ? Math.min(width, MAX_NAME_WIDTH) : null;
  // A short text leaves the remaining width to those that are cut.
  return column.kind === 'text' && width <= MAX_NAME_WIDTH ? Math.max(own, width) : null;
}

/**
 * The dragged widths, and those that the first rows need: an amount without its end would read as another number, and a name
 * without its end as another contract.
 */
export function addContentWidths(
  dragged: ReadonlyMap<string, number>,
  columns: readonly TableColumn[],
  rows: readonly TableRow[],
  format: FormatContext,
  availableWidth: number,
): ReadonlyMap<string, number> {
  const first = rows.slice(0, SAMPLE_ROWS);
  const widths = columns.flatMap((column, index): [string, number][] => {
    if (!MEASURED_KINDS.includes(column.kind) || column.detailOnly === true || first.length === 0) return [];
    const texts = first.map(row => {
      const unit = column.kind === 'tokenAmount' ? getRowUnit(columns, row, format.units) : null;
      return formatCell(column, row[index] ?? null, format, unit);
    });
    const needed = Math.ceil(Math.max(0, ...texts.map(text => text.length)) * DIGIT_WIDTH) + CELL_PADDING;
    const width = getContentWidth(column, needed, availableWidth);
    return width === null ? [] : [[column.key, width]];
  });
  return new Map([...widths, ...dragged]);
}

const getDefaultWidth = ({ kind, label }: TableColumn): number => Math.max(DEFAULT_WIDTHS[kind], label.length * 7 + 34);

/** Kinds whose cells are often cut: they share the remaining width. */
const GROWING_KINDS: readonly CellKind[] = ['text', 'linkedText', 'json'];
/** Fits 2^64 - 1 with its commas. Longer numbers are cut, and complete in the tooltip. */
const MAX_AMOUNT_WIDTH = 220;
/** Fits the name of a contract with its mark, `HarborVault (proxy, build)`. */
const MAX_NAME_WIDTH = 220;
/** Text columns grow up to this width; the user can drag them wider. */
const MAX_GROWN_WIDTH = 560;

/** Widths in the order of the columns. Numbers never grow: they would be far from the cells they belong to. */
export function getColumnWidths(
  columns: readonly TableColumn[],
  dragged: ReadonlyMap<string, number>,
  availableWidth: number,
): readonly number[] {
  const narrow = isNarrow(availableWidth) ? NARROW_WIDTHS : {};
  const widths = columns.map(
    column =>
      dragged.get(column.key) ?? (column.isSecondary ? undefined : narrow[column.kind]) ?? getDefaultWidth(column),
  );
  const growing = columns.flatMap(({ key, kind }, index) =>
    GROWING_KINDS.includes(kind) && !dragged.has(key) ? [index] : [],
  );
  // In a narrow table the secondary columns are beyond the edge anyway.
  const primary = isNarrow(availableWidth) ? widths.map((_, index) => columns[index]?.isSecondary !== true) : [];
  const spare = () =>
    availableWidth - widths.reduce((sum, width, index) => sum + (primary[index] === false ? 0 : width), 0);
  const share = Math.floor(Math.max(0, spare()) / Math.max(1, growing.length));
  for (const index of growing) {
    const own = widths[index] ?? 0;
    widths[index] = Math.max(own, Math.min(MAX_GROWN_WIDTH, own + share));
  }
  const last = columns.at(-1);
  if (last !== undefined && !isNumericColumn(last) && !dragged.has(last.key))
    widths[columns.length - 1] = (widths.at(-1) ?? 0) + (primary.at(-1) === false ? 0 : Math.max(0, spare()));
  return widths;
}

/** CSS rules that position column n (`.c<n>`); rows are at least as wide as `availableWidth`. */
export function createColumnCss(
  columns: readonly TableColumn[],
  dragged: ReadonlyMap<string, number>,
  availableWidth: number,
): string {
  let left = 0;
  const rules = getColumnWidths(columns, dragged, availableWidth).map((width, index) => {
    const rule = `.c${index}{left:${left}px;width:${width}px}`;
    left += width;
    return rule;
  });
  return `.head,.row,.body{width:${Math.max(left, availableWidth)}px}${rules.join('')}`;
}
