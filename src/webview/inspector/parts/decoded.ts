// A log or a call in words: its signature and arguments, all candidates where it is ambiguous.
import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { t } from '../../../base/localize.ts';
import type { Description, RawCall, RawLog } from '../../../panels/decoding.ts';
import { Asking } from '../asking.ts';
import { visibleText } from '../rows/hostile.ts';
import type { Shared } from '../shared.ts';
import { base } from '../styles.ts';

export type Subject =
  | { readonly kind: 'log'; readonly log: RawLog }
  | { readonly kind: 'call'; readonly call: RawCall };

export class Decoded extends LitElement {
  static override styles = [
    base,
    css`
      .box { padding: 8px 12px; border-bottom: 1px solid color-mix(in srgb, var(--vscode-foreground) 8%, transparent); }
      code { font-family: var(--vscode-editor-font-family, monospace); overflow-wrap: anywhere; }
      table { border-collapse: collapse; width: 100%; margin-top: 6px; }
      th, td { text-align: left; padding: 3px 10px 3px 0; vertical-align: top; font-weight: normal; overflow-wrap: anywhere; }
      thead th { font-size: 11px; color: var(--vscode-descriptionForeground); }
      ul { margin: 4px 0 0; padding-left: 20px; }
    `,
  ];
  static override properties = { subject: { attribute: false }, shared: { attribute: false } };
  declare subject: Subject | null;
  declare shared: Shared;
  #description: Description = null;
  readonly #asking = new Asking(this, message => {
    if (message.type === 'description') this.#description = message.description;
  });

  constructor() {
    super();
    this.subject = null;
  }

  override willUpdate(): void {
    if (this.subject === null) this.#description = null;
    this.#asking.want(this.shared.link, this.subject, 0);
  }

  #address(value: string): TemplateResult | string {
    if (!/^0x[0-9a-fA-F]{40}$/.test(value)) return visibleText(value, 4_000);
    return html`<a href="#" @click=${(event: Event) => {
      event.preventDefault();
      event.stopPropagation();
      this.shared.navigate({ kind: 'address', chain: this.shared.chain, address: value });
    }}>${value}</a>`;
  }

  override render(): TemplateResult | typeof nothing {
    const description = this.#description;
    if (description === null) return nothing;
    if (description.kind === 'ambiguous') {
      const one = description.candidates.length === 1;
      return html`<div class="box"><span class="muted">${one ? t('Its signature is that of') : t('Its signature is that of one of')}</span>
        <ul>${description.candidates.map(({ signature, source }) => html`<li><code>${visibleText(signature, 400)}</code> <span class="muted">${visibleText(source, 120)}</span></li>`)}</ul></div>`;
    }
    return html`<div class="box"><code>${visibleText(description.signature, 400)}</code> <span class="muted">${visibleText(description.source, 120)}</span>
      ${
        description.args.length === 0
          ? nothing
          : html`<table><thead><tr><th scope="col">${t('Name')}</th><th scope="col">${t('Type')}</th><th scope="col">${t('Value')}</th></tr></thead><tbody>${description.args.map(
              ({ name, type, value, indexed }, at) =>
                html`<tr><th scope="row">${visibleText(name, 120) || `#${at}`}</th><td class="muted">${visibleText(type, 120)}${indexed ? ` ${t('indexed')}` : ''}</td><td class="mono">${this.#address(value)}</td></tr>`,
            )}</tbody></table>`
      }</div>`;
  }
}

customElements.define('hl-decoded', Decoded);
