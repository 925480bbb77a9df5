// Tabs with counts; arrow keys select the next or previous one.
import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { baseStyles } from '../styles.ts';

export interface Tab {
  readonly id: string;
  readonly label: string;
  readonly count?: string;
}

/** Dispatches `tab-select` with the id as `detail`. */
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
      .count { font-size: 11px; padding: 0 6px; border-radius: 9px; line-height: 16px; color: var(--vscode-badge-foreground); background: var(--vscode-badge-background); border: 1px solid var(--vscode-contrastBorder, transparent); }
    `,
  ];
  static override properties = { tabs: { attribute: false }, selected: {}, label: {} };
  tabs: readonly Tab[] = [];
  selected = '';
  label = '';

  #select(id: string): void {
    this.dispatchEvent(new CustomEvent('tab-select', { detail: id }));
  }

  #handleKey(event: KeyboardEvent): void {
    const index = this.tabs.findIndex(({ id }) => id === this.selected);
    const targets: Readonly<Record<string, number>> = {
      ArrowLeft: index - 1,
      ArrowRight: index + 1,
      Home: 0,
      End: this.tabs.length - 1,
    };
    const to = targets[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const next = this.tabs[(to + this.tabs.length) % this.tabs.length];
    if (next === undefined) return;
    this.#select(next.id);
    // By its name: `selected` changes only with the page's next update.
    this.renderRoot.querySelector<HTMLElement>(`[data-tab="${next.id}"]`)?.focus();
  }

  override render(): TemplateResult {
    return html`<div class="tabs" role="tablist" aria-label=${this.label} @keydown=${this.#handleKey}>
      ${this.tabs.map(({ id, label, count }) => {
        const isSelected = id === this.selected;
        return html`<button role="tab" data-tab=${id} aria-selected=${isSelected ? 'true' : 'false'} tabindex=${isSelected ? 0 : -1} @click=${() => this.#select(id)}>${label}${count === undefined ? nothing : html`<span class="count">${count}</span>`}</button>`;
      })}
    </div>`;
  }
}

customElements.define('hl-tab-bar', TabBar);
