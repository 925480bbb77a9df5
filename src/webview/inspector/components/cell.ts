// One cell as it is drawn: text of the chain only ever as text, links where it leads somewhere.
import type { TableCell, TableColumn } from '../../../protocol/table.ts';
import { isMonospaceColumn, isNumericColumn } from '../rows/cellFormat.ts';

/** `ok`, `bad` or `wait`. */
export const getStatusClass = (status: TableCell): string => (status === null ? 'wait' : status === 1 ? 'ok' : 'bad');

/** Names that stand for hex are words, not code. */
export function getCellClass(column: TableColumn, text: string): string {
  if (isNumericColumn(column)) return 'cell number mono';
  return isMonospaceColumn(column) && /^[\d<-]/.test(text) ? 'cell mono' : 'cell';
}

/** Which elements stand in a cell: none, text, a link, a chip, a chip with a dot. */
export type CellShape = 'empty' | 'plain' | 'link' | 'method' | 'status';

export function getCellShape({ kind }: TableColumn, cell: TableCell, linked: boolean): CellShape {
  if (kind === 'status') return 'status';
  if (cell === null) return 'empty';
  if (kind === 'method') return 'method';
  return linked ? 'link' : 'plain';
}
