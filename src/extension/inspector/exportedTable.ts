// Validates a table that the page exports, and formats tables as CSV or JSON.
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

/** `null` when the bytes are not a table. */
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

const toExportValue = ({ kind }: TableColumn, cell: TableCell | undefined): TableCell =>
  kind === 'time' && typeof cell === 'number' ? new Date(cell).toISOString() : (cell ?? null);

/** The text in chunks, with the columns' keys as field names. */
export function formatExport(format: 'csv' | 'json', { columns, rows }: Rows): Iterable<string> {
  const toValues = (row: TableRow) => columns.map((column, index) => toExportValue(column, row[index]));
  if (format === 'csv')
    return toCsvChunks(
      columns.map(({ key }) => key),
      rows.map(toValues),
    );
  return toJsonChunks(
    rows.map(row => Object.fromEntries(toValues(row).map((value, index) => [columns[index]?.key ?? '', value]))),
  );
}

export interface ExportWriter {
  /** The text of the next page; the first page determines the columns. */
  formatPage(table: Rows): string;
  formatEnd(): string;
}

/** Formats rows page by page, with one CSV header or one JSON array for all pages. */
export function createExportWriter(format: 'csv' | 'json'): ExportWriter {
  let separator = '[\n';
  let hasHeader = false;
  return {
    formatPage({ columns, rows }) {
      const toValues = (row: TableRow) => columns.map((column, index) => toExportValue(column, row[index]));
      if (format === 'csv') {
        const header = hasHeader ? '' : formatCsvLine(columns.map(({ key }) => key));
        hasHeader = true;
        return header + rows.map(row => formatCsvLine(toValues(row))).join('');
      }
      return rows
        .map(row => {
          const record = Object.fromEntries(toValues(row).map((value, index) => [columns[index]?.key ?? '', value]));
          const text = `${separator}  ${JSON.stringify(record)}`;
          separator = ',\n';
          return text;
        })
        .join('');
    },
    formatEnd: () => (format === 'csv' ? '' : separator === '[\n' ? '[]\n' : '\n]\n'),
  };
}
