// The tooltip of a cell: everything there is to say about it, with the rest of its row at hand.
import type { Column, Row } from '../../../protocol/table.ts';
import { type FormatContext, fullText } from './cellFormat.ts';
import { unitOfRow } from './tokenAmount.ts';

export function titleOf(column: Column, columns: readonly Column[], row: Row, context: FormatContext): string {
  const unit = column.kind === 'tokenAmount' ? unitOfRow(columns, row, context.units) : null;
  return fullText(column, row[columns.indexOf(column)] ?? null, context, unit);
}
