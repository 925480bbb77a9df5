// How many of the loaded rows fall on each block or period of time.
import { css, html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { formatInteger } from '../../../base/formatUnits.ts';
import { t } from '../../../base/localize.ts';
import type { HexNames } from '../../../protocol/hexNames.ts';
import { getContractsWithAmounts } from '../../../protocol/rowUnits.ts';
import { compileRowFilter } from '../../../view/table/rowFilter.ts';
import { AmountUnitsController } from '../amountUnitsController.ts';
import { PageElement } from '../pageElement.ts';
import type { LoadedTable } from '../replyCollector.ts';
import { createHistogram, DAY_MS, formatTimeBin, type Histogram } from '../rows/histogram.ts';
import { createSearchableRows, replaceRangeCondition } from '../rows/searchableRows.ts';
import { baseStyles } from '../styles.ts';
import type { Bars } from './barChart.ts';
import './barChart.ts';

export type HistogramAxis = 'block' | 'time';

const MAX_BLOCK_BINS = 100;
const MAX_TIME_BINS = 60;
/** Numbers of bins of time between two labels: sixty seconds or minutes, twelve hours. */
const TIME_STEPS = [1, 2, 3, 6, 12, 30, 60];

const getAxisColumn = ({ columns }: LoadedTable, axis: HistogramAxis): number =>
  columns.findIndex(({ key }) =>
    axis === 'block' ? key === 'blockNumber' : key === 'blockTimestamp' || key === 'transactionTimestamp',
  );

export const getHistogramAxes = (table: LoadedTable): readonly HistogramAxis[] =>
  (['block', 'time'] as const).filter(axis => getAxisColumn(table, axis) >= 0);

/** Labels of a bin, alone and on the axis. */
interface BinLabels {
  readonly name: (index: number) => string;
  readonly short: (index: number) => string;
}

export class HistogramView extends PageElement {
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
    defaultAxis: {},
    rowKind: {},
    hasMore: { type: Boolean },
  };
  declare table: LoadedTable;
  declare names: HexNames;
  /** The axis until the user selects the other one. */
  defaultAxis: HistogramAxis = 'block';
  rowKind: 'logs' | 'transfers' | 'rows' = 'rows';
  /** The list has further pages. */
  hasMore = false;

  /** A filter may compare amounts. */
  readonly #tokens = new AmountUnitsController(this);

  override willUpdate(): void {
    const { channel, chain } = this.context;
    const { columns, rows } = this.table;
    if (this.#filter !== '') this.#tokens.request(channel, chain, getContractsWithAmounts(columns, rows));
  }

  get #filter(): string {
    return this.context.pageState[`filter.${this.table.name}`] ?? '';
  }

  get #axis(): HistogramAxis {
    const axes = getHistogramAxes(this.table);
    return (
      axes.find(axis => axis === this.context.pageState['axis']) ??
      axes.find(axis => axis === this.defaultAxis) ??
      axes[0] ??
      'block'
    );
  }

  /** Block numbers or times of the rows that match the filter. */
  #getNumbers(axis: HistogramAxis): readonly number[] {
    const { rows } = this.table;
    const column = getAxisColumn(this.table, axis);
    const matches = this.#createRowTest();
    return rows.flatMap((row, index) => {
      const cell = row[column];
      return typeof cell === 'number' && matches(index) ? [cell] : [];
    });
  }

  #createRowTest(): (row: number) => boolean {
    if (this.#filter.trim() === '') return () => true;
    const { preferences, now } = this.context;
    const format = { preferences, names: this.names, now, units: this.#tokens.units };
    const { fields, getText } = createSearchableRows(this.table.columns, this.table.rows, format);
    return compileRowFilter(this.#filter, fields, getText).test;
  }

  #getBinLabels(axis: HistogramAxis, { counts, start, binWidth }: Histogram): BinLabels {
    const getStart = (index: number) => start + index * binWidth;
    if (axis === 'time') {
      const isSameDay = Math.floor(start / DAY_MS) === Math.floor((getStart(counts.length) - 1) / DAY_MS);
      const part = (index: number) => formatTimeBin(getStart(index), binWidth, isSameDay, this.context.preferences);
      return { name: index => part(index).label, short: index => part(index).shortLabel };
    }
    const name = (index: number) =>
      binWidth === 1
        ? formatInteger(getStart(index))
        : `${formatInteger(getStart(index))}–${formatInteger(getStart(index) + binWidth - 1)}`;
    return { name, short: index => formatInteger(getStart(index)) };
  }

  #getTitle(axis: HistogramAxis): string {
    if (this.rowKind === 'logs') return axis === 'block' ? t('Logs per block') : t('Logs over time');
    if (this.rowKind === 'transfers') return axis === 'block' ? t('Transfers per block') : t('Transfers over time');
    return axis === 'block' ? t('Rows per block') : t('Rows over time');
  }

  /** Says which rows are counted. */
  #describeCounted(count: number): string {
    const { length } = this.table.rows;
    const [some, all] = [formatInteger(count), formatInteger(length)];
    if (count < length)
      return this.hasMore
        ? t('Counted: {0} of {1} loaded rows that match the filter; there are more.', some, all)
        : t('Counted: {0} of {1} rows that match the filter.', some, all);
    return this.hasMore
      ? t('Counted: the {0} rows loaded so far; there are more.', all)
      : t('Counted: all {0} rows.', all);
  }

  #summarize(axis: HistogramAxis, { counts }: Histogram, count: number, { name }: BinLabels): string {
    const largest = counts.reduce((best, value, index) => (value > (counts[best] ?? 0) ? index : best), 0);
    const counted = this.#describeCounted(count);
    const values = [name(0), name(counts.length - 1), name(largest), formatInteger(counts[largest] ?? 0)] as const;
    return axis === 'block'
      ? t('{0} Blocks {1} to {2}; the most rows ({4}) in {3}.', counted, ...values)
      : t('{0} From {1} to {2}; the most rows ({4}) in {3}.', counted, ...values);
  }

  /** Shows the rows of one bar in the list. */
  #showRows(axis: HistogramAxis, { start, binWidth }: Histogram, index: number): void {
    const [from, to] = [start + index * binWidth, start + (index + 1) * binWidth - 1];
    const iso = (time: number) => new Date(time).toISOString();
    const range = axis === 'block' ? `${from}..${to}` : `${iso(from)}..${iso(to)}`;
    this.context.setPageState(`filter.${this.table.name}`, replaceRangeCondition(this.#filter, axis, range));
    this.context.setPageState('tab', 'rows');
  }

  #renderAxisSelect(axis: HistogramAxis): TemplateResult | typeof nothing {
    if (getHistogramAxes(this.table).length < 2) return nothing;
    const names: Readonly<Record<HistogramAxis, string>> = { block: t('Blocks'), time: t('Time') };
    return html`<label class="axis"><span class="muted">${t('Group by')}</span> <select .value=${live(axis)} @change=${(
      event: Event,
    ) => this.context.setPageState('axis', (event.target as HTMLSelectElement).value)}>${(
      ['block', 'time'] as const
    ).map(one => html`<option value=${one} ?selected=${one === axis}>${names[one]}</option>`)}</select></label>`;
  }

  #renderTable(axis: HistogramAxis, histogram: Histogram, { name }: BinLabels): TemplateResult {
    const title = this.#getTitle(axis);
    return html`<details><summary>${t('Show as table')}</summary><div class="scroll" tabindex="0" role="group" aria-label=${title}><table>
      <thead><tr><th scope="col">${axis === 'block' ? t('Blocks') : t('Time')}</th><th scope="col" class="number">${t('Rows')}</th></tr></thead>
      <tbody>${histogram.counts.map((count, index) =>
        count === 0
          ? nothing
          : html`<tr><th scope="row"><a href="#" @click=${(event: Event) => {
              event.preventDefault();
              this.#showRows(axis, histogram, index);
            }}>${name(index)}</a></th><td class="number">${formatInteger(count)}</td></tr>`,
      )}</tbody></table></div></details>`;
  }

  override render(): TemplateResult {
    const axis = this.#axis;
    const numbers = this.#getNumbers(axis);
    if (numbers.length === 0) return html`<p class="empty muted">${t('No rows to count.')}</p>`;
    const histogram = createHistogram(
      numbers,
      axis === 'time' ? MAX_TIME_BINS : MAX_BLOCK_BINS,
      axis === 'time' ? 'time' : 'numbers',
    );
    const labels = this.#getBinLabels(axis, histogram);
    const title = this.#getTitle(axis);
    const bars: Bars = {
      values: histogram.counts,
      formatLabel: labels.name,
      formatShortLabel: labels.short,
      formatValue: value => formatInteger(Math.round(value)),
      areCounts: true,
      origin: histogram.start / histogram.binWidth,
      ...(axis === 'time' && { steps: TIME_STEPS }),
    };
    return html`<div class="head"><h2>${title}</h2>${this.#renderAxisSelect(axis)}</div>
      <hl-bar-chart .bars=${bars} summary=${this.#summarize(axis, histogram, numbers.length, labels)} label=${title} hint=${t('Arrow keys move between bars, Enter shows the rows.')}
        @bar-select=${(event: CustomEvent<number>) => this.#showRows(axis, histogram, event.detail)}></hl-bar-chart>${this.#renderTable(axis, histogram, labels)}`;
  }
}

customElements.define('hl-histogram', HistogramView);
