// The toolbar: back and forward, history, look-up, chain, and how times and numbers are shown.
import { css, html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { sanitizeText } from '../../../base/displayText.ts';
import type { HexLensError } from '../../../base/errors.ts';
import type { Hex } from '../../../base/hex.ts';
import { t } from '../../../base/localize.ts';
import type { CallPart, InspectorState } from '../../../protocol/messages.ts';
import { FocusGuard } from '../focusGuard.ts';
import { PageElement } from '../pageElement.ts';
import { type Preferences, toVisibleText } from '../rows/cellFormat.ts';
import { baseStyles } from '../styles.ts';
import type { MenuItem } from './popupMenu.ts';

const isFormat = (id: string): id is Preferences['time'] | Preferences['numbers'] =>
  ['relative', 'local', 'utc', 'decimal', 'hex'].includes(id);

const getEntryId = ({ history, historyIndex }: InspectorState) => history[historyIndex]?.id;

/** Dispatches `toolbar-refresh`. */
export class Toolbar extends PageElement {
  static override styles = [
    baseStyles,
    css`
      nav { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 6px; padding: 5px 10px; border-bottom: 1px solid var(--vscode-panel-border, var(--vscode-contrastBorder, #8885)); background: var(--vscode-editorWidget-background, transparent); }
      button.icon { display: inline-flex; padding: 3px; }
      button[aria-pressed='true'] { background: var(--vscode-toolbar-activeBackground, var(--vscode-toolbar-hoverBackground)); outline: 1px solid var(--vscode-contrastActiveBorder, transparent); }
      ol { display: flex; align-items: center; flex: 1 1 80px; min-width: 80px; margin: 0 4px; padding: 0; list-style: none; overflow: hidden; white-space: nowrap; }
      li { overflow: hidden; text-overflow: ellipsis; }
      li:not(:first-child)::before { content: '›'; padding: 0 6px; color: var(--vscode-descriptionForeground); }
      li:last-child { flex-shrink: 0; max-width: 60%; }
      li a { color: var(--vscode-breadcrumb-foreground, var(--vscode-descriptionForeground)); }
      li [aria-current] { color: var(--vscode-breadcrumb-focusForeground, var(--vscode-foreground)); }
      /* A basis of its smallest width: it shrinks before another line begins. */
      form { display: flex; flex: 100 1 160px; max-width: 300px; }
      form input { width: 100%; }
      select { max-width: 160px; text-overflow: ellipsis; }
      .toggle { font-size: 11px; min-width: 34px; color: var(--vscode-descriptionForeground); border: 1px solid var(--vscode-widget-border, var(--vscode-contrastBorder, #8885)); }
      .problem, .answer { flex-basis: 100%; margin: 0; padding: 2px 4px; overflow-wrap: anywhere; }
      .problem { color: var(--vscode-errorForeground); }
    `,
  ];
  static override properties = {
    menu: { state: true },
    problem: { state: true },
    answer: { state: true },
  };
  menu: { readonly x: number; readonly y: number } | null = null;
  problem: HexLensError | null = null;
  /** What the looked up text means, when that is no page. */
  answer = '';
  #cancelLookUp: () => void = () => {};
  readonly focusGuard = new FocusGuard(this);

  /** What was looked up was asked on another page. */
  override willUpdate(changed: PropertyValues<this>): void {
    const previous = changed.get('context')?.state;
    const { state } = this.context;
    if (previous === undefined || getEntryId(previous) === getEntryId(state)) return;
    this.#cancelLookUp();
    this.problem = null;
    this.answer = '';
  }

  #renderIcon(
    name: string,
    label: string,
    onClick: () => void,
    isDisabled = false,
    isPressed?: boolean,
  ): TemplateResult {
    return html`<button class="plain icon" title=${label} aria-label=${label} aria-pressed=${isPressed === undefined ? nothing : isPressed ? 'true' : 'false'} aria-disabled=${isDisabled ? 'true' : nothing} @click=${isDisabled ? nothing : onClick}><vscode-icon name=${name} aria-hidden="true"></vscode-icon></button>`;
  }

  #lookUp(event: SubmitEvent): void {
    event.preventDefault();
    const input = (event.currentTarget as HTMLFormElement).querySelector('input');
    const text = input?.value.trim() ?? '';
    if (text === '') return;
    this.problem = null;
    const { channel, chain, navigate } = this.context;
    this.answer = '';
    let found: CallPart<'lookUp'> | null = null;
    this.#cancelLookUp();
    this.#cancelLookUp = channel.start(
      'lookUp',
      { chain, text },
      {
        onPart: part => {
          found = part;
        },
        onDone: () => {
          if (found !== null && 'meaning' in found) {
            this.answer = found.meaning;
            return;
          }
          if (input !== null) input.value = '';
          if (found !== null) navigate(found);
        },
        onFault: fault => {
          this.problem = fault;
        },
      },
    );
  }

  #renderBreadcrumbs(): TemplateResult {
    const { history, historyIndex } = this.context.state;
    const first = Math.max(0, historyIndex - 2);
    const shown = history.slice(first, historyIndex + 1);
    return html`<ol aria-label=${t('Navigation history')}>${shown.map(({ title }, position) => {
      const index = first + position;
      const text = sanitizeText(title, 60);
      return html`<li>${
        index === historyIndex
          ? html`<span aria-current="page">${text}</span>`
          : html`<a href="#" @click=${(event: Event) => {
              event.preventDefault();
              event.stopPropagation();
              this.context.channel.notify('goToEntry', { index });
            }}>${text}</a>`
      }</li>`;
    })}</ol>`;
  }

  #closeMenu(): void {
    this.menu = null;
    this.renderRoot.querySelector<HTMLElement>('.more')?.focus();
  }

  /** The other formats of times and numbers. */
  #getFormats(): readonly MenuItem[] {
    const { time, numbers } = this.context.preferences;
    const times: readonly MenuItem[] = [
      { id: 'relative', label: t('Show times as ages') },
      { id: 'local', label: t('Show local times') },
      { id: 'utc', label: t('Show times in UTC') },
    ];
    return [
      ...times.filter(({ id }) => id !== time).map((item, index) => ({ ...item, hasSeparator: index === 0 })),
      numbers === 'hex'
        ? { id: 'decimal', label: t('Show numbers in decimal') }
        : { id: 'hex', label: t('Show numbers in hex') },
    ];
  }

  #setFormat(id: Preferences['time'] | Preferences['numbers']): void {
    const { preferences, setPreferences } = this.context;
    setPreferences(id === 'hex' || id === 'decimal' ? { ...preferences, numbers: id } : { ...preferences, time: id });
  }

  #handleMenu(id: string): void {
    this.#closeMenu();
    const { channel, target } = this.context;
    if (id === 'side') this.context.navigate(target, 'side');
    else if (id === 'watch' && target.kind === 'address')
      channel.notify('watch', { address: target.address as Hex, topic0: null, event: null, chain: null });
    else if (isFormat(id)) this.#setFormat(id);
    else if (id === 'link' || id === 'cast' || id === 'curl') channel.notify('copyCommand', { form: id, target });
  }

  override render(): TemplateResult {
    const { context } = this;
    const { history, historyIndex, isPinned } = context.state;
    const { channel, chain, chains } = context;
    return html`<nav aria-label=${t('Inspector')}>
      ${this.#renderIcon('arrow-left', t('Back'), () => channel.notify('goToEntry', { index: historyIndex - 1 }), historyIndex === 0)}
      ${this.#renderIcon('arrow-right', t('Forward'), () => channel.notify('goToEntry', { index: historyIndex + 1 }), historyIndex >= history.length - 1)}
      ${this.#renderIcon('refresh', t('Refresh'), () => this.dispatchEvent(new CustomEvent('toolbar-refresh')))}
      ${this.#renderBreadcrumbs()}
      <form role="search" @submit=${this.#lookUp}><input type="text" aria-label=${t('Look up')} spellcheck="false" autocomplete="off" placeholder=${t('Address, hash, block or saved name')}></form>
      ${
        chains.length === 0 || !this.#hasChain()
          ? nothing
          : html`<select aria-label=${t('Chain')} .value=${live(chain)} title=${t('Chain of this page')} @change=${(event: Event) => this.#openOnChain((event.target as HTMLSelectElement).value)}>
        ${chains.map(({ selector, title }) => html`<option value=${selector} ?selected=${selector === chain}>${title}</option>`)}</select>`
      }
      ${
        context.isLive === null
          ? nothing
          : html`<button class="plain toggle" title=${t('Follow new blocks')} aria-pressed=${context.isLive ? 'true' : 'false'} @click=${() => context.setPageState('live', context.isLive ? 'off' : 'on')}>${t('Live')}</button>`
      }
      ${this.#renderIcon(isPinned ? 'pinned' : 'pin', isPinned ? t('Unpin this panel') : t('Pin this panel'), () => channel.notify('pin', { isPinned: !isPinned }), false, isPinned)}
      <button class="plain icon more" title=${t('More')} aria-label=${t('More')} aria-haspopup="menu" @click=${(
        event: MouseEvent,
      ) => {
        const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
        this.menu = { x: box.right - 220, y: box.bottom };
      }}><vscode-icon name="ellipsis" aria-hidden="true"></vscode-icon></button>
      ${this.problem === null ? nothing : html`<p class="problem" role="alert">${toVisibleText(this.problem.message, 400)} ${toVisibleText(this.problem.fix ?? '', 400)}</p>`}
      ${this.answer === '' ? nothing : html`<p class="answer" role="status">${toVisibleText(this.answer, 600)}</p>`}
    </nav>${
      this.menu === null
        ? nothing
        : html`<hl-popup-menu .items=${[
            { id: 'side', label: t('Open to the side') },
            ...(context.target.kind === 'address' ? [{ id: 'watch', label: t('Watch') }] : []),
            ...this.#getFormats(),
            { id: 'link', label: t('Copy link'), hasSeparator: true },
            ...context.state.commands.map(id => ({
              id,
              label: id === 'cast' ? t('Copy as cast command') : t('Copy as curl command'),
            })),
          ]} .x=${this.menu.x} .y=${this.menu.y} label=${t('More')} @menu-choose=${(event: CustomEvent<string>) => this.#handleMenu(event.detail)} @menu-close=${this.#closeMenu}></hl-popup-menu>`
    }`;
  }

  /** Some operations are about no EVM chain. */
  #hasChain(): boolean {
    const { target, state } = this.context;
    return target.kind !== 'operation' || (state.form?.fields.some(({ name }) => name === 'chain') ?? true);
  }

  /** Opens the same target on another chain. */
  #openOnChain(selector: string): void {
    const { target } = this.context;
    if (target.kind !== 'operation') this.context.navigate({ ...target, chain: selector });
    else this.context.navigate({ ...target, parameters: { ...target.parameters, chain: selector } });
  }
}

customElements.define('hl-toolbar', Toolbar);
