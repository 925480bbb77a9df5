// A table that a page wants to have saved: checked, then as CSV or JSON text.

import { formatCsvLine } from '../../base/csv.ts';
import {
  cellKinds,
  decodeJson,
  type Table,
  type TableCell,
  type TableColumn,
  type TableRow,
} from '../../protocol/table.ts';
import { isArrayOf, isObject } from '../../protocol/typeGuards.ts';
import { toCsvChunks, toJsonChunks } from '../../view/table/exportRows.ts';

type Rows = Pick<Table, 'columns' | 'rows'>;

const isCell = (value: unknown): value is TableCell =>
  value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
const isColumn = (value: unknown): value is TableColumn =>
  isObject(value) &&
  typeof value['key'] === 'string' &&
  typeof value['label'] === 'string' &&
  cellKinds.some(kind => kind === value['kind']);

/** `null` when the bytes are no table. */
export function parseExportedTable(bytes: ArrayBuffer): Rows | null {
  try {
    const value = decodeJson(bytes);
    if (!isObject(value)) return null;
    const { columns, rows } = value;
    return isArrayOf(isColumn)(columns) && isArrayOf(isArrayOf(isCell))(rows) ? { columns, rows } : null;
  } catch {
    return null;
  }
}

const plain = ({ kind }: TableColumn, cell: TableCell | undefined): TableCell =>
  kind === 'time' && typeof cell === 'number' ? new Date(cell).toISOString() : (cell ?? null);

/** The text in pieces, with the fields' own names. */
export function formatExport(format: 'csv' | 'json', { columns, rows }: Rows): Iterable<string> {
  const values = (row: TableRow) => columns.map((column, at) => plain(column, row[at]));
  if (format === 'csv')
    return toCsvChunks(
      columns.map(({ key }) => key),
      rows.map(values),
    );
  return toJsonChunks(
    rows.map(row => Object.fromEntries(columns.map((column, at) => [column.key, plain(column, row[at])]))),
  );
}

export interface ExportWriter {
  /** The text of one more page; the first decides the columns. */
  formatPage(table: Rows): string;
  formatEnd(): string;
}

/** The same texts for rows that come page by page: a header once, one array around all. */
export function createExportWriter(format: 'csv' | 'json'): ExportWriter {
  let before = '[\n';
  let begun = false;
  return {
    formatPage({ columns, rows }) {
      const values = (row: TableRow) => columns.map((column, at) => plain(column, row[at]));
      if (format === 'csv') {
        const header = begun ? '' : formatCsvLine(columns.map(({ key }) => key));
        begun = true;
        return header + rows.map(row => formatCsvLine(values(row))).join('');
      }
      return rows
        .map(row => {
          const text = `${before}  ${JSON.stringify(Object.fromEntries(values(row).map((value, at) => [columns[at]?.key ?? '', value])))}`;
          before = ',\n';
          return text;
        })
        .join('');
    },
    formatEnd: () => (format === 'csv' ? '' : before === '[\n' ? '[]\n' : '\n]\n'),
  };
}
