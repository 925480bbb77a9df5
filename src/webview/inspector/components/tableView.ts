// A table with its filter, counts, details and copies around the grid.

import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { formatInteger } from '../../../base/formatUnits.ts';
import { t } from '../../../base/localize.ts';
import type { HexNames } from '../../../protocol/hexNames.ts';
import type { InspectorTarget } from '../../../protocol/inspectorTarget.ts';
import { encodeJson, type TableColumn, type TableRow } from '../../../protocol/table.ts';
import { compileRowFilter } from '../../../view/table/rowFilter.ts';
import { AmountUnitsController } from '../amountUnitsController.ts';
import type { GridEvents } from '../grid/grid.ts';
import type { PageContext } from '../pageContext.ts';
import type { LoadedTable } from '../replyCollector.ts';
import { type FormatContext, formatCellForClipboard } from '../rows/cellFormat.ts';
import { toJsonText, toTabSeparated } from '../rows/clipboardText.ts';
import { filterAndSortRows, type SortOrder } from '../rows/rowOrder.ts';
import {
  createCondition,
  createSearchableRows,
  precomputeSearchTexts,
  type SearchableRows,
} from '../rows/searchableRows.ts';
import { getContractsWithAmounts, getRowUnit } from '../rows/tokenAmount.ts';
import { baseStyles } from '../styles.ts';

// What a table's surroundings look like: the bar above it, the details beside or below it.
export const tableStyles = css`
  :host { display: flex; flex-direction: column; height: 100%; min-height: 220px; }
  .bar { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 12px; padding: 6px 12px; }
  .search { flex: 1 1 220px; max-width: 560px; position: relative; display: flex; align-items: center; }
  .search vscode-icon { position: absolute; left: 6px; pointer-events: none; color: var(--vscode-descriptionForeground); }
  .search input { width: 100%; padding-left: 28px; }
  .counts { color: var(--vscode-descriptionForeground); font-variant-numeric: tabular-nums; margin-right: auto; white-space: nowrap; }
  .bar button { display: inline-flex; align-items: center; gap: 5px; }
  .problem { margin: 0; padding: 0 14px 6px; font-size: 11px; color: var(--vscode-editorWarning-foreground, var(--vscode-descriptionForeground)); }
  .rest { position: relative; flex: 1; min-height: 0; display: grid; grid-template: minmax(0, 1fr) / minmax(0, 1fr); }
  .rest.split { grid-template-columns: minmax(0, 1fr) minmax(280px, 40%); }
  .empty { position: absolute; left: 0; right: 0; top: 56px; text-align: center; margin: 0; pointer-events: none; }
  .details { min-width: 0; min-height: 0; overflow: auto; border-left: 1px solid var(--vscode-panel-border, var(--vscode-contrastBorder, #8885)); }
  .details header { position: sticky; top: 0; z-index: 1; display: flex; align-items: center; justify-content: space-between; padding: 0 6px 0 12px; height: 28px; background: var(--vscode-editor-background); border-bottom: 1px solid var(--vscode-panel-border, var(--vscode-contrastBorder, #8885)); }
  .details h2 { margin: 0; font-size: 11px; font-weight: 600; color: var(--vscode-descriptionForeground); }
  @media (max-width: 760px) {
    .rest.split { grid-template: minmax(140px, 1fr) minmax(140px, 1fr) / minmax(0, 1fr); }
    .details { border-left: 0; border-top: 1px solid var(--vscode-panel-border, var(--vscode-contrastBorder, #8885)); }
  }
`;

type OpenMenu =
  | { readonly kind: 'cell'; readonly row: number; readonly column: number; readonly x: number; readonly y: number }
  | { readonly kind: 'export'; readonly x: number; readonly y: number };

/** Columns that stand in the grid: not those that no row has anything in. The same list while nothing changed. */
function columnsWithValues({ columns, rows }: LoadedTable, before: readonly TableColumn[]): readonly TableColumn[] {
  const shown = columns.filter(
    ({ detailOnly: detail, kind }, at) =>
      detail !== true && (kind === 'status' || rows.length === 0 || rows.some(row => (row[at] ?? null) !== null)),
  );
  return shown.length === before.length && shown.every((column, at) => column === before[at]) ? before : shown;
}

