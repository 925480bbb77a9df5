// How many rows fall on each block or each part of time: logs per block, transfers over time. Of the rows shown, no others.
import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { formatInteger } from '../../../base/formatUnits.ts';
import { t } from '../../../base/localize.ts';
import type { HexNames } from '../../../protocol/hexNames.ts';
import { compileRowFilter } from '../../../view/table/rowFilter.ts';
import { AmountUnitsController } from '../amountUnitsController.ts';
import type { PageContext } from '../pageContext.ts';
import type { LoadedTable } from '../replyCollector.ts';
import { createHistogram, DAY_MS, formatTimeBin, type Histogram } from '../rows/histogram.ts';
import { createSearchableRows, replaceRangeCondition } from '../rows/searchableRows.ts';
import { getContractsWithAmounts } from '../rows/tokenAmount.ts';
import { baseStyles } from '../styles.ts';
import type { Bars } from './barChart.ts';
import './barChart.ts';

export type HistogramAxis = 'block' | 'time';

const MOST_BLOCKS = 100;
const MOST_TIMES = 60;
/** Sixty seconds, sixty minutes, twelve hours: what parts of time make round ones. */
const TIME_STEPS = [1, 2, 3, 6, 12, 30, 60];

const columnFor = ({ columns }: LoadedTable, axis: HistogramAxis): number =>
  columns.findIndex(({ key }) =>
    axis === 'block' ? key === 'blockNumber' : key === 'blockTimestamp' || key === 'transactionTimestamp',
  );

/** What the rows of a table can be counted by. */
export const getHistogramAxes = (table: LoadedTable): readonly HistogramAxis[] =>
  (['block', 'time'] as const).filter(axis => columnFor(table, axis) >= 0);

interface Named {
  /** One part of the range, alone and on the axis. */
  readonly name: (index: number) => string;
  readonly short: (index: number) => string;
}

export class HistogramView extends LitElement {
  static override styles = [
    baseStyles,
    css`
      .head { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 14px; padding: 8px 16px 2px; }
      h2 { font-size: 1em; margin: 0; }
      .axis { display: inline-flex; gap: 6px; align-items: center; }
      details { padding: 4px 16px 16px; }
      summary { cursor: pointer; padding: 2px 0; width: max-content; }
      .scroll { max-height: 260px; overflow: auto; width: max-content; max-width: 100%; }
      table { border-collapse: collapse; margin: 4px 0; }
      th, td { text-align: left; font-weight: normal; padding: 2px 24px 2px 0; font-variant-numeric: tabular-nums; }
      thead th { font-size: 11px; color: var(--vscode-descriptionForeground); }
      .number { text-align: right; padding-right: 0; }
      .empty { padding: 16px; margin: 0; }
    `,
  ];
  static override properties = {
    table: { attribute: false },
    names: { attribute: false },
    shared: { attribute: false },
    first: {},
    what: {},
    more: { type: Boolean },
  };
  declare table: LoadedTable;
  declare names: HexNames;
  declare shared: PageContext;
  /** What the rows are counted by until somebody says otherwise. */
  declare first: HistogramAxis;
  /** What the rows are. */
  declare what: 'logs' | 'transfers' | 'rows';
  /** The list goes on behind the rows that are loaded. */
  declare more: boolean;

  /** The filter may ask for amounts. */
  readonly #tokens = new AmountUnitsController(this);

  constructor() {
    super();
    this.first = 'block';
    this.what = 'rows';
    this.more = false;
  }

  override willUpdate(): void {
    const { channel: link, chain } = this.shared;
    const { columns, rows } = this.table;
    if (this.#filter !== '') this.#tokens.request(link, chain, getContractsWithAmounts(columns, rows));
  }

  get #filter(): string {
    return this.shared.pageState[`filter.${this.table.name}`] ?? '';
  }

