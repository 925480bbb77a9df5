// An address: key facts, and a tab for each operation about it.
import { html, nothing, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import { isInScope } from '../../../api/operations/addressScope.ts';
import { sanitizeText, shortenHex } from '../../../base/displayText.ts';
import { formatByteCount } from '../../../base/formatByteCount.ts';
import { formatAmount, formatFullAmount, formatInteger, MAX_TOKEN_DECIMALS } from '../../../base/formatUnits.ts';
import { t } from '../../../base/localize.ts';
import type { AddressTab, CreationDetails, PlainAddressSummary } from '../../../protocol/messages.ts';
import { formatBuildName, formatBuildState, formatKnownCode } from '../../../view/contractBuild.ts';
import { formatLocation, getFrameMarks } from '../../../view/source/stackHover.ts';
import type { Tab } from '../components/tabBar.ts';
import { LazyElement } from '../lazyElement.ts';
import type { PageContext } from '../pageContext.ts';
import { RequestController } from '../requestController.ts';
import { toVisibleText } from '../rows/cellFormat.ts';
import { InspectorPage } from './inspectorPage.ts';

/** Beside the tabs of operations. */
const READ_TAB = 'read';
const STATE_TAB = 'contractState';

export class AddressPage extends InspectorPage {
  #summary: PlainAddressSummary | null = null;
  /** By tab, how its list can be shown. */
  readonly #views = new Map<string, readonly Tab[]>();
  readonly #reads = new LazyElement(this, 'hl-contract-reads', () => import('../components/contractReadsView.ts'));
  readonly #state = new LazyElement(this, 'hl-contract-state', () => import('../components/contractStateView.ts'));
  /** The block of the first summary. */
  #firstBlock: number | null = null;
  readonly #request = new RequestController(this, 'address', summary => {
    this.#summary = summary;
    this.#firstBlock ??= summary.blockNumber;
  });

  #creation: CreationDetails | null = null;
  /** After the summary, since it reads old states. */
  readonly #creationRequest = new RequestController(this, 'contractCreation', ({ creation }) => {
    this.#creation = creation;
  });

  override willUpdate(): void {
    const { channel, target, refreshCount, head } = this.context;
    if (target.kind !== 'address') return;
    const { chain, address } = target;
    this.#request.request(channel, { chain, address }, refreshCount, head);
    if ((this.#summary?.codeSize ?? 0) > 0) this.#creationRequest.request(channel, { chain, address }, refreshCount);
  }

  #getTabs(summary: PlainAddressSummary): readonly AddressTab[] {
    return this.context.state.addressTabs.filter(
      ({ id, addresses }) => isInScope(addresses, summary) && !summary.emptyTabs.includes(id),
    );
  }

  /** The tabs in their order: a contract has Read and Simulate, and State, after the first one. */
  #getAllTabs(summary: PlainAddressSummary): readonly Tab[] {
    const [first, ...rest] = this.#getTabs(summary);
    const read =
      (summary.codeSize ?? 0) > 0
        ? [
            { id: READ_TAB, label: t('Read and Simulate') },
            { id: STATE_TAB, label: t('State') },
          ]
        : [];
    return [...(first === undefined ? [] : [first]), ...read, ...rest];
  }

  #getKind({ codeSize, delegate, token, proxy }: PlainAddressSummary): string {
    if (delegate !== null) return t('Account with delegated code');
    if (codeSize === null) return t('Address');
    if (codeSize === 0) return t('Account');
    if (token !== null) return token.standard.replace('ERC', 'ERC-');
    return proxy === null ? t('Contract') : t('Proxy contract');
  }

  /** A contract's nonce starts at 1 (EIP-161); that of a delegated account also counts its authorizations (EIP-7702). */
  #getActivity({ nonce, codeSize, delegate }: PlainAddressSummary): [string, string | null] {
    if (nonce === null || delegate !== null) return [t('Transactions sent'), null];
    if ((codeSize ?? 0) === 0) return [t('Transactions sent'), formatInteger(nonce)];
    return [t('Contracts created'), nonce <= 1 ? null : formatInteger(nonce - 1)];
  }

  #renderKeyFacts(summary: PlainAddressSummary): TemplateResult {
    const { chain } = this.context;
    const { token, coin, decimals } = summary;
    const balance = BigInt(summary.balance);
    const link = (address: string) => this.renderLink(shortenHex(address), { kind: 'address', chain, address }, true);
    const supply = token?.totalSupply ?? null;
    const isTrusted = (token?.decimals ?? 0) <= MAX_TOKEN_DECIMALS;
    const implementations = summary.proxy?.implementations ?? [];
    const beacon = summary.proxy?.beacon ?? null;
    return this.renderKeyFacts([
      [
        t('Balance'),
        html`<span title=${`${formatFullAmount(balance, decimals)} ${coin}`}>${formatAmount(balance, decimals)} ${coin}</span>`,
      ],
      [t('Owner'), summary.unowned],
      this.#getActivity(summary),
      [
        t('Code'),
        summary.isCodeMissing
          ? t('Saved as a contract, no code here: redeployed?')
          : (summary.codeSize ?? 0) === 0
            ? null
            : formatByteCount(summary.codeSize ?? 0),
      ],
      ...this.#renderCreation(),
      [
        t('Token'),
        token === null
          ? null
          : `${sanitizeText(token.name ?? t('(no name)'))}${token.symbol === null ? '' : ` (${sanitizeText(token.symbol, 32)})`}`,
      ],
      [t('Supply'), supply === null ? null : formatAmount(BigInt(supply), isTrusted ? (token?.decimals ?? 0) : 0)],
      [
        implementations.length === 1 ? t('Implementation') : t('Facets'),
        implementations.length === 0 ? null : implementations.map(address => html`${link(address)} `),
      ],
      [t('Kind of proxy'), summary.proxy?.kind ?? null],
      [t('Beacon'), beacon === null ? null : link(beacon)],
      [t('Delegates to'), summary.delegate === null ? null : link(summary.delegate)],
      [t('Known code'), summary.knownCode === null ? null : formatKnownCode(summary.knownCode)],
      [t('Workspace'), this.#renderBuilds(summary)],
      [
        t('At block'),
        summary.blockNumber === null
          ? null
          : this.renderLink(formatInteger(summary.blockNumber), {
              kind: 'block',
              chain,
              block: String(summary.blockNumber),
            }),
      ],
    ]);
  }

  /** The account that created the contract, or the contract in whose course it was created, with its line. */
  #renderCreation(): readonly (readonly [label: string, value: unknown])[] {
    if (this.#creation === null) return [];
    const { chain } = this.context;
    const { hash, from, creator, names, places } = this.#creation;
    const link = (address: string) => {
      const name = names[address];
      const text = name === undefined ? shortenHex(address) : sanitizeText(name, 60);
      return this.renderLink(text, { kind: 'address', chain, address }, name === undefined);
    };
    const transaction = this.renderLink(shortenHex(hash), { kind: 'transaction', chain, hash }, true);
    return [
      [t('Created by'), creator === from ? link(from) : html`${link(creator)} ${t('called by')} ${link(from)}`],
      [t('Created in'), transaction],
      [
        t('Created at'),
        places.length === 0 ? null : places.map((each, index) => [index === 0 ? '' : ' → ', this.#renderPlace(each)]),
      ],
    ];
  }

  #renderPlace({ location, isInferred }: CreationDetails['places'][number]): unknown {
    const open = (event: Event) => {
      event.preventDefault();
      this.context.channel.notify('openLocation', { location });
    };
    const place = toVisibleText(formatLocation(location), 200);
    const marks = getFrameMarks({ location, isInferred });
    const link =
      location.file === null ? place : html`<a href="#" title=${t('Open the source')} @click=${open}>${place}</a>`;
    return marks.length === 0 ? link : html`${link} (${marks.join(', ')})`;
  }

  /** The contracts of the workspace that the contract is, and those behind it, each with a link to its source. */
  #renderBuilds({ contract }: PlainAddressSummary): readonly TemplateResult[] | null {
    if (contract === null) return null;
    const { chain, channel } = this.context;
    const builds = [{ address: contract.address, build: contract.build }, ...contract.implementations].flatMap(
      ({ address, build }) => (build === null ? [] : { address, build }),
    );
    if (builds.length === 0) return null;
    return builds.map(({ address, build }) => {
      const open = (event: Event) => {
        event.preventDefault();
        channel.notify('openSource', { chain: chain ?? '', address });
      };
      return html`<div><a href="#" title=${t('Open the source of the contract')} @click=${open}>${sanitizeText(formatBuildName(build))}</a>, ${formatBuildState(build)}</div>`;
    });
  }

  override render(): TemplateResult {
    const { target } = this.context;
    const address = target.kind === 'address' ? target.address : '';
    const summary = this.#summary;
    const { fault } = this.#request;
    const tabs = summary === null ? [] : this.#getAllTabs(summary);
    const call = target.kind === 'address' ? (target.call ?? null) : null;
    const hasReadTab = tabs.some(({ id }) => id === READ_TAB);
    const selected = this.getTab((call !== null && hasReadTab ? READ_TAB : tabs[0]?.id) ?? '', tabs);
    const tab = tabs.find(({ id }) => id === selected);
    const copy = t('Copy the address');
    const name = summary?.name ?? null;
    return html`<header class="title"><h1>${name === null ? t('Address') : sanitizeText(name)}</h1><span class="subject mono">${summary?.address ?? address}</span>
        <button class="plain" title=${copy} aria-label=${copy} @click=${() => this.context.channel.notify('copy', { text: summary?.address ?? address })}><vscode-icon name="copy" aria-hidden="true"></vscode-icon></button>
        ${summary === null ? nothing : html`<span class="chip">${this.#getKind(summary)}</span>${summary.ensName === null ? nothing : html`<span class="chip">${sanitizeText(summary.ensName, 80)}</span>`}`}<slot></slot></header>
      ${fault === null ? nothing : html`<hl-fault-message .fault=${fault}></hl-fault-message>`}
      ${summary === null ? this.renderLoading(this.#request, t('Loading the address…')) : this.#renderKeyFacts(summary)}
      ${tab === undefined ? nothing : html`<div class="tab-row">${this.renderTabs(tabs, selected)}${this.#renderViews(tab.id)}</div><div class="panel column" role="tabpanel" aria-label=${tab.label}>${keyed(tab.id, this.#renderPanel(tab.id, address))}</div>`}`;
  }

  #setViews(id: string, views: readonly Tab[]): void {
    this.#views.set(id, views);
    this.requestUpdate();
  }

  #renderViews(id: string): TemplateResult | typeof nothing {
    const { pageState, setPageState } = this.createPartContext(id);
    const views = this.#views.get(id) ?? [];
    if (views.length < 2) return nothing;
    const selected = views.some(view => view.id === pageState['tab']) ? pageState['tab'] : views[0]?.id;
    return html`<label>${t('View')} <select class="views" @change=${(event: Event) => setPageState('tab', (event.target as HTMLSelectElement).value)}>${views.map(
      view => html`<option value=${view.id} ?selected=${view.id === selected}>${view.label}</option>`,
    )}</select></label>`;
  }

  #renderPanel(id: string, address: string): TemplateResult | typeof nothing {
    const { context } = this;
    if (id === READ_TAB) {
      const call = context.target.kind === 'address' ? (context.target.call ?? null) : null;
      return this.#reads.render(
        () =>
          html`<hl-contract-reads .context=${this.createPartContext(id)} address=${address} .head=${context.head} .firstHead=${this.#firstBlock} .call=${call}></hl-contract-reads>`,
      );
    }
    if (id === STATE_TAB)
      return this.#state.render(
        () =>
          html`<hl-contract-state .context=${this.createPartContext(id)} address=${address} .head=${context.head}></hl-contract-state>`,
      );
    const tab = context.state.addressTabs.find(other => other.id === id);
    if (tab === undefined) return nothing;
    const { operation, parameters, view } = tab;
    const operationContext: PageContext = {
      ...this.createPartContext(id),
      target: { kind: 'operation', operation, parameters },
      operationView: view,
    };
    return html`<hl-operation embedded .context=${operationContext} @views=${({ detail }: CustomEvent<readonly Tab[]>) => this.#setViews(id, detail)}></hl-operation>`;
  }
}

customElements.define('hl-address', AddressPage);
