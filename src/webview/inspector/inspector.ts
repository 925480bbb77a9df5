// The inspector's page: the toolbar, and below it the page of the target that the history shows.

import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import { CallChannel, type ChannelMessage } from '../../base/callChannel.ts';
import { type HexLensError, isNodeFault } from '../../base/errors.ts';
import { formatInteger } from '../../base/formatUnits.ts';
import { setTranslations, t } from '../../base/localize.ts';
import type { InspectorTarget } from '../../protocol/inspectorTarget.ts';
import type {
  ChainEvent,
  ExtensionInterface,
  InspectorState,
  PageChannel,
  PageInterface,
} from '../../protocol/messages.ts';
import { noTrackedTasks, type TrackedTasks, updateTrackedTasks } from '../../protocol/trackedTasks.ts';
import { formatRelativeTime } from '../../view/formatTime.ts';
import { FaultMessage, type StaleReplyEvent } from './components/faultMessage.ts';
import { FocusGuard, isAnythingFocused } from './focusGuard.ts';
import type { PageContext } from './pageContext.ts';
import {
  hasFurtherPages,
  type PageState,
  type PersistedState,
  parsePersistedState,
  prunePageStates,
  setPageState,
  toSavedState,
} from './persistedState.ts';
import { forgetReplies } from './requestController.ts';
import { toVisibleText } from './rows/cellFormat.ts';
import { baseStyles } from './styles.ts';

/** What everything on a page was read at, compared with what the chain reports. */
class ReadPosition {
  /** Everything shown was read at this block or a later one; `null` until the chain has reported one. */
  #block: number | null = null;
  /** The newest block. */
  #head: number | null = null;
  #headHash = '';
  #isHeadReplaced = false;
  /** Chain ID and genesis block of what was read. */
  #identity: string | null = null;

  get block(): number | null {
    return this.#block;
  }

  /** Blocks that are newer than what is shown: negative after the chain was reset. */
  get newerBlocks(): number {
    return this.#block === null || this.#head === null ? 0 : this.#head - this.#block;
  }

  /** Whether the newest block has the number of the one before, as after a rollback. */
  get isHeadReplaced(): boolean {
    return this.#isHeadReplaced;
  }

  /** True when the node is now one of another chain. */
  report({ head, headHash, identity }: ChainEvent): boolean {
    const isSameNumber = head !== null && head === this.#head;
    this.#isHeadReplaced = isSameNumber && this.#headHash !== '' && headHash !== '' && headHash !== this.#headHash;
    if (head === null) return false;
    this.#head = head;
    this.#headHash = headHash;
    this.#block ??= head;
    const isOther = this.#identity !== null && identity !== null && identity !== this.#identity;
    this.#identity = identity ?? this.#identity;
    return isOther;
  }

  /** All that is shown is read again now. */
  markRead(): void {
    this.#block = this.#head;
  }
}

/** Parameters with which a list has an end below the head. */
const END_PARAMETERS = ['toDate', 'toBlock', 'blockNumber', 'cursor'];

/** Whether new blocks can change what a page shows: not a block, nor a list that ends at one or begins with a further page. */
function canFollowHead(target: InspectorTarget): boolean {
  if (target.kind === 'address') return true;
  if (target.kind !== 'operation') return false;
  return !END_PARAMETERS.some(name => target.parameters[name] !== undefined);
}

/** A transaction or a block that another chain does not have: what was read of it is worth more than that it is not found. */
const isOfOneChain = (target: InspectorTarget): boolean =>
  target.kind === 'transaction' || (target.kind === 'block' && target.block !== 'latest');

/** Ages need no more precision than this while the page is idle. */
const TICK_MS = 10_000;

export interface VsCodeApi {
  postMessage(message: ChannelMessage): void;
  getState(): unknown;
  setState(state: unknown): void;
}

