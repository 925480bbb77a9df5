// One row of a table by the names of its columns.
import type { Cell, Column } from '../../../protocol/table.ts';
import type { GrownTable } from '../replyCollector.ts';

export interface NamedRow {
  cell(key: string): Cell;
  text(key: string): string | null;
  whole(key: string): bigint | null;
  column(key: string): Column | undefined;
}

export function recordOf(table: GrownTable | undefined, row = 0): NamedRow | null {
  const cells = table?.rows[row];
  if (table === undefined || cells === undefined) return null;
  const cell = (key: string): Cell => cells[table.columns.findIndex(column => column.key === key)] ?? null;
  return {
    cell,
    text(key) {
      const value = cell(key);
      return value === null ? null : String(value);
    },
    whole(key) {
      const value = cell(key);
      return value === null || !/^-?\d+$/.test(String(value)) ? null : BigInt(String(value));
    },
    column: key => table.columns.find(column => column.key === key),
  };
}
