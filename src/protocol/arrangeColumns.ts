// Puts the columns of a table into the order in which people read them; the rest goes to a row's details.
import type { TableColumn } from './table.ts';

export function arrangeColumns(columns: readonly TableColumn[], shown: readonly string[]): readonly TableColumn[] {
  const byKey = new Map(columns.map(column => [column.key, column]));
  const first = shown.flatMap(key => {
    const column = byKey.get(key);
    if (column === undefined) return [];
    const { detailOnly: _detail, ...rest } = column;
    return [rest];
  });
  const others = columns.filter(({ key }) => !shown.includes(key));
  return [...first, ...others.map(column => ({ ...column, detail: true as const }))];
}
