// One NFT: its image, what its metadata says, who owns it, and its transfers.

import { css, html, nothing, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import { TRANSFER } from '../../../api/eventTopics.ts';
import type { NftKeyInput, NftMetadata } from '../../../api/lookups.ts';
import { sanitizeText, shortenHex } from '../../../base/displayText.ts';
import { isAddress, toLowerHex, toWordHex } from '../../../base/hex.ts';
import { t } from '../../../base/localize.ts';
import type { OperationTarget } from '../../../protocol/inspectorTarget.ts';
import type { PlainAddressSummary } from '../../../protocol/messages.ts';
import { createImageLoader, describeImageProblem } from '../components/imageLoader.ts';
import type { Tab } from '../components/tabBar.ts';
import { NftMetadataController } from '../nftMetadataController.ts';
import type { PageContext } from '../pageContext.ts';
import { RequestController } from '../requestController.ts';
import { toVisibleText } from '../rows/cellFormat.ts';
import { getTokenImage } from '../rows/tokenImage.ts';
import { InspectorPage } from './inspectorPage.ts';

const MAX_DESCRIPTION_LENGTH = 600;

const shortenId = (tokenId: string) => (tokenId.length > 14 ? `${tokenId.slice(0, 6)}…${tokenId.slice(-4)}` : tokenId);

/** The NFT of a target that lists its owners; `null` where its parameters name none. */
function getNft({ parameters }: OperationTarget): NftKeyInput | null {
  const { address, tokenId } = parameters;
  if (!isAddress(address) || typeof tokenId !== 'string' || !/^(?:\d{1,78}|0x[0-9a-f]{1,64})$/i.test(tokenId))
    return null;
  return { contract: toLowerHex(address), tokenId: BigInt(tokenId).toString() };
}

export class TokenPage extends InspectorPage {
  static override styles = [
    ...InspectorPage.styles,
    css`
      .about { display: flex; flex-wrap: wrap; gap: 12px 20px; padding: 8px 16px 12px; max-height: 46vh; overflow: auto; }
      .image { flex: none; width: 200px; height: 200px; display: grid; place-items: center; border-radius: 6px; overflow: hidden; background: var(--vscode-textCodeBlock-background); color: var(--vscode-descriptionForeground); border: 1px solid var(--vscode-widget-border, var(--vscode-contrastBorder, #8885)); }
      .image img { width: 100%; height: 100%; object-fit: contain; }
      .image p { padding: 0 12px; font-size: 11px; text-align: center; overflow-wrap: anywhere; }
      .text { flex: 1 1 260px; min-width: 0; }
      .text p { margin: 0 0 8px; overflow-wrap: anywhere; white-space: pre-wrap; }
      .text .key-facts { padding: 0 0 8px; }
      ul { list-style: none; display: grid; grid-template-columns: repeat(auto-fill, minmax(130px, 1fr)); gap: 6px; margin: 0; padding: 0; }
      li { padding: 4px 8px; border-radius: 4px; overflow-wrap: anywhere; background: var(--vscode-textCodeBlock-background); border: 1px solid var(--vscode-contrastBorder, transparent); }
      li span { display: block; font-size: 11px; color: var(--vscode-descriptionForeground); }
    `,
  ];
  #summary: PlainAddressSummary | null = null;
  readonly #contract = new RequestController(this, 'address', summary => {
    this.#summary = summary;
  });
  readonly #metadata = new NftMetadataController(this);
  readonly #images = createImageLoader(() => this.requestUpdate());

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#images.cancelAll();
  }

  get #nft(): NftKeyInput | null {
    const { target } = this.context;
    return target.kind === 'operation' ? getNft(target) : null;
  }

  /** The user has asked for what hosts have that the contract chooses: by a link to the token, or on this page. */
  get #isRemoteAllowed(): boolean {
    const { target, pageState } = this.context;
    return (
      pageState['metadata'] === 'on' || (target.kind === 'operation' && target.parameters['mediaItems'] === 'true')
    );
  }

  override willUpdate(): void {
    const nft = this.#nft;
    if (nft === null) return;
    const { channel, chain, refreshCount, head } = this.context;
    this.#contract.request(channel, { chain, address: nft.contract }, refreshCount, head);
    this.#metadata.request(this.context, [nft], this.#isRemoteAllowed);
  }

  #renderImage({ contract, tokenId }: NftKeyInput, token: NftMetadata | null): TemplateResult {
    const { channel, chain } = this.context;
    const { dataUri, uri } = getTokenImage(token && JSON.stringify(token), null);
    if (uri !== null && this.#isRemoteAllowed) this.#images.load(channel, { chain, uri });
    const state = uri === null ? null : this.#images.get({ chain, uri });
    const source = dataUri ?? (state?.kind === 'loaded' ? state.source : null);
    const alt = sanitizeText(token?.name ?? '', 80) || t('Token image');
    if (source !== null) return html`<div class="image"><img src=${source} alt=${alt} decoding="async"></div>`;
    const problem =
      state?.kind === 'missing'
        ? describeImageProblem(state.problem, uri ?? '')
        : this.#metadata.isLoading || state?.kind === 'loading'
          ? t('Loading…')
          : this.#metadata.getProblem(contract, tokenId, this.#isRemoteAllowed);
    const canLoad = !this.#isRemoteAllowed && this.#metadata.hasRemote;
    return html`<div class="image"><div><p>${problem}</p>${
      canLoad
        ? html`<p><button class="action" @click=${() => this.context.setPageState('metadata', 'on')}>${t('Load')}</button></p>`
        : nothing
    }</div></div>`;
  }

  #renderAbout(nft: NftKeyInput): TemplateResult {
    const token = this.#metadata.get(nft.contract, nft.tokenId);
    const { chain } = this.context;
    const summary = this.#summary;
    const collection = summary?.name ?? summary?.token?.name ?? null;
    const link = this.renderLink(
      collection === null ? shortenHex(nft.contract) : sanitizeText(collection, 80),
      { kind: 'address', chain, address: nft.contract },
      collection === null,
    );
    const facts: readonly (readonly [string, unknown])[] = [
      [t('Collection'), link],
      [t('Standard'), summary?.token?.standard.replace('ERC', 'ERC-') ?? null],
      [t('Token ID'), html`<span class="mono" title=${nft.tokenId}>${shortenId(nft.tokenId)}</span>`],
    ];
    const description = token?.description ?? null;
    return html`<div class="about">${this.#renderImage(nft, token)}<div class="text">${this.renderKeyFacts(facts)}
      ${description === null ? nothing : html`<p>${toVisibleText(description, MAX_DESCRIPTION_LENGTH)}</p>`}
      ${
        token === null || token.attributes.length === 0
          ? nothing
          : html`<ul aria-label=${t('Attributes')}>${token.attributes.map(
              ({ trait, value }) =>
                html`<li><span>${toVisibleText(trait ?? '', 80)}</span>${toVisibleText(value, 160)}</li>`,
            )}</ul>`
      }</div></div>`;
  }

  /** The lists below: those of the token itself. Transfers of an ERC-1155 do not name the token where logs can be searched for it. */
  #createLists({ contract, tokenId }: NftKeyInput): ReadonlyMap<string, PageContext> {
    const { context } = this;
    const { chain } = context;
    // The third indexed argument is the token of an ERC-721.
    const logs = { address: contract, topic0: TRANSFER, topic3: toWordHex(BigInt(tokenId)), chain };
    const isErc1155 = this.#summary?.token?.standard === 'ERC1155';
    const transfers = isErc1155
      ? this.#createList('transfers', 'contractNftTransfers', { address: contract, chain }, 'transfers', tokenId)
      : this.#createList('transfers', 'contractLogs', logs, 'logs');
    return new Map([
      ['owners', this.#createList('owners', 'nftOwners', { address: contract, tokenId, chain }, null)],
      ['transfers', transfers],
    ]);
  }

  /** The context of a list, whose page state is saved under its tab; `filteredId` is a token that its rows are filtered by at first. */
  #createList(
    tab: string,
    operation: OperationTarget['operation'],
    parameters: OperationTarget['parameters'],
    histogram: 'logs' | 'transfers' | null,
    filteredId?: string,
  ): PageContext {
    const context = this.createPartContext(tab);
    const filter = filteredId === undefined ? {} : { 'filter.rows': `token:${filteredId}` };
    return {
      ...context,
      pageState: { ...filter, ...context.pageState },
      target: { kind: 'operation', operation, parameters },
      operationView: { isLive: false, hasImages: false, histogram, taskKind: histogram === 'logs' ? 'logs' : 'index' },
    };
  }

  override render(): TemplateResult {
    const nft = this.#nft;
    if (nft === null) return html`<hl-operation .context=${this.context}></hl-operation>`;
    const token = this.#metadata.get(nft.contract, nft.tokenId);
    const lists = this.#createLists(nft);
    const tabs: readonly Tab[] = [
      { id: 'owners', label: t('Owners') },
      { id: 'transfers', label: t('Transfers') },
    ];
    const selected = this.getTab('owners', tabs);
    const name = sanitizeText(token?.name ?? '', 80);
    const id = `#${shortenId(nft.tokenId)}`;
    return html`<header class="title"><h1>${name === '' ? t('NFT {0}', id) : name}</h1><span class="subject">${name === '' ? nothing : id}</span><slot></slot></header>
      ${this.renderFault(this.#contract)}${this.#renderAbout(nft)}
      ${this.renderTabs(tabs, selected)}<div class="panel column" role="tabpanel" aria-label=${selected}>${keyed(selected, html`<hl-operation embedded .context=${lists.get(selected)}></hl-operation>`)}</div>`;
  }
}

customElements.define('hl-token', TokenPage);
