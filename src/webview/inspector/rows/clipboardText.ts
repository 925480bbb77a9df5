// Rows as text for the clipboard: tab-separated for spreadsheets, JSON for programs.
import type { TableCell, TableColumn, TableRow } from '../../../protocol/table.ts';
import { formatCellForClipboard } from './cellFormat.ts';

/** Escapes tabs and line breaks, which would start another cell, and formulas, which a spreadsheet would run. */
const toField = (column: TableColumn, cell: TableCell): string => {
  const text = formatCellForClipboard(column, cell).replace(/[\t\r\n]+/g, ' ');
  return /^[=+\-@]/.test(text) && !/^-?\d+(\.\d+)?$/.test(text) ? `'${text}` : text;
};

export function toTabSeparated(columns: readonly TableColumn[], rows: readonly TableRow[]): string {
  const lines = rows.map(row => columns.map((column, index) => toField(column, row[index] ?? null)).join('\t'));
  return rows.length > 1 ? [columns.map(({ key }) => key).join('\t'), ...lines].join('\n') : lines.join('\n');
}

export function toJsonText(columns: readonly TableColumn[], rows: readonly TableRow[]): string {
  const objects = rows.map(row =>
    Object.fromEntries(
      columns.map(({ key, kind }, index) => {
        const cell = row[index] ?? null;
        return [key, kind === 'time' && typeof cell === 'number' ? new Date(cell).toISOString() : cell];
      }),
    ),
  );
  return JSON.stringify(objects.length === 1 ? objects[0] : objects, null, 2);
}
