// What a grid tells the table around it.
import type { InspectorTarget } from '../../../protocol/inspectorTarget.ts';
import type { SortOrder } from '../rows/rowOrder.ts';
import type { Grid } from './grid.ts';

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
