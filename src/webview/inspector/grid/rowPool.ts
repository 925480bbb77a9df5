// The row elements of a grid: few of them, refilled as other rows become visible.
import { parseLinkedText } from '../../../protocol/linkedText.ts';
import { getRowUnit } from '../../../protocol/rowUnits.ts';
import type { TableCell, TableColumn, TableRow } from '../../../protocol/table.ts';
import {
  type CellShape,
  type FormatContext,
  formatCell,
  getCellClass,
  getCellShape,
  getStatusClass,
  toVisibleText,
} from '../rows/cellFormat.ts';
import { getCellTarget } from '../rows/cellTarget.ts';
import type { GridCell } from './gridNavigation.ts';
import { ROW_HEIGHT, type RowWindow } from './rowWindow.ts';

/** What the rows show: when any member is another object, all row elements are refilled. */
export interface GridContent {
  readonly columns: readonly TableColumn[];
  readonly allColumns: readonly TableColumn[];
  readonly rows: readonly TableRow[];
  readonly order: readonly number[];
  readonly format: FormatContext;
  readonly chain: string;
}

/** What changes with every scroll and key. */
export interface GridViewport {
  readonly window: RowWindow;
  readonly activeCell: GridCell;
  /** Indexes into `GridContent.rows`. */
  readonly selectedRows: ReadonlySet<number>;
}

/** More is in the details. */
const MAX_LINE_LENGTH = 600;

interface CellSlot {
  readonly element: HTMLElement;
  shape: CellShape;
  /** The text node; `null` in an empty cell. */
  text: Text | null;
  content: string;
  className: string;
}

interface RowSlot {
  readonly element: HTMLElement;
  readonly cells: readonly CellSlot[];
  className: string;
}

const createElement = (name: string, className: string): HTMLElement => {
  const element = document.createElement(name);
  element.className = className;
  return element;
};

/** Creates a cell's elements without a template: scrolling fills thousands of cells a second. */
function setShape(slot: CellSlot, shape: CellShape): void {
  slot.shape = shape;
  slot.content = '';
  const text = document.createTextNode('');
  slot.text = shape === 'empty' || shape === 'links' ? null : text;
  if (shape === 'empty' || shape === 'links') slot.element.replaceChildren();
  else if (shape === 'plain') slot.element.replaceChildren(text);
  else if (shape === 'link') {
    const link = createElement('a', '');
    link.setAttribute('href', '#');
    link.tabIndex = -1;
    link.append(text);
    slot.element.replaceChildren(link);
  } else {
    const chip = createElement('span', 'chip method');
    if (shape === 'status') chip.append(createElement('span', 'dot'));
    chip.append(text);
    slot.element.replaceChildren(chip);
  }
}

/** A line in which each address is a link of its own. */
function createLinkedParts(line: string): readonly Node[] {
  return parseLinkedText(line.slice(0, MAX_LINE_LENGTH)).map(({ text, address }) => {
    const shown = document.createTextNode(toVisibleText(text).replace(/\s/g, ' '));
    if (address === null) return shown;
    const link = createElement('a', '');
    link.setAttribute('href', '#');
    link.tabIndex = -1;
    link.dataset['address'] = address;
    link.append(shown);
    return link;
  });
}

export interface ClickedCell {
  readonly cell: GridCell;
  readonly isLink: boolean;
  /** Of a link in a line of text. */
  readonly address: string | null;
}

/** The cell of an event; `isLink` when its link was the target. */
export function findClickedCell(event: Event): ClickedCell | null {
  const [element] = event.composedPath();
  if (!(element instanceof Element)) return null;
  const column = element.closest<HTMLElement>('[data-column]');
  const row = element.closest<HTMLElement>('[data-row]');
  if (column === null || row === null) return null;
  const cell = { row: Number(row.dataset['row']), column: Number(column.dataset['column']) };
  const link = element.closest('a');
  return { cell, isLink: link !== null, address: link?.dataset['address'] ?? null };
}

function fillCell(
  slot: CellSlot,
  column: TableColumn,
  index: number,
  cell: TableCell,
  row: TableRow,
  { allColumns, chain, format }: GridContent,
) {
  const unit = column.kind === 'tokenAmount' ? getRowUnit(allColumns, row, format.units) : null;
  const text = cell === null && column.kind !== 'status' ? '' : formatCell(column, cell, format, unit);
  const isLinked = getCellTarget(column, cell, chain, allColumns, row) !== null;
  const shape = getCellShape(column, cell, isLinked);
  if (shape !== slot.shape) setShape(slot, shape);
  if (slot.text !== null && slot.content !== text) slot.text.data = text;
  if (shape === 'links' && slot.content !== String(cell))
    slot.element.replaceChildren(...createLinkedParts(String(cell)));
  slot.content = shape === 'links' ? String(cell) : text;
  if (shape === 'status' && slot.element.firstElementChild !== null)
    slot.element.firstElementChild.className = `chip ${getStatusClass(cell)}`;
  const className = `${getCellClass(column, text)} c${index}`;
  if (slot.className !== className) slot.element.className = className;
  slot.className = className;
  // The tooltip of another row; the grid makes one when the pointer arrives.
  if (slot.element.title !== '') slot.element.removeAttribute('title');
}

