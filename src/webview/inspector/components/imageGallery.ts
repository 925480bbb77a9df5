// Images of tokens, loaded when they come into view. Only image data is shown, and only in `<img>`.
import { css, html, nothing, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import type { NftKeyInput } from '../../../api/lookups.ts';
import { sanitizeText } from '../../../base/displayText.ts';
import { isAddress, toLowerHex } from '../../../base/hex.ts';
import { t } from '../../../base/localize.ts';
import { NftMetadataController } from '../nftMetadataController.ts';
import { PageElement } from '../pageElement.ts';
import type { LoadedTable } from '../replyCollector.ts';
import { getNamedRow, type NamedRow } from '../rows/namedRow.ts';
import { getTokenImage } from '../rows/tokenImage.ts';
import { baseStyles } from '../styles.ts';
import { createImageLoader, describeImageProblem } from './imageLoader.ts';
import { renderTargetLink } from './targetLink.ts';

const IMAGES_PER_STEP = 60;

function getNftKey(row: NamedRow): NftKeyInput | null {
  const [contract, tokenId, standard] = [row.text('tokenAddress'), row.text('tokenId'), row.text('contractType')];
  if (!isAddress(contract) || tokenId === null || !/^\d+$/.test(tokenId)) return null;
  return {
    contract: toLowerHex(contract),
    tokenId,
    ...((standard === 'ERC721' || standard === 'ERC1155') && { standard }),
  };
}

export class ImageGallery extends PageElement {
  static override styles = [
    baseStyles,
    css`
      ul { list-style: none; display: grid; grid-template-columns: repeat(auto-fill, minmax(150px, 1fr)); gap: 12px; margin: 0; padding: 12px 16px; }
      p { padding: 0 16px; }
      li { border-radius: 6px; overflow: hidden; border: 1px solid var(--vscode-widget-border, var(--vscode-contrastBorder, #8885)); }
      .image { aspect-ratio: 1; display: grid; grid-template-columns: minmax(0, 1fr); place-items: center; background: var(--vscode-textCodeBlock-background); color: var(--vscode-descriptionForeground); }
      .problem { padding: 0 10px; font-size: 11px; text-align: center; overflow-wrap: anywhere; }
      .image:not(:has(img)) { align-content: center; gap: 8px; }
      img { width: 100%; height: 100%; object-fit: contain; }
      .about { padding: 6px 8px; overflow-wrap: anywhere; }
      .about p { margin: 0; padding: 0; }
      .about span { display: -webkit-box; -webkit-line-clamp: 2; -webkit-box-orient: vertical; overflow: hidden; font-size: 11px; color: var(--vscode-descriptionForeground); }
    `,
  ];
  static override properties = {
    table: { attribute: false },
    imageCount: { state: true },
  };
  declare table: LoadedTable;
  imageCount: number = IMAGES_PER_STEP;

  readonly #metadata = new NftMetadataController(this);
  readonly #images = createImageLoader(() => this.requestUpdate());
  #observer: IntersectionObserver | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.#observer = new IntersectionObserver(
      entries => {
        for (const { isIntersecting, target } of entries) {
          const uri = (target as HTMLElement).dataset['uri']; // only images are observed
          if (isIntersecting && uri !== undefined)
            this.#images.load(this.context.channel, { chain: this.context.chain, uri });
        }
      },
      { rootMargin: '200px' },
    );
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#observer?.disconnect();
    this.#images.cancelAll();
  }

  /** The user has asked for what hosts have that the contracts choose. */
  get #isRemoteAllowed(): boolean {
    const { target, pageState } = this.context;
    return (
      pageState['metadata'] === 'on' || (target.kind === 'operation' && target.parameters['mediaItems'] === 'true')
    );
  }

  /** Of the shown tokens whose row has none. */
  override willUpdate(): void {
    const indexes = Array.from({ length: Math.min(this.imageCount, this.table.rows.length) }, (_, index) => index);
    const tokens = indexes.flatMap(index => {
      const row = getNamedRow(this.table, index);
      if (row === null || row.text('normalizedMetadata') !== null) return [];
      const key = getNftKey(row);
      return key === null ? [] : [key];
    });
    this.#metadata.request(this.context, tokens, this.#isRemoteAllowed);
  }

  override updated(): void {
    for (const place of this.renderRoot.querySelectorAll('.image[data-uri]')) this.#observer?.observe(place);
  }

  #renderImage(source: string | null, remote: string | null, name: string, reason: string): unknown {
    const state = remote === null ? null : this.#images.get({ chain: this.context.chain, uri: remote });
    const data = source ?? (state?.kind === 'loaded' ? state.source : null);
    if (data !== null)
      return html`<div class="image"><img src=${data} alt=${name || t('Token image')} loading="lazy" decoding="async"></div>`;
    if (remote === null || state?.kind === 'missing') {
      const problem = state?.kind === 'missing' ? describeImageProblem(state.problem, remote ?? '') : reason;
      return html`<div class="image" title=${problem}><vscode-icon name="file-media" aria-hidden="true"></vscode-icon>${problem === '' ? nothing : html`<span class="problem">${problem}</span>`}</div>`;
    }
    // Another image is another element: the observer reports each element once.
    return keyed(
      remote,
      html`<div class="image" data-uri=${remote}><vscode-icon name="file-media" aria-hidden="true"></vscode-icon></div>`,
    );
  }

  #renderItem(index: number): TemplateResult | typeof nothing {
    const row = getNamedRow(this.table, index);
    if (row === null) return nothing;
    const key = getNftKey(row);
    const known = key === null ? null : this.#metadata.get(key.contract, key.tokenId);
    const json = row.text('normalizedMetadata') ?? row.text('metadata') ?? (known && JSON.stringify(known));
    const { name, dataUri: source, uri } = getTokenImage(json, row.text('media'));
    const remote = this.#isRemoteAllowed ? uri : null;
    const reason = key === null ? '' : this.#metadata.getProblem(key.contract, key.tokenId, this.#isRemoteAllowed);
    const id = row.text('tokenId') ?? '';
    const contract = row.text('tokenAddress') ?? '';
    const shown = sanitizeText(name ?? row.text('name') ?? '', 80);
    const { chain } = this.context;
    const link = renderTargetLink(
      this.context,
      {
        kind: 'operation',
        operation: 'nftOwners',
        parameters: { address: contract, tokenId: id, chain, normalizeMetadata: 'true', mediaItems: 'true' },
      },
      `#${id.length > 14 ? `${id.slice(0, 6)}…${id.slice(-4)}` : id}`,
    );
    return html`<li>${this.#renderImage(source, remote, shown, row.text('normalizedMetadata') === null ? reason : t('Its metadata names no image.'))}<div class="about"><p>${link}</p><span>${shown}</span></div></li>`;
  }

  /** Contracts choose where metadata comes from: it is fetched only on request. */
  #renderLoadButton(): TemplateResult | typeof nothing {
    if (this.#isRemoteAllowed || !this.#metadata.hasRemote) return nothing;
    return html`<p><button class="action" @click=${() => this.context.setPageState('metadata', 'on')}>${t('Load Metadata and Images')}</button>
      <span class="muted">${t('The contracts choose the hosts that they come from.')}</span></p>`;
  }

  override render(): TemplateResult {
    const count = Math.min(this.imageCount, this.table.rows.length);
    return html`${this.#renderLoadButton()}<ul aria-label=${t('Images')}>${Array.from({ length: count }, (_, index) => this.#renderItem(index))}</ul>
      ${
        count < this.table.rows.length
          ? html`<p><button class="action second" @click=${() => {
              this.imageCount += IMAGES_PER_STEP;
            }}>${t('Show more')}</button></p>`
          : nothing
      }`;
  }
}

customElements.define('hl-image-gallery', ImageGallery);
