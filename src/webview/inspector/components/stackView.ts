// The stack of Solidity at the failure of a transaction: each frame with its lines, and a link to them.
import { css, html, nothing, type TemplateResult } from 'lit';
import type { StackFrame } from '../../../api/transactionStack.ts';
import { t } from '../../../base/localize.ts';
import { getFrameMarks, getFrameName, getUnknownFrameName } from '../../../view/source/stackHover.ts';
import { getTraceTarget } from '../pageContext.ts';
import { TracedElement } from '../pageElement.ts';
import { toVisibleText } from '../rows/cellFormat.ts';
import { baseStyles } from '../styles.ts';
import { renderLocation } from './targetLink.ts';

const MAX_FRAMES = 30;

export class StackView extends TracedElement<'stack'> {
  static override styles = [
    baseStyles,
    css`
      section { margin: 0 16px 10px; border: 1px solid var(--vscode-panel-border, var(--vscode-contrastBorder, transparent)); border-radius: 4px; }
      h2 { margin: 0; padding: 6px 12px; font-size: 1em; font-weight: 600; }
      ol { list-style: none; margin: 0; padding: 0; }
      li { border-top: 1px solid var(--vscode-panel-border, var(--vscode-contrastBorder, transparent)); }
      .frame { display: flex; gap: 10px; align-items: baseline; padding: 4px 12px; flex-wrap: wrap; }
      .frame .name { font-family: var(--vscode-editor-font-family, monospace); }
      button.place { color: var(--vscode-textLink-foreground); } button.place:hover { text-decoration: underline; }
      .mark { font-style: italic; opacity: 0.8; }
      .lines { margin: 0; padding: 4px 0; overflow-x: auto; font-family: var(--vscode-editor-font-family, monospace); font-size: var(--vscode-editor-font-size, 12px); line-height: 1.5; background: var(--vscode-textCodeBlock-background, transparent); }
      .line { display: block; white-space: pre; padding-right: 12px; }
      .number { display: inline-block; width: 5ch; padding-right: 1.5ch; text-align: right; color: var(--vscode-editorLineNumber-foreground, inherit); user-select: none; }
      .current { background: var(--vscode-editor-stackFrameHighlightBackground, var(--vscode-editor-findMatchHighlightBackground, transparent)); outline: 1px solid var(--vscode-contrastActiveBorder, transparent); outline-offset: -1px; }
      .current .number { color: var(--vscode-editorLineNumber-activeForeground, inherit); font-weight: 600; }
      p { margin: 0; padding: 4px 12px 8px; }
    `,
  ];
  /** Frames whose lines are shown although they are not the innermost one, or hidden although they are. */
  readonly #toggled = new Set<number>();

  constructor() {
    super('stack');
  }

  #toggle(index: number): void {
    if (!this.#toggled.delete(index)) this.#toggled.add(index);
    this.requestUpdate();
  }

  /** The innermost frame is the first that is shown. */
  #debug(index: number): void {
    const frame = (this.details?.frames.length ?? 0) - 1 - index;
    this.context.channel.notify('debug', { ...getTraceTarget(this.context, this.hash), frame });
  }

  #renderLines({ excerpt, location }: StackFrame): TemplateResult | typeof nothing {
    if (excerpt === null || location === null) return nothing;
    const renderLine = (line: string, i: number) => {
      const number = excerpt.firstLine + i;
      return html`<span class="line ${number === location.start.line ? 'current' : ''}"><span class="number">${number + 1}</span>${toVisibleText(line, 300)}</span>`;
    };
    return html`<pre class="lines">${excerpt.lines.map(renderLine)}</pre>`;
  }

  #renderFrame(frame: StackFrame, index: number, inner: StackFrame | undefined): TemplateResult {
    const marks = getFrameMarks(frame);
    const isOpen = (index === 0) !== this.#toggled.has(index);
    const name = getFrameName(frame) ?? getUnknownFrameName(frame, inner);
    const toggle = () => this.#toggle(index);
    return html`<li><div class="frame">
        <button class="plain" aria-expanded=${isOpen} ?disabled=${frame.excerpt === null} title=${isOpen ? t('Hide the lines') : t('Show the lines')} @click=${toggle}><vscode-icon name=${isOpen ? 'chevron-down' : 'chevron-right'} aria-hidden="true"></vscode-icon></button>
        <span class="name">${toVisibleText(name, 200)}</span>${frame.location === null ? html`<span class="muted">${t('line unknown')}</span>` : renderLocation(this.context, frame.location)}
        ${marks.length === 0 ? nothing : html`<span class="mark">${marks.join(', ')}</span>`}
        <button class="plain" title=${t('Debug from here')} aria-label=${t('Debug from here')} @click=${() => this.#debug(index)}><vscode-icon name="debug-alt" aria-hidden="true"></vscode-icon></button></div>
      ${isOpen ? this.#renderLines(frame) : nothing}</li>`;
  }

  override render(): TemplateResult | typeof nothing {
    const { frames, reason, notes } = this.details ?? { frames: [], reason: null, notes: [] };
    const innermostFirst = frames.toReversed();
    if (innermostFirst.length === 0 && notes.length === 0) return nothing;
    const more = innermostFirst.length - MAX_FRAMES;
    return html`<section aria-label=${t('Stack')}><h2>${t('Stack')}</h2>
      ${reason === null ? nothing : html`<p><vscode-icon name="info" aria-hidden="true"></vscode-icon> ${reason}</p>`}
      <ol>${innermostFirst.slice(0, MAX_FRAMES).map((frame, index) => this.#renderFrame(frame, index, innermostFirst[index - 1]))}</ol>
      ${more > 0 ? html`<p class="muted">${t('and {0} more', String(more))}</p>` : nothing}
      ${notes.map(note => html`<p class="muted">${toVisibleText(note, 500)}</p>`)}</section>`;
  }
}

customElements.define('hl-stack', StackView);
