// Finds rows again in a table that has changed: new rows above them, a refresh, other columns.
import type { TableRow } from '../../../protocol/table.ts';
import type { LoadedTable } from '../replyCollector.ts';

type Rows = Pick<LoadedTable, 'columns' | 'rows'>;

/** Indexes of the columns that both tables have. */
function getCommonColumns(previous: Rows, next: Rows): readonly (readonly [number, number])[] {
  const indexes = new Map(next.columns.map(({ key }, index) => [key, index]));
  return previous.columns.flatMap(({ key }, index): [number, number][] => {
    const other = indexes.get(key);
    return other === undefined ? [] : [[index, other]];
  });
}

const toText = (row: TableRow, indexes: readonly number[]) => JSON.stringify(indexes.map(index => row[index] ?? null));

/** Returns for the index of a row of `previous` where `next` has the same row; `null` where it is gone. */
export function createRowFinder(previous: Rows, next: Rows): (index: number) => number | null {
  const common = getCommonColumns(previous, next);
  const [before, after] = [common.map(([index]) => index), common.map(([, index]) => index)];
  let byRow: Map<TableRow, number> | undefined;
  let byText: Map<string, number> | undefined;
  return index => {
    const row = previous.rows[index];
    if (row === undefined || common.length === 0) return null;
    if (next.rows[index] === row) return index;
    byRow ??= new Map(next.rows.map((other, at) => [other, at]));
    const found = byRow.get(row);
    if (found !== undefined) return found;
    byText ??= new Map(next.rows.map((other, at) => [toText(other, after), at]));
    return byText.get(toText(row, before)) ?? null;
  };
}
