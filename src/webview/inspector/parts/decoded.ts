// A log or a call in words: its signature and arguments, all candidates where it is ambiguous.
import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { t } from '../../../base/localize.ts';
import type { DecodedReading, Description, RawCall, RawLog } from '../../../panels/decoding.ts';
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
      p { margin: 0 0 6px; }
      .reading + .reading { margin-top: 10px; }
    `,
  ];
  static override properties = { subject: { attribute: false }, shared: { attribute: false } };
  declare subject: Subject | null;
  declare shared: Shared;
  #description: Description = [];
  readonly #asking = new Asking(this, message => {
    if (message.type === 'description') this.#description = message.description;
  });

  constructor() {
    super();
    this.subject = null;
  }

  override willUpdate(): void {
    if (this.subject === null) this.#description = [];
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

  #reading({ signature, source, args }: DecodedReading): TemplateResult {
    return html`<div class="reading"><code>${visibleText(signature, 400)}</code> <span class="muted">${visibleText(source, 160)}</span>
      ${
        args.length === 0
          ? nothing
          : html`<table><thead><tr><th scope="col">${t('Name')}</th><th scope="col">${t('Type')}</th><th scope="col">${t('Value')}</th></tr></thead><tbody>${args.map(
              ({ name, type, value, depth, hashed }, at) =>
                html`<tr><th scope="row" .style=${`padding-left:${depth * 14}px`}>${visibleText(name, 120) || `#${at}`}</th><td class="muted">${visibleText(type, 80)}</td><td class="mono">${hashed ? html`<span class="muted">${t('hash of')}</span> ` : nothing}${this.#address(value)}</td></tr>`,
            )}</tbody></table>`
      }</div>`;
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

customElements.define('hl-decoded', Decoded);
