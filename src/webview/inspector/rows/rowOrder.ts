// Which rows of a table are shown, and in which order.
import type { Cell, Column, Row } from '../../../protocol/table.ts';

export interface Sort {
  readonly at: number;
  readonly descending: boolean;
}

/** One more click on a column: its usual direction (numbers from the largest), the other one, none. */
export function nextSort(sort: Sort | null, at: number, numeric: boolean): Sort | null {
  if (sort?.at !== at) return { at, descending: numeric };
  return sort.descending === numeric ? { at, descending: !numeric } : null;
}

const NUMERIC = new Set(['amount', 'coin', 'tokenAmount', 'number', 'block', 'tokenId', 'time', 'status']);

/** Exact for decimal text of any length: by sign, then by length, then digit by digit. */
function compareWhole(a: string, b: string): number {
  const [minusA, minusB] = [a.startsWith('-'), b.startsWith('-')];
  if (minusA !== minusB) return minusA ? -1 : 1;
  const size = a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);
  return minusA ? -size : size;
}

function compareCells(numeric: boolean, a: Cell, b: Cell): number {
  if (a === b) return 0;
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (numeric) return compareWhole(String(a), String(b));
  const [left, right] = [String(a), String(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Indexes of rows; rows without a value come last either way, equal ones stay as they were. */
export function orderRows(
  columns: readonly Column[],
  rows: readonly Row[],
  test: ((row: number) => boolean) | null,
  sort: Sort | null,
): readonly number[] {
  const shown: number[] = [];
  for (let index = 0; index < rows.length; index++) {
    if (test === null || test(index)) shown.push(index);
  }
  const column = sort === null ? undefined : columns[sort.at];
  if (sort === null || column === undefined) return shown;
  const numeric = NUMERIC.has(column.kind);
  const direction = sort.descending ? -1 : 1;
  return shown.sort((x, y) => {
    const a = rows[x]?.[sort.at] ?? null;
    const b = rows[y]?.[sort.at] ?? null;
    if (a === null || b === null) return a === b ? x - y : a === null ? 1 : -1;
    return direction * compareCells(numeric, a, b) || x - y;
  });
}
