// Why a transaction failed: the error it returned in words, else what its node says.
import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { t } from '../../../base/localize.ts';
import type { DecodedCandidate } from '../../../protocol/decoding.ts';
import type { ExtensionMessage } from '../../../protocol/messages.ts';
import type { PageContext } from '../pageContext.ts';
import { RequestController } from '../requestController.ts';
import { toVisibleText } from '../rows/visibleText.ts';
import { baseStyles } from '../styles.ts';

type Told = Extract<ExtensionMessage, { readonly type: 'revert' }>;

/** `TooMuch(wanted: 5, most: 3)`; a lone text, as of `Error(string)`, stands for itself. */
function sentence({ signature, args }: DecodedCandidate): string {
  const [only] = args;
  if (args.length === 1 && only?.type === 'string') return toVisibleText(only.value, 1_000);
  const name = signature.slice(0, signature.indexOf('('));
  const parts = args
    .filter(({ depth }) => depth === 0)
    .map(({ name: of, value, type }) => `${of === '' ? '' : `${of}: `}${value || type}`);
  return toVisibleText(`${name}(${parts.join(', ')})`, 1_000);
}

export class RevertReason extends LitElement {
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
  static override properties = { hash: {}, shared: { attribute: false } };
  declare hash: string;
  declare shared: PageContext;
  #told: Told | null = null;
  readonly #asking = new RequestController(this, message => {
    if (message.type === 'revert') this.#told = message;
  });

  constructor() {
    super();
    this.hash = '';
  }

  override willUpdate(): void {
    const { channel: link, chain, refreshCount: round } = this.shared;
    this.#asking.request(link, { kind: 'revert', chain, hash: this.hash }, round);
  }

  override render(): TemplateResult | typeof nothing {
    const told = this.#told;
    if (told === null) return nothing;
    const { description, output, error, exact } = told;
    const words = description.map(sentence);
    if (words.length === 0 && output === null && error === null) return nothing;
    return html`<div class="why" role="note" aria-label=${t('Why it failed')}>
      ${words.length > 0 ? words.map(word => html`<p><strong>${t('Reverted')}</strong><span class="mono">${word}</span></p>`) : html`<p><strong>${t('Failed')}</strong>${toVisibleText(error ?? '', 400)}</p>`}
      ${words.length === 0 && output !== null ? html`<p class="mono muted">${toVisibleText(output, 400)}</p>` : nothing}
      ${exact ? nothing : html`<p class="muted">${t('Found by calling it again on the state before its block.')}</p>`}</div>`;
  }
}

customElements.define('hl-revert', RevertReason);
