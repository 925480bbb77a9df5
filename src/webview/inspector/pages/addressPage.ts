// An address at a glance, with a tab for each operation that says more of it.
import { html, nothing, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import type { OperationId } from '../../../api/operations/operations.ts';
import type { InputTexts } from '../../../api/wire/inputTexts.ts';
import { sanitizeText, shortenHex } from '../../../base/displayText.ts';
import { formatAmount, formatFullAmount, formatInteger } from '../../../base/formatUnits.ts';
import { t } from '../../../base/localize.ts';
import type { PlainAddressSummary } from '../../../protocol/messages.ts';
import type { Tab } from '../components/tabBar.ts';
import { RequestController } from '../requestController.ts';
import { InspectorPage } from './inspectorPage.ts';

interface Part extends Tab {
  readonly operation: OperationId;
  readonly parameters: InputTexts;
}

export class AddressPage extends InspectorPage {
  static override properties = { shared: { attribute: false }, head: { attribute: false } };
  /** The newest block that the host knows of, for logs that are followed live. */
  declare head: number | null;
  #summary: PlainAddressSummary | null = null;
  readonly #asking = new RequestController(this, message => {
    if (message.type === 'address') this.#summary = message.summary;
  });

  override willUpdate(): void {
    const { channel: link, target, refreshCount: round } = this.shared;
    if (target.kind !== 'address') return;
    this.#asking.request(link, { kind: 'address', chain: target.chain, address: target.address }, round);
  }

  #parts(address: string, summary: PlainAddressSummary): readonly Part[] {
    const { chain } = this.shared;
    const about = { address, chain };
    const part = (id: string, label: string, operation: OperationId, parameters: InputTexts = about): Part => ({
      id,
      label,
      operation,
      parameters,
    });
    const contract = (summary.codeSize ?? 0) > 0;
    const nft = summary.token?.standard === 'ERC721' || summary.token?.standard === 'ERC1155';
    return [
      ...(contract ? [part('logs', t('Logs'), 'contractLogs')] : []),
      ...(nft ? [part('tokenTransfers', t('Token transfers'), 'contractNftTransfers')] : []),
      ...(nft ? [part('lowest', t('Lowest price'), 'nftLowestPrice')] : []),
      ...(summary.token?.standard === 'ERC20'
        ? [part('mints', t('Mints'), 'erc20Mints', { contractAddresses: [address], chain })]
        : []),
      part('nfts', t('NFTs'), 'walletNfts', { ...about, normalizeMetadata: 'true', mediaItems: 'true' }),
      part('transfers', t('NFT transfers'), 'walletNftTransfers'),
      part('collections', t('Collections'), 'walletNftCollections'),
    ];
  }

  #kind({ codeSize, delegate, token, implementation }: PlainAddressSummary): string {
    if (delegate !== null) return t('Account with delegated code');
    if (codeSize === null) return t('Address');
    if (codeSize === 0) return t('Account');
    if (token !== null) return token.standard.replace('ERC', 'ERC-');
    return implementation === null ? t('Contract') : t('Proxy contract');
  }

  #glance(summary: PlainAddressSummary): TemplateResult {
    const { chain } = this.shared;
    const { token, coin, decimals } = summary;
    const balance = BigInt(summary.balance);
    const to = (address: string) => this.link(shortenHex(address), { kind: 'address', chain, address }, true);
    const supply = token?.totalSupply ?? null;
    return this.glance([
      [
        t('Balance'),
        html`<span title=${`${formatFullAmount(balance, decimals)} ${coin}`}>${formatAmount(balance, decimals)} ${coin}</span>`,
      ],
      [
        (summary.codeSize ?? 0) > 0 ? t('Contracts created') : t('Transactions sent'),
        summary.nonce === null ? null : formatInteger(summary.nonce),
      ],
      [t('Code'), (summary.codeSize ?? 0) === 0 ? null : t('{0} bytes', formatInteger(summary.codeSize ?? 0))],
      [
        t('Token'),
        token === null
          ? null
          : `${sanitizeText(token.name ?? t('(no name)'))}${token.symbol === null ? '' : ` (${sanitizeText(token.symbol, 32)})`}`,
      ],
      [t('Supply'), supply === null ? null : formatAmount(BigInt(supply), token?.decimals ?? 0)],
      [t('Implementation'), summary.implementation === null ? null : to(summary.implementation)],
      [t('Delegates to'), summary.delegate === null ? null : to(summary.delegate)],
      [
        t('At block'),
        summary.blockNumber === null
          ? null
          : this.link(formatInteger(summary.blockNumber), { kind: 'block', chain, block: String(summary.blockNumber) }),
      ],
    ]);
  }

  override render(): TemplateResult {
    const { target } = this.shared;
    const address = target.kind === 'address' ? target.address : '';
    const summary = this.#summary;
    const { fault } = this.#asking;
    const parts = summary === null ? [] : this.#parts(address, summary);
    const tab = this.tab(parts[0]?.id ?? '', parts);
    const part = parts.find(({ id }) => id === tab);
    const copy = t('Copy the address');
    const name = summary?.name ?? null;
    return html`<header class="title"><h1>${name === null ? t('Address') : sanitizeText(name)}</h1><span class="subject mono">${summary?.address ?? address}</span>
        <button class="plain" title=${copy} aria-label=${copy} @click=${() => this.shared.channel.send({ type: 'copy', text: summary?.address ?? address })}><vscode-icon name="copy" aria-hidden="true"></vscode-icon></button>
        ${summary === null ? nothing : html`<span class="chip">${this.#kind(summary)}</span>`}<slot></slot></header>
      ${fault === null ? nothing : html`<hl-fault .fault=${fault}></hl-fault>`}
      ${summary === null ? this.renderWaiting(this.#asking, t('Reading the address…')) : this.#glance(summary)}
      ${part === undefined ? nothing : html`${this.renderTabs(parts, tab)}<div class="panel column" role="tabpanel" aria-label=${part.label}>${keyed(part.id, html`<hl-operation embedded .shared=${this.#sharedFor(part)} .head=${this.head ?? null}></hl-operation>`)}</div>`}`;
  }

  /** The same page with the operation of a tab as its target; its own tabs and filters are kept under its name. */
  #sharedFor({ id, operation, parameters }: Part): typeof this.shared {
    const { shared } = this;
    const prefix = `${id}/`;
    const view = Object.fromEntries(
      Object.entries(shared.pageState).flatMap(([name, value]) =>
        name.startsWith(prefix) ? [[name.slice(prefix.length), value]] : [],
      ),
    );
    return {
      ...shared,
      target: { kind: 'operation', operation, parameters },
      pageState: view,
      setPageState: (name, value) => shared.setPageState(prefix + name, value),
    };
  }
}

customElements.define('hl-address', AddressPage);
