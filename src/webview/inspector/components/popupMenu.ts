// A context menu at a position of the page.
import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { baseStyles } from '../styles.ts';

export interface MenuItem {
  readonly id: string;
  readonly label: string;
  readonly hasSeparator?: boolean;
}

/** Dispatches `menu-choose` with the id as `detail`, and `menu-close` when the user leaves it. */
export class PopupMenu extends LitElement {
  static override styles = [
    baseStyles,
    css`
      [role='menu'] {
        position: fixed; z-index: 20; min-width: 180px; max-width: 340px; padding: 4px; border-radius: 6px; outline: none;
        color: var(--vscode-menu-foreground); background: var(--vscode-menu-background);
        border: 1px solid var(--vscode-menu-border, var(--vscode-contrastBorder, #8886)); box-shadow: 0 2px 8px var(--vscode-widget-shadow, #0006);
      }
      button { display: block; width: 100%; text-align: left; font: inherit; color: inherit; background: none; border: 0; border-radius: 4px; padding: 4px 10px; cursor: pointer; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
      button:hover, button:focus { color: var(--vscode-menu-selectionForeground); background: var(--vscode-menu-selectionBackground); outline: 1px solid var(--vscode-menu-selectionBorder, transparent); outline-offset: -1px; }
      hr { border: 0; border-top: 1px solid var(--vscode-menu-separatorBackground, #8885); margin: 4px 0; }
    `,
  ];
  static override properties = { items: { attribute: false }, x: { type: Number }, y: { type: Number }, label: {} };
  items: readonly MenuItem[] = [];
  x = 0;
  y = 0;
  label = '';

  #closeOutside = (event: Event): void => {
    if (!event.composedPath().includes(this)) this.#close();
  };

  override connectedCallback(): void {
    super.connectedCallback();
    document.addEventListener('pointerdown', this.#closeOutside, true);
    window.addEventListener('blur', this.#close);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener('pointerdown', this.#closeOutside, true);
    window.removeEventListener('blur', this.#close);
  }

  override firstUpdated(): void {
    this.renderRoot.querySelector('button')?.focus();
  }

  #close = (): void => {
    this.dispatchEvent(new CustomEvent('menu-close'));
  };

  #handleKey(event: KeyboardEvent): void {
    event.stopPropagation();
    const buttons = [...this.renderRoot.querySelectorAll('button')];
    const index = buttons.indexOf(this.shadowRoot?.activeElement as HTMLButtonElement);
    const targets: Readonly<Record<string, number>> = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: -1 };
    const next = targets[event.key];
    if (event.key === 'Escape' || event.key === 'Tab') this.#close();
    else if (next !== undefined) buttons.at(next % buttons.length)?.focus();
    else return;
    event.preventDefault();
  }

  override render(): TemplateResult {
    const height = this.items.length * 27 + 20;
    const left = Math.max(4, Math.min(this.x, window.innerWidth - 260));
    const top = Math.max(4, Math.min(this.y, window.innerHeight - height));
    return html`<div role="menu" aria-label=${this.label} .style=${`left:${left}px;top:${top}px`} @keydown=${this.#handleKey}>
      ${this.items.map(
        ({
          id,
          label,
          hasSeparator,
        }) => html`${hasSeparator ? html`<hr role="separator">` : nothing}<button role="menuitem" tabindex="-1"
          @click=${() => this.dispatchEvent(new CustomEvent('menu-choose', { detail: id }))}>${label}</button>`,
      )}
    </div>`;
  }
}

customElements.define('hl-popup-menu', PopupMenu);
