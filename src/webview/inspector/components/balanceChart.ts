// Balances of several wallets as a bar chart.
import { html, LitElement, type TemplateResult } from 'lit';
import { shortenHex } from '../../../base/displayText.ts';
import { formatAmount, formatApproximate } from '../../../base/formatUnits.ts';
import { t } from '../../../base/localize.ts';
import type { PageContext } from '../pageContext.ts';
import type { LoadedTable } from '../replyCollector.ts';
import { getNamedRow } from '../rows/namedRow.ts';
import type { Bars } from './barChart.ts';
import './barChart.ts';

/** Precise enough for the height of a bar. */
const asNumber = (amount: bigint, decimals: number): number => Number(amount) / 10 ** decimals;

export class BalanceChart extends LitElement {
  static override properties = { table: { attribute: false }, context: { attribute: false } };
  declare table: LoadedTable;
  declare context: PageContext;

  override render(): TemplateResult {
    const wallets = this.table.rows.flatMap((_, index) => {
      const row = getNamedRow(this.table, index);
      const { decimals = 18, unit = '' } = row?.column('balance') ?? {};
      const balance = row?.integer('balance') ?? null;
      return balance === null ? [] : [{ address: row?.text('address') ?? '', balance, decimals, unit }];
    });
    const bars: Bars = {
      values: wallets.map(({ balance, decimals }) => asNumber(balance, decimals)),
      formatLabel: index => shortenHex(wallets[index]?.address ?? ''),
      formatValue: value => `${formatApproximate(value)} ${wallets[0]?.unit ?? ''}`,
    };
    const summary = wallets
      .map(({ address, balance, decimals, unit }) =>
        t('{0}: {1} {2}', shortenHex(address), formatAmount(balance, decimals), unit),
      )
      .join('; ');
    return html`<hl-bar-chart .bars=${bars} summary=${summary} label=${t('Balances')} @bar-select=${(
      event: CustomEvent<number>,
    ) => {
      const address = wallets[event.detail]?.address;
      if (address !== undefined) this.context.navigate({ kind: 'address', chain: this.context.chain, address });
    }}></hl-bar-chart>`;
  }
}

customElements.define('hl-balance-chart', BalanceChart);
