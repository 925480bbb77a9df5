// Pictures of tokens, asked for and drawn when they come into sight: only from data, only as images, never as documents.
import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { sanitizeText } from '../../../base/displayText.ts';
import { t } from '../../../base/localize.ts';
import type { PageContext } from '../pageContext.ts';
import type { LoadedTable } from '../replyCollector.ts';
import { getNamedRow } from '../rows/namedRow.ts';
import { getTokenImage } from '../rows/tokenImage.ts';
import { baseStyles } from '../styles.ts';
import { createImageLoader } from './imageLoader.ts';

const PART = 60;

function whyMissing(problem: string): string {
  if (problem === 'refused') return t('Its host is not in hexlens.metadata.hosts.');
  if (problem === 'too-large') return t('Larger than 512 kB.');
  if (problem === 'unsupported') return t('No picture of a format that is shown.');
  return problem === 'missing' ? t('Not found.') : t('Its host does not answer.');
}

export class ImageGallery extends LitElement {
  static override styles = [
    baseStyles,
    css`
      ul { list-style: none; display: grid; grid-template-columns: repeat(auto-fill, minmax(150px, 1fr)); gap: 12px; margin: 0; padding: 12px 16px; }
      li { border-radius: 6px; overflow: hidden; border: 1px solid var(--vscode-widget-border, var(--vscode-contrastBorder, #8885)); }
      .picture { aspect-ratio: 1; display: grid; place-items: center; background: var(--vscode-textCodeBlock-background); color: var(--vscode-descriptionForeground); }
      .why { padding: 0 10px; font-size: 11px; text-align: center; }
      img { width: 100%; height: 100%; object-fit: contain; }
      .about { padding: 6px 8px; overflow-wrap: anywhere; }
      .about p { margin: 0; }
      .about span { display: -webkit-box; -webkit-line-clamp: 2; -webkit-box-orient: vertical; overflow: hidden; font-size: 11px; color: var(--vscode-descriptionForeground); }
    `,
  ];
  static override properties = { table: { attribute: false }, shared: { attribute: false }, shown: { state: true } };
  declare table: LoadedTable;
  declare shared: PageContext;
  declare shown: number;

  readonly #pictures = createImageLoader(() => this.requestUpdate());
  #sight: IntersectionObserver | undefined;

  constructor() {
    super();
    this.shown = PART;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#sight = new IntersectionObserver(
      entries => {
        for (const { isIntersecting, target } of entries) {
          const uri = (target as HTMLElement).dataset['uri']; // only pictures are observed
          if (isIntersecting && uri !== undefined)
            this.#pictures.load(this.shared.channel, { chain: this.shared.chain, uri });
        }
      },
      { rootMargin: '200px' },
    );
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#sight?.disconnect();
    this.#pictures.cancelAll();
  }

  override updated(): void {
    for (const place of this.renderRoot.querySelectorAll('.picture[data-uri]')) this.#sight?.observe(place);
  }

  #picture(source: string | null, remote: string | null, name: string): TemplateResult {
    const pictured = remote === null ? null : this.#pictures.get({ chain: this.shared.chain, uri: remote });
    const data = source ?? (pictured?.kind === 'there' ? pictured.source : null);
    if (data !== null)
      return html`<div class="picture"><img src=${data} alt=${name || t('Picture of the token')} loading="lazy" decoding="async"></div>`;
    if (remote === null || pictured?.kind === 'missing') {
      const why = pictured?.kind === 'missing' ? whyMissing(pictured.problem) : '';
      return html`<div class="picture" title=${why}><vscode-icon name="file-media" aria-hidden="true"></vscode-icon>${why === '' ? nothing : html`<span class="why">${why}</span>`}</div>`;
    }
    return html`<div class="picture" data-uri=${remote}><vscode-icon name="file-media" aria-hidden="true"></vscode-icon></div>`;
  }

  #item(index: number): TemplateResult | typeof nothing {
    const row = getNamedRow(this.table, index);
    if (row === null) return nothing;
    const {
      name,
      dataUri: source,
      uri: remote,
    } = getTokenImage(row.text('normalizedMetadata') ?? row.text('metadata'), row.text('media'));
    const id = row.text('tokenId') ?? '';
    const contract = row.text('tokenAddress') ?? '';
    const shown = sanitizeText(name ?? row.text('name') ?? '', 80);
    return html`<li>${this.#picture(source, remote, shown)}<div class="about"><p><a href="#" @click=${(
      event: Event,
    ) => {
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

customElements.define('hl-gallery', ImageGallery);