export class Inspector extends LitElement {
  static override styles = [
    baseStyles,
    css`
      :host { display: flex; flex-direction: column; height: 100%; min-height: 420px; }
      main { position: relative; display: flex; flex-direction: column; flex: 1; min-height: 0; outline: none; }
      /* Above the content, which has backgrounds of its own. */
      main:focus-visible::after { content: ''; position: absolute; inset: 0; z-index: 3; border: 1px solid var(--vscode-focusBorder); pointer-events: none; }
      .warning { display: flex; gap: 8px; align-items: center; margin: 0; padding: 6px 16px; border-bottom: 1px solid var(--vscode-inputValidation-warningBorder, var(--vscode-focusBorder)); background: var(--vscode-inputValidation-warningBackground, transparent); color: var(--vscode-inputValidation-warningForeground, inherit); overflow-wrap: anywhere; }
      .news { display: flex; gap: 8px; align-items: center; margin: 0; padding: 4px 16px; border-bottom: 1px solid var(--vscode-inputValidation-infoBorder, var(--vscode-focusBorder)); background: var(--vscode-inputValidation-infoBackground, transparent); color: var(--vscode-inputValidation-infoForeground, inherit); }
      .warning .dismiss, .news .dismiss { margin-inline-start: auto; }
    `,
  ];
  static override properties = {
    state: { state: true },
    persisted: { state: true },
    now: { state: true },
    refreshCount: { state: true },
    chainEvent: { state: true },
    tasks: { state: true },
  };
  state: InspectorState | null = null;
  declare persisted: PersistedState;
  now: number = Date.now();
  refreshCount = 0;
  chainEvent: ChainEvent | null = null;
  tasks: TrackedTasks = noTrackedTasks;
  readonly channel: PageChannel;
  readonly #api: VsCodeApi;
  #timer: ReturnType<typeof setInterval> | undefined;
  /** The node is lost, as far as this page knows. */
  #isNodeLost = false;
  /** The page has been refreshed after a lost node came back: a fault of that refresh must not cause another one. */
  #hasRefreshed = false;
  readonly #faultMessages = new Set<FaultMessage>();
  /** The subject of the notice that the user has dismissed on this page. */
  #dismissed: string | null = null;
  /** Why and since when parts of this page are out of date; `null` when none are. */
  #stale: { readonly fault: HexLensError; readonly readAt: number } | null = null;

  /** Of the entry that is shown. */
  #position = new ReadPosition();
  /** The chain was replaced by another one: the page was read again, or unchanged. */
  #otherChain: 'read' | 'unchanged' | null = null;

