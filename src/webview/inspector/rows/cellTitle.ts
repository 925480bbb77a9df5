// The tooltip of a cell: everything there is to say about it, with the rest of its row at hand.
import type { TableColumn, TableRow } from '../../../protocol/table.ts';
import { type FormatContext, formatFullCell } from './cellFormat.ts';
import { getRowUnit } from './tokenAmount.ts';

export function formatCellTooltip(
  column: TableColumn,
  columns: readonly TableColumn[],
  row: TableRow,
  context: FormatContext,
): string {
  const unit = column.kind === 'tokenAmount' ? getRowUnit(columns, row, context.units) : null;
  return formatFullCell(column, row[columns.indexOf(column)] ?? null, context, unit);
}
