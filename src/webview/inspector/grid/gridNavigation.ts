// Keyboard navigation from cell to cell, and scrolling to a column.

export interface GridCell {
  /** -1 is the header. */
  readonly row: number;
  readonly column: number;
}

export interface GridSize {
  readonly rows: number;
  readonly columns: number;
  /** Rows that Page Up and Page Down move by. */
  readonly pageRows: number;
}

/** The cell that a key moves to; `null` for keys that do not move. */
export function moveCell({ row, column }: GridCell, key: string, ctrl: boolean, size: GridSize): GridCell | null {
  const { rows, columns, pageRows } = size;
  const lastRow = rows - 1;
  const clamp = (cell: GridCell): GridCell => ({
    row: Math.max(-1, Math.min(lastRow, cell.row)),
    column: Math.max(0, Math.min(columns - 1, cell.column)),
  });
  switch (key) {
    case 'ArrowUp':
      return clamp({ row: row - 1, column });
    case 'ArrowDown':
      return clamp({ row: row + 1, column });
    case 'ArrowLeft':
      return clamp({ row, column: column - 1 });
    case 'ArrowRight':
      return clamp({ row, column: column + 1 });
    case 'PageUp':
      return clamp({ row: Math.max(0, row - pageRows), column });
    case 'PageDown':
      return clamp({ row: row + pageRows, column });
    case 'Home':
      return clamp(ctrl ? { row: Math.min(0, lastRow), column: 0 } : { row, column: 0 });
    case 'End':
      return clamp(ctrl ? { row: lastRow, column: columns - 1 } : { row, column: columns - 1 });
    default:
      return null;
  }
}

/** The nearest scroll position at which the whole column is visible, or at least its left edge. */
export function getScrollLeft(
  widths: readonly number[],
  column: number,
  scrollLeft: number,
  visibleWidth: number,
): number {
  const left = widths.slice(0, column).reduce((sum, width) => sum + width, 0);
  const right = left + (widths[column] ?? 0);
  return Math.min(left, right > scrollLeft + visibleWidth ? right - visibleWidth : scrollLeft);
}
