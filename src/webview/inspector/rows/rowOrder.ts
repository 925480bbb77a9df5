// Filters and sorts the rows of a table.
import type { AmountUnits } from '../../../protocol/amountUnits.ts';
import { getRowUnit } from '../../../protocol/rowUnits.ts';
import type { TableCell, TableColumn, TableRow } from '../../../protocol/table.ts';
import { scaleAmount } from './filterAmount.ts';

export interface SortOrder {
  readonly column: string;
  readonly descending: boolean;
}

/** The order after another click on a column: its default direction (numbers descending), the other one, none. */
export function toggleSort(sort: SortOrder | null, column: string, numeric: boolean): SortOrder | null {
  if (sort?.column !== column) return { column, descending: numeric };
  return sort.descending === numeric ? { column, descending: !numeric } : null;
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

/** What a row is sorted by: amounts of tokens in whole tokens, whatever decimals each has. */
function createKeyReader(
  columns: readonly TableColumn[],
  index: number,
  units: AmountUnits | undefined,
): (row: TableRow) => TableCell {
  if (columns[index]?.kind !== 'tokenAmount') return row => row[index] ?? null;
  return row => {
    const cell = row[index] ?? null;
    const unit = cell === null ? null : getRowUnit(columns, row, units);
    return unit === null ? null : String(scaleAmount(BigInt(String(cell)), unit));
  };
}

/** Indexes of the rows shown. Rows without a value come last in both directions, equal ones keep their order. */
export function filterAndSortRows(
  columns: readonly TableColumn[],
  rows: readonly TableRow[],
  test: ((row: number) => boolean) | null,
  sort: SortOrder | null,
  units?: AmountUnits,
): readonly number[] {
  const shown: number[] = [];
  for (let index = 0; index < rows.length; index++) {
    if (test === null || test(index)) shown.push(index);
  }
  const columnIndex = columns.findIndex(({ key }) => key === sort?.column);
  const column = columns[columnIndex];
  if (sort === null || column === undefined) return shown;
  const numeric = NUMERIC_KINDS.has(column.kind);
  const direction = sort.descending ? -1 : 1;
  const readKey = createKeyReader(columns, columnIndex, units);
  const keys = rows.map(readKey);
  return shown.sort((x, y) => {
    const a = keys[x] ?? null;
    const b = keys[y] ?? null;
    if (a === null || b === null) return a === b ? x - y : a === null ? 1 : -1;
    return direction * compareCells(numeric, a, b) || x - y;
  });
}
