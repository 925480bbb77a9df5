// Gas of a block, a bar per transaction, with a summary in words.
import { css, html, type TemplateResult } from 'lit';
import { formatInteger } from '../../../base/formatUnits.ts';
import { t } from '../../../base/localize.ts';
import { PageElement } from '../pageElement.ts';
import type { LoadedTable } from '../replyCollector.ts';
import { getNamedRow } from '../rows/namedRow.ts';
import { baseStyles } from '../styles.ts';
import type { Bars } from './barChart.ts';
import './barChart.ts';

export class GasChart extends PageElement {
  static override styles = [
    baseStyles,
    css`
      :host { padding: 8px 0 24px; }
      h2 { font-size: 1em; margin: 4px 16px; }
    `,
  ];
  static override properties = { transactions: { attribute: false }, limit: {} };
  declare transactions: LoadedTable | undefined;
  limit: string | null = null;

  #getColumn(key: string): readonly (string | number | boolean | null)[] {
    const table = this.transactions;
    const index = table?.columns.findIndex(column => column.key === key) ?? -1;
    return table?.rows.map(row => row[index] ?? null) ?? [];
  }

  override render(): TemplateResult {
    const used = this.#getColumn('receiptGasUsed').map(cell => Number(cell ?? 0));
    const status = this.#getColumn('receiptStatus');
    const total = used.reduce((sum, value) => sum + value, 0);
    const largest = used.reduce((best, value, index) => (value > (used[best] ?? 0) ? index : best), 0);
    const failed = status.filter(cell => cell === 0).length;
    const bars: Bars = {
      values: used,
      formatLabel: index => `#${index}`,
      formatValue: value => formatInteger(Math.round(value)),
      isFailed: index => status[index] === 0,
    };
    const summary =
      used.length === 0
        ? t('No transactions.')
        : used.length === 1
          ? t('1 transaction used {0} gas. {1} failed.', formatInteger(total), failed)
          : t(
              '{0} transactions used {1} gas in all, {2} on average. Transaction {3} used the most: {4}. {5} failed.',
              formatInteger(used.length),
              formatInteger(total),
              formatInteger(Math.round(total / used.length)),
              largest,
              formatInteger(used[largest] ?? 0),
              failed,
            );
    return html`<h2>${t('Gas used per transaction')}</h2><hl-bar-chart .bars=${bars} summary=${summary} label=${t('Gas used per transaction')}
      @bar-select=${(event: CustomEvent<number>) => {
        const hash =
          this.transactions === undefined ? null : (getNamedRow(this.transactions, event.detail)?.text('hash') ?? null);
        if (hash !== null) this.context.navigate({ kind: 'transaction', chain: this.context.chain, hash });
      }}></hl-bar-chart>`;
  }
}

customElements.define('hl-gas-chart', GasChart);