  get #axis(): HistogramAxis {
    const axes = getHistogramAxes(this.table);
    return (
      axes.find(axis => axis === this.shared.pageState['axis']) ??
      axes.find(axis => axis === this.first) ??
      axes[0] ??
      'block'
    );
  }

  /** Where the rows are that the filter lets through. */
  #numbers(axis: HistogramAxis): readonly number[] {
    const { rows } = this.table;
    const at = columnFor(this.table, axis);
    const fits = this.#fits();
    return rows.flatMap((row, index) => {
      const cell = row[at];
      return typeof cell === 'number' && fits(index) ? [cell] : [];
    });
  }

  #fits(): (row: number) => boolean {
    if (this.#filter.trim() === '') return () => true;
    const { preferences, now } = this.shared;
    const context = { preferences, names: this.names, now, units: this.#tokens.units };
    const { fields, getText: textOf } = createSearchableRows(this.table.columns, this.table.rows, context);
    return compileRowFilter(this.#filter, fields, textOf).test;
  }

  #named(axis: HistogramAxis, { counts, start: first, binWidth: width }: Histogram): Named {
    const from = (index: number) => first + index * width;
    if (axis === 'time') {
      const sameDay = Math.floor(first / DAY_MS) === Math.floor((from(counts.length) - 1) / DAY_MS);
      const part = (index: number) => formatTimeBin(from(index), width, sameDay, this.shared.preferences);
      return { name: index => part(index).label, short: index => part(index).shortLabel };
    }
    const name = (index: number) =>
      width === 1
        ? formatInteger(from(index))
        : `${formatInteger(from(index))}–${formatInteger(from(index) + width - 1)}`;
    return { name, short: index => formatInteger(from(index)) };
  }

  #title(axis: HistogramAxis): string {
    if (this.what === 'logs') return axis === 'block' ? t('Logs per block') : t('Logs over time');
    if (this.what === 'transfers') return axis === 'block' ? t('Transfers per block') : t('Transfers over time');
    return axis === 'block' ? t('Rows per block') : t('Rows over time');
  }

  /** Honest about what is not counted. */
  #counted(count: number): string {
    const { length } = this.table.rows;
    const [some, all] = [formatInteger(count), formatInteger(length)];
    if (count < length)
      return this.more
        ? t('Only the {0} of {1} loaded rows that fit the filter are counted; the list goes on.', some, all)
        : t('Only the {0} of {1} rows that fit the filter are counted.', some, all);
    return this.more
      ? t('Only the {0} rows loaded so far are counted; the list goes on.', all)
      : t('All {0} rows of the list are counted.', all);
  }

  #words({ counts }: Histogram, count: number, { name }: Named): string {
    const most = counts.reduce((best, value, index) => (value > (counts[best] ?? 0) ? index : best), 0);
    return t(
      '{0} From {1} to {2}, most of them in {3}: {4}.',
      this.#counted(count),
      name(0),
      name(counts.length - 1),
      name(most),
      formatInteger(counts[most] ?? 0),
    );
  }

  /** The rows of one bar, in the list. */
  #choose(axis: HistogramAxis, { start: first, binWidth: width }: Histogram, index: number): void {
    const [from, to] = [first + index * width, first + (index + 1) * width - 1];
    const iso = (time: number) => new Date(time).toISOString();
    const range = axis === 'block' ? `${from}..${to}` : `${iso(from)}..${iso(to)}`;
    this.shared.setPageState(`filter.${this.table.name}`, replaceRangeCondition(this.#filter, axis, range));
    this.shared.setPageState('tab', 'rows');
  }

  #axes(axis: HistogramAxis): TemplateResult | typeof nothing {
    if (getHistogramAxes(this.table).length < 2) return nothing;
    const names: Readonly<Record<HistogramAxis, string>> = { block: t('Blocks'), time: t('Time') };
    return html`<label class="axis"><span class="muted">${t('Count by')}</span> <select @change=${(event: Event) =>
      this.shared.setPageState('axis', (event.target as HTMLSelectElement).value)}>${(['block', 'time'] as const).map(
      one => html`<option value=${one} ?selected=${one === axis}>${names[one]}</option>`,
    )}</select></label>`;
  }

  #asTable(axis: HistogramAxis, parts: Histogram, { name }: Named): TemplateResult {
    const title = this.#title(axis);
    return html`<details><summary>${t('As a table')}</summary><div class="scroll" tabindex="0" role="group" aria-label=${title}><table>
      <thead><tr><th scope="col">${axis === 'block' ? t('Blocks') : t('Time')}</th><th scope="col" class="number">${t('Rows')}</th></tr></thead>
      <tbody>${parts.counts.map((count, index) =>
        count === 0
          ? nothing
          : html`<tr><th scope="row"><a href="#" @click=${(event: Event) => {
              event.preventDefault();
              this.#choose(axis, parts, index);
            }}>${name(index)}</a></th><td class="number">${formatInteger(count)}</td></tr>`,
      )}</tbody></table></div></details>`;
  }

  override render(): TemplateResult {
    const axis = this.#axis;
    const numbers = this.#numbers(axis);
    if (numbers.length === 0) return html`<p class="empty muted">${t('There are no rows to count.')}</p>`;
    const parts = createHistogram(
      numbers,
      axis === 'time' ? MOST_TIMES : MOST_BLOCKS,
      axis === 'time' ? 'time' : 'numbers',
    );
    const named = this.#named(axis, parts);
    const title = this.#title(axis);
    const bars: Bars = {
      values: parts.counts,
      formatLabel: named.name,
      formatShortLabel: named.short,
      formatValue: value => formatInteger(Math.round(value)),
      areCounts: true,
      origin: parts.start / parts.binWidth,
      ...(axis === 'time' && { steps: TIME_STEPS }),
    };
    return html`<div class="head"><h2>${title}</h2>${this.#axes(axis)}</div>
      <hl-chart .bars=${bars} words=${this.#words(parts, numbers.length, named)} label=${title} hint=${t('Arrow keys go from bar to bar, Enter shows its rows.')}
        @bar-choose=${(event: CustomEvent<number>) => this.#choose(axis, parts, event.detail)}></hl-chart>${this.#asTable(axis, parts, named)}`;
  }
}

customElements.define('hl-over-range', HistogramView);
