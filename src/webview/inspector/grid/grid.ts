// A grid of rows of one height that draws only what is in sight; everything in it can be reached by keyboard.

import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { t } from '../../../base/localize.ts';
import type { InspectorTarget } from '../../../protocol/inspectorTarget.ts';
import type { TableColumn, TableRow } from '../../../protocol/table.ts';
import { isAnythingFocused } from '../focusGuard.ts';
import { type FormatContext, formatCellTooltip, isNumericColumn } from '../rows/cellFormat.ts';
import { getCellTarget } from '../rows/cellTarget.ts';
import { type SortOrder, toggleSort } from '../rows/rowOrder.ts';
import { baseStyles } from '../styles.ts';
import { addAmountWidths, createColumnCss, getColumnWidths } from './columnWidths.ts';
import { createRowPool, findClickedCell, type RowPool } from './rowPool.ts';
import { type GridCell, getRowWindow, getScrollLeft, getScrollTop, moveCell, ROW_HEIGHT } from './rowWindow.ts';

// The header of a grid: names to sort by, edges to drag.
export interface GridHeaderOptions {
  readonly columns: readonly TableColumn[];
  readonly sorted: TableColumn | undefined;
  readonly descending: boolean;
  /** The column that has the focus; -1 while a row has it. */
  readonly active: number;
  onSort(column: TableColumn, at: number): void;
  onResizeStart(event: PointerEvent, column: TableColumn): void;
}

/** Follows a pointer that took an edge, and tells the width that its column should have. */
export function trackColumnResize(event: PointerEvent, resize: (width: number) => void): void {
  event.preventDefault();
  event.stopPropagation();
  const handle = event.currentTarget as HTMLElement; // the edge itself, which listens
  const from = handle.parentElement?.getBoundingClientRect().width ?? 0;
  handle.setPointerCapture(event.pointerId);
  const move = (next: PointerEvent) => resize(from + next.clientX - event.clientX);
  handle.addEventListener('pointermove', move);
  handle.addEventListener('pointerup', () => handle.removeEventListener('pointermove', move), { once: true });
}

export function renderGridHeader({
  columns,
  sorted,
  descending,
  active,
  onSort: choose,
  onResizeStart: startResize,
}: GridHeaderOptions): TemplateResult {
  return html`<div class="head" role="row" aria-rowindex="1">
    ${columns.map((column, at) => {
      const direction = sorted !== column ? 'none' : descending ? 'descending' : 'ascending';
      return html`<div role="columnheader" class=${`c${at}${isNumericColumn(column) ? ' number' : ''}`} aria-colindex=${at + 1}
        aria-sort=${direction} tabindex=${active === at ? 0 : -1} title=${t('Sort by {0}', column.label)}
        @click=${() => choose(column, at)}><span class="name">${column.label}</span>${
          sorted === column ? html`<span class="arrow" aria-hidden="true">${descending ? '↓' : '↑'}</span>` : nothing
        }<span class="handle" @click=${(event: Event) => event.stopPropagation()}
        @pointerdown=${(event: PointerEvent) => startResize(event, column)}></span></div>`;
    })}
  </div>`;
}

// What the grid looks like: the list colours of the theme, a header that stays.
export const gridStyles = css`
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
  /* Rows and cells have sizes of their own: filling one never lays out another. Cells are neither positioned nor
     scrollable: a layer for each of them was a quarter of the work of a frame. */
  .cell { flex: none; contain: layout size style; padding: 0 10px; line-height: 26px; height: 26px; white-space: nowrap; overflow: clip; text-overflow: ellipsis; }
  /* Also after a click: Ctrl and a key would otherwise lead to a cell that does not show it. */
  .cell:focus { outline: 1px solid var(--vscode-focusBorder); outline-offset: -1px; }
  .cell.number { text-align: right; }
  .cell .chip { vertical-align: middle; }
`;

