// A virtualized grid: renders only the visible rows, all of one height. Every cell can be reached by keyboard.

import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { t } from '../../../base/localize.ts';
import type { TableColumn, TableRow } from '../../../protocol/table.ts';
import { isAnythingFocused } from '../focusGuard.ts';
import { type FormatContext, formatCellTooltip, isNumericColumn } from '../rows/cellFormat.ts';
import { type CellTarget, getCellTarget } from '../rows/cellTarget.ts';
import { createRowFinder } from '../rows/findRows.ts';
import { type SortOrder, toggleSort } from '../rows/rowOrder.ts';
import { baseStyles } from '../styles.ts';
import { addContentWidths, createColumnCss, getColumnWidths, orderColumns } from './columnWidths.ts';
import { type GridCell, getScrollLeft, moveCell } from './gridNavigation.ts';
import { findClickedCell, RowPool } from './rowPool.ts';
import { getRowWindow, getScrollTop, ROW_HEIGHT } from './rowWindow.ts';

const HEADER_HEIGHT = 28;
const MIN_COLUMN_WIDTH = 48;
const MAX_COLUMN_WIDTH = 1_200;
const RESIZE_STEP = 16;
/** Rows outside the visible ones are rendered this long after the last jump. */
const JUMP_SETTLE_MS = 60;

const gridStyles = css`
  :host { height: 100%; min-height: 160px; contain: strict; }
  .scroll { position: relative; height: 100%; overflow: auto; outline: none; }
  .top { position: sticky; top: 0; z-index: 2; width: min-content; }
  .head {
    position: relative; height: 28px; background: var(--vscode-editor-background);
    border-bottom: 1px solid var(--vscode-panel-border, var(--vscode-contrastBorder, #8885));
  }
  .head [role='columnheader'] {
    position: absolute; height: 27px; display: flex; align-items: center; gap: 4px; padding: 0 10px; cursor: pointer; user-select: none;
    font-size: 11px; font-weight: 600; color: var(--vscode-descriptionForeground); white-space: nowrap; overflow: hidden;
  }
  .head [role='columnheader']:hover { color: var(--vscode-foreground); }
  .head .number { justify-content: flex-end; }
  .head .name { overflow: hidden; text-overflow: ellipsis; }
  .head .handle { position: absolute; right: 0; top: 4px; bottom: 4px; width: 7px; cursor: col-resize; touch-action: none; }
  .head [role='columnheader']:hover .handle { border-right: 1px solid var(--vscode-panel-border, var(--vscode-contrastBorder, #888)); }
  .body { position: relative; contain: layout style; }
  .row { position: absolute; left: 0; top: 0; height: 26px; display: flex; contain: strict; }
  .row.odd { background: color-mix(in srgb, var(--vscode-foreground) 3%, transparent); }
  .row:hover { color: var(--vscode-list-hoverForeground); background: var(--vscode-list-hoverBackground); outline: 1px dashed var(--vscode-contrastActiveBorder, transparent); outline-offset: -1px; }
  .row.selected { color: var(--vscode-list-inactiveSelectionForeground); background: var(--vscode-list-inactiveSelectionBackground); outline: 1px dotted var(--vscode-contrastActiveBorder, transparent); outline-offset: -1px; }
  .scroll:focus-within .row.selected { color: var(--vscode-list-activeSelectionForeground); background: var(--vscode-list-activeSelectionBackground); }
  .row.selected a, .row.selected .chip { color: inherit; }
  /* Rows and cells are contained: filling one never lays out another. Cells are neither positioned nor scrollable:
     a layer for each of them took a quarter of the time of a frame. */
  .cell { flex: none; contain: layout size style; padding: 0 10px; line-height: 26px; height: 26px; white-space: nowrap; overflow: clip; text-overflow: ellipsis; }
  /* Also after a click: a cell reached by Ctrl and a key must show its focus. */
  .cell:focus { outline: 1px solid var(--vscode-focusBorder); outline-offset: -1px; }
  /* In a line of text, where color alone does not tell it apart. */
  .cell a[data-address] { text-decoration: underline; }
  .cell.number { text-align: right; }
  .cell .chip { vertical-align: middle; }
`;

