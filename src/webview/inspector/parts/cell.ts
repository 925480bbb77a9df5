// One cell as it is drawn: text of the chain only ever as text, links where it leads somewhere.
import { html, nothing, type TemplateResult } from 'lit';
import type { Cell, Column } from '../../../panels/table.ts';
import type { InspectorTarget } from '../../../panels/target.ts';
import { isMono, isNumeric } from '../rows/format.ts';

/** `ok`, `bad` or `wait`. */
export const statusClass = (status: Cell): string => (status === null ? 'wait' : status === 1 ? 'ok' : 'bad');

/** Names that stand for hex are words, not code. */
export function cellClass(column: Column, text: string): string {
  if (isNumeric(column)) return 'cell number mono';
  return isMono(column) && /^[\d<-]/.test(text) ? 'cell mono' : 'cell';
}

/** What a cell holds, without its frame. Clicks are the frame's business. */
export function cellContent(
  { kind }: Column,
  cell: Cell,
  text: string,
  target: InspectorTarget | null,
): TemplateResult | typeof nothing | string {
  if (kind === 'status') return html`<span class="chip ${statusClass(cell)}"><span class="dot"></span>${text}</span>`;
  if (cell === null) return nothing;
  if (kind === 'method') return html`<span class="chip method">${text}</span>`;
  return target === null ? text : html`<a href="#" tabindex="-1">${text}</a>`;
}