function setPosition(slot: RowSlot, position: number): void {
  slot.element.style.transform = `translateY(${position * ROW_HEIGHT}px)`;
  slot.element.dataset['row'] = String(position);
  slot.element.setAttribute('aria-rowindex', String(position + 2));
}

function setRowState(slot: RowSlot, position: number, isSelected: boolean, isActive: boolean): void {
  const className = `row${isSelected ? ' selected' : ''}${isActive ? ' active' : ''}${position % 2 === 1 ? ' odd' : ''}`;
  if (slot.className === className) return;
  slot.className = className;
  slot.element.className = className;
  slot.element.setAttribute('aria-selected', String(isSelected));
}

export class RowPool {
  /** Only the pool changes its children. */
  readonly #body: HTMLElement;
  /** The elements that show a row, by its position. */
  #slots = new Map<number, RowSlot>();
  /** Elements of rows that are not visible any more. */
  #unused: RowSlot[] = [];
  /** What the elements were filled from. */
  #content: GridContent | null = null;
  /** Of each shown column, its index in `allColumns`. */
  #cellIndexes: readonly number[] = [];
  /** The cell that takes the focus by the Tab key. */
  #activeElement: HTMLElement | null = null;

  constructor(body: HTMLElement) {
    this.#body = body;
  }

  render(next: GridContent, { window: { start, end }, activeCell, selectedRows }: GridViewport): void {
    const isStale =
      this.#content === null ||
      (Object.keys(next) as (keyof GridContent)[]).some(key => next[key] !== this.#content?.[key]);
    if (this.#content?.columns !== next.columns) {
      this.#body.replaceChildren();
      this.#slots = new Map();
      this.#unused = [];
      this.#activeElement = null;
    }
    this.#content = next;
    if (isStale) this.#cellIndexes = next.columns.map(column => next.allColumns.indexOf(column));
    const isWanted = (row: number) =>
      row < next.order.length && ((row >= start && row < end) || row === activeCell.row);
    // The row with the focus keeps its element even when it is not visible, so that the focus is never lost.
    for (const [row, slot] of this.#slots) {
      if (isWanted(row)) continue;
      this.#slots.delete(row);
      this.#unused.push(slot);
    }
    const show = (row: number) => {
      const slot = this.#getSlot(row, next, isStale);
      setRowState(slot, row, selectedRows.has(next.order[row] ?? -1), row === activeCell.row);
    };
    for (let row = start; row < end; row++) show(row);
    if (activeCell.row >= 0 && isWanted(activeCell.row)) show(activeCell.row);
    for (const slot of this.#unused) slot.element.remove();
    this.#unused = [];
    const cell = this.#slots.get(activeCell.row)?.cells[activeCell.column]?.element ?? null;
    if (this.#activeElement !== cell) this.#activeElement?.removeAttribute('tabindex');
    this.#activeElement = cell;
    if (cell !== null) cell.tabIndex = 0;
  }

  /** The element that shows a row, filled. */
  #getSlot(row: number, content: GridContent, isStale: boolean): RowSlot {
    const shown = this.#slots.get(row);
    if (shown !== undefined && !isStale) return shown;
    const slot = shown ?? this.#unused.pop() ?? this.#createRow(content.columns);
    if (shown === undefined) {
      this.#slots.set(row, slot);
      setPosition(slot, row);
    }
    this.#fill(slot, row, content);
    return slot;
  }

  #createRow(columns: readonly TableColumn[]): RowSlot {
    const row = createElement('div', 'row');
    row.setAttribute('role', 'row');
    const cells = columns.map((_, index): CellSlot => {
      const cell = createElement('div', '');
      cell.setAttribute('role', 'gridcell');
      cell.setAttribute('aria-colindex', String(index + 1));
      cell.dataset['column'] = String(index);
      return { element: cell, shape: 'empty', text: null, content: '', className: '' };
    });
    row.append(...cells.map(cell => cell.element));
    this.#body.append(row);
    return { element: row, cells, className: '' };
  }

  #fill(slot: RowSlot, position: number, filled: GridContent): void {
    const row = filled.rows[filled.order[position] ?? -1] ?? [];
    filled.columns.forEach((column, index) => {
      const cell = slot.cells[index];
      if (cell !== undefined) fillCell(cell, column, index, row[this.#cellIndexes[index] ?? -1] ?? null, row, filled);
    });
  }
}
