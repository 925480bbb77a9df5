// Why a transaction failed, or a call inside one that did not: the decoded error, else the node's message.
import { css, html, nothing, type TemplateResult } from 'lit';
import { t } from '../../../base/localize.ts';
import { formatFailure, formatFailurePlace, formatSwallowedFailures } from '../../../view/failureText.ts';
import { TracedElement } from '../pageElement.ts';
import { toVisibleText } from '../rows/cellFormat.ts';
import { baseStyles } from '../styles.ts';

/** An error that no ABI declares: its selector, and all bytes on request. */
function renderUnknownError(output: string): TemplateResult | typeof nothing {
  const size = (output.length - 2) / 2;
  if (size < 4) return nothing;
  return html`<p>${t('Custom error {0}, which no known ABI declares', output.slice(0, 10))}</p>
    <details><summary>${t('{0} bytes', size)}</summary><p class="mono muted">${toVisibleText(output, 4_000)}</p></details>`;
}

const failureStyles = css`
      .why {
        margin: 0 16px 10px; padding: 8px 12px; border-radius: 4px; overflow-wrap: anywhere;
        border: 1px solid var(--vscode-inputValidation-errorBorder, var(--vscode-contrastBorder, #be1100));
        background: var(--vscode-inputValidation-errorBackground, transparent);
        color: var(--vscode-inputValidation-errorForeground, var(--vscode-foreground));
      }
      p { margin: 0; } p + p { margin-top: 4px; } strong { margin-right: 8px; }
      .muted { color: inherit; opacity: 0.85; }
      .why.inner { border-color: var(--vscode-inputValidation-warningBorder, var(--vscode-contrastBorder, #b89500)); background: var(--vscode-inputValidation-warningBackground, transparent); color: var(--vscode-inputValidation-warningForeground, var(--vscode-foreground)); }
`;

/** More are in the tree of internal transactions. */
const MAX_INNER_FAILURES = 4;

/** Of a transaction that succeeded although calls inside it failed. */
export class InnerFailuresView extends TracedElement<'innerFailures'> {
  static override styles = [baseStyles, failureStyles];

  constructor() {
    super('innerFailures');
  }

  override render(): TemplateResult | typeof nothing {
    const { failures } = this.details ?? { failures: [] };
    if (failures.length === 0) return nothing;
    const quote = (text: string) => toVisibleText(text, 200);
    const [only] = failures;
    const place = failures.length === 1 && only !== undefined ? formatFailurePlace(only, quote) : null;
    const places =
      failures.length === 1 ? [] : failures.slice(0, MAX_INNER_FAILURES).map(failure => formatFailure(failure, quote));
    return html`<div class="why inner" role="note"><p><strong>${formatSwallowedFailures(failures, quote)}</strong>${place === null ? nothing : html`${place} `}
      <button class="plain" @click=${() => this.context.setPageState('tab', 'calls')}>${t('Show the calls')}</button></p>
      ${places.map(place => html`<p>${place}</p>`)}</div>`;
  }
}

customElements.define('hl-inner-failures', InnerFailuresView);

export class RevertReasonView extends TracedElement<'revertReason'> {
  static override styles = [baseStyles, failureStyles];

  constructor() {
    super('revertReason');
  }

  override render(): TemplateResult | typeof nothing {
    if (this.details === null) return nothing;
    const { failure, output, exact } = this.details;
    if (failure === null) return nothing;
    const { reason, isHalt, isUnknownError } = failure;
    const place = formatFailurePlace(failure, text => toVisibleText(text, 120));
    return html`<div class="why" role="note" aria-label=${t('Why it failed')}>
      <p><strong>${reason === null ? t('Reverted without a reason') : isHalt ? t('Failed') : t('Reverted')}</strong>${
        reason === null ? nothing : html`<span class="mono">${toVisibleText(reason, 1_000)}</span>`
      }${place === null ? nothing : html` <span class="place">${place}</span>`}</p>
      ${isUnknownError && output !== null ? renderUnknownError(output) : nothing}
      ${exact ? nothing : html`<p class="muted">${t('Found by repeating the call on the state before its block.')}</p>`}</div>`;
  }
}

customElements.define('hl-revert-reason', RevertReasonView);