/** Events of the grid, with their `detail`. Rows and columns are indexes into `rows` and `allColumns`. */
export interface GridEvents {
  'grid-sort': SortOrder | null;
  /** `row` is the one that was clicked or toggled. */
  'grid-select': { readonly row: number; readonly selected: ReadonlySet<number> };
  'grid-open': { readonly target: CellTarget; readonly side: boolean };
  'grid-details': { readonly row: number };
  'grid-menu': { readonly row: number; readonly column: number; readonly x: number; readonly y: number };
  'grid-copy': { readonly row: number; readonly column: number };
  /** The user has scrolled: the first visible row, by its position. */
  'grid-scroll': { readonly position: number };
  /** The user has dragged a column's edge: all dragged widths, by key of the column. */
  'grid-resize': ReadonlyMap<string, number>;
}

declare global {
  interface HTMLElementTagNameMap {
    'hl-grid': Grid;
  }
}

/** Follows the pointer that drags a column's edge. */
function trackColumnResize(event: PointerEvent, resize: (width: number) => void, onEnd: () => void): void {
  event.preventDefault();
  event.stopPropagation();
  const handle = event.currentTarget as HTMLElement; // the edge, which has this listener
  const initialWidth = handle.parentElement?.getBoundingClientRect().width ?? 0;
  handle.setPointerCapture(event.pointerId);
  const move = (next: PointerEvent) => resize(initialWidth + next.clientX - event.clientX);
  handle.addEventListener('pointermove', move);
  const end = () => {
    handle.removeEventListener('pointermove', move);
    onEnd();
  };
  handle.addEventListener('pointerup', end, { once: true });
}

export class Grid extends LitElement {
  static override styles = [baseStyles, gridStyles];
  static override properties = {
    columns: { attribute: false },
    allColumns: { attribute: false },
    rows: { attribute: false },
    order: { attribute: false },
    format: { attribute: false },
    chain: {},
    label: {},
    sort: { attribute: false },
    selectedRows: { attribute: false },
    activeCell: { state: true },
    height: { state: true },
    availableWidth: { state: true },
    draggedWidths: { attribute: false },
    firstPosition: { attribute: false },
  };
  /** The columns shown, in the order of a wide table. Cells of `rows` count in `allColumns`. */
  columns: readonly TableColumn[] = [];
  allColumns: readonly TableColumn[] = [];
  rows: readonly TableRow[] = [];
  /** Indexes of the rows shown, in their order. */
  order: readonly number[] = [];
  declare format: FormatContext;
  chain = '';
  label = '';
  sort: SortOrder | null = null;
  selectedRows: ReadonlySet<number> = new Set();
  /** The cell with the focus; its `row` and `column` count in `order` and the columns as they are shown. */
  activeCell: GridCell = { row: -1, column: 0 };
  height = 400;
  availableWidth = 0;
  /** Widths that the user has dragged, by key of the column. */
  draggedWidths: ReadonlyMap<string, number> = new Map();
  /** The row to scroll to as soon as it is there, until the user scrolls. */
  firstPosition = 0;
  #resizeObserver: ResizeObserver | undefined;
  #shouldFocus = false;
  /** The row where a selection of several rows begins; `null` for the row with the focus. */
  #anchor: TableRow | null = null;
  #hadFocus = false;
  #renderedTop = 0;
  #settleTimer: ReturnType<typeof setTimeout> | undefined;
  #pool: RowPool | undefined;
  #columnCss = '';
  /** The dragged widths, and those that amounts need. */
  #fixedWidths: ReadonlyMap<string, number> = new Map();
  /** In the order in which they are shown. */
  #columns: readonly TableColumn[] = [];
  /** One rule per column moves the cells of all rows. */
  readonly #columnSheet = new CSSStyleSheet();

