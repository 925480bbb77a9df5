// A fault in a sentence, with what the user can do about it.
import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { type HexLensError, isNodeFault } from '../../../base/errors.ts';
import { t } from '../../../base/localize.ts';
import { toVisibleText } from '../rows/cellFormat.ts';
import { baseStyles } from '../styles.ts';

/** An element shows what it read at `readAt` (milliseconds since the Unix epoch) because the node did not respond now. */
export class StaleReplyEvent extends Event {
  readonly fault: HexLensError;
  readonly readAt: number;

  constructor(fault: HexLensError, readAt: number) {
    super('stale-reply', { bubbles: true, composed: true });
    this.fault = fault;
    this.readAt = readAt;
  }
}

/** Dispatches `fault-retry`, `fault-nodes`, `fault-log`, and `fault-shown` when it shows another fault. */
export class FaultMessage extends LitElement {
  static override styles = [
    baseStyles,
    css`
      .box { margin: 16px; padding: 14px 16px; max-width: 720px; border-radius: 6px; border: 1px solid var(--vscode-inputValidation-errorBorder, var(--vscode-errorForeground)); background: var(--vscode-inputValidation-errorBackground, transparent); color: var(--vscode-inputValidation-errorForeground, var(--vscode-foreground)); }
      /* Not found is a result, not a failure. */
      .box.missing { border-color: var(--vscode-panel-border, var(--vscode-contrastBorder, transparent)); background: var(--vscode-textBlockQuote-background, transparent); color: var(--vscode-foreground); }
      h2 { display: flex; gap: 8px; align-items: center; font-size: 1.05em; margin: 0 0 6px; font-weight: 600; overflow-wrap: anywhere; }
      p { margin: 0 0 10px; overflow-wrap: anywhere; }
      .actions { display: flex; gap: 8px; flex-wrap: wrap; }
    `,
  ];
  static override properties = { fault: { attribute: false } };
  fault: HexLensError | null = null;

  override updated(changed: PropertyValues<this>): void {
    if (changed.has('fault')) this.dispatchEvent(new CustomEvent('fault-shown', { bubbles: true, composed: true }));
  }

  override render(): TemplateResult | typeof nothing {
    const { fault } = this;
    if (fault === null) return nothing;
    const dispatch = (name: string) => () =>
      this.dispatchEvent(new CustomEvent(name, { bubbles: true, composed: true }));
    const isMissing = fault.code === 'not-found';
    return html`<section class="box ${isMissing ? 'missing' : ''}" role="alert">
      <h2><vscode-icon name=${isMissing ? 'search-stop' : 'warning'}></vscode-icon>${toVisibleText(fault.message, 600)}</h2>
      ${fault.fix === undefined ? nothing : html`<p>${toVisibleText(fault.fix, 600)}</p>`}
      <div class="actions">
        <button class="action" @click=${dispatch('fault-retry')}>${t('Try again')}</button>
        ${isNodeFault(fault) ? html`<button class="action second" @click=${dispatch('fault-nodes')}>${t('Change nodes')}</button>` : nothing}
        ${isMissing ? nothing : html`<button class="action second" @click=${dispatch('fault-log')}>${t('Show log')}</button>`}
      </div>
    </section>`;
  }
}

customElements.define('hl-fault-message', FaultMessage);