  constructor(api: VsCodeApi) {
    super();
    this.persisted = parsePersistedState(api.getState());
    this.#api = api;
    this.channel = new CallChannel<PageInterface, ExtensionInterface>({
      post: message => api.postMessage(message),
      calls: {},
      notifications: {
        state: state => this.#showState(state),
        chainEvent: event => this.#handleChainEvent(event),
        progress: progress => {
          this.tasks = updateTrackedTasks(this.tasks, progress);
        },
        artifactsChanged: () => this.#refresh(),
        namesLearned: () => {
          if (!hasFurtherPages(this.#pageState)) this.#refresh(); // which would lose them
        },
      },
    });
    new FocusGuard(this);
    this.addEventListener('focus-lost', this.#restoreFocus);
  }

  /** Focuses the page when the focused element has vanished, and when the window gets the focus. */
  #restoreFocus = (event?: Event): void => {
    if (!document.hasFocus() || isAnythingFocused()) return;
    const main = this.renderRoot.querySelector('main');
    main?.focus({ preventScroll: true });
    const key = event instanceof CustomEvent ? event.detail : null;
    if (main && typeof key === 'string') void this.#focusByKey(main, key);
  };

  /** Focuses the same button of the next page once it is rendered, unless the focus has moved meanwhile. */
  async #focusByKey(main: HTMLElement, key: string): Promise<void> {
    const page = main.firstElementChild;
    if (page instanceof LitElement) await page.updateComplete;
    const button = page?.shadowRoot?.querySelector<HTMLElement>(`[data-focus-key='${key}']`);
    if (this.renderRoot instanceof ShadowRoot && this.renderRoot.activeElement === main) button?.focus();
  }

  /** A call may lose the node before the chain is polled again: then only its fault tells. */
  #handleFaultShown(event: Event): void {
    const [message] = event.composedPath();
    if (!(message instanceof FaultMessage)) return;
    this.#faultMessages.add(message);
    if (isNodeFault(message.fault) && !this.#hasRefreshed) this.#isNodeLost = true;
    this.requestUpdate();
  }

  #handleStaleReply({ fault, readAt }: StaleReplyEvent): void {
    this.#stale = { fault, readAt: Math.min(readAt, this.#stale?.readAt ?? readAt) };
    if (!this.#hasRefreshed) this.#isNodeLost = true;
    this.requestUpdate();
  }

  /** A message on the page says already that the node is lost. */
  #isNodeFaultShown(): boolean {
    for (const message of this.#faultMessages) if (!message.isConnected) this.#faultMessages.delete(message);
    return [...this.#faultMessages].some(({ fault }) => isNodeFault(fault));
  }

  override connectedCallback(): void {
    super.connectedCallback();
    window.addEventListener('focus', this.#restoreFocus);
    this.#timer = setInterval(() => {
      this.now = Date.now();
    }, TICK_MS);
    this.channel.notify('ready', null);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.removeEventListener('focus', this.#restoreFocus);
    clearInterval(this.#timer);
  }

  #showState(state: InspectorState): void {
    const previousId = this.state?.history[this.state.historyIndex]?.id;
    if (state.history[state.historyIndex]?.id !== previousId) {
      this.chainEvent = null;
      this.#isNodeLost = false;
      this.#hasRefreshed = false;
      this.#stale = null;
      this.#dismissed = null;
      this.#position = new ReadPosition();
      this.#otherChain = null;
    }
    if (state.translations !== null) setTranslations(state.translations);
    this.state = state;
    this.now = Date.now();
    this.#persist(prunePageStates(this.persisted, state.history));
  }

  #handleChainEvent(event: ChainEvent): void {
    this.now = Date.now();
    this.chainEvent = event;
    const isOther = this.#position.report(event);
    if (this.#isLive()) this.#position.markRead();
    const isBack = this.#isNodeLost && event.head !== null;
    this.#isNodeLost = event.head === null;
    if (isBack || this.#isNodeLost) this.#hasRefreshed = isBack;
    if (isOther) forgetReplies(this.channel);
    const keepsOld = isOther && this.#target !== null && isOfOneChain(this.#target) && !this.#isNodeFaultShown();
    if (isOther) this.#otherChain = keepsOld ? 'unchanged' : 'read';
    if (isBack || isOther) this.#readAgain(!keepsOld);
    else if (this.#position.isHeadReplaced && this.#showsHead()) this.refreshCount++;
  }

  #readAgain(isRead: boolean): void {
    // The next loss of the node is news.
    this.#dismissed = null;
    this.#stale = null;
    if (!isRead) return;
    this.#position.markRead();
    this.refreshCount++;
  }

  get #target(): InspectorTarget | null {
    return this.state?.history[this.state.historyIndex]?.target ?? null;
  }

  get #pageState(): PageState {
    return this.persisted.pageStates[String(this.state?.history[this.state.historyIndex]?.id)] ?? {};
  }

  /** `null` where no new block changes the page. */
  #getLive(): boolean | null {
    const { state } = this;
    const target = this.#target;
    if (state === null || state.chain === null || target === null || !canFollowHead(target)) return null;
    const isOnLoopback = state.chains.find(({ selector }) => selector === state.chain)?.isOnLoopback === true;
    return (this.#pageState['live'] ?? (isOnLoopback ? 'on' : 'off')) === 'on';
  }

  #showsHead(): boolean {
    const target = this.#target;
    if (target?.kind === 'block') return target.block === 'latest';
    return this.#getLive() === true && !hasFurtherPages(this.#pageState);
  }

