// One cell as it is drawn: text of the chain only ever as text, links where it leads somewhere.
import { html, nothing, type TemplateResult } from 'lit';
import type { Cell, Column } from '../../../panels/table.ts';
import type { InspectorTarget } from '../../../panels/target.ts';
import { cellText, type FormatContext, fullText } from '../rows/format.ts';

/** `ok`, `bad` or `wait`. */
export const statusClass = (status: Cell): string => (status === null ? 'wait' : status === 1 ? 'ok' : 'bad');

/** What a cell holds, without its frame. Clicks are the frame's business. */
export function cellContent(
  column: Column,
  cell: Cell,
  context: FormatContext,
  target: InspectorTarget | null,
): TemplateResult | typeof nothing | string {
  if (cell === null && column.kind !== 'status') return nothing;
  const text = cellText(column, cell, context);
  if (column.kind === 'status')
    return html`<span class="chip ${statusClass(cell)}"><span class="dot"></span>${text}</span>`;
  if (column.kind === 'method') return html`<span class="chip method">${text}</span>`;
  if (target !== null) return html`<a href="#" tabindex="-1">${text}</a>`;
  return text;
}

export const cellTitle = (column: Column, cell: Cell, context: FormatContext): string =>
  fullText(column, cell, context);
