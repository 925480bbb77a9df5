// Which rows of a table are shown, and in which order.
import type { TableCell, TableColumn, TableRow } from '../../../protocol/table.ts';

export interface SortOrder {
  readonly columnIndex: number;
  readonly descending: boolean;
}

/** One more click on a column: its usual direction (numbers from the largest), the other one, none. */
export function toggleSort(sort: SortOrder | null, at: number, numeric: boolean): SortOrder | null {
  if (sort?.columnIndex !== at) return { columnIndex: at, descending: numeric };
  return sort.descending === numeric ? { columnIndex: at, descending: !numeric } : null;
}

const NUMERIC = new Set(['amount', 'coin', 'tokenAmount', 'number', 'block', 'tokenId', 'time', 'status']);

/** Exact for decimal text of any length: by sign, then by length, then digit by digit. */
function compareWhole(a: string, b: string): number {
  const [minusA, minusB] = [a.startsWith('-'), b.startsWith('-')];
  if (minusA !== minusB) return minusA ? -1 : 1;
  const size = a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);
  return minusA ? -size : size;
}

function compareCells(numeric: boolean, a: TableCell, b: TableCell): number {
  if (a === b) return 0;
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (numeric) return compareWhole(String(a), String(b));
  const [left, right] = [String(a), String(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Indexes of rows; rows without a value come last either way, equal ones stay as they were. */
export function filterAndSortRows(
  columns: readonly TableColumn[],
  rows: readonly TableRow[],
  test: ((row: number) => boolean) | null,
  sort: SortOrder | null,
): readonly number[] {
  const shown: number[] = [];
  for (let index = 0; index < rows.length; index++) {
    if (test === null || test(index)) shown.push(index);
  }
  const column = sort === null ? undefined : columns[sort.columnIndex];
  if (sort === null || column === undefined) return shown;
  const numeric = NUMERIC.has(column.kind);
  const direction = sort.descending ? -1 : 1;
  return shown.sort((x, y) => {
    const a = rows[x]?.[sort.columnIndex] ?? null;
    const b = rows[y]?.[sort.columnIndex] ?? null;
    if (a === null || b === null) return a === b ? x - y : a === null ? 1 : -1;
    return direction * compareCells(numeric, a, b) || x - y;
  });
}
