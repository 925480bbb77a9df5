// What a market's log exchanged, item by item: who gave what, and who was paid how much.
import { css, html, LitElement, type TemplateResult } from 'lit';
import { sanitizeText, shortenHex } from '../../../base/displayText.ts';
import { formatInteger } from '../../../base/formatUnits.ts';
import { t } from '../../../base/localize.ts';
import { getSeaportItemUnit, NATIVE_COIN, type SeaportItem, type SeaportTrade } from '../../../decode/seaportTrade.ts';
import type { AmountUnit } from '../../../protocol/amountUnits.ts';
import type { HexNames } from '../../../protocol/hexNames.ts';
import type { InspectorTarget } from '../../../protocol/inspectorTarget.ts';
import type { PageContext } from '../pageContext.ts';
import { formatExactAmount } from '../rows/tokenAmount.ts';
import { baseStyles } from '../styles.ts';

const kindText = (kind: SeaportItem['kind']): string => {
  switch (kind) {
    case 'native':
      return t('Native coin');
    case 'erc20':
      return 'ERC-20';
    case 'erc721':
      return 'ERC-721';
    case 'erc1155':
      return 'ERC-1155';
    default:
      return t('Unknown');
  }
};

/** An id of an NFT may have 78 digits. */
const shortId = (id: string): string => (id.length > 20 ? `${id.slice(0, 8)}…${id.slice(-6)}` : id);

export class TradeView extends LitElement {
  static override styles = [
    baseStyles,
    css`
      .scroll { overflow-x: auto; }
      table { border-collapse: collapse; width: 100%; margin: 2px 0 10px; }
      caption { text-align: left; font-weight: 600; padding: 2px 0; }
      th, td { text-align: left; padding: 3px 14px 3px 0; vertical-align: top; font-weight: normal; white-space: nowrap; border-bottom: 1px solid color-mix(in srgb, var(--vscode-foreground) 8%, transparent); }
      thead th { font-size: 11px; color: var(--vscode-descriptionForeground); }
      .amount { font-weight: 600; unicode-bidi: isolate; }
      .number { text-align: right; }
      p { margin: 0 0 6px; }
    `,
  ];
  static override properties = {
    trade: { attribute: false },
    unitOf: { attribute: false },
    names: { attribute: false },
    shared: { attribute: false },
  };
  declare trade: SeaportTrade;
  /** Another function when it says something else. */
  declare unitOf: (of: string) => AmountUnit | null;
  /** Of addresses in lower case. */
  declare names: HexNames['addresses'];
  declare shared: PageContext;

  #link(text: string, title: string, target: InspectorTarget, mono = true): TemplateResult {
    return html`<a href="#" class=${mono ? 'mono' : ''} title=${title} @click=${(event: MouseEvent) => {
      event.preventDefault();
      event.stopPropagation();
      this.shared.navigate(target, event.ctrlKey || event.metaKey ? 'side' : 'here');
    }}>${text}</a>`;
  }

  #address(address: string): TemplateResult | string {
    if (!/^0x[0-9a-f]{40}$/i.test(address)) return '';
    const name = sanitizeText(this.names[address.toLowerCase()] ?? '');
    const target: InspectorTarget = { kind: 'address', chain: this.shared.chain, address };
    return name === ''
      ? this.#link(shortenHex(address), address, target)
      : this.#link(name, `${name}\n${address}`, target, false);
  }

  #id({ kind, token, id }: SeaportItem): TemplateResult | string {
    if (kind === 'native' || kind === 'erc20') return '';
    const parameters = {
      address: token,
      tokenId: id,
      chain: this.shared.chain,
      normalizeMetadata: 'true',
      mediaItems: 'true',
    };
    return this.#link(shortId(id), id, { kind: 'operation', operation: 'nftOwners', parameters });
  }

  #amount(item: SeaportItem): TemplateResult | string {
    const { amount } = item;
    const of = getSeaportItemUnit(item);
    const unit = of === null ? null : this.unitOf(of);
    if (unit !== null)
      return html`<span class="amount" title=${amount}>${formatExactAmount(BigInt(amount), unit)}</span>`;
    // Without its decimals a token's amount is a number and nothing more.
    return of === null ? formatInteger(BigInt(amount)) : html`${amount} <span class="muted">${t('raw')}</span>`;
  }

  #items(title: string, items: readonly SeaportItem[]): TemplateResult {
    return html`<div class="scroll" tabindex="0" role="group" aria-label=${title}><table><caption>${title}</caption><thead><tr><th scope="col">${t('Item')}</th><th scope="col">${t('Token')}</th><th scope="col">${t('Token id')}</th><th scope="col">${t('Amount')}</th><th scope="col">${t('Recipient')}</th></tr></thead>
      <tbody>${items.map(
        item =>
          html`<tr><th scope="row">${kindText(item.kind)}</th><td>${getSeaportItemUnit(item) === NATIVE_COIN ? '' : this.#address(item.token)}</td><td>${this.#id(item)}</td><td>${this.#amount(item)}</td><td>${this.#address(item.recipient)}</td></tr>`,
      )}</tbody></table></div>`;
  }

  override render(): TemplateResult {
    const { trade } = this;
    if (trade.kind === 'matched')
      return html`<p>${t('{0} orders were matched with each other. Each has an OrderFulfilled log of its own in this transaction.', trade.orders)}</p>`;
    return html`<p><span class="muted">${t('Offered by')}</span> ${this.#address(trade.offerer)}</p>
      ${this.#items(t('Offer'), trade.offer)}${this.#items(t('Consideration'), trade.consideration)}`;
  }
}

customElements.define('hl-trade', TradeView);
