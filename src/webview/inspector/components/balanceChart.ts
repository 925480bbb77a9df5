// Balances of several wallets side by side.
import { html, LitElement, type TemplateResult } from 'lit';
import { shortenHex } from '../../../base/displayText.ts';
import { formatAmount, formatApproximate } from '../../../base/formatUnits.ts';
import { t } from '../../../base/localize.ts';
import type { PageContext } from '../pageContext.ts';
import type { LoadedTable } from '../replyCollector.ts';
import { getNamedRow } from '../rows/namedRow.ts';
import type { Bars } from './barChart.ts';
import './barChart.ts';

/** Enough for a bar's height; what is written beside it is exact. */
const asNumber = (amount: bigint, decimals: number): number => Number(amount) / 10 ** decimals;

export class BalanceChart extends LitElement {
  static override properties = { table: { attribute: false }, shared: { attribute: false } };
  declare table: LoadedTable;
  declare shared: PageContext;

  override render(): TemplateResult {
    const wallets = this.table.rows.flatMap((_, index) => {
      const row = getNamedRow(this.table, index);
      const { decimals = 18, unit = '' } = row?.column('balance') ?? {};
      const balance = row?.integer('balance') ?? null;
      return balance === null ? [] : [{ address: row?.text('address') ?? '', balance, decimals, unit }];
    });
    const bars: Bars = {
      values: wallets.map(({ balance, decimals }) => asNumber(balance, decimals)),
      formatLabel: at => shortenHex(wallets[at]?.address ?? ''),
      formatValue: value => `${formatApproximate(value)} ${wallets[0]?.unit ?? ''}`,
    };
    const words = wallets
      .map(({ address, balance, decimals, unit }) =>
        t('{0}: {1} {2}', shortenHex(address), formatAmount(balance, decimals), unit),
      )
      .join('; ');
    return html`<hl-chart .bars=${bars} words=${words} label=${t('Balances')} @bar-choose=${(
      event: CustomEvent<number>,
    ) => {
      const address = wallets[event.detail]?.address;
      if (address !== undefined) this.shared.navigate({ kind: 'address', chain: this.shared.chain, address });
    }}></hl-chart>`;
  }
}

customElements.define('hl-balances', BalanceChart);