// What a grid tells the table around it.
/** What a grid tells the table around it, as `detail` of an event of the same name. */
export interface GridEvents {
  'grid-sort': SortOrder | null;
  /** Indexes into `rows`; `row` is the one that was acted on. */
  'grid-select': { readonly row: number; readonly selected: ReadonlySet<number> };
  'grid-open': { readonly target: InspectorTarget; readonly side: boolean };
  'grid-details': { readonly row: number };
  'grid-menu': { readonly row: number; readonly column: number; readonly x: number; readonly y: number };
  'grid-copy': { readonly row: number; readonly column: number };
}

declare global {
  interface HTMLElementTagNameMap {
    'hl-grid': Grid;
  }
}

const HEAD = 28;
const LEAST_WIDTH = 48;
const SETTLE_MS = 60;

export class Grid extends LitElement {
  static override styles = [baseStyles, gridStyles];
  static override properties = {
    columns: { attribute: false },
    allColumns: { attribute: false },
    rows: { attribute: false },
    order: { attribute: false },
    context: { attribute: false },
    chain: {},
    label: {},
    sort: { attribute: false },
    selected: { attribute: false },
    place: { state: true },
    height: { state: true },
    room: { state: true },
    widths: { state: true },
  };
  /** Those that are shown; `at` of a sort and cells of rows count in `allColumns`. */
  declare columns: readonly TableColumn[];
  declare allColumns: readonly TableColumn[];
  declare rows: readonly TableRow[];
  declare order: readonly number[];
  declare context: FormatContext;
  declare chain: string;
  declare label: string;
  declare sort: SortOrder | null;
  declare selected: ReadonlySet<number>;
  declare place: GridCell;
  declare height: number;
  declare room: number;
  declare widths: ReadonlyMap<string, number>;
  #observer: ResizeObserver | undefined;
  #takeFocus = false;
  #hadFocus = false;
  #drawnTop = 0;
  #settling: ReturnType<typeof setTimeout> | undefined;
  #pool: RowPool | undefined;
  #rules = '';
  readonly #places = new CSSStyleSheet();
  readonly #given = () => addAmountWidths(this.widths, this.allColumns, this.rows);

  constructor() {
    super();
    this.columns = [];
    this.allColumns = [];
    this.rows = [];
    this.order = [];
    this.chain = '';
    this.label = '';
    this.sort = null;
    this.selected = new Set();
    this.place = { row: -1, column: 0 };
    this.height = 400;
    this.room = 0;
    this.widths = new Map();
  }

