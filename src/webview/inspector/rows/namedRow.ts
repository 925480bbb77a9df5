// One row of a table by the names of its columns.
import type { TableCell, TableColumn } from '../../../protocol/table.ts';
import type { LoadedTable } from '../replyCollector.ts';

export interface NamedRow {
  cell(key: string): TableCell;
  text(key: string): string | null;
  integer(key: string): bigint | null;
  column(key: string): TableColumn | undefined;
}

export function getNamedRow(table: LoadedTable | undefined, row = 0): NamedRow | null {
  const cells = table?.rows[row];
  if (table === undefined || cells === undefined) return null;
  const cell = (key: string): TableCell => cells[table.columns.findIndex(column => column.key === key)] ?? null;
  return {
    cell,
    text(key) {
      const value = cell(key);
      return value === null ? null : String(value);
    },
    integer(key) {
      const value = cell(key);
      return value === null || !/^-?\d+$/.test(String(value)) ? null : BigInt(String(value));
    },
    column: key => table.columns.find(column => column.key === key),
  };
}