const NO_TABLE: LoadedTable = { name: '', columns: [], rows: [], rowCount: 0 };

export class TableView extends LitElement {
  static override styles = [baseStyles, tableStyles];
  static override properties = {
    table: { attribute: false },
    names: { attribute: false },
    shared: { attribute: false },
    label: {},
    list: { attribute: false },
    filter: { state: true },
    sort: { state: true },
    selected: { state: true },
    details: { state: true },
    menu: { state: true },
  };
  declare table: LoadedTable;
  declare names: HexNames;
  declare shared: PageContext;
  declare label: string;
  /** The list that these rows are of: it may go on behind what is here (to be asked for page by page), or be incomplete. */
  declare list: { readonly target: InspectorTarget; readonly more: boolean; readonly growing: boolean } | null;
  declare filter: string;
  declare sort: SortOrder | null;
  declare selected: ReadonlySet<number>;
  declare details: number | null;
  declare menu: OpenMenu | null;
  #order: readonly number[] = [];
  #search: SearchableRows = { fields: [], getText: () => '' };
  #problems: readonly string[] = [];
  #stopWarming: () => void = () => {};
  #shown: readonly TableColumn[] = [];
  readonly #tokens = new AmountUnitsController(this);
  #units = this.#tokens.units;

  constructor() {
    super();
    this.table = NO_TABLE;
    this.label = '';
    this.list = null;
    this.filter = '';
    this.sort = null;
    this.selected = new Set();
    this.details = null;
    this.menu = null;
  }

  get #context(): FormatContext {
    const { preferences, now } = this.shared;
    return { preferences, names: this.names, now, units: this.#tokens.units };
  }

