// Gas of a block: a bar per transaction, who took how much of it, and the same in words.
import { css, html, LitElement, type TemplateResult } from 'lit';
import { formatInteger } from '../../../base/formatUnits.ts';
import { t } from '../../../base/localize.ts';
import type { PageContext } from '../pageContext.ts';
import type { LoadedTable } from '../replyCollector.ts';
import { getNamedRow } from '../rows/namedRow.ts';
import { baseStyles } from '../styles.ts';
import type { Bars } from './barChart.ts';
import './barChart.ts';

export class GasChart extends LitElement {
  static override styles = [
    baseStyles,
    css`
      :host { padding: 8px 0 24px; }
      h2 { font-size: 1em; margin: 4px 16px; }
    `,
  ];
  static override properties = { transactions: { attribute: false }, limit: {}, shared: { attribute: false } };
  declare transactions: LoadedTable | undefined;
  declare limit: string | null;
  declare shared: PageContext;

  constructor() {
    super();
    this.limit = null;
  }

  #column(key: string): readonly (string | number | boolean | null)[] {
    const table = this.transactions;
    const at = table?.columns.findIndex(column => column.key === key) ?? -1;
    return table?.rows.map(row => row[at] ?? null) ?? [];
  }

  override render(): TemplateResult {
    const used = this.#column('receiptGasUsed').map(cell => Number(cell ?? 0));
    const status = this.#column('receiptStatus');
    const total = used.reduce((sum, value) => sum + value, 0);
    const most = used.reduce((best, value, at) => (value > (used[best] ?? 0) ? at : best), 0);
    const failed = status.filter(cell => cell === 0).length;
    const bars: Bars = {
      values: used,
      formatLabel: at => `#${at}`,
      formatValue: value => formatInteger(Math.round(value)),
      isFailed: at => status[at] === 0,
    };
    const words =
      used.length === 0
        ? t('No transactions, no gas.')
        : t(
            '{0} transactions used {1} gas in all, {2} on average. Transaction {3} used the most: {4}. {5} failed.',
            formatInteger(used.length),
            formatInteger(total),
            formatInteger(Math.round(total / used.length)),
            most,
            formatInteger(used[most] ?? 0),
            failed,
          );
    return html`<h2>${t('Gas used per transaction')}</h2><hl-chart .bars=${bars} words=${words} label=${t('Gas used per transaction')}
      @bar-choose=${(event: CustomEvent<number>) => {
        const hash =
          this.transactions === undefined ? null : (getNamedRow(this.transactions, event.detail)?.text('hash') ?? null);
        if (hash !== null) this.shared.navigate({ kind: 'transaction', chain: this.shared.chain, hash });
      }}></hl-chart>`;
  }
}

customElements.define('hl-gas', GasChart);