  get #scroller(): HTMLElement | null {
    return this.renderRoot.querySelector('.scroll');
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#observer = new ResizeObserver(([entry]) => {
      if (entry === undefined) return;
      this.height = entry.contentRect.height;
      this.room = this.#scroller?.clientWidth ?? 0;
    });
    this.#observer.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#observer?.disconnect();
    clearTimeout(this.#settling);
  }

  #tell<K extends keyof GridEvents>(name: K, detail: GridEvents[K]): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }

  override willUpdate(changed: PropertyValues<this>): void {
    this.#hadFocus = isAnythingFocused();
    if (changed.has('order') || changed.has('columns')) {
      const row = Math.min(this.place.row, this.order.length - 1);
      const column = Math.min(this.place.column, Math.max(0, this.columns.length - 1));
      if (row !== this.place.row || column !== this.place.column) this.place = { row, column };
    }
  }

  /** Where columns stand is the grid's own sheet: one rule per column moves the cells of all rows. */
  #placeColumns(): void {
    const rules = createColumnCss(this.columns, this.#given(), this.room);
    if (rules === this.#rules) return;
    this.#rules = rules;
    this.#places.replaceSync(rules);
  }

  override createRenderRoot(): HTMLElement | DocumentFragment {
    const root = super.createRenderRoot();
    if (root instanceof ShadowRoot) root.adoptedStyleSheets.push(this.#places);
    return root;
  }

  #draw(): void {
    const body = this.renderRoot.querySelector<HTMLElement>('.body');
    if (body === null) return;
    this.#pool ??= createRowPool(body);
    const { columns, allColumns, rows, order, context, chain, place, selected } = this;
    const top = this.#scroller?.scrollTop ?? 0;
    // After a jump no row can be used again: those in sight first, the others once the jumping is over.
    const jumped = Math.abs(top - this.#drawnTop) > this.height;
    this.#drawnTop = top;
    clearTimeout(this.#settling);
    if (jumped) this.#settling = setTimeout(() => this.#draw(), SETTLE_MS);
    const window = getRowWindow(top, this.height, order.length, jumped ? 0 : undefined);
    this.#pool.draw({ columns, allColumns, rows, order, context, chain }, { window, activeCell: place, selected });
  }

  override updated(): void {
    this.#placeColumns();
    this.#draw();
    // Its cell may be gone with its columns or its row.
    if (!this.#takeFocus && !(this.#hadFocus && !isAnythingFocused())) return;
    this.#takeFocus = false;
    this.renderRoot.querySelector<HTMLElement>('[tabindex="0"]')?.focus({ preventScroll: true });
  }

  /** Goes to a cell, brings it into sight and gives it the focus. */
  goTo(place: GridCell): void {
    this.place = place;
    const scroller = this.#scroller;
    if (scroller !== null) {
      const { scrollTop, scrollLeft, clientHeight, clientWidth } = scroller;
      if (place.row >= 0) scroller.scrollTop = getScrollTop(place.row, scrollTop, clientHeight, HEAD);
      const widths = getColumnWidths(this.columns, this.#given(), this.room);
      scroller.scrollLeft = getScrollLeft(widths, place.column, scrollLeft, clientWidth);
    }
    this.#takeFocus = true;
    this.requestUpdate();
  }

  #targetAt(row: number, column: TableColumn): InspectorTarget | null {
    const cells = this.rows[row] ?? [];
    return getCellTarget(column, cells[this.allColumns.indexOf(column)], this.chain, this.allColumns, cells);
  }

  #onKey(event: KeyboardEvent): void {
    const { key, shiftKey } = event;
    const ctrl = event.ctrlKey || event.metaKey;
    const page = Math.max(1, Math.floor(this.height / ROW_HEIGHT) - 2);
    const column = this.columns[this.place.column];
    if (this.place.row === -1 && shiftKey && (key === 'ArrowLeft' || key === 'ArrowRight') && column !== undefined) {
      event.preventDefault();
      const width = getColumnWidths(this.columns, this.#given(), this.room)[this.place.column] ?? LEAST_WIDTH;
      this.#resize(column, width + (key === 'ArrowLeft' ? -16 : 16));
      return;
    }
    const next = moveCell(this.place, key, ctrl, this.order.length, this.columns.length, page);
    if (next !== null) {
      event.preventDefault();
      if (shiftKey && this.place.row >= 0) this.#select(next.row, true);
      this.goTo(next);
      return;
    }
    const row = this.order[this.place.row];
    if (key === 'Enter' && column !== undefined) {
      event.preventDefault();
      const target = row === undefined || event.altKey ? null : this.#targetAt(row, column);
      if (row === undefined) this.#toggleSort(column);
      else if (target !== null) this.#tell('grid-open', { target, side: ctrl });
      else this.#tell('grid-details', { row });
    } else if (key === ' ' && row !== undefined) {
      event.preventDefault();
      this.#select(this.place.row, false, true);
    } else if (key === 'a' && ctrl) {
      event.preventDefault();
      this.#tell('grid-select', { row: row ?? 0, selected: new Set(this.order) });
    } else if (key === 'c' && ctrl && row !== undefined && column !== undefined) {
      event.preventDefault();
      this.#tell('grid-copy', { row, column: this.allColumns.indexOf(column) });
    } else if ((key === 'ContextMenu' || (key === 'F10' && shiftKey)) && row !== undefined) {
      event.preventDefault();
      const box = this.renderRoot.querySelector('[tabindex="0"]')?.getBoundingClientRect();
      this.#menu(row, this.place.column, box?.left ?? 0, box?.bottom ?? 0);
    }
  }

  #menu(row: number, column: number, x: number, y: number): void {
    const shown = this.columns[column];
    if (shown !== undefined) this.#tell('grid-menu', { row, column: this.allColumns.indexOf(shown), x, y });
  }

  #select(at: number, extend: boolean, toggle = false): void {
    const row = this.order[at];
    if (row === undefined) return;
    const selected = new Set(extend || toggle ? this.selected : []);
    if (toggle && selected.has(row)) selected.delete(row);
    else selected.add(row);
    if (extend) {
      const here = this.order[this.place.row];
      if (here !== undefined) selected.add(here);
    }
    this.#tell('grid-select', { row, selected });
  }

  #toggleSort(column: TableColumn): void {
    const next = toggleSort(this.sort, this.allColumns.indexOf(column), isNumericColumn(column));
    this.#tell('grid-sort', next);
  }

  #resize(column: TableColumn, width: number): void {
    this.widths = new Map(this.widths).set(column.key, Math.max(LEAST_WIDTH, Math.min(1_200, width)));
  }

  #onClick(event: MouseEvent): void {
    const clicked = findClickedCell(event);
    if (clicked === null) return;
    const { place, link } = clicked;
    const row = this.order[place.row];
    const column = this.columns[place.column];
    if (row === undefined || column === undefined) return;
    const target = link ? this.#targetAt(row, column) : null;
    if (target !== null) {
      event.preventDefault();
      event.stopPropagation();
      this.#tell('grid-open', { target, side: event.ctrlKey || event.metaKey });
      return;
    }
    this.#select(place.row, event.shiftKey, event.ctrlKey || event.metaKey);
    this.goTo(place);
    if (!event.shiftKey && !event.ctrlKey && !event.metaKey) this.#tell('grid-details', { row });
  }

  /** All that there is to say of a cell, made when the pointer comes by: for every row in sight it would cost frames. */
  #onPointerOver(event: PointerEvent): void {
    const [element] = event.composedPath();
    const over = element instanceof Element ? element.closest<HTMLElement>('[role=gridcell]') : null;
    const place = findClickedCell(event)?.place;
    const column = place === undefined ? undefined : this.columns[place.column];
    if (over === null || place === undefined || column === undefined) return;
    over.title = formatCellTooltip(column, this.allColumns, this.rows[this.order[place.row] ?? -1] ?? [], this.context);
  }

  #onContextMenu(event: MouseEvent): void {
    const clicked = findClickedCell(event);
    const row = clicked === null ? undefined : this.order[clicked.place.row];
    if (clicked === null || row === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this.place = clicked.place;
    this.#menu(row, clicked.place.column, event.clientX, event.clientY);
  }

  #renderHead(): TemplateResult {
    return renderGridHeader({
      columns: this.columns,
      sorted: this.sort === null ? undefined : this.allColumns[this.sort.columnIndex],
      descending: this.sort?.descending ?? false,
      active: this.place.row === -1 ? this.place.column : -1,
      onSort: (column, at) => {
        this.place = { row: -1, column: at };
        this.#toggleSort(column);
      },
      onResizeStart: (event, column) => trackColumnResize(event, width => this.#resize(column, width)),
    });
  }

  override render(): TemplateResult {
    return html`<div class="scroll" role="grid" aria-label=${this.label} aria-rowcount=${this.order.length + 1}
      aria-colcount=${this.columns.length} aria-multiselectable="true" @scroll=${this.#draw}
      @keydown=${this.#onKey} @click=${this.#onClick} @pointerover=${this.#onPointerOver} @contextmenu=${this.#onContextMenu}>
      <div role="rowgroup" class="top">${this.#renderHead()}</div>
      <div role="rowgroup" class="body" .style=${`height:${this.order.length * ROW_HEIGHT}px`}></div>
    </div>`;
  }
}

customElements.define('hl-grid', Grid);
