// A table: the grid with its filter, row counts, export, context menu and row details.

import { css, html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { formatInteger } from '../../../base/formatUnits.ts';
import { type Hex, isAddress, isHex } from '../../../base/hex.ts';
import { t } from '../../../base/localize.ts';
import type { HexNames } from '../../../protocol/hexNames.ts';
import type { InspectorTarget } from '../../../protocol/inspectorTarget.ts';
import { toPlainText } from '../../../protocol/linkedText.ts';
import { getContractsWithAmounts, getRowUnit } from '../../../protocol/rowUnits.ts';
import { encodeJson, type TableCell, type TableColumn, type TableRow } from '../../../protocol/table.ts';
import { compileRowFilter } from '../../../view/table/rowFilter.ts';
import { AmountUnitsController } from '../amountUnitsController.ts';
import type { GridEvents } from '../grid/grid.ts';
import { PageElement } from '../pageElement.ts';
import type { LoadedTable } from '../replyCollector.ts';
import { type FormatContext, formatCellForClipboard } from '../rows/cellFormat.ts';
import { createRowFinder } from '../rows/findRows.ts';
import { toLogSource } from '../rows/namedRow.ts';
import { filterAndSortRows, type SortOrder } from '../rows/rowOrder.ts';
import {
  createCondition,
  createSearchableRows,
  listFilterExamples,
  precomputeSearchTexts,
  type SearchableRows,
} from '../rows/searchableRows.ts';
import { baseStyles } from '../styles.ts';

/** Escapes tabs and line breaks, which would start another cell, and formulas, which a spreadsheet would run. */
const toField = (column: TableColumn, cell: TableCell): string => {
  const text = formatCellForClipboard(column, cell).replace(/[\t\r\n]+/g, ' ');
  return /^[=+\-@]/.test(text) && !/^-?\d+(\.\d+)?$/.test(text) ? `'${text}` : text;
};

function toTabSeparated(columns: readonly TableColumn[], rows: readonly TableRow[]): string {
  const lines = rows.map(row => columns.map((column, index) => toField(column, row[index] ?? null)).join('\t'));
  return rows.length > 1 ? [columns.map(({ key }) => key).join('\t'), ...lines].join('\n') : lines.join('\n');
}

function toJsonText(columns: readonly TableColumn[], rows: readonly TableRow[]): string {
  const objects = rows.map(row =>
    Object.fromEntries(
      columns.map(({ key, kind }, index) => {
        const cell = row[index] ?? null;
        if (kind === 'linkedText' && cell !== null) return [key, toPlainText(String(cell))];
        return [key, kind === 'time' && typeof cell === 'number' ? new Date(cell).toISOString() : cell];
      }),
    ),
  );
  return JSON.stringify(objects.length === 1 ? objects[0] : objects, null, 2);
}

const tableStyles = css`
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
  /* Beside the details, the numbers of a narrow table would be cut. */
  @media (max-width: 960px) {
    .rest.split { grid-template: minmax(140px, 1fr) minmax(140px, 1fr) / minmax(0, 1fr); }
    .details { border-left: 0; border-top: 1px solid var(--vscode-panel-border, var(--vscode-contrastBorder, #8885)); }
  }
`;

type OpenMenu =
  | { readonly kind: 'cell'; readonly row: number; readonly column: number; readonly x: number; readonly y: number }
  | { readonly kind: 'export'; readonly x: number; readonly y: number };

/** Flags that are not set, and amounts of nothing. */
const isDefault = (kind: TableColumn['kind'], cell: TableCell): boolean =>
  cell === null ||
  (kind === 'flag' && (cell === false || cell === 'false')) ||
  ((kind === 'coin' || kind === 'amount' || kind === 'tokenAmount') && cell === '0');

/** Columns that say in which direction a value moved, also where it is always the same. */
const DIRECTIONS: ReadonlySet<string> = new Set(['fromAddress', 'toAddress']);

/** What a token contract has once: its name says nothing of the rows of a page about it. */
const FACTS_OF_TOKEN: ReadonlySet<string> = new Set(['contractType', 'name', 'symbol', 'tokenName', 'tokenSymbol']);

/** What the page is about. */
interface Subject {
  /** A transaction or an address, in lower case. */
  readonly hash: string | null;
  readonly tokenId: string | null;
}

/** All rows are of the transaction, the address or the token that the page is about, or tell what its contract is called. */
function isOfPage(
  { key, kind }: TableColumn,
  index: number,
  { columns, rows }: Pick<LoadedTable, 'columns' | 'rows'>,
  subject: Subject,
): boolean {
  const isAlways = (value: string | null, at = index) =>
    value !== null && rows.every(row => String(row[at] ?? '').toLowerCase() === value);
  if (key === 'tokenId') return isAlways(subject.tokenId);
  if (FACTS_OF_TOKEN.has(key)) {
    const contract = columns.findIndex(column => column.key === 'tokenAddress');
    return contract >= 0 && isAlways(subject.hash, contract) && isAlways(String(rows[0]?.[index] ?? '').toLowerCase());
  }
  return (kind === 'transaction' || kind === 'address') && !DIRECTIONS.has(key) && isAlways(subject.hash);
}

/** Whether any row has a value that tells something; in a single row everything but a flag that is not set does. */
function hasNews(column: TableColumn, index: number, table: LoadedTable, subject: Subject): boolean {
  const { kind } = column;
  const { rows } = table;
  if (kind === 'status' || rows.length === 0) return true;
  if (isOfPage(column, index, table, subject)) return false;
  // That an argument of an event is false or zero is what the event says.
  if (column.isDecoded === true) return rows.some(row => row[index] != null);
  return rows.some(row => {
    const cell = row[index] ?? null;
    return rows.length === 1 && kind !== 'flag' ? cell !== null : !isDefault(kind, cell);
  });
}

function getSubject({ target }: TableView['context']): Subject {
  if (target.kind === 'transaction') return { hash: target.hash.toLowerCase(), tokenId: null };
  const { address, tokenId }: Readonly<Record<string, unknown>> =
    target.kind === 'operation' ? target.parameters : { ...target };
  return {
    hash: typeof address === 'string' ? address.toLowerCase() : null,
    tokenId: typeof tokenId === 'string' ? tokenId : null,
  };
}

/** The columns of the grid: those that tell something of any row. Returns `previous` while they are the same. */
function getGridColumns(
  table: LoadedTable,
  subject: Subject,
  previous: readonly TableColumn[],
): readonly TableColumn[] {
  const shown = table.columns.filter(
    (column, index) => column.detailOnly !== true && hasNews(column, index, table, subject),
  );
  return shown.length === previous.length && shown.every((column, index) => column === previous[index])
    ? previous
    : shown;
}

const emptyTable: LoadedTable = { name: '', columns: [], rows: [], rowCount: 0 };

export class TableView extends PageElement {
  static override styles = [baseStyles, tableStyles];
  static override properties = {
    table: { attribute: false },
    names: { attribute: false },
    label: {},
    list: { attribute: false },
    filter: { state: true },
    sort: { state: true },
    selectedRows: { state: true },
    detailsRow: { state: true },
    menu: { state: true },
  };
  table: LoadedTable = emptyTable;
  declare names: HexNames;
  label = '';
  /** The list of these rows: further pages may exist, and its index may be incomplete. `null` for a table that is no list. */
  list: { readonly target: InspectorTarget; readonly hasMore: boolean; readonly isIncomplete: boolean } | null = null;
  filter = '';
  sort: SortOrder | null = null;
  selectedRows: ReadonlySet<number> = new Set();
  detailsRow: number | null = null;
  menu: OpenMenu | null = null;
  #order: readonly number[] = [];
  #search: SearchableRows = { fields: [], getText: () => '' };
  #filterProblems: readonly string[] = [];
  #stopPrecomputing: () => void = () => {};
  #gridColumns: readonly TableColumn[] = [];
  /** Where the grid begins: as the page was left. */
  #firstPosition = 0;
  #draggedWidths: ReadonlyMap<string, number> = new Map();
  readonly #tokens = new AmountUnitsController(this);
  #units = this.#tokens.units;

  get #format(): FormatContext {
    const { preferences, now } = this.context;
    return { preferences, names: this.names, now, units: this.#tokens.units };
  }

  #getRows(indexes: readonly number[]): readonly TableRow[] {
    return indexes.map(index => this.table.rows[index]).filter(row => row !== undefined);
  }

  /** The rows shown, in their order: what an export writes. */
  getShownRows(): readonly TableRow[] {
    return this.#getRows(this.#order);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#stopPrecomputing();
  }

  override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('context') && changed.get('context') === undefined) this.#restoreState();
    if (changed.has('table')) {
      this.#followRows(changed.get('table'));
      this.#requestUnits();
    }
    const hasChanged = changed.has('table') || changed.has('names') || this.#units !== this.#tokens.units;
    this.#units = this.#tokens.units;
    if (hasChanged) this.#gridColumns = getGridColumns(this.table, getSubject(this.context), this.#gridColumns);
    if (hasChanged) {
      this.#search = createSearchableRows(this.table.columns, this.table.rows, this.#format);
      this.#stopPrecomputing();
      this.#stopPrecomputing = precomputeSearchTexts(this.#search, this.table.rows.length);
    }
    if (hasChanged || changed.has('filter') || changed.has('sort')) {
      const filter = compileRowFilter(this.filter, this.#search.fields, this.#search.getText);
      this.#filterProblems = filter.problems;
      this.#order = filterAndSortRows(
        this.table.columns,
        this.table.rows,
        filter.isEmpty ? null : filter.test,
        this.sort,
        this.#units,
      );
    }
  }

  #restoreState(): void {
    const read = (name: string) => this.context.pageState[`${name}.${this.table.name}`] ?? '';
    this.filter = read('filter');
    const [, column, direction] = /^(.+)([+-])$/.exec(read('sort')) ?? [];
    if (column !== undefined) this.sort = { column, descending: direction === '-' };
    this.#firstPosition = Number(read('scroll')) || 0;
    this.#draggedWidths = new Map(
      read('widths')
        .split(' ')
        .map(text => text.split('='))
        .flatMap(([key = '', width]): [string, number][] => (Number(width) > 0 ? [[key, Number(width)]] : [])),
    );
  }

  #saveState(name: string, value: string): void {
    this.context.setPageState(`${name}.${this.table.name}`, value);
  }

  /** Selection, details and menu stay with their rows; what is gone from the table is not selected any more. */
  #followRows(previous: LoadedTable | undefined): void {
    const { selectedRows, detailsRow, menu } = this;
    if (previous === undefined || (selectedRows.size === 0 && detailsRow === null && menu?.kind !== 'cell')) return;
    const find = createRowFinder(previous, this.table);
    this.selectedRows = new Set([...selectedRows].map(find).filter(row => row !== null));
    if (detailsRow !== null) this.detailsRow = find(detailsRow);
    if (menu?.kind !== 'cell') return;
    const row = find(menu.row);
    const key = previous.columns[menu.column]?.key;
    const column = this.table.columns.findIndex(other => other.key === key);
    this.menu = row === null || column < 0 ? null : { ...menu, row, column };
  }

  #requestUnits(): void {
    const { channel, chain } = this.context;
    this.#tokens.request(channel, chain, getContractsWithAmounts(this.table.columns, this.table.rows));
  }

  #setFilter(text: string): void {
    this.filter = text;
    this.#saveState('filter', text);
  }

  #addCondition(row: number, index: number): void {
    const column = this.table.columns[index];
    if (column === undefined) return;
    const cells = this.table.rows[row] ?? [];
    const unit = getRowUnit(this.table.columns, cells, this.#units);
    const condition = createCondition(column, cells[index] ?? null, this.#format, unit);
    this.#setFilter(`${this.filter} ${condition}`.trim());
  }

  #copy(text: string): void {
    this.context.channel.notify('copy', { text });
  }

  /** The selected rows when `row` is one of them, else `row` alone. */
  #getSelectedRows(row: number): readonly TableRow[] {
    const indexes = this.selectedRows.has(row) ? this.#order.filter(index => this.selectedRows.has(index)) : [row];
    return this.#getRows(indexes);
  }

  #export(format: 'csv' | 'json', allPages: boolean): void {
    const { columns, name } = this.table;
    const { history, historyIndex } = this.context.state;
    const title = history[historyIndex]?.title ?? '';
    const file = `${title} ${name}`.slice(0, 200);
    const { target = null, isIncomplete = false } = this.list ?? {};
    if (allPages && target !== null) {
      this.context.channel.notify('exportAllPages', { format, name: file, target });
      return;
    }
    const table = encodeJson({ columns, rows: this.getShownRows() });
    this.context.channel.notify('exportRows', {
      format,
      name: file,
      table,
      incompleteTarget: isIncomplete ? target : null,
    });
  }

  #handleMenu(id: string): void {
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
    else if (id === 'row') this.#copy(toTabSeparated(columns, this.#getSelectedRows(menu.row)));
    else if (id === 'json') this.#copy(toJsonText(columns, this.#getSelectedRows(menu.row)));
    else if (id === 'filter') this.#addCondition(menu.row, menu.column);
    else if (id === 'details') this.detailsRow = menu.row;
    else if (id === 'watch') this.#watch(menu.row);
    this.#focusGrid();
  }

  /** The contract and the topic of a log; `null` for other rows. */
  #getEvent(row: number): { readonly address: Hex; readonly topic0: Hex } | null {
    const [address, topic0] = ['address', 'topic0'].map(name => {
      const index = this.table.columns.findIndex(({ key }) => key === name);
      return this.table.rows[row]?.[index];
    });
    return isAddress(address) && isHex(topic0) ? { address, topic0 } : null;
  }

  #watch(row: number): void {
    const event = this.#getEvent(row);
    const { chain, channel } = this.context;
    if (event !== null) channel.notify('watch', { ...event, event: null, chain });
  }

  #focusGrid(): void {
    void this.updateComplete.then(() => {
      const grid = this.renderRoot.querySelector('hl-grid');
      grid?.focusCell(grid.activeCell);
    });
  }

  #focusExport(): void {
    this.renderRoot.querySelector<HTMLElement>('.export')?.focus();
  }

  #renderMenu(): TemplateResult | typeof nothing {
    const { menu } = this;
    if (menu === null) return nothing;
    const several = menu.kind === 'cell' && this.selectedRows.has(menu.row) && this.selectedRows.size > 1;
    const items =
      menu.kind === 'export'
        ? [
            { id: 'csv', label: t('Export as CSV') },
            { id: 'json', label: t('Export as JSON') },
            ...(this.list?.hasMore !== true
              ? []
              : [
                  { id: 'all-csv', label: t('Export all pages as CSV'), hasSeparator: true },
                  { id: 'all-json', label: t('Export all pages as JSON') },
                ]),
          ]
        : [
            { id: 'value', label: t('Copy value') },
            { id: 'row', label: several ? t('Copy {0} rows', this.selectedRows.size) : t('Copy row') },
            { id: 'json', label: t('Copy as JSON') },
            { id: 'filter', label: t('Filter by this value'), hasSeparator: true },
            { id: 'details', label: t('Show details') },
            ...(this.#getEvent(menu.row) === null ? [] : [{ id: 'watch', label: t('Watch this event') }]),
          ];
    return html`<hl-popup-menu .items=${items} .x=${menu.x} .y=${menu.y} label=${t('Actions')}
      @menu-choose=${(event: CustomEvent<string>) => this.#handleMenu(event.detail)}
      @menu-close=${() => {
        this.menu = null;
        if (menu.kind === 'export') this.#focusExport();
        else this.#focusGrid();
      }}></hl-popup-menu>`;
  }

  #renderDetails(): TemplateResult | typeof nothing {
    const row = this.detailsRow === null ? undefined : this.table.rows[this.detailsRow];
    if (row === undefined) return nothing;
    const log = toLogSource(this.table, row, this.context.chain);
    return html`<section class="details" aria-label=${t('Details of the row')}>
      <header><h2>${t('Details')}</h2><button class="plain" title=${t('Close')} aria-label=${t('Close details')} @click=${() => {
        this.detailsRow = null;
        this.#focusGrid();
      }}><vscode-icon name="close"></vscode-icon></button></header>
      <div class="inside">${log === null ? nothing : html`<hl-decoded .source=${log} .context=${this.context}></hl-decoded>`}<hl-record .columns=${this.table.columns} .row=${row} .format=${this.#format} .context=${this.context}></hl-record></div>
    </section>`;
  }

  #getPlaceholder(): string {
    const examples = listFilterExamples(this.table.columns);
    return examples.length === 0 ? t('Filter: words') : t('Filter: words, {0}', examples.join(', '));
  }

  override render(): TemplateResult {
    const { columns, rows, rowCount } = this.table;
    const shown = this.#order.length;
    const isLoading = rows.length < rowCount;
    const counts =
      this.filter.trim() === ''
        ? rowCount === 1
          ? t('1 row')
          : t('{0} rows', formatInteger(rowCount))
        : t('{0} of {1} rows', formatInteger(shown), formatInteger(rows.length));
    return html`<div class="bar">
        <label class="search"><span class="hidden-label">${t('Filter rows')}</span><vscode-icon name="filter" aria-hidden="true"></vscode-icon>
          <input type="text" spellcheck="false" autocomplete="off" .value=${this.filter} placeholder=${this.#getPlaceholder()}
            @input=${(event: Event) => this.#setFilter((event.target as HTMLInputElement).value)}></label>
        <span class="counts" role="status">${isLoading ? t('{0} of {1} loaded', formatInteger(rows.length), formatInteger(rowCount)) : counts}</span>
        <slot name="bar"></slot>
        <button class="plain export" title=${t('Export the rows shown')} aria-haspopup="menu" @click=${(
          event: MouseEvent,
        ) => {
          const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
          this.menu = { kind: 'export', x: box.right - 180, y: box.bottom };
        }}><vscode-icon name="export" aria-hidden="true"></vscode-icon> ${t('Export')}</button>
      </div>
      ${this.#filterProblems.length === 0 ? nothing : html`<p class="problem">${this.#filterProblems[0]}</p>`}
      <div class="rest ${this.detailsRow === null ? '' : 'split'}">
        ${
          rows.length === 0 && !isLoading
            ? nothing
            : html`<hl-grid .columns=${this.#gridColumns} .allColumns=${columns} .rows=${rows} .order=${this.#order}
          .format=${this.#format} .sort=${this.sort} .firstPosition=${this.#firstPosition} .draggedWidths=${this.#draggedWidths} .selectedRows=${this.selectedRows} chain=${this.context.chain} label=${this.label}
          @grid-sort=${({ detail }: CustomEvent<GridEvents['grid-sort']>) => {
            this.sort = detail;
            this.#saveState('sort', detail === null ? '' : `${detail.column}${detail.descending ? '-' : '+'}`);
          }}
          @grid-scroll=${({ detail }: CustomEvent<GridEvents['grid-scroll']>) => this.#saveState('scroll', String(detail.position))}
          @grid-resize=${({ detail }: CustomEvent<GridEvents['grid-resize']>) => {
            this.#draggedWidths = detail;
            this.#saveState('widths', [...detail].map(([key, width]) => `${key}=${Math.round(width)}`).join(' '));
          }}
          @grid-select=${({ detail }: CustomEvent<GridEvents['grid-select']>) => {
            this.selectedRows = detail.selected;
          }}
          @grid-details=${({ detail }: CustomEvent<GridEvents['grid-details']>) => {
            this.detailsRow = detail.row;
          }}
          @grid-open=${({ detail }: CustomEvent<GridEvents['grid-open']>) => this.#openTarget(detail)}
          @grid-copy=${({ detail }: CustomEvent<GridEvents['grid-copy']>) => this.#handleCopy(detail, columns)}
          @grid-menu=${({ detail }: CustomEvent<GridEvents['grid-menu']>) => {
            this.menu = { kind: 'cell', ...detail };
          }}></hl-grid>`
        }
        ${shown === 0 && !isLoading ? html`<p class="empty muted">${rows.length === 0 ? t('No rows.') : t('No rows match the filter.')}</p>` : nothing}
        ${this.#renderDetails()}
      </div>${this.#renderMenu()}`;
  }

  #openTarget({ target, side }: GridEvents['grid-open']): void {
    if (target.kind === 'source') this.context.channel.notify('openLocation', { location: target.location });
    else this.context.navigate(target, side ? 'side' : 'here');
  }

  #handleCopy({ row, column }: GridEvents['grid-copy'], columns: readonly TableColumn[]): void {
    const only = columns[column];
    if (this.selectedRows.size > 1 && this.selectedRows.has(row))
      this.#copy(toTabSeparated(columns, this.#getSelectedRows(row)));
    else if (only !== undefined) this.#copy(formatCellForClipboard(only, this.table.rows[row]?.[column] ?? null));
  }
}

customElements.define('hl-table', TableView);