  get #scroller(): HTMLElement | null {
    return this.renderRoot.querySelector('.scroll');
  }

  get #columnWidths(): readonly number[] {
    return getColumnWidths(this.#columns, this.#fixedWidths, this.availableWidth);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#resizeObserver = new ResizeObserver(([entry]) => {
      if (entry === undefined) return;
      this.height = entry.contentRect.height;
      this.availableWidth = this.#scroller?.clientWidth ?? 0;
    });
    this.#resizeObserver.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#resizeObserver?.disconnect();
    clearTimeout(this.#settleTimer);
  }

  #dispatch<K extends keyof GridEvents>(name: K, detail: GridEvents[K]): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }

  override willUpdate(changed: PropertyValues<this>): void {
    this.#hadFocus = isAnythingFocused();
    if (
      (['allColumns', 'rows', 'format', 'draggedWidths', 'availableWidth'] as const).some(property =>
        changed.has(property),
      )
    )
      this.#fixedWidths = addContentWidths(
        this.draggedWidths,
        this.allColumns,
        this.rows,
        this.format,
        this.availableWidth,
      );
    if (changed.has('columns') || changed.has('availableWidth'))
      this.#columns = orderColumns(this.columns, this.availableWidth);
    if (changed.has('rows')) this.#followActiveRow(changed);
    if (changed.has('order') || changed.has('columns')) {
      const row = Math.min(this.activeCell.row, this.order.length - 1);
      const column = Math.min(this.activeCell.column, Math.max(0, this.#columns.length - 1));
      if (row !== this.activeCell.row || column !== this.activeCell.column) this.activeCell = { row, column };
    }
  }

  /** The active cell stays in its row when other rows are added above it. */
  #followActiveRow(changed: PropertyValues<this>): void {
    const index = (changed.get('order') ?? this.order)[this.activeCell.row];
    const rows = changed.get('rows');
    if (index === undefined || rows === undefined) return;
    const columns = changed.get('allColumns') ?? this.allColumns;
    const found = createRowFinder({ columns, rows }, { columns: this.allColumns, rows: this.rows })(index);
    const row = found === null ? -1 : this.order.indexOf(found);
    if (row < 0 || row === this.activeCell.row) return;
    this.activeCell = { ...this.activeCell, row };
    this.#shouldFocus ||= this.shadowRoot?.activeElement?.matches('[role=gridcell]') === true;
  }

  #updateColumnSheet(): void {
    const text = createColumnCss(this.#columns, this.#fixedWidths, this.availableWidth);
    if (text === this.#columnCss) return;
    this.#columnCss = text;
    this.#columnSheet.replaceSync(text);
  }

  override createRenderRoot(): HTMLElement | DocumentFragment {
    const root = super.createRenderRoot();
    if (root instanceof ShadowRoot) root.adoptedStyleSheets.push(this.#columnSheet);
    return root;
  }

  #renderRows(): void {
    const body = this.renderRoot.querySelector<HTMLElement>('.body');
    if (body === null) return;
    this.#pool ??= new RowPool(body);
    const { allColumns, rows, order, format, chain, activeCell, selectedRows } = this;
    const columns = this.#columns;
    const top = this.#scroller?.scrollTop ?? 0;
    // A jump reuses no row: the visible ones are rendered first, those around them once the jumping is over.
    const isJump = Math.abs(top - this.#renderedTop) > this.height;
    this.#renderedTop = top;
    clearTimeout(this.#settleTimer);
    if (isJump) this.#settleTimer = setTimeout(() => this.#renderRows(), JUMP_SETTLE_MS);
    const window = getRowWindow(top, this.height, order.length, isJump ? 0 : undefined);
    this.#pool.render({ columns, allColumns, rows, order, format, chain }, { window, activeCell, selectedRows });
  }

  override updated(): void {
    this.#updateColumnSheet();
    this.#restoreScroll();
    this.#renderRows();
    // The focused cell may have vanished with its column or its row.
    if (!this.#shouldFocus && !(this.#hadFocus && !isAnythingFocused())) return;
    this.#shouldFocus = false;
    this.renderRoot.querySelector<HTMLElement>('[tabindex="0"]')?.focus({ preventScroll: true });
  }

  #restoreScroll(): void {
    const scroller = this.#scroller;
    if (this.firstPosition <= 0 || this.firstPosition >= this.order.length || scroller === null) return;
    scroller.scrollTop = this.firstPosition * ROW_HEIGHT;
    this.firstPosition = 0;
  }

  #handleScrollEnd(): void {
    this.firstPosition = 0;
    this.#dispatch('grid-scroll', { position: Math.floor((this.#scroller?.scrollTop ?? 0) / ROW_HEIGHT) });
  }

  focusCell(cell: GridCell): void {
    this.activeCell = cell;
    const scroller = this.#scroller;
    if (scroller !== null) {
      const { scrollTop, scrollLeft, clientHeight, clientWidth } = scroller;
      if (cell.row >= 0) scroller.scrollTop = getScrollTop(cell.row, scrollTop, clientHeight, HEADER_HEIGHT);
      scroller.scrollLeft = getScrollLeft(this.#columnWidths, cell.column, scrollLeft, clientWidth);
    }
    this.#shouldFocus = true;
    this.requestUpdate();
  }

  #getTarget(row: number, column: TableColumn): CellTarget | null {
    const cells = this.rows[row] ?? [];
    return getCellTarget(column, cells[this.allColumns.indexOf(column)], this.chain, this.allColumns, cells);
  }

  #handleKey(event: KeyboardEvent): void {
    const { key, shiftKey } = event;
    const ctrl = event.ctrlKey || event.metaKey;
    const column = this.#columns[this.activeCell.column];
    const isArrow = key === 'ArrowLeft' || key === 'ArrowRight';
    if (this.activeCell.row === -1 && shiftKey && isArrow && column !== undefined) {
      event.preventDefault();
      const width = this.#columnWidths[this.activeCell.column] ?? MIN_COLUMN_WIDTH;
      this.#resizeColumn(column, width + (key === 'ArrowLeft' ? -RESIZE_STEP : RESIZE_STEP));
      this.#dispatch('grid-resize', this.draggedWidths);
      return;
    }
    const pageRows = Math.max(1, Math.floor(this.height / ROW_HEIGHT) - 2);
    const size = { rows: this.order.length, columns: this.#columns.length, pageRows };
    const next = moveCell(this.activeCell, key, ctrl, size);
    if (next !== null) {
      event.preventDefault();
      if (shiftKey && this.activeCell.row >= 0) this.#selectRange(next.row, false);
      else this.#anchor = null;
      this.focusCell(next);
      return;
    }
    const row = this.order[this.activeCell.row];
    if (key === 'Enter' && column !== undefined) {
      event.preventDefault();
      const target = row === undefined || event.altKey ? null : this.#getTarget(row, column);
      if (row === undefined) this.#toggleSort(column);
      else if (target !== null) this.#dispatch('grid-open', { target, side: ctrl });
      else this.#dispatch('grid-details', { row });
    } else if (key === ' ' && row !== undefined) {
      event.preventDefault();
      this.#select(this.activeCell.row, true);
    } else if (key === 'a' && ctrl) {
      event.preventDefault();
      this.#dispatch('grid-select', { row: row ?? 0, selected: new Set(this.order) });
    } else if (key === 'c' && ctrl && row !== undefined && column !== undefined) {
      event.preventDefault();
      this.#dispatch('grid-copy', { row, column: this.allColumns.indexOf(column) });
    } else if ((key === 'ContextMenu' || (key === 'F10' && shiftKey)) && row !== undefined) {
      event.preventDefault();
      const box = this.renderRoot.querySelector('[tabindex="0"]')?.getBoundingClientRect();
      this.#openMenu(row, this.activeCell.column, box?.left ?? 0, box?.bottom ?? 0);
    }
  }

  #openMenu(row: number, column: number, x: number, y: number): void {
    const shown = this.#columns[column];
    if (shown !== undefined) this.#dispatch('grid-menu', { row, column: this.allColumns.indexOf(shown), x, y });
  }

  /** `position` counts in `order`. */
  #select(position: number, toggle = false): void {
    const row = this.order[position];
    if (row === undefined) return;
    this.#anchor = this.rows[row] ?? null;
    const selected = new Set(toggle ? this.selectedRows : []);
    if (toggle && selected.has(row)) selected.delete(row);
    else selected.add(row);
    this.#dispatch('grid-select', { row, selected });
  }

  /** Selects all rows from the anchor up to `position`, alone or beside those that are selected. */
  #selectRange(position: number, isAdded: boolean): void {
    const row = this.order[position];
    if (row === undefined) return;
    const anchor = this.#anchor;
    const found = anchor === null ? -1 : this.order.findIndex(index => this.rows[index] === anchor);
    const start = found >= 0 ? found : Math.max(0, this.activeCell.row);
    this.#anchor = this.rows[this.order[start] ?? -1] ?? null;
    const range = this.order.slice(Math.min(start, position), Math.max(start, position) + 1);
    this.#dispatch('grid-select', { row, selected: new Set([...(isAdded ? this.selectedRows : []), ...range]) });
  }

  #toggleSort(column: TableColumn): void {
    this.#dispatch('grid-sort', toggleSort(this.sort, column.key, isNumericColumn(column)));
  }

  #resizeColumn(column: TableColumn, width: number): void {
    const bounded = Math.max(MIN_COLUMN_WIDTH, Math.min(MAX_COLUMN_WIDTH, width));
    this.draggedWidths = new Map(this.draggedWidths).set(column.key, bounded);
  }

  #handleClick(event: MouseEvent): void {
    const clicked = findClickedCell(event);
    if (clicked === null) return;
    const { cell, isLink, address } = clicked;
    const row = this.order[cell.row];
    const column = this.#columns[cell.column];
    if (row === undefined || column === undefined) return;
    const linked: CellTarget | null = address === null ? null : { kind: 'address', chain: this.chain, address };
    const target = linked ?? (isLink ? this.#getTarget(row, column) : null);
    if (target !== null) {
      event.preventDefault();
      event.stopPropagation();
      this.#dispatch('grid-open', { target, side: event.ctrlKey || event.metaKey });
      return;
    }
    const isAdded = event.ctrlKey || event.metaKey;
    if (event.shiftKey) this.#selectRange(cell.row, isAdded);
    else this.#select(cell.row, isAdded);
    this.focusCell(cell);
    if (!event.shiftKey && !event.ctrlKey && !event.metaKey) this.#dispatch('grid-details', { row });
  }

  /** Tooltips are made when the pointer arrives: making them for all visible rows would cost frames. */
  #handlePointerOver(event: PointerEvent): void {
    const [element] = event.composedPath();
    const gridcell = element instanceof Element ? element.closest<HTMLElement>('[role=gridcell]') : null;
    const cell = findClickedCell(event)?.cell;
    const column = cell === undefined ? undefined : this.#columns[cell.column];
    if (gridcell === null || cell === undefined || column === undefined) return;
    const row = this.rows[this.order[cell.row] ?? -1] ?? [];
    gridcell.title = formatCellTooltip(column, this.allColumns, row, this.format);
  }

  #handleContextMenu(event: MouseEvent): void {
    const clicked = findClickedCell(event);
    const row = clicked === null ? undefined : this.order[clicked.cell.row];
    if (clicked === null || row === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this.activeCell = clicked.cell;
    this.#openMenu(row, clicked.cell.column, event.clientX, event.clientY);
  }

  #renderHeaderCell(column: TableColumn, index: number): TemplateResult {
    const { sort } = this;
    const isSorted = sort?.column === column.key;
    const direction = !isSorted ? 'none' : sort.descending ? 'descending' : 'ascending';
    const arrow = isSorted
      ? html`<span class="arrow" aria-hidden="true">${sort.descending ? '↓' : '↑'}</span>`
      : nothing;
    const isActive = this.activeCell.row === -1 && this.activeCell.column === index;
    return html`<div role="columnheader" class=${`c${index}${isNumericColumn(column) ? ' number' : ''}`} aria-colindex=${index + 1}
        aria-sort=${direction} tabindex=${isActive ? 0 : -1} title=${t('Sort by {0}', column.label)}
        @click=${() => {
          this.activeCell = { row: -1, column: index };
          this.#toggleSort(column);
        }}><span class="name">${column.label}</span>${arrow}<span class="handle" @click=${(event: Event) => event.stopPropagation()}
        @pointerdown=${(event: PointerEvent) =>
          trackColumnResize(
            event,
            width => this.#resizeColumn(column, width),
            () => this.#dispatch('grid-resize', this.draggedWidths),
          )}></span></div>`;
  }

  override render(): TemplateResult {
    return html`<div class="scroll" role="grid" aria-label=${this.label} aria-rowcount=${this.order.length + 1}
      aria-colcount=${this.#columns.length} aria-multiselectable="true" @scroll=${this.#renderRows} @scrollend=${this.#handleScrollEnd}
      @keydown=${this.#handleKey} @click=${this.#handleClick} @pointerover=${this.#handlePointerOver} @contextmenu=${this.#handleContextMenu}>
      <div role="rowgroup" class="top"><div class="head" role="row" aria-rowindex="1">
        ${this.#columns.map((column, index) => this.#renderHeaderCell(column, index))}
      </div></div>
      <div role="rowgroup" class="body" .style=${`height:${this.order.length * ROW_HEIGHT}px`}></div>
    </div>`;
  }
}

customElements.define('hl-grid', Grid);
