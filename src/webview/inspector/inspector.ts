// The whole page: remembers where each stop was left, and gives the place to the page that the target asks for.
import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import { setTranslations, t } from '../../base/localize.ts';
import type { InspectorTarget } from '../../protocol/inspectorTarget.ts';
import type { ChainEvent, InspectorState } from '../../protocol/messages.ts';
import { noTrackedTasks, type TrackedTasks, updateTrackedTasks } from '../../protocol/trackedTasks.ts';
import { FaultMessage, isNodeFault } from './components/faultMessage.ts';
import { FocusGuard, isAnythingFocused } from './focusGuard.ts';
import { createPageChannel, type PageChannel, type Unasked, type VsCodeApi } from './pageChannel.ts';
import type { PageContext, PageState } from './pageContext.ts';
import type { Preferences } from './rows/cellFormat.ts';
import { toVisibleText } from './rows/visibleText.ts';
import { baseStyles } from './styles.ts';

interface Kept {
  readonly views: Readonly<Record<string, PageState>>;
  readonly preferences: Preferences;
}

const START: Kept = { views: {}, preferences: { time: 'relative', numbers: 'decimal' } };
/** Ages are shown to the second only while they are young; a page that nobody touches is drawn anew this often. */
const TICK_MS = 10_000;

function readKept(value: unknown): Kept {
  const { views, preferences } = (value ?? {}) as Partial<Kept>; // our own state, but of any version
  const right =
    preferences !== undefined &&
    ['relative', 'local', 'utc'].includes(preferences.time) &&
    ['decimal', 'hex'].includes(preferences.numbers);
  return {
    views: views !== null && typeof views === 'object' ? views : {},
    preferences: right ? preferences : START.preferences,
  };
}

const chainOf = (target: InspectorTarget): string | null => {
  if (target.kind !== 'operation') return target.chain;
  const { chain } = target.parameters;
  return typeof chain === 'string' ? chain : null;
};

export class Inspector extends LitElement {
  static override styles = [
    baseStyles,
    css`
      :host { display: flex; flex-direction: column; height: 100%; min-height: 420px; }
      main { position: relative; display: flex; flex-direction: column; flex: 1; min-height: 0; outline: none; }
      /* Above what is in it, which has backgrounds of its own. */
      main:focus-visible::after { content: ''; position: absolute; inset: 0; z-index: 3; border: 1px solid var(--vscode-focusBorder); pointer-events: none; }
      .news { display: flex; gap: 8px; align-items: center; margin: 0; padding: 6px 16px; border-bottom: 1px solid var(--vscode-inputValidation-warningBorder, var(--vscode-focusBorder)); background: var(--vscode-inputValidation-warningBackground, transparent); color: var(--vscode-inputValidation-warningForeground, inherit); overflow-wrap: anywhere; }
    `,
  ];
  static override properties = {
    show: { state: true },
    kept: { state: true },
    now: { state: true },
    round: { state: true },
    news: { state: true },
    works: { state: true },
  };
  declare show: InspectorState | null;
  declare kept: Kept;
  declare now: number;
  declare round: number;
  declare news: ChainEvent | null;
  declare works: TrackedTasks;
  readonly link: PageChannel;
  #timer: ReturnType<typeof setInterval> | undefined;
  /** The node is lost, as far as anybody on the page has heard. */
  #lost = false;
  /** A fault was followed by a question of our own; the next one waits until the node is really lost and back. */
  #askedAgain = false;
  /** Fault cards on the page. */
  readonly #faults = new Set<FaultMessage>();

  constructor(api: VsCodeApi) {
    super();
    this.show = null;
    this.kept = readKept(api.getState());
    this.now = Date.now();
    this.round = 0;
    this.news = null;
    this.works = noTrackedTasks;
    this.link = createPageChannel(api, message => this.#hear(message));
    new FocusGuard(this);
    this.addEventListener('focus-lost', this.#takeFocus);
  }

  /** For what vanished with the focus, and for the window, which gets it without anything in it. */
  #takeFocus = (event?: Event): void => {
    if (!document.hasFocus() || isAnythingFocused()) return;
    const main = this.renderRoot.querySelector('main');
    main?.focus({ preventScroll: true });
    const again = event instanceof CustomEvent ? event.detail : null;
    if (main && typeof again === 'string') void this.#focusAgain(main, again);
  };

  /** The same button of the next page, once that is drawn; unless the focus went elsewhere meanwhile. */
  async #focusAgain(main: HTMLElement, name: string): Promise<void> {
    const page = main.firstElementChild;
    if (page instanceof LitElement) await page.updateComplete;
    const found = page?.shadowRoot?.querySelector<HTMLElement>(`[data-again='${name}']`);
    if (this.renderRoot instanceof ShadowRoot && this.renderRoot.activeElement === main) found?.focus();
  }

  /** A node may be lost to a question and back before it is asked for its head: then only the question knows of it. */
  #onFault(event: Event): void {
    const [card] = event.composedPath();
    if (!(card instanceof FaultMessage)) return;
    this.#faults.add(card);
    if (isNodeFault(card.fault) && !this.#askedAgain) this.#lost = true;
    this.requestUpdate();
  }

