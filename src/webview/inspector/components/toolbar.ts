// The bar at the top: back and forward, where one came from, looking something up, the chain, how values are shown.
import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { sanitizeText } from '../../../base/displayText.ts';
import type { HexLensError } from '../../../base/errors.ts';
import { t } from '../../../base/localize.ts';
import { FocusGuard } from '../focusGuard.ts';
import type { PageContext } from '../pageContext.ts';
import { toVisibleText } from '../rows/visibleText.ts';
import { baseStyles } from '../styles.ts';

const TIMES = ['relative', 'local', 'utc'] as const;

/** Tells `toolbar-refresh`. */
export class Toolbar extends LitElement {
  static override styles = [
    baseStyles,
    css`
      nav { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 6px; padding: 5px 10px; border-bottom: 1px solid var(--vscode-panel-border, var(--vscode-contrastBorder, #8885)); background: var(--vscode-editorWidget-background, transparent); }
      button.icon { display: inline-flex; padding: 3px; }
      button[aria-pressed='true'] { background: var(--vscode-toolbar-activeBackground, var(--vscode-toolbar-hoverBackground)); outline: 1px solid var(--vscode-contrastActiveBorder, transparent); }
      ol { display: flex; align-items: center; flex: 1 1 120px; min-width: 80px; margin: 0 4px; padding: 0; list-style: none; overflow: hidden; white-space: nowrap; }
      li { overflow: hidden; text-overflow: ellipsis; }
      li:not(:first-child)::before { content: '›'; padding: 0 6px; color: var(--vscode-descriptionForeground); }
      li:last-child { flex-shrink: 0; max-width: 60%; }
      li a { color: var(--vscode-breadcrumb-foreground, var(--vscode-descriptionForeground)); }
      li [aria-current] { color: var(--vscode-breadcrumb-focusForeground, var(--vscode-foreground)); }
      form { display: flex; flex: 0 1 300px; min-width: 160px; }
      form input { width: 100%; }
      select { max-width: 120px; }
      .toggle { font-size: 11px; min-width: 34px; color: var(--vscode-descriptionForeground); border: 1px solid var(--vscode-widget-border, var(--vscode-contrastBorder, #8885)); }
      .problem { flex-basis: 100%; margin: 0; padding: 2px 4px; color: var(--vscode-errorForeground); overflow-wrap: anywhere; }
    `,
  ];
  static override properties = { shared: { attribute: false }, menu: { state: true }, problem: { state: true } };
  declare shared: PageContext;
  declare menu: { readonly x: number; readonly y: number } | null;
  declare problem: HexLensError | null;

  constructor() {
    super();
    this.menu = null;
    this.problem = null;
    new FocusGuard(this);
  }

