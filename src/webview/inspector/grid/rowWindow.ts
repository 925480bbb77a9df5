// Which rows of a long list are rendered: all rows have the same height.

export const ROW_HEIGHT = 26;
/** Rows rendered above and below the visible ones, so that a fast scroll finds them there. */
const OVERSCAN = 6;

export interface RowWindow {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
}

export function getRowWindow(scrollTop: number, height: number, rowCount: number, overscan = OVERSCAN): RowWindow {
  const first = Math.max(0, Math.floor(scrollTop / ROW_HEIGHT) - overscan);
  const length = Math.ceil(height / ROW_HEIGHT) + 1 + 2 * overscan;
  const end = Math.min(rowCount, first + length);
  return { start: Math.max(0, Math.min(first, end - length)), end };
}

/** The nearest scroll position at which a row is visible; `headerHeight` is what covers the top. */
export function getScrollTop(row: number, scrollTop: number, height: number, headerHeight: number): number {
  const top = row * ROW_HEIGHT;
  const visibleHeight = height - headerHeight;
  if (top < scrollTop) return top;
  return top + ROW_HEIGHT > scrollTop + visibleHeight ? top + ROW_HEIGHT - visibleHeight : scrollTop;
}