  /** A card of the page says that the node is lost, with what can be done: once is enough. */
  #isTold(): boolean {
    for (const card of this.#faults) if (!card.isConnected) this.#faults.delete(card);
    return [...this.#faults].some(({ fault }) => isNodeFault(fault));
  }

  override connectedCallback(): void {
    super.connectedCallback();
    window.addEventListener('focus', this.#takeFocus);
    this.#timer = setInterval(() => {
      this.now = Date.now();
    }, TICK_MS);
    this.link.send({ type: 'hello' });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.removeEventListener('focus', this.#takeFocus);
    clearInterval(this.#timer);
  }

  #hear(message: Unasked): void {
    if (message.type === 'work') {
      this.works = updateTrackedTasks(this.works, message.work);
      return;
    }
    if (message.type === 'show') {
      const before = this.show?.stops[this.show.at]?.id;
      if (message.stops[message.at]?.id !== before) {
        this.news = null;
        this.#lost = false;
        this.#askedAgain = false;
      }
      if (message.texts !== null) setTranslations(message.texts);
      this.show = message;
      this.now = Date.now();
      this.#keep();
      return;
    }
    this.now = Date.now();
    this.news = message;
    const came = this.#lost && message.head !== null;
    this.#lost = message.head === null;
    if (came || this.#lost) this.#askedAgain = came;
    // A node that is back may tell what it could not tell before.
    if (came) this.round++;
  }

  #keep(): void {
    const { show } = this;
    if (show === null) return;
    const { stops, at, pinned } = show;
    const ids = new Set(stops.map(({ id }) => String(id)));
    const views = Object.fromEntries(Object.entries(this.kept.views).filter(([id]) => ids.has(id)));
    this.kept = { ...this.kept, views };
    this.link.api.setState({ ...this.kept, stops: stops.map(({ id, target }) => ({ id, target })), at, pinned });
  }

  #shared(show: InspectorState, target: InspectorTarget, id: string): PageContext {
    return {
      channel: this.link,
      state: show,
      target,
      chain: chainOf(target) ?? show.chains[0]?.selector ?? 'local',
      chains: show.chains,
      preferences: this.kept.preferences,
      now: this.now,
      pageState: this.kept.views[id] ?? {},
      tasks: this.works,
      refreshCount: this.round,
      setPageState: (name, value) => {
        const view = { ...this.kept.views[id], [name]: value };
        this.kept = { ...this.kept, views: { ...this.kept.views, [id]: view } };
        this.#keep();
      },
      setPreferences: preferences => {
        this.kept = { ...this.kept, preferences };
        this.#keep();
      },
      navigate: (next, where = 'here') => this.link.send({ type: 'navigate', target: next, where }),
    };
  }

  #page(shared: PageContext): TemplateResult {
    const { target } = shared;
    const { head = null } = this.news ?? {};
    if (target.kind === 'transaction') return html`<hl-transaction .shared=${shared}></hl-transaction>`;
    if (target.kind === 'address') return html`<hl-address .shared=${shared} .head=${head}></hl-address>`;
    if (target.kind === 'operation') return html`<hl-operation .shared=${shared} .head=${head}></hl-operation>`;
    return target.block === 'latest'
      ? html`<hl-head .shared=${shared} .head=${head}></hl-head>`
      : html`<hl-block .shared=${shared}></hl-block>`;
  }

  #newsText(): string | null {
    const { news } = this;
    if (news === null) return null;
    if (news.head === null && this.#isTold()) return null;
    if (news.head === null)
      return t('{0} does not answer: {1} It is asked again until it does.', news.chain, news.problem ?? '');
    if (news.replaced !== null)
      return t(
        'Block {0} was replaced by another one: what is shown is no longer part of the chain.',
        news.replaced.number,
      );
    return null;
  }

  override updated(changed: PropertyValues<this>): void {
    if (changed.has('show') && changed.get('show') === null) this.#takeFocus();
  }

  override render(): TemplateResult | typeof nothing {
    const { show } = this;
    const stop = show?.stops[show.at];
    if (show === null || stop === undefined) return nothing;
    const shared = this.#shared(show, stop.target, String(stop.id));
    const news = this.#newsText();
    return html`<hl-toolbar .shared=${shared} @toolbar-refresh=${this.#refresh}></hl-toolbar>
      ${
        news === null
          ? nothing
          : html`<p class="news" role="alert"><vscode-icon name="warning" aria-hidden="true"></vscode-icon>${toVisibleText(news, 600)}${
              this.news?.replaced
                ? html` <button class="plain" @click=${this.#refresh}>${t('Show what is there now')}</button>`
                : nothing
            }</p>`
      }
      <main tabindex="-1" @fault-told=${this.#onFault} @fault-retry=${this.#refresh} @fault-nodes=${() => this.link.send({ type: 'act', action: 'nodes' })} @fault-log=${() => this.link.send({ type: 'act', action: 'log' })}>${keyed(stop.id, this.#page(shared))}</main>`;
  }

  #refresh(): void {
    this.round++;
    this.#askedAgain = false;
    if (this.news?.replaced) this.news = null;
  }
}

customElements.define('hl-inspector', Inspector);
