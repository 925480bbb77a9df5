// A decoded log or call: signature and arguments, of every candidate where it is ambiguous.
import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { formatTokenAmount } from '../../../base/formatUnits.ts';
import { t } from '../../../base/localize.ts';
import { getSeaportItemUnit } from '../../../decode/seaportTrade.ts';
import type { AmountUnit } from '../../../protocol/amountUnits.ts';
import type { DecodedArgument, DecodedCandidate, Decoding, RawCall, RawLog } from '../../../protocol/decoding.ts';
import type { HexNames } from '../../../protocol/hexNames.ts';
import { AmountUnitsController } from '../amountUnitsController.ts';
import type { PageContext } from '../pageContext.ts';
import { RequestController } from '../requestController.ts';
import { toVisibleText } from '../rows/cellFormat.ts';
import { baseStyles } from '../styles.ts';
import './tradeView.ts';

export type DecodedSource =
  | { readonly kind: 'log'; readonly log: RawLog }
  | { readonly kind: 'call'; readonly call: RawCall };

/** `tuple[]` for a tuple, whose members are in the lines below. */
const shortenType = (type: string): string => toVisibleText(type.replace(/^\(.*\)/, 'tuple'), 80);

/** Tokens whose units the decoding shows amounts in. */
function getUnitTokens(decoding: Decoding): ReadonlySet<string> {
  const tokens = decoding.flatMap(({ args, trade }) => [
    ...args.flatMap(({ unit }) => unit ?? []),
    ...(trade?.kind === 'fulfilled'
      ? [...trade.offer, ...trade.consideration].flatMap(item => getSeaportItemUnit(item) ?? [])
      : []),
  ]);
  return new Set(tokens);
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
      .candidate + .candidate { margin-top: 10px; }
      .amount { font-weight: 600; unicode-bidi: isolate; }
      .raw { margin-left: 6px; }
      button.copy { line-height: 1; vertical-align: middle; }
      summary { cursor: pointer; padding: 4px 0; }
    `,
  ];
  static override properties = { source: { attribute: false }, context: { attribute: false } };
  declare source: DecodedSource | null;
  declare context: PageContext;
  #decoding: Decoding = [];
  #names: HexNames['addresses'] = {};
  readonly #tokens = new AmountUnitsController(this);
  readonly #request = new RequestController(this, 'decode', ({ decoding, names }) => {
    this.#decoding = decoding;
    this.#names = names;
    this.#tokens.request(this.context.channel, this.context.chain, getUnitTokens(decoding));
  });

  constructor() {
    super();
    this.source = null;
  }

  override willUpdate(): void {
    if (this.source === null) this.#decoding = [];
    this.#request.request(this.context.channel, this.source, 0);
  }

  #renderAddress(value: string): TemplateResult | string {
    if (!/^0x[0-9a-fA-F]{40}$/.test(value)) return toVisibleText(value, 4_000);
    const name = this.#names[value.toLowerCase()];
    return html`<a href="#" @click=${(event: Event) => {
      event.preventDefault();
      event.stopPropagation();
      this.context.navigate({ kind: 'address', chain: this.context.chain, address: value });
    }}>${value}</a>${name === undefined ? nothing : html` <span class="chip">${toVisibleText(name, 64)}</span>`}`;
  }

  #getUnit(token: string): AmountUnit | null {
    return this.#tokens.units[token.toLowerCase()] ?? null;
  }

  #renderCopyButton(text: string, label: string): TemplateResult {
    return html`<button class="plain copy" title=${label} aria-label=${label} @click=${(event: Event) => {
      event.stopPropagation();
      this.context.channel.notify('copy', { text });
    }}><vscode-icon name="copy" size="14" aria-hidden="true"></vscode-icon></button>`;
  }

  #renderValue({ value, isHash, unit: token }: DecodedArgument): TemplateResult {
    if (isHash) return html`<span class="muted">${t('hash of')}</span> ${this.#renderAddress(value)}`;
    const unit = token === undefined || !/^\d+$/.test(value) ? null : this.#getUnit(token);
    if (unit === null) return html`${this.#renderAddress(value)}`;
    return html`<span class="amount">${formatTokenAmount(BigInt(value), unit)}</span> <span class="muted raw">${value}</span>${this.#renderCopyButton(value, t('Copy the raw number'))}`;
  }

  #renderArguments(args: readonly DecodedArgument[]): TemplateResult {
    return html`<table><thead><tr><th scope="col">${t('Name')}</th><th scope="col">${t('Type')}</th><th scope="col">${t('Value')}</th></tr></thead><tbody>${args.map(
      (argument, index) =>
        html`<tr><th scope="row" .style=${`padding-left:${argument.depth * 14}px`}>${toVisibleText(argument.name, 120) || `#${index}`}</th><td class="muted" title=${toVisibleText(argument.type, 400)}>${shortenType(argument.type)}</td><td class="mono">${this.#renderValue(argument)}</td></tr>`,
    )}</tbody></table>`;
  }

  #renderCandidate({ signature, source, args, trade }: DecodedCandidate): TemplateResult {
    const head = html`<code>${toVisibleText(signature, 400)}</code> <span class="muted">${toVisibleText(source, 160)}</span>`;
    if (trade === undefined)
      return html`<div class="candidate">${head}${args.length === 0 ? nothing : this.#renderArguments(args)}</div>`;
    const [name = ''] = signature.split('(');
    return html`<div class="candidate"><p><code>${toVisibleText(name, 128)}</code> <span class="muted">${toVisibleText(source, 160)}</span></p>
      <hl-trade .trade=${trade} .getUnit=${(token: string) => this.#getUnit(token)} .names=${this.#names} .context=${this.context}></hl-trade>
      <details><summary>${t('All values of the log')}</summary>${head}${this.#renderArguments(args)}</details></div>`;
  }

  override render(): TemplateResult | typeof nothing {
    const candidates = this.#decoding;
    if (candidates.length === 0) return nothing;
    return html`<div class="box">${
      candidates.length === 1
        ? nothing
        : html`<p class="muted">${t('Ambiguous: {0} declarations match.', candidates.length)}</p>`
    }${candidates.map(candidate => this.#renderCandidate(candidate))}</div>`;
  }
}

customElements.define('hl-decoded', DecodedView);
