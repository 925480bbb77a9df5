// A decoded log or call: signature and arguments, of every candidate where it is ambiguous.

import { css, html, nothing, type TemplateResult } from 'lit';
import { t } from '../../../base/localize.ts';
import { getSeaportItemUnit } from '../../../decode/seaportTrade.ts';
import type { DecodedArgument, DecodedCandidate, DecodedSource, Decoding } from '../../../protocol/decoderPort.ts';
import type { HexNames } from '../../../protocol/hexNames.ts';
import { AmountUnitsController } from '../amountUnitsController.ts';
import { PageElement } from '../pageElement.ts';
import { RequestController } from '../requestController.ts';
import { toVisibleText } from '../rows/cellFormat.ts';
import { baseStyles } from '../styles.ts';
import { getValueUnit, renderValueTable, valueStyles } from './valueTable.ts';
import './tradeView.ts';

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

export class DecodedView extends PageElement {
  static override styles = [
    baseStyles,
    valueStyles,
    css`
      .box { padding: 8px 12px; border-bottom: 1px solid color-mix(in srgb, var(--vscode-foreground) 8%, transparent); }
      p { margin: 0 0 6px; }
      .candidate + .candidate { margin-top: 10px; }
      summary { cursor: pointer; padding: 4px 0; }
    `,
  ];
  static override properties = { source: { attribute: false } };
  source: DecodedSource | null = null;
  #decoding: Decoding = [];
  #names: HexNames['addresses'] = {};
  readonly #tokens = new AmountUnitsController(this);
  readonly #request = new RequestController(this, 'decode', ({ decoding, names }) => {
    this.#decoding = decoding;
    this.#names = names;
    this.#tokens.request(this.context.channel, this.context.chain, getUnitTokens(decoding));
  });

  override willUpdate(): void {
    if (this.source === null) this.#decoding = [];
    this.#request.request(this.context.channel, this.source, 0);
  }

  #renderArguments(args: readonly DecodedArgument[]): TemplateResult {
    return renderValueTable(args, { context: this.context, names: this.#names, units: this.#tokens.units });
  }

  #renderCandidate({ signature, source, args, trade }: DecodedCandidate): TemplateResult {
    const head = html`<code>${toVisibleText(signature, 400)}</code> <span class="muted">${toVisibleText(source, 160)}</span>`;
    if (trade === undefined)
      return html`<div class="candidate">${head}${args.length === 0 ? nothing : this.#renderArguments(args)}</div>`;
    const [name = ''] = signature.split('(');
    return html`<div class="candidate"><p><code>${toVisibleText(name, 128)}</code> <span class="muted">${toVisibleText(source, 160)}</span></p>
      <hl-trade .trade=${trade} .getUnit=${(token: string) => getValueUnit(token, this.#tokens.units)} .names=${this.#names} .context=${this.context}></hl-trade>
      <details><summary>${t('All values of the log')}</summary>${head}${this.#renderArguments(args)}</details></div>`;
  }

  override render(): TemplateResult | typeof nothing {
    const candidates = this.#decoding;
    // Until its own arrives, the decoding is that of another source.
    if (candidates.length === 0 || this.#request.isLoading || this.#request.fault !== null) return nothing;
    return html`<div class="box">${
      candidates.length === 1
        ? nothing
        : html`<p class="muted">${t('Ambiguous: {0} declarations match.', candidates.length)}</p>`
    }${candidates.map(candidate => this.#renderCandidate(candidate))}</div>`;
  }
}

customElements.define('hl-decoded', DecodedView);
