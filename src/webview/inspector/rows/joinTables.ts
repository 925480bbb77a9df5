// One table of several replies: each reply chooses its columns by its own rows.
import { type TableColumn, type TableRow, VALUES_COLUMN } from '../../../protocol/table.ts';
import type { LoadedTable } from '../replyCollector.ts';

/** Of two columns with the same key. Values of different kinds have only their text in common. */
function mergeColumn(a: TableColumn, b: TableColumn): TableColumn {
  const { detailOnly, ...shown } = a;
  const column = detailOnly === true && b.detailOnly !== true ? shown : a;
  return a.kind === b.kind ? column : { ...column, kind: 'text' };
}

const listArguments = ({ columns }: LoadedTable): string =>
  columns
    .filter(({ key, isDecoded, detailOnly }) => isDecoded === true && detailOnly !== true && key !== 'amount')
    .map(({ key }) => key)
    .join();

/** A column per argument is for rows of one event; rows of several events have their values in one line. */
function showLine(column: TableColumn): TableColumn {
  if (column.isDecoded !== true) return column;
  const { detailOnly: _, ...shown } = column;
  return column.key === VALUES_COLUMN ? shown : { ...shown, detailOnly: true };
}

/** All columns; those that the first table lacks come after their neighbors. */
function mergeColumns(tables: readonly LoadedTable[]): readonly TableColumn[] {
  const merged: TableColumn[] = [];
  for (const { columns } of tables) {
    let next = 0;
    for (const column of columns) {
      const index = merged.findIndex(({ key }) => key === column.key);
      const existing = merged[index];
      if (existing === undefined) merged.splice(next, 0, column);
      else merged[index] = mergeColumn(existing, column);
      next = existing === undefined ? next + 1 : index + 1;
    }
  }
  const isOneEvent = new Set(tables.map(listArguments)).size === 1;
  return isOneEvent ? merged : merged.map(showLine);
}

function alignRows({ columns, rows }: LoadedTable, merged: readonly TableColumn[]): readonly TableRow[] {
  if (columns.length === merged.length && columns.every(({ key }, index) => key === merged[index]?.key)) return rows;
  const indexes = merged.map(({ key }) => columns.findIndex(column => column.key === key));
  return rows.map(row => indexes.map(index => row[index] ?? null));
}

/** The rows of all tables in their order, each cell in the column of its key. */
export function joinTables(name: string, tables: readonly LoadedTable[]): LoadedTable {
  const filled = tables.filter(({ rows }) => rows.length > 0);
  const columns = mergeColumns(filled.length > 0 ? filled : tables);
  return {
    name,
    columns,
    rows: filled.flatMap(table => alignRows(table, columns)),
    rowCount: tables.reduce((sum, { rowCount }) => sum + rowCount, 0),
  };
}
