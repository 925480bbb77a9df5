// Tabs with their counts: arrow keys go from one to the next, the panel below belongs to the chosen one.
import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { baseStyles } from '../styles.ts';

export interface Tab {
  readonly id: string;
  readonly label: string;
  readonly count?: string;
}

/** Tells `tab-choose` with the id as `detail`. */
export class TabBar extends LitElement {
  static override styles = [
    baseStyles,
    css`
      .tabs { display: flex; gap: 2px; overflow-x: auto; border-bottom: 1px solid var(--vscode-panel-border, var(--vscode-contrastBorder, #8885)); padding: 0 12px; }
      [role='tab'] {
        font: inherit; color: var(--vscode-descriptionForeground); background: none; border: 0; border-bottom: 2px solid transparent;
        padding: 7px 10px 6px; cursor: pointer; white-space: nowrap; display: inline-flex; align-items: center; gap: 6px;
      }
      [role='tab']:hover { color: var(--vscode-foreground); }
      [role='tab'][aria-selected='true'] { color: var(--vscode-panelTitle-activeForeground, var(--vscode-foreground)); border-bottom-color: var(--vscode-panelTitle-activeBorder, var(--vscode-focusBorder)); }
      :host([compact]) .tabs { border-bottom: 0; padding-top: 6px; gap: 4px; }
      :host([compact]) [role='tab'] { font-size: 11px; padding: 2px 9px; border: 1px solid transparent; border-radius: 10px; }
      :host([compact]) [role='tab'][aria-selected='true'] { border-color: var(--vscode-focusBorder); }
      .count { font-size: 11px; padding: 0 6px; border-radius: 9px; line-height: 16px; color: var(--vscode-badge-foreground); background: var(--vscode-badge-background); border: 1px solid var(--vscode-contrastBorder, transparent); }
    `,
  ];
  static override properties = { tabs: { attribute: false }, chosen: {}, label: {} };
  declare tabs: readonly Tab[];
  declare chosen: string;
  declare label: string;

  constructor() {
    super();
    this.tabs = [];
    this.chosen = '';
    this.label = '';
  }

  #choose(id: string): void {
    this.dispatchEvent(new CustomEvent('tab-choose', { detail: id }));
  }

  #onKey(event: KeyboardEvent): void {
    const at = this.tabs.findIndex(({ id }) => id === this.chosen);
    const steps: Readonly<Record<string, number>> = {
      ArrowLeft: at - 1,
      ArrowRight: at + 1,
      Home: 0,
      End: this.tabs.length - 1,
    };
    const to = steps[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const next = this.tabs[(to + this.tabs.length) % this.tabs.length];
    if (next === undefined) return;
    this.#choose(next.id);
    // By its name: which tab is chosen comes back from the page in an update of its own.
    this.renderRoot.querySelector<HTMLElement>(`[data-tab="${next.id}"]`)?.focus();
  }

  override render(): TemplateResult {
    return html`<div class="tabs" role="tablist" aria-label=${this.label} @keydown=${this.#onKey}>
      ${this.tabs.map(({ id, label, count }) => {
        const chosen = id === this.chosen;
        return html`<button role="tab" data-tab=${id} aria-selected=${chosen ? 'true' : 'false'} tabindex=${chosen ? 0 : -1} @click=${() => this.#choose(id)}>${label}${count === undefined ? nothing : html`<span class="count">${count}</span>`}</button>`;
      })}
    </div>`;
  }
}

customElements.define('hl-tabs', TabBar);
