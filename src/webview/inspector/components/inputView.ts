// The input of a transaction: the decoded call, and the data word by word.
import { css, html, nothing, type TemplateResult } from 'lit';
import { formatByteCount } from '../../../base/formatByteCount.ts';
import { formatInteger } from '../../../base/formatUnits.ts';
import { t } from '../../../base/localize.ts';
import type { DecodedSource } from '../../../protocol/decoderPort.ts';
import { PageElement } from '../pageElement.ts';
import { baseStyles } from '../styles.ts';

/** Words that are shown before the user expands the rest. */
const INITIAL_WORDS = 64;

export class InputView extends PageElement {
  static override styles = [
    baseStyles,
    css`
      :host { padding: 0 12px; }
      h2 { font-size: 1em; margin: 12px 0 4px; }
      ol { list-style: none; margin: 0; padding: 0; }
      li { display: flex; gap: 14px; padding: 2px 0; }
      .at { color: var(--vscode-descriptionForeground); min-width: 56px; text-align: right; }
      .mono { overflow-wrap: anywhere; }
      pre { white-space: pre-wrap; overflow-wrap: anywhere; max-height: 320px; overflow: auto; margin: 0; padding: 8px; border-radius: 4px; background: var(--vscode-textCodeBlock-background); border: 1px solid var(--vscode-contrastBorder, transparent); }
    `,
  ];
  static override properties = { input: {}, to: {}, showsAll: { state: true } };
  input = '0x';
  to: string | null = null;
  showsAll = false;

  override render(): TemplateResult {
    const size = (this.input.length - 2) / 2;
    if (size <= 0) return html`<p class="muted">${t('No input: a plain transfer.')}</p>`;
    const source: DecodedSource = {
      kind: 'call',
      call: { chain: this.context.chain, to: this.to, input: this.input },
    };
    const isCall = this.to !== null && size >= 4;
    const body = this.input.slice(isCall ? 10 : 2);
    const words = body.match(/.{1,64}/g) ?? [];
    const shown = this.showsAll ? words : words.slice(0, INITIAL_WORDS);
    return html`${isCall ? html`<hl-decoded .source=${source} .context=${this.context}></hl-decoded><h2>${t('Selector')}</h2><span class="mono">${this.input.slice(0, 10)}</span>` : html`<h2>${this.to === null ? t('Contract creation code') : t('Data')}</h2>`}
      <h2>${t('{0}, word by word', formatByteCount(size))}</h2>
      <ol>${shown.map((word, at) => html`<li><span class="at mono">0x${(at * 32).toString(16).padStart(2, '0')}</span><span class="mono">${word}</span></li>`)}</ol>
      ${
        shown.length < words.length
          ? html`<p><button class="action second" @click=${() => {
              this.showsAll = true;
            }}>${t('Show all {0} words', formatInteger(words.length))}</button></p>`
          : nothing
      }
      <p><button class="action second" @click=${() => this.context.channel.notify('copy', { text: this.input })}>${t('Copy the input')}</button></p>`;
  }
}

customElements.define('hl-input', InputView);
