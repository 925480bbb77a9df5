// Balances of several wallets as a bar chart.
import { html, type TemplateResult } from 'lit';
import { shortenHex } from '../../../base/displayText.ts';
import { formatAmount, formatApproximate } from '../../../base/formatUnits.ts';
import { t } from '../../../base/localize.ts';
import type { HexNames } from '../../../protocol/hexNames.ts';
import { PageElement } from '../pageElement.ts';
import type { LoadedTable } from '../replyCollector.ts';
import { toVisibleText } from '../rows/cellFormat.ts';
import { getNamedRow } from '../rows/namedRow.ts';
import type { Bars } from './barChart.ts';
import './barChart.ts';

/** Characters of a name under a bar. */
const MAX_LABEL_LENGTH = 24;

/** Precise enough for the height of a bar. */
const asNumber = (amount: bigint, decimals: number): number => Number(amount) / 10 ** decimals;

export class BalanceChart extends PageElement {
  static override properties = {
    table: { attribute: false },
    names: { attribute: false },
  };
  declare table: LoadedTable;
  declare names: HexNames;

  #getLabel(address: string): string {
    return toVisibleText(this.names.addresses[address.toLowerCase()] ?? shortenHex(address), MAX_LABEL_LENGTH);
  }

  override render(): TemplateResult {
    const wallets = this.table.rows.flatMap((_, index) => {
      const row = getNamedRow(this.table, index);
      const { decimals = 18, unit = '' } = row?.column('balance') ?? {};
      const balance = row?.integer('balance') ?? null;
      return balance === null ? [] : [{ address: row?.text('address') ?? '', balance, decimals, unit }];
    });
    const bars: Bars = {
      values: wallets.map(({ balance, decimals }) => asNumber(balance, decimals)),
      formatLabel: index => this.#getLabel(wallets[index]?.address ?? ''),
      formatValue: value => `${formatApproximate(value)} ${wallets[0]?.unit ?? ''}`,
    };
    const summary = wallets
      .map(({ address, balance, decimals, unit }) =>
        t('{0}: {1} {2}', this.#getLabel(address), formatAmount(balance, decimals), unit),
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
