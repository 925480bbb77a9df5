// A table that a page wants to have saved: checked, then as CSV or JSON text.

import { csvLine } from '../../base/csv.ts';
import { type Cell, type Column, cellKinds, fromBytes, type Row, type Table } from '../../protocol/table.ts';
import { isListOf, isObject } from '../../protocol/typeGuards.ts';
import { csvPieces, jsonPieces } from '../../view/table/exportRows.ts';

type Rows = Pick<Table, 'columns' | 'rows'>;

const isCell = (value: unknown): value is Cell =>
  value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
const isColumn = (value: unknown): value is Column =>
  isObject(value) &&
  typeof value['key'] === 'string' &&
  typeof value['label'] === 'string' &&
  cellKinds.some(kind => kind === value['kind']);

/** `null` when the bytes are no table. */
export function readExport(bytes: ArrayBuffer): Rows | null {
  try {
    const value = fromBytes(bytes);
    if (!isObject(value)) return null;
    const { columns, rows } = value;
    return isListOf(isColumn)(columns) && isListOf(isListOf(isCell))(rows) ? { columns, rows } : null;
  } catch {
    return null;
  }
}

const plain = ({ kind }: Column, cell: Cell | undefined): Cell =>
  kind === 'time' && typeof cell === 'number' ? new Date(cell).toISOString() : (cell ?? null);

/** The text in pieces, with the fields' own names. */
export function exportPieces(format: 'csv' | 'json', { columns, rows }: Rows): Iterable<string> {
  const values = (row: Row) => columns.map((column, at) => plain(column, row[at]));
  if (format === 'csv')
    return csvPieces(
      columns.map(({ key }) => key),
      rows.map(values),
    );
  return jsonPieces(
    rows.map(row => Object.fromEntries(columns.map((column, at) => [column.key, plain(column, row[at])]))),
  );
}

export interface ExportWriter {
  /** The text of one more page; the first decides the columns. */
  page(table: Rows): string;
  end(): string;
}

/** The same texts for rows that come page by page: a header once, one array around all. */
export function createExportWriter(format: 'csv' | 'json'): ExportWriter {
  let before = '[\n';
  let begun = false;
  return {
    page({ columns, rows }) {
      const values = (row: Row) => columns.map((column, at) => plain(column, row[at]));
      if (format === 'csv') {
        const header = begun ? '' : csvLine(columns.map(({ key }) => key));
        begun = true;
        return header + rows.map(row => csvLine(values(row))).join('');
      }
      return rows
        .map(row => {
          const text = `${before}  ${JSON.stringify(Object.fromEntries(values(row).map((value, at) => [columns[at]?.key ?? '', value])))}`;
          before = ',\n';
          return text;
        })
        .join('');
    },
    end: () => (format === 'csv' ? '' : before === '[\n' ? '[]\n' : '\n]\n'),
  };
}
