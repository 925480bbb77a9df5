// The rows of a grid that are in the document: few elements, filled anew as others come into sight.
import type { TableCell, TableColumn, TableRow } from '../../../protocol/table.ts';
import {
  type CellShape,
  type FormatContext,
  formatCell,
  getCellClass,
  getCellShape,
  getStatusClass,
} from '../rows/cellFormat.ts';
import { getCellTarget } from '../rows/cellTarget.ts';
import { getRowUnit } from '../rows/tokenAmount.ts';
import { type GridCell, ROW_HEIGHT, type RowWindow } from './rowWindow.ts';

/** What the rows say; whenever any of it is another one, all rows in the document are filled anew. */
export interface GridContent {
  readonly columns: readonly TableColumn[];
  readonly allColumns: readonly TableColumn[];
  readonly rows: readonly TableRow[];
  readonly order: readonly number[];
  readonly context: FormatContext;
  readonly chain: string;
}

/** How they stand: the part that changes with every scroll and key. */
export interface GridViewport {
  readonly window: RowWindow;
  readonly activeCell: GridCell;
  readonly selected: ReadonlySet<number>;
}

export interface RowPool {
  draw(content: GridContent, stance: GridViewport): void;
}

interface CellSlot {
  readonly element: HTMLElement;
  shape: CellShape;
  /** Whose text is the cell's; `null` in an empty cell. */
  text: Text | null;
  shown: string;
  look: string;
}

interface RowSlot {
  readonly element: HTMLElement;
  readonly cells: readonly CellSlot[];
  look: string;
}

const element = (name: string, className: string): HTMLElement => {
  const made = document.createElement(name);
  made.className = className;
  return made;
};

/** Elements of one shape of cell, without a template: thousands are filled in a second of scrolling. */
function reshape(slot: CellSlot, shape: CellShape): void {
  slot.shape = shape;
  slot.shown = '';
  const text = document.createTextNode('');
  slot.text = shape === 'empty' ? null : text;
  if (shape === 'empty') slot.element.replaceChildren();
  else if (shape === 'plain') slot.element.replaceChildren(text);
  else if (shape === 'link') {
    const link = element('a', '');
    link.setAttribute('href', '#');
    link.tabIndex = -1;
    link.append(text);
    slot.element.replaceChildren(link);
  } else {
    const chip = element('span', 'chip method');
    if (shape === 'status') chip.append(element('span', 'dot'));
    chip.append(text);
    slot.element.replaceChildren(chip);
  }
}

/** Row and column of whatever was clicked, and whether it was a link. */
export function findClickedCell(event: Event): { readonly place: GridCell; readonly link: boolean } | null {
  const [element] = event.composedPath();
  if (!(element instanceof Element)) return null;
  const cell = element.closest<HTMLElement>('[data-column]');
  const row = element.closest<HTMLElement>('[data-row]');
  if (cell === null || row === null) return null;
  const place = { row: Number(row.dataset['row']), column: Number(cell.dataset['column']) };
  return { place, link: element.closest('a') !== null };
}

/** `body` belongs to the pool: nobody else puts anything into it. */
export function createRowPool(body: HTMLElement): RowPool {
  let slots = new Map<number, RowSlot>();
  let spare: RowSlot[] = [];
  let content: GridContent | null = null;
  let positions: readonly number[] = [];
  let active: HTMLElement | null = null;

  function makeRow(columns: readonly TableColumn[]): RowSlot {
    const row = element('div', 'row');
    row.setAttribute('role', 'row');
    const cells = columns.map((_, at): CellSlot => {
      const cell = element('div', '');
      cell.setAttribute('role', 'gridcell');
      cell.setAttribute('aria-colindex', String(at + 1));
      cell.dataset['column'] = String(at);
      return { element: cell, shape: 'empty', text: null, shown: '', look: '' };
    });
    row.append(...cells.map(cell => cell.element));
    body.append(row);
    return { element: row, cells, look: '' };
  }

  function fillCell(
    slot: CellSlot,
    column: TableColumn,
    at: number,
    cell: TableCell,
    row: TableRow,
    { allColumns, chain, context }: GridContent,
  ) {
    const unit = column.kind === 'tokenAmount' ? getRowUnit(allColumns, row, context.units) : null;
    const text = cell === null && column.kind !== 'status' ? '' : formatCell(column, cell, context, unit);
    const linked = getCellTarget(column, cell, chain, allColumns, row) !== null;
    const shape = getCellShape(column, cell, linked);
    if (shape !== slot.shape) reshape(slot, shape);
    if (slot.text !== null && slot.shown !== text) slot.text.data = text;
    slot.shown = text;
    if (shape === 'status' && slot.element.firstElementChild !== null)
      slot.element.firstElementChild.className = `chip ${getStatusClass(cell)}`;
    const look = `${getCellClass(column, text)} c${at}`;
    if (slot.look !== look) slot.element.className = look;
    slot.look = look;
    // Of another row: made when the pointer comes by.
    if (slot.element.title !== '') slot.element.removeAttribute('title');
  }

  function fill(slot: RowSlot, at: number, filled: GridContent): void {
    const row = filled.rows[filled.order[at] ?? -1] ?? [];
    filled.columns.forEach((column, index) => {
      const cell = slot.cells[index];
      if (cell !== undefined) fillCell(cell, column, index, row[positions[index] ?? -1] ?? null, row, filled);
    });
  }

  function place(slot: RowSlot, at: number): void {
    slot.element.style.transform = `translateY(${at * ROW_HEIGHT}px)`;
    slot.element.dataset['row'] = String(at);
    slot.element.setAttribute('aria-rowindex', String(at + 2));
  }

  function mark(slot: RowSlot, at: number, selected: boolean, isActive: boolean): void {
    const look = `row${selected ? ' selected' : ''}${isActive ? ' active' : ''}${at % 2 === 1 ? ' odd' : ''}`;
    if (slot.look === look) return;
    slot.look = look;
    slot.element.className = look;
    slot.element.setAttribute('aria-selected', String(selected));
  }

  return {
    draw(next, { window: { start, end }, activeCell: at, selected }) {
      const stale =
        content === null || (Object.keys(next) as (keyof GridContent)[]).some(key => next[key] !== content?.[key]);
      if (content?.columns !== next.columns) {
        body.replaceChildren();
        slots = new Map();
        spare = [];
        active = null;
      }
      content = next;
      if (stale) positions = next.columns.map(column => next.allColumns.indexOf(column));
      const isWanted = (row: number) => row < next.order.length && ((row >= start && row < end) || row === at.row);
      // The row with the focus keeps its element wherever it is, so that scrolling and new rows never take the focus away.
      for (const [row, slot] of slots) {
        if (isWanted(row)) continue;
        slots.delete(row);
        spare.push(slot);
      }
      const show = (row: number) => {
        let slot = slots.get(row);
        if (slot === undefined || stale) {
          if (slot === undefined) {
            slot = spare.pop() ?? makeRow(next.columns);
            slots.set(row, slot);
            place(slot, row);
          }
          fill(slot, row, next);
        }
        mark(slot, row, selected.has(next.order[row] ?? -1), row === at.row);
      };
      for (let row = start; row < end; row++) show(row);
      if (at.row >= 0 && isWanted(at.row)) show(at.row);
      for (const slot of spare) slot.element.remove();
      spare = [];
      const cell = slots.get(at.row)?.cells[at.column]?.element ?? null;
      if (active !== cell) active?.removeAttribute('tabindex');
      active = cell;
      if (cell !== null) cell.tabIndex = 0;
    },
  };
}
