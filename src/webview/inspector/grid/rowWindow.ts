// Which rows of a long list are in sight: the arithmetic of the grid, without a DOM.

export const ROW_HEIGHT = 26;
/** Rows drawn above and below what is in sight, so that a fast scroll finds them there. */
const OVERSCAN = 6;

export interface RowWindow {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
}

export function getRowWindow(scrollTop: number, height: number, count: number, overscan = OVERSCAN): RowWindow {
  const first = Math.max(0, Math.floor(scrollTop / ROW_HEIGHT) - overscan);
  const visible = Math.ceil(height / ROW_HEIGHT) + 1 + 2 * overscan;
  const end = Math.min(count, first + visible);
  return { start: Math.max(0, Math.min(first, end - visible)), end };
}

/** The scroll position at which a row is in sight, moved as little as needed; `head` is what covers the top. */
export function getScrollTop(row: number, scrollTop: number, height: number, head: number): number {
  const top = row * ROW_HEIGHT;
  const room = height - head;
  if (top < scrollTop) return top;
  return top + ROW_HEIGHT > scrollTop + room ? top + ROW_HEIGHT - room : scrollTop;
}

/** The same to the side: the whole column, or at least where it begins. */
export function getScrollLeft(widths: readonly number[], column: number, scrollLeft: number, room: number): number {
  const left = widths.slice(0, column).reduce((sum, width) => sum + width, 0);
  const right = left + (widths[column] ?? 0);
  return Math.min(left, right > scrollLeft + room ? right - room : scrollLeft);
}

export interface GridCell {
  /** -1 is the header. */
  readonly row: number;
  readonly column: number;
}

/** Where a key leads from a cell; `null` for keys that lead nowhere. */
export function moveCell(
  { row, column }: GridCell,
  key: string,
  ctrl: boolean,
  rows: number,
  columns: number,
  page: number,
): GridCell | null {
  const last = rows - 1;
  const clamp = (next: GridCell): GridCell => ({
    row: Math.max(-1, Math.min(last, next.row)),
    column: Math.max(0, Math.min(columns - 1, next.column)),
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
      return clamp({ row: Math.max(0, row - page), column });
    case 'PageDown':
      return clamp({ row: row + page, column });
    case 'Home':
      return clamp(ctrl ? { row: Math.min(0, last), column: 0 } : { row, column: 0 });
    case 'End':
      return clamp(ctrl ? { row: last, column: columns - 1 } : { row, column: columns - 1 });
    default:
      return null;
  }
}
