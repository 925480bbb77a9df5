// A log or a call in words: its signature and arguments, all candidates where it is ambiguous.
import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { t } from '../../../base/localize.ts';
import { getSeaportItemUnit, NATIVE_COIN } from '../../../decode/seaportTrade.ts';
import type { AmountUnit } from '../../../protocol/amountUnits.ts';
import type { DecodedArgument, DecodedCandidate, Decoding, RawCall, RawLog } from '../../../protocol/decoding.ts';
import type { HexNames } from '../../../protocol/hexNames.ts';
import { AmountUnitsController } from '../amountUnitsController.ts';
import type { PageContext } from '../pageContext.ts';
import { RequestController } from '../requestController.ts';
import { formatExactAmount } from '../rows/tokenAmount.ts';
import { toVisibleText } from '../rows/visibleText.ts';
import { baseStyles } from '../styles.ts';
import './tradeView.ts';

export type DecodedSource =
  | { readonly kind: 'log'; readonly log: RawLog }
  | { readonly kind: 'call'; readonly call: RawCall };

/** `tuple[]` for what has its parts in the lines below. */
const shortType = (type: string): string => toVisibleText(type.replace(/^\(.*\)/, 'tuple'), 80);

/** Tokens whose unit the reading of a log or call wants to know. */
function unitsIn(description: Decoding): ReadonlySet<string> {
  const wanted = description.flatMap(({ args, trade }) => [
    ...args.flatMap(({ unit }) => unit ?? []),
    ...(trade?.kind === 'fulfilled'
      ? [...trade.offer, ...trade.consideration].flatMap(item => getSeaportItemUnit(item) ?? [])
      : []),
  ]);
  return new Set(wanted.filter(unit => unit !== NATIVE_COIN));
}

export class DecodedView extends LitElement {
  static override styles = [
    baseStyles,
    css`
      .box { padding: 8px 12px; border-bottom: 1px solid color-mix(in srgb, var(--vscode-foreground) 8%, transparent); }
      code { font-family: var(--vscode-editor-font-family, monospace); overflow-wrap: anywhere; }
      table { border-collapse: collapse; width: 100%; margin-top: 6px; }
      th, td { text-align: left; padding: 3px 10px 3px 0; vertical-align: top; font-weight: normal; overflow-wrap: anywhere; }
      th, td.muted { max-width: 190px; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
      td.mono { width: 100%; }
      thead th { font-size: 11px; color: var(--vscode-descriptionForeground); }
      p { margin: 0 0 6px; }
      .reading + .reading { margin-top: 10px; }
      .amount { font-weight: 600; unicode-bidi: isolate; }
      .raw { margin-left: 6px; }
      button.copy { line-height: 1; vertical-align: middle; }
      summary { cursor: pointer; padding: 4px 0; }
    `,
  ];
  static override properties = { subject: { attribute: false }, shared: { attribute: false } };
  declare subject: DecodedSource | null;
  declare shared: PageContext;
  #description: Decoding = [];
  #names: HexNames['addresses'] = {};
  readonly #tokens = new AmountUnitsController(this);
  readonly #asking = new RequestController(this, message => {
    if (message.type !== 'description') return;
    this.#description = message.description;
    this.#names = message.names;
    this.#tokens.request(this.shared.channel, this.shared.chain, unitsIn(message.description));
  });

  constructor() {
    super();
    this.subject = null;
  }

  override willUpdate(): void {
    if (this.subject === null) this.#description = [];
    this.#asking.request(this.shared.channel, this.subject, 0);
  }

  #address(value: string): TemplateResult | string {
    if (!/^0x[0-9a-fA-F]{40}$/.test(value)) return toVisibleText(value, 4_000);
    const name = this.#names[value.toLowerCase()];
    return html`<a href="#" @click=${(event: Event) => {
      event.preventDefault();
      event.stopPropagation();
      this.shared.navigate({ kind: 'address', chain: this.shared.chain, address: value });
    }}>${value}</a>${name === undefined ? nothing : html` <span class="chip">${toVisibleText(name, 64)}</span>`}`;
  }

  #unit(of: string): AmountUnit | null {
    if (of !== NATIVE_COIN) return this.#tokens.units[of.toLowerCase()] ?? null;
    const chain = this.shared.chains.find(({ selector }) => selector === this.shared.chain);
    return chain === undefined ? null : { symbol: chain.coin, decimals: chain.decimals };
  }

  #copy(text: string, label: string): TemplateResult {
    return html`<button class="plain copy" title=${label} aria-label=${label} @click=${(event: Event) => {
      event.stopPropagation();
      this.shared.channel.send({ type: 'copy', text });
    }}><vscode-icon name="copy" size="14" aria-hidden="true"></vscode-icon></button>`;
  }

  #value({ value, hashed, unit: of }: DecodedArgument): TemplateResult {
    if (hashed) return html`<span class="muted">${t('hash of')}</span> ${this.#address(value)}`;
    const unit = of === undefined || !/^\d+$/.test(value) ? null : this.#unit(of);
    if (unit === null) return html`${this.#address(value)}`;
    return html`<span class="amount">${formatExactAmount(BigInt(value), unit)}</span> <span class="muted raw">${value}</span>${this.#copy(value, t('Copy the raw number'))}`;
  }

  #values(args: readonly DecodedArgument[]): TemplateResult {
    return html`<table><thead><tr><th scope="col">${t('Name')}</th><th scope="col">${t('Type')}</th><th scope="col">${t('Value')}</th></tr></thead><tbody>${args.map(
      (argument, at) =>
        html`<tr><th scope="row" .style=${`padding-left:${argument.depth * 14}px`}>${toVisibleText(argument.name, 120) || `#${at}`}</th><td class="muted" title=${toVisibleText(argument.type, 400)}>${shortType(argument.type)}</td><td class="mono">${this.#value(argument)}</td></tr>`,
    )}</tbody></table>`;
  }

  #reading({ signature, source, args, trade }: DecodedCandidate): TemplateResult {
    const head = html`<code>${toVisibleText(signature, 400)}</code> <span class="muted">${toVisibleText(source, 160)}</span>`;
    if (trade === undefined)
      return html`<div class="reading">${head}${args.length === 0 ? nothing : this.#values(args)}</div>`;
    const [name = ''] = signature.split('(');
    return html`<div class="reading"><p><code>${toVisibleText(name, 128)}</code> <span class="muted">${toVisibleText(source, 160)}</span></p>
      <hl-trade .trade=${trade} .unitOf=${(of: string) => this.#unit(of)} .names=${this.#names} .shared=${this.shared}></hl-trade>
      <details><summary>${t('All values of the log')}</summary>${head}${this.#values(args)}</details></div>`;
  }

  override render(): TemplateResult | typeof nothing {
    const readings = this.#description;
    if (readings.length === 0) return nothing;
    return html`<div class="box">${
      readings.length === 1
        ? nothing
        : html`<p class="muted">${t('Ambiguous: {0} declarations fit.', readings.length)}</p>`
    }${readings.map(reading => this.#reading(reading))}</div>`;
  }
}

customElements.define('hl-decoded', DecodedView);
