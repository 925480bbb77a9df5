// The header of a grid: names to sort by, edges to drag.
import { html, nothing, type TemplateResult } from 'lit';
import { t } from '../../../base/localize.ts';
import type { TableColumn } from '../../../protocol/table.ts';
import { isNumericColumn } from '../rows/cellFormat.ts';

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
