// Filters and sorts the rows of a table.
import type { TableCell, TableColumn, TableRow } from '../../../protocol/table.ts';

export interface SortOrder {
  readonly columnIndex: number;
  readonly descending: boolean;
}

/** The order after another click on a column: its default direction (numbers descending), the other one, none. */
export function toggleSort(sort: SortOrder | null, index: number, numeric: boolean): SortOrder | null {
  if (sort?.columnIndex !== index) return { columnIndex: index, descending: numeric };
  return sort.descending === numeric ? { columnIndex: index, descending: !numeric } : null;
}

const NUMERIC_KINDS = new Set(['amount', 'coin', 'tokenAmount', 'number', 'block', 'tokenId', 'time', 'status']);

/** Compares integers as decimal text of any length: by sign, then by length, then digit by digit. */
function compareIntegers(a: string, b: string): number {
  const [isNegativeA, isNegativeB] = [a.startsWith('-'), b.startsWith('-')];
  if (isNegativeA !== isNegativeB) return isNegativeA ? -1 : 1;
  const order = a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);
  return isNegativeA ? -order : order;
}

function compareCells(numeric: boolean, a: TableCell, b: TableCell): number {
  if (a === b) return 0;
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (numeric) return compareIntegers(String(a), String(b));
  const [left, right] = [String(a), String(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Indexes of the rows shown. Rows without a value come last in both directions, equal ones keep their order. */
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
  const numeric = NUMERIC_KINDS.has(column.kind);
  const direction = sort.descending ? -1 : 1;
  return shown.sort((x, y) => {
    const a = rows[x]?.[sort.columnIndex] ?? null;
    const b = rows[y]?.[sort.columnIndex] ?? null;
    if (a === null || b === null) return a === b ? x - y : a === null ? 1 : -1;
    return direction * compareCells(numeric, a, b) || x - y;
  });
}
