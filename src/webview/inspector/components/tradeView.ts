// A Seaport trade, item by item: what was offered, and who was paid how much.
import { css, html, type TemplateResult } from 'lit';
import { sanitizeText, shortenHex } from '../../../base/displayText.ts';
import { formatInteger, formatTokenAmount } from '../../../base/formatUnits.ts';
import { t } from '../../../base/localize.ts';
import { getSeaportItemUnit, NATIVE_COIN, type SeaportItem, type SeaportTrade } from '../../../decode/seaportTrade.ts';
import type { AmountUnit } from '../../../protocol/amountUnits.ts';
import type { HexNames } from '../../../protocol/hexNames.ts';
import type { InspectorTarget } from '../../../protocol/inspectorTarget.ts';
import { PageElement } from '../pageElement.ts';
import { baseStyles } from '../styles.ts';
import { renderTargetLink } from './targetLink.ts';

const formatItemKind = (kind: SeaportItem['kind']): string => {
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

/** Token ids have up to 78 digits. */
const shortenTokenId = (id: string): string => (id.length > 20 ? `${id.slice(0, 8)}…${id.slice(-6)}` : id);

export class TradeView extends PageElement {
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
    getUnit: { attribute: false },
    names: { attribute: false },
  };
  declare trade: SeaportTrade;
  /** The unit of a token or of the chain's coin; another function whenever its results change. */
  declare getUnit: (token: string) => AmountUnit | null;
  /** By lower-case address. */
  declare names: HexNames['addresses'];

  #renderLink(text: string, title: string, target: InspectorTarget, mono = true): TemplateResult {
    return renderTargetLink(this.context, target, text, { isMono: mono, title });
  }

  #renderAddress(address: string): TemplateResult | string {
    if (!/^0x[0-9a-f]{40}$/i.test(address)) return '';
    const name = sanitizeText(this.names[address.toLowerCase()] ?? '');
    const target: InspectorTarget = { kind: 'address', chain: this.context.chain, address };
    return name === ''
      ? this.#renderLink(shortenHex(address), address, target)
      : this.#renderLink(name, `${name}\n${address}`, target, false);
  }

  #renderTokenId({ kind, token, id }: SeaportItem): TemplateResult | string {
    if (kind === 'native' || kind === 'erc20') return '';
    const parameters = {
      address: token,
      tokenId: id,
      chain: this.context.chain,
      normalizeMetadata: 'true',
      mediaItems: 'true',
    };
    return this.#renderLink(shortenTokenId(id), id, { kind: 'operation', operation: 'nftOwners', parameters });
  }

  #renderAmount(item: SeaportItem): TemplateResult | string {
    const { amount } = item;
    const token = getSeaportItemUnit(item);
    const unit = token === null ? null : this.getUnit(token);
    if (unit !== null)
      return html`<span class="amount" title=${amount}>${formatTokenAmount(BigInt(amount), unit)}</span>`;
    // Raw: the token's decimals are unknown.
    return token === null ? formatInteger(BigInt(amount)) : html`${amount} <span class="muted">${t('raw')}</span>`;
  }

  #renderItems(title: string, items: readonly SeaportItem[]): TemplateResult {
    return html`<div class="scroll" tabindex="0" role="group" aria-label=${title}><table><caption>${title}</caption><thead><tr><th scope="col">${t('Item')}</th><th scope="col">${t('Token')}</th><th scope="col">${t('Token ID')}</th><th scope="col">${t('Amount')}</th><th scope="col">${t('Recipient')}</th></tr></thead>
      <tbody>${items.map(
        item =>
          html`<tr><th scope="row">${formatItemKind(item.kind)}</th><td>${getSeaportItemUnit(item) === NATIVE_COIN ? '' : this.#renderAddress(item.token)}</td><td>${this.#renderTokenId(item)}</td><td>${this.#renderAmount(item)}</td><td>${this.#renderAddress(item.recipient)}</td></tr>`,
      )}</tbody></table></div>`;
  }

  override render(): TemplateResult {
    const { trade } = this;
    if (trade.kind === 'matched')
      return html`<p>${t('{0} orders were matched with each other. Each has an OrderFulfilled log of its own in this transaction.', trade.orders)}</p>`;
    return html`<p><span class="muted">${t('Offered by')}</span> ${this.#renderAddress(trade.offerer)}</p>
      ${this.#renderItems(t('Offer'), trade.offer)}${this.#renderItems(t('Consideration'), trade.consideration)}`;
  }
}

customElements.define('hl-trade', TradeView);
