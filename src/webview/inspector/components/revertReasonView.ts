// Why a transaction failed: the decoded error, else the node's message.
import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { t } from '../../../base/localize.ts';
import type { RevertDetails } from '../../../protocol/messages.ts';
import type { PageContext } from '../pageContext.ts';
import { RequestController } from '../requestController.ts';
import { toVisibleText } from '../rows/cellFormat.ts';
import { baseStyles } from '../styles.ts';

/** An error that no ABI declares: its selector, and all bytes on request. */
function renderUnknownError(output: string): TemplateResult {
  const size = (output.length - 2) / 2;
  if (size < 4) return html`<p class="mono muted">${toVisibleText(output, 400)}</p>`;
  return html`<p>${t('Custom error {0}, which no ABI of the workspace declares', output.slice(0, 10))}</p>
    <details><summary>${t('{0} bytes', size)}</summary><p class="mono muted">${toVisibleText(output, 4_000)}</p></details>`;
}

export class RevertReasonView extends LitElement {
  static override styles = [
    baseStyles,
    css`
      .why {
        margin: 0 16px 10px; padding: 8px 12px; border-radius: 4px; overflow-wrap: anywhere;
        border: 1px solid var(--vscode-inputValidation-errorBorder, var(--vscode-contrastBorder, #be1100));
        background: var(--vscode-inputValidation-errorBackground, transparent);
        color: var(--vscode-inputValidation-errorForeground, var(--vscode-foreground));
      }
      p { margin: 0; } p + p { margin-top: 4px; } strong { margin-right: 8px; }
      .muted { color: inherit; opacity: 0.85; }
    `,
  ];
  static override properties = { hash: {}, context: { attribute: false } };
  declare hash: string;
  declare context: PageContext;
  #details: RevertDetails | null = null;
  readonly #request = new RequestController(this, 'revertReason', details => {
    this.#details = details;
  });

  constructor() {
    super();
    this.hash = '';
  }

  override willUpdate(): void {
    const { channel, chain, refreshCount } = this.context;
    this.#request.request(channel, { chain, hash: this.hash }, refreshCount);
  }

  override render(): TemplateResult | typeof nothing {
    if (this.#details === null) return nothing;
    const { decoding, output, error: nodeMessage, exact } = this.#details;
    const errors = decoding.map(({ text }) => toVisibleText(text, 1_000));
    if (errors.length === 0 && output === null && nodeMessage === null) return nothing;
    return html`<div class="why" role="note" aria-label=${t('Why it failed')}>
      ${errors.length > 0 ? errors.map(error => html`<p><strong>${t('Reverted')}</strong><span class="mono">${error}</span></p>`) : html`<p><strong>${t('Failed')}</strong>${toVisibleText(nodeMessage ?? '', 400)}</p>`}
      ${errors.length === 0 && output !== null ? renderUnknownError(output) : nothing}
      ${exact ? nothing : html`<p class="muted">${t('Found by repeating the call on the state before its block.')}</p>`}</div>`;
  }
}

customElements.define('hl-revert-reason', RevertReasonView);