  /** Follows new blocks, and does not lose further pages by that. */
  #isLive(): boolean {
    if (this.#target?.kind === 'transaction') return true; // while it is pending
    return this.#getLive() === true && !hasFurtherPages(this.#pageState);
  }

  #setPageState(entryId: string, name: string, value: string): void {
    this.#persist(setPageState(this.persisted, entryId, name, value));
    // What another tab loads is newer than the rest of the page.
    const isOther = name === 'tab' && this.#target?.kind === 'address' && this.#position.newerBlocks !== 0;
    if (isOther) this.#refresh();
    else if (name === 'live' && this.#isLive()) this.#position.markRead();
  }

  #persist(persisted: PersistedState): void {
    this.persisted = persisted;
    if (this.state === null) return;
    const { history, historyIndex, isPinned } = this.state;
    const stops = history.map(({ id, target }) => ({ id, target }));
    this.#api.setState(toSavedState(persisted, { stops, at: historyIndex, pinned: isPinned }));
  }

  #createContext(state: InspectorState, target: InspectorTarget, entryId: string): PageContext {
    return {
      channel: this.channel,
      state,
      target,
      operationView: state.operationView,
      chain: state.chain ?? state.chains[0]?.selector ?? 'local',
      chains: state.chains,
      preferences: this.persisted.preferences,
      now: this.now,
      pageState: this.persisted.pageStates[entryId] ?? {},
      tasks: this.tasks,
      refreshCount: this.refreshCount,
      head: this.#position.block,
      isLive: this.#getLive(),
      setPageState: (name, value) => this.#setPageState(entryId, name, value),
      setPreferences: preferences => this.#persist({ ...this.persisted, preferences }),
      navigate: (next, where = 'here') => this.channel.notify('navigate', { target: next, where }),
    };
  }

  #renderPage(context: PageContext): TemplateResult {
    const { target } = context;
    const head = this.chainEvent?.head ?? null;
    if (target.kind === 'transaction' || target.kind === 'simulation')
      return html`<hl-transaction .context=${context}></hl-transaction>`;
    if (target.kind === 'address') return html`<hl-address .context=${context}></hl-address>`;
    if (target.kind === 'operation' && target.operation === 'nftOwners')
      return html`<hl-token .context=${context}></hl-token>`;
    if (target.kind === 'operation') return html`<hl-operation .context=${context}></hl-operation>`;
    return target.block === 'latest'
      ? html`<hl-latest-blocks .context=${context} .head=${head}></hl-latest-blocks>`
      : html`<hl-block .context=${context}></hl-block>`;
  }

  #getChainTitle(chain: string): string {
    return this.state?.chains.find(({ selector }) => selector === chain)?.title ?? chain;
  }

  #getWarning(): string | null {
    const { chainEvent } = this;
    const stale = this.#stale;
    const isLost = chainEvent?.head === null;
    if (isLost || stale !== null) {
      if (this.#isNodeFaultShown()) return null;
      const problem = isLost
        ? t(
            '{0} does not respond: {1} Retrying until it does.',
            this.#getChainTitle(chainEvent.chain),
            chainEvent.problem ?? '',
          )
        : (stale?.fault.message ?? '');
      if (stale === null) return problem;
      return `${problem} ${t('Shown as read {0}.', formatRelativeTime(new Date(stale.readAt), this.now))}`;
    }
    if (chainEvent === null) return null;
    if (this.#otherChain === 'unchanged')
      return t(
        '{0} is another chain now: this page shows what was read from the one before.',
        this.#getChainTitle(chainEvent.chain),
      );
    const { replaced } = chainEvent;
    if (replaced === null) return null;
    return replaced.hash === ''
      ? t('Block {0} is no longer on the chain: this page shows what it was.', replaced.number)
      : t('Block {0} was replaced in a reorganization: this page shows the old one.', replaced.number);
  }

  /** What a notice is about; new heads do not bring a dismissed one back. */
  #getNoticeSubject(): string {
    const replaced = this.chainEvent?.replaced ?? null;
    if (this.#otherChain === 'unchanged') return 'chain';
    return replaced === null ? 'node' : `${replaced.number} ${replaced.hash}`;
  }

  #dismissNotice(): void {
    this.#dismissed = this.#getNoticeSubject();
    this.requestUpdate();
  }

  /** What has happened on the chain since the page was read. */
  #renderNews(): TemplateResult | typeof nothing {
    const count = this.#getLive() === null ? 0 : this.#position.newerBlocks;
    if (count !== 0) {
      const blocks = formatInteger(count);
      const text =
        count < 0
          ? t('The chain was reset since this page was read.')
          : count === 1
            ? t('1 newer block')
            : t('{0} newer blocks', blocks);
      return html`<p class="news" role="status"><vscode-icon name="info" aria-hidden="true"></vscode-icon>${text} <button class="plain" @click=${this.#refresh}>${t('Refresh')}</button></p>`;
    }
    if (this.#otherChain !== 'read') return nothing;
    const dismiss = () => {
      this.#otherChain = null;
      this.requestUpdate();
    };
    return html`<p class="news" role="status"><vscode-icon name="info" aria-hidden="true"></vscode-icon>${t('{0} is another chain now: this page was read again.', this.#getChainTitle(this.chainEvent?.chain ?? ''))}<button class="plain dismiss" title=${t('Dismiss')} aria-label=${t('Dismiss')} @click=${dismiss}><vscode-icon name="close" aria-hidden="true"></vscode-icon></button></p>`;
  }

  override updated(changed: PropertyValues<this>): void {
    if (changed.has('state') && changed.get('state') === null) this.#restoreFocus();
  }

  override render(): TemplateResult | typeof nothing {
    const { state, chainEvent } = this;
    const entry = state?.history[state.historyIndex];
    if (state === null || entry === undefined) return nothing;
    const context = this.#createContext(state, entry.target, String(entry.id));
    const subject = this.#getNoticeSubject();
    const warning = subject === this.#dismissed ? null : this.#getWarning();
    const isStale = this.#stale !== null;
    const isOther = this.#otherChain === 'unchanged';
    const reloadLabel = isStale ? t('Try again') : isOther ? t('Read again') : t('Show the new block');
    const reload =
      isStale || isOther || (chainEvent?.replaced && chainEvent.replaced.hash !== '')
        ? html` <button class="plain" @click=${this.#refresh}>${reloadLabel}</button>`
        : nothing;
    return html`<hl-toolbar .context=${context} @toolbar-refresh=${this.#refresh}></hl-toolbar>
      ${
        warning === null
          ? nothing
          : html`<p class="warning" role="alert"><vscode-icon name="warning" aria-hidden="true"></vscode-icon>${toVisibleText(warning, 600)}${reload}<button class="plain dismiss" title=${t('Dismiss')} aria-label=${t('Dismiss')} @click=${this.#dismissNotice}><vscode-icon name="close" aria-hidden="true"></vscode-icon></button></p>`
      }${this.#renderNews()}
      <main tabindex="-1" @fault-shown=${this.#handleFaultShown} @stale-reply=${this.#handleStaleReply} @fault-retry=${this.#refresh} @fault-nodes=${() => this.channel.notify('open', { what: 'nodes' })} @fault-log=${() => this.channel.notify('open', { what: 'log' })}>${keyed(entry.id, this.#renderPage(context))}</main>`;
  }

  #refresh(): void {
    this.#stale = null;
    this.#otherChain = null;
    this.#position.markRead();
    this.refreshCount++;
    this.#hasRefreshed = false;
    if (this.chainEvent?.replaced) this.chainEvent = null;
  }
}

customElements.define('hl-inspector', Inspector);
