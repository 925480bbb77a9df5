// Pictures of tokens, drawn when they come into sight: only from data, only as images, never as documents.
import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { t } from '../../../base/localize.ts';
import { plainText } from '../../../view/hover/text.ts';
import type { GrownTable } from '../collected.ts';
import { pictureOf } from '../rows/picture.ts';
import { recordOf } from '../rows/record.ts';
import type { Shared } from '../shared.ts';
import { base } from '../styles.ts';

const PART = 60;

export class Gallery extends LitElement {
  static override styles = [
    base,
    css`
      ul { list-style: none; display: grid; grid-template-columns: repeat(auto-fill, minmax(150px, 1fr)); gap: 12px; margin: 0; padding: 12px 16px; }
      li { border-radius: 6px; overflow: hidden; border: 1px solid var(--vscode-widget-border, var(--vscode-contrastBorder, #8885)); }
      .picture { aspect-ratio: 1; display: grid; place-items: center; background: var(--vscode-textCodeBlock-background); color: var(--vscode-descriptionForeground); }
      img { width: 100%; height: 100%; object-fit: contain; }
      .about { padding: 6px 8px; overflow-wrap: anywhere; }
      .about p { margin: 0; }
      .about span { display: -webkit-box; -webkit-line-clamp: 2; -webkit-box-orient: vertical; overflow: hidden; font-size: 11px; color: var(--vscode-descriptionForeground); }
    `,
  ];
  static override properties = { table: { attribute: false }, shared: { attribute: false }, shown: { state: true } };
  declare table: GrownTable;
  declare shared: Shared;
  declare shown: number;

  constructor() {
    super();
    this.shown = PART;
  }

  #item(index: number): TemplateResult | typeof nothing {
    const row = recordOf(this.table, index);
    if (row === null) return nothing;
    const { name, source } = pictureOf(row.text('normalizedMetadata') ?? row.text('metadata'), row.text('media'));
    const id = row.text('tokenId') ?? '';
    const contract = row.text('tokenAddress') ?? '';
    const shown = plainText(name ?? row.text('name') ?? '', 80);
    return html`<li><div class="picture">${
      source === null
        ? html`<vscode-icon name="file-media" aria-hidden="true"></vscode-icon>`
        : html`<img src=${source} alt=${shown || t('Picture of the token')} loading="lazy" decoding="async">`
    }</div><div class="about"><p><a href="#" @click=${(event: Event) => {
      event.preventDefault();
      event.stopPropagation();
      const { chain } = this.shared;
      this.shared.navigate({
        kind: 'operation',
        operation: 'nftOwners',
        parameters: { address: contract, tokenId: id, chain, normalizeMetadata: 'true', mediaItems: 'true' },
      });
    }}>#${id.length > 14 ? `${id.slice(0, 6)}…${id.slice(-4)}` : id}</a></p><span>${shown}</span></div></li>`;
  }

  override render(): TemplateResult {
    const count = Math.min(this.shown, this.table.rows.length);
    return html`<ul aria-label=${t('Pictures')}>${Array.from({ length: count }, (_, index) => this.#item(index))}</ul>
      ${
        count < this.table.rows.length
          ? html`<p><button class="action second" @click=${() => {
              this.shown += PART;
            }}>${t('Show more')}</button></p>`
          : nothing
      }`;
  }
}

customElements.define('hl-gallery', Gallery);