  #icon(name: string, label: string, act: () => void, disabled = false, pressed?: boolean): TemplateResult {
    return html`<button class="plain icon" title=${label} aria-label=${label} aria-pressed=${pressed === undefined ? nothing : pressed ? 'true' : 'false'} aria-disabled=${disabled ? 'true' : nothing} @click=${disabled ? nothing : act}><vscode-icon name=${name} aria-hidden="true"></vscode-icon></button>`;
  }

  #find(event: SubmitEvent): void {
    event.preventDefault();
    const input = (event.currentTarget as HTMLFormElement).querySelector('input');
    const text = input?.value.trim() ?? '';
    if (text === '') return;
    this.problem = null;
    this.shared.channel.find(this.shared.chain, text, {
      done: () => {
        if (input !== null) input.value = '';
      },
      fault: fault => {
        this.problem = fault;
      },
    });
  }

  #crumbs(): TemplateResult {
    const { stops, at } = this.shared.state;
    const shown = stops.slice(Math.max(0, at - 2), at + 1);
    const first = Math.max(0, at - 2);
    return html`<ol aria-label=${t('Where you came from')}>${shown.map(({ title }, index) => {
      const to = first + index;
      const text = sanitizeText(title, 60);
      return html`<li>${
        to === at
          ? html`<span aria-current="page">${text}</span>`
          : html`<a href="#" @click=${(event: Event) => {
              event.preventDefault();
              event.stopPropagation();
              this.shared.channel.send({ type: 'go', to });
            }}>${text}</a>`
      }</li>`;
    })}</ol>`;
  }

  #closeMenu(): void {
    this.menu = null;
    this.renderRoot.querySelector<HTMLElement>('.more')?.focus();
  }

  #onMenu(id: string): void {
    this.#closeMenu();
    const { channel: link, target } = this.shared;
    if (id === 'side') this.shared.navigate(target, 'side');
    else if (id === 'link' || id === 'cast' || id === 'curl') link.send({ type: 'copyCommand', form: id, target });
  }

  override render(): TemplateResult {
    const { shared } = this;
    const { stops, at, pinned } = shared.state;
    const { preferences, channel: link, chain, chains } = shared;
    const nextTime = TIMES[(TIMES.indexOf(preferences.time) + 1) % TIMES.length] ?? 'relative';
    const timeLabel = { relative: t('Age'), local: t('Local'), utc: t('UTC') }[preferences.time];
    const hex = preferences.numbers === 'hex';
    return html`<nav aria-label=${t('Inspector')}>
      ${this.#icon('arrow-left', t('Back'), () => link.send({ type: 'go', to: at - 1 }), at === 0)}
      ${this.#icon('arrow-right', t('Forward'), () => link.send({ type: 'go', to: at + 1 }), at >= stops.length - 1)}
      ${this.#icon('refresh', t('Refresh'), () => this.dispatchEvent(new CustomEvent('toolbar-refresh')))}
      ${this.#crumbs()}
      <form role="search" @submit=${this.#find}><input type="text" aria-label=${t('Look up')} spellcheck="false" autocomplete="off" placeholder=${t('Address, hash or block number')}></form>
      ${
        chains.length === 0 || !this.#choosesChain()
          ? nothing
          : html`<select aria-label=${t('Chain')} title=${t('The chain that is looked at')} @change=${(event: Event) => this.#chain((event.target as HTMLSelectElement).value)}>
        ${chains.map(({ selector, title }) => html`<option value=${selector} ?selected=${selector === chain}>${title}</option>`)}</select>`
      }
      <button class="plain toggle" title=${t('How times are shown')} @click=${() => shared.setPreferences({ ...preferences, time: nextTime })}>${timeLabel}</button>
      <button class="plain toggle" title=${t('How numbers are shown')} @click=${() => shared.setPreferences({ ...preferences, numbers: hex ? 'decimal' : 'hex' })}>${hex ? '0x' : '123'}</button>
      ${this.#icon(pinned ? 'pinned' : 'pin', pinned ? t('Unpin this panel') : t('Pin this panel'), () => link.send({ type: 'pin', pinned: !pinned }), false, pinned)}
      <button class="plain icon more" title=${t('More')} aria-label=${t('More')} aria-haspopup="menu" @click=${(
        event: MouseEvent,
      ) => {
        const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
        this.menu = { x: box.right - 220, y: box.bottom };
      }}><vscode-icon name="ellipsis" aria-hidden="true"></vscode-icon></button>
      ${this.problem === null ? nothing : html`<p class="problem" role="alert">${toVisibleText(this.problem.message, 400)} ${toVisibleText(this.problem.fix ?? '', 400)}</p>`}
    </nav>${
      this.menu === null
        ? nothing
        : html`<hl-menu .entries=${[
            { id: 'side', label: t('Open to the side') },
            { id: 'link', label: t('Copy link'), separated: true },
            { id: 'cast', label: t('Copy as cast command') },
            { id: 'curl', label: t('Copy as curl command') },
          ]} .x=${this.menu.x} .y=${this.menu.y} label=${t('More')} @menu-choose=${(event: CustomEvent<string>) => this.#onMenu(event.detail)} @menu-close=${this.#closeMenu}></hl-menu>`
    }`;
  }

  /** Some operations are about no EVM chain at all. */
  #choosesChain(): boolean {
    const { target, state: show } = this.shared;
    return target.kind !== 'operation' || (show.form?.fields.some(({ name }) => name === 'chain') ?? true);
  }

  /** The same subject on another chain. */
  #chain(selector: string): void {
    const { target } = this.shared;
    if (target.kind !== 'operation') this.shared.navigate({ ...target, chain: selector });
    else this.shared.navigate({ ...target, parameters: { ...target.parameters, chain: selector } });
  }
}

customElements.define('hl-toolbar', Toolbar);
