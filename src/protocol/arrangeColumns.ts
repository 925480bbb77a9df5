// Puts the columns of a table into the order in which people read them; the rest goes to a row's details.
import type { Column } from './table.ts';

export function arrange(columns: readonly Column[], shown: readonly string[]): readonly Column[] {
  const byKey = new Map(columns.map(column => [column.key, column]));
  const first = shown.flatMap(key => {
    const column = byKey.get(key);
    if (column === undefined) return [];
    const { detail: _detail, ...rest } = column;
    return [rest];
  });
  const others = columns.filter(({ key }) => !shown.includes(key));
  return [...first, ...others.map(column => ({ ...column, detail: true as const }))];
}