  #rowsAt(indexes: readonly number[]): readonly TableRow[] {
    return indexes.map(index => this.table.rows[index]).filter(row => row !== undefined);
  }

  /** Rows that are shown, in their order: what an export writes. */
  shownRows(): readonly TableRow[] {
    return this.#rowsAt(this.#order);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#stopWarming();
  }

  override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('shared') && changed.get('shared') === undefined) {
      this.filter = this.shared.pageState[`filter.${this.table.name}`] ?? '';
      const sort = /^(\d+)([+-])$/.exec(this.shared.pageState[`sort.${this.table.name}`] ?? '');
      if (sort !== null) this.sort = { columnIndex: Number(sort[1]), descending: sort[2] === '-' };
    }
    if (changed.has('table')) this.#wantUnits();
    const grew = changed.has('table') || changed.has('names') || this.#units !== this.#tokens.units;
    this.#units = this.#tokens.units;
    if (grew) this.#shown = columnsWithValues(this.table, this.#shown);
    if (grew) {
      this.#search = createSearchableRows(this.table.columns, this.table.rows, this.#context);
      this.#stopWarming();
      this.#stopWarming = precomputeSearchTexts(this.#search, this.table.rows.length);
    }
    if (grew || changed.has('filter') || changed.has('sort')) {
      const filter = compileRowFilter(this.filter, this.#search.fields, this.#search.getText);
      this.#problems = filter.problems;
      this.#order = filterAndSortRows(
        this.table.columns,
        this.table.rows,
        filter.isEmpty ? null : filter.test,
        this.sort,
      );
    }
  }

  /** Rows are drawn without them first. */
  #wantUnits(): void {
    const { channel: link, chain } = this.shared;
    this.#tokens.request(link, chain, getContractsWithAmounts(this.table.columns, this.table.rows));
  }

  #setFilter(text: string): void {
    this.filter = text;
    this.shared.setPageState(`filter.${this.table.name}`, text);
  }

  #addTerm(row: number, at: number): void {
    const column = this.table.columns[at];
    if (column === undefined) return;
    const cells = this.table.rows[row] ?? [];
    const unit = getRowUnit(this.table.columns, cells, this.#units);
    const term = createCondition(column, cells[at] ?? null, this.#context, unit);
    this.#setFilter(`${this.filter} ${term}`.trim());
  }

  #copy(text: string): void {
    this.shared.channel.send({ type: 'copy', text });
  }

  /** The selected rows when the row belongs to them, else the row alone. */
  #rowsFor(row: number): readonly TableRow[] {
    const indexes = this.selected.has(row) ? this.#order.filter(index => this.selected.has(index)) : [row];
    return this.#rowsAt(indexes);
  }

  #export(format: 'csv' | 'json', all: boolean): void {
    const { columns, name } = this.table;
    const stop = this.shared.state.stops[this.shared.state.at]?.title ?? '';
    const file = `${stop} ${name}`.slice(0, 200);
    const { target = null, growing = false } = this.list ?? {};
    if (all && target !== null) {
      this.shared.channel.send({ type: 'exportAll', format, name: file, target });
      return;
    }
    const table = encodeJson({ columns, rows: this.shownRows() });
    this.shared.channel.send({ type: 'export', format, name: file, table, growing: growing ? target : null });
  }

  #onMenu(id: string): void {
    const { menu } = this;
    this.menu = null;
    if (menu?.kind === 'export') {
      this.#focusExport();
      this.#export(id.endsWith('csv') ? 'csv' : 'json', id.startsWith('all'));
      return;
    }
    if (menu === null) return;
    const { columns } = this.table;
    const column = columns[menu.column];
    const cell = this.table.rows[menu.row]?.[menu.column] ?? null;
    if (column === undefined) return;
    if (id === 'value') this.#copy(formatCellForClipboard(column, cell));
    else if (id === 'row') this.#copy(toTabSeparated(columns, this.#rowsFor(menu.row)));
    else if (id === 'json') this.#copy(toJsonText(columns, this.#rowsFor(menu.row)));
    else if (id === 'filter') this.#addTerm(menu.row, menu.column);
    else if (id === 'details') this.details = menu.row;
    this.#focusGrid();
  }

  #focusGrid(): void {
    void this.updateComplete.then(() => {
      const grid = this.renderRoot.querySelector('hl-grid');
      grid?.goTo(grid.place);
    });
  }

  #focusExport(): void {
    this.renderRoot.querySelector<HTMLElement>('.export')?.focus();
  }

  #renderMenu(): TemplateResult | typeof nothing {
    const { menu } = this;
    if (menu === null) return nothing;
    const several = menu.kind === 'cell' && this.selected.has(menu.row) && this.selected.size > 1;
    const entries =
      menu.kind === 'export'
        ? [
            { id: 'csv', label: t('Export as CSV') },
            { id: 'json', label: t('Export as JSON') },
            ...(this.list?.more !== true
              ? []
              : [
                  { id: 'all-csv', label: t('Export all pages as CSV'), separated: true },
                  { id: 'all-json', label: t('Export all pages as JSON') },
                ]),
          ]
        : [
            { id: 'value', label: t('Copy value') },
            { id: 'row', label: several ? t('Copy {0} rows', this.selected.size) : t('Copy row') },
            { id: 'json', label: t('Copy as JSON') },
            { id: 'filter', label: t('Filter by this value'), separated: true },
            { id: 'details', label: t('Show details') },
          ];
    return html`<hl-menu .entries=${entries} .x=${menu.x} .y=${menu.y} label=${t('Actions')}
      @menu-choose=${(event: CustomEvent<string>) => this.#onMenu(event.detail)}
      @menu-close=${() => {
        this.menu = null;
        if (menu.kind === 'export') this.#focusExport();
        else this.#focusGrid();
      }}></hl-menu>`;
  }

  #renderDetails(): TemplateResult | typeof nothing {
    const row = this.details === null ? undefined : this.table.rows[this.details];
    if (row === undefined) return nothing;
    return html`<section class="details" aria-label=${t('Details of the row')}>
      <header><h2>${t('Details')}</h2><button class="plain" title=${t('Close')} aria-label=${t('Close details')} @click=${() => {
        this.details = null;
        this.#focusGrid();
      }}><vscode-icon name="close"></vscode-icon></button></header>
      <div class="inside"><slot name="details"></slot><hl-facts .columns=${this.table.columns} .row=${row} .context=${this.#context} .shared=${this.shared}></hl-facts></div>
    </section>`;
  }

  override render(): TemplateResult {
    const { columns, rows, rowCount: count } = this.table;
    const shown = this.#order.length;
    const loading = rows.length < count;
    const counts =
      this.filter.trim() === ''
        ? count === 1
          ? t('1 row')
          : t('{0} rows', formatInteger(count))
        : t('{0} of {1} rows', formatInteger(shown), formatInteger(rows.length));
    return html`<div class="bar">
        <label class="search"><span class="hidden-label">${t('Filter rows')}</span><vscode-icon name="filter" aria-hidden="true"></vscode-icon>
          <input type="text" spellcheck="false" autocomplete="off" .value=${this.filter} placeholder=${t('Filter: words, from:0x…, value>1.5, status:failed')}
            @input=${(event: Event) => this.#setFilter((event.target as HTMLInputElement).value)}></label>
        <span class="counts" role="status">${loading ? t('{0} of {1} loaded', formatInteger(rows.length), formatInteger(count)) : counts}</span>
        <slot name="bar"></slot>
        <button class="plain export" title=${t('Export the rows shown')} aria-haspopup="menu" @click=${(
          event: MouseEvent,
        ) => {
          const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
          this.menu = { kind: 'export', x: box.right - 180, y: box.bottom };
        }}><vscode-icon name="export" aria-hidden="true"></vscode-icon> ${t('Export')}</button>
      </div>
      ${this.#problems.length === 0 ? nothing : html`<p class="problem">${this.#problems[0]}</p>`}
      <div class="rest ${this.details === null ? '' : 'split'}">
        <hl-grid .columns=${this.#shown} .allColumns=${columns} .rows=${rows} .order=${this.#order}
          .context=${this.#context} .sort=${this.sort} .selected=${this.selected} chain=${this.shared.chain} label=${this.label}
          @grid-sort=${({ detail }: CustomEvent<GridEvents['grid-sort']>) => {
            this.sort = detail;
            this.shared.setPageState(
              `sort.${this.table.name}`,
              detail === null ? '' : `${detail.columnIndex}${detail.descending ? '-' : '+'}`,
            );
          }}
          @grid-select=${({ detail }: CustomEvent<GridEvents['grid-select']>) => {
            this.selected = detail.selected;
          }}
          @grid-details=${({ detail }: CustomEvent<GridEvents['grid-details']>) => {
            this.details = detail.row;
            this.dispatchEvent(new CustomEvent('table-details', { detail: rows[detail.row] ?? null }));
          }}
          @grid-open=${({ detail }: CustomEvent<GridEvents['grid-open']>) => this.shared.navigate(detail.target, detail.side ? 'side' : 'here')}
          @grid-copy=${({ detail }: CustomEvent<GridEvents['grid-copy']>) => this.#copyAt(detail, columns)}
          @grid-menu=${({ detail }: CustomEvent<GridEvents['grid-menu']>) => {
            this.menu = { kind: 'cell', ...detail };
          }}></hl-grid>
        ${shown === 0 && !loading ? html`<p class="empty muted">${rows.length === 0 ? t('Nothing here.') : t('No row fits the filter.')}</p>` : nothing}
        ${this.#renderDetails()}
      </div>${this.#renderMenu()}`;
  }

  #copyAt({ row, column }: GridEvents['grid-copy'], columns: readonly TableColumn[]): void {
    const only = columns[column];
    if (this.selected.size > 1 && this.selected.has(row)) this.#copy(toTabSeparated(columns, this.#rowsFor(row)));
    else if (only !== undefined) this.#copy(formatCellForClipboard(only, this.table.rows[row]?.[column] ?? null));
  }
}

customElements.define('hl-table', TableView);
