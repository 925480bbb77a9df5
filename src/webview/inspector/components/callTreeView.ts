// Internal transactions as a tree of calls; only the visible lines are rendered.

import { css, html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import {
  type CallSource,
  formatFunctionName,
  type InternalCall,
  type SourceLocation,
} from '../../../api/transactionStack.ts';
import { sanitizeText, shortenHex } from '../../../base/displayText.ts';
import { formatAmount, formatInteger } from '../../../base/formatUnits.ts';
import { t } from '../../../base/localize.ts';
import { isHalt } from '../../../decode/failedCalls.ts';
import { type HexNames, noHexNames } from '../../../protocol/hexNames.ts';
import type { CallSources } from '../../../protocol/messages.ts';
import { formatLocation } from '../../../view/source/stackHover.ts';
import { getRowWindow, getScrollTop, ROW_HEIGHT } from '../grid/rowWindow.ts';
import { getTraceTarget } from '../pageContext.ts';
import { PageElement } from '../pageElement.ts';
import type { LoadedTable } from '../replyCollector.ts';
import { RequestController } from '../requestController.ts';
import { buildCallTrees, type CallNode, getVisibleNodes } from '../rows/callTree.ts';
import { formatMethod, toVisibleText } from '../rows/cellFormat.ts';
import type { NamedRow } from '../rows/namedRow.ts';
import { baseStyles } from '../styles.ts';
import { renderTargetLink } from './targetLink.ts';

type Line =
  | { readonly kind: 'transaction'; readonly hash: string; readonly count: number }
  | { readonly kind: 'call'; readonly node: CallNode }
  /** A function inside a contract; `level`: below the call in which it ran. */
  | { readonly kind: 'internal'; readonly node: CallNode; readonly call: InternalCall };

const NONE_COLLAPSED: ReadonlySet<number> = new Set();

export class CallTreeView extends PageElement {
  static override styles = [
    baseStyles,
    css`
      :host { height: 100%; min-height: 180px; }
      .scroll { height: 100%; overflow: auto; outline: none; }
      .body { position: relative; min-width: max-content; }
      .line { position: absolute; left: 0; top: 0; min-width: 100%; height: 26px; line-height: 26px; display: flex; gap: 8px; align-items: center; padding: 0 12px 0 0; white-space: nowrap; outline-offset: -1px; }
      .line:hover { background: var(--vscode-list-hoverBackground); }
      .line.active { outline: 1px solid color-mix(in srgb, var(--vscode-foreground) 25%, transparent); }
      .line:focus-visible { outline: 1px solid var(--vscode-focusBorder); }
      .twistie { width: 16px; flex: none; text-align: center; }
      .type { font-size: 10px; min-width: 84px; text-align: center; padding: 0 6px; border-radius: 3px; line-height: 16px; border: 1px solid var(--vscode-widget-border, var(--vscode-contrastBorder, #8885)); color: var(--vscode-descriptionForeground); }
      .failed, .passed { display: inline-flex; align-items: center; gap: 5px; }
      .failed { font-weight: 600; }
      .passed { color: var(--vscode-descriptionForeground); }
      .failed vscode-icon { color: var(--vscode-errorForeground); }
      code { font-family: var(--vscode-editor-font-family, monospace); }
      button.place { color: var(--vscode-textLink-foreground); } button.place:hover { text-decoration: underline; }
      .place, .function { font-family: var(--vscode-editor-font-family, monospace); }
      .empty { padding: 24px 16px; margin: 0; }
    `,
  ];
  static override properties = {
    table: { attribute: false },
    names: { attribute: false },
    collapsed: { state: true },
    scrollOffset: { state: true },
    height: { state: true },
    active: { state: true },
  };
  declare table: LoadedTable | undefined;
  names: HexNames = noHexNames;
  collapsed: ReadonlySet<number> = new Set();
  scrollOffset = 0;
  height = 400;
  active = 0;
  #lines: readonly Line[] = [];
  #sources: CallSources | null = null;
  #sourcesByRow: ReadonlyMap<number, CallSource> = new Map();
  /** By row of the call in which they ran; `null` until they are requested. */
  #internalCalls: ReadonlyMap<number, readonly InternalCall[]> | null = null;
  /** Rows whose calls of functions are shown. */
  readonly #opened = new Set<number>();
  readonly #sourceRequest = new RequestController(this, 'callSources', sources => {
    this.#sources = sources;
    this.#updateLines();
  });
  readonly #internalRequest = new RequestController(this, 'internalCalls', ({ calls }) => {
    this.#internalCalls = Map.groupBy(calls, ({ call }) => this.#toRow(call) ?? -1);
    this.#updateLines();
  });
  #shouldFocus = false;
  #observer: ResizeObserver | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.#observer = new ResizeObserver(([entry]) => {
      if (entry !== undefined) this.height = entry.contentRect.height;
    });
    this.#observer.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#observer?.disconnect();
  }

  override willUpdate(changed: PropertyValues<this>): void {
    this.#requestSources();
    if (changed.has('table') || changed.has('collapsed')) this.#updateLines();
  }

  /** On chains of this machine: elsewhere running the transaction again takes many requests. */
  #requestSources(): void {
    const { target, chains, chain, channel, refreshCount } = this.context;
    const isOnLoopback = chains.some(one => one.selector === chain && one.isOnLoopback);
    const isTraced = target.kind === 'simulation' || (target.kind === 'transaction' && isOnLoopback);
    if (!isTraced || this.table === undefined) return;
    const traced = getTraceTarget(this.context, target.kind === 'transaction' ? target.hash : '');
    this.#sourceRequest.request(channel, traced, refreshCount);
    if (this.#opened.size > 0) this.#internalRequest.request(channel, traced, refreshCount);
  }

  #updateLines(): void {
    const sources = this.#sources?.calls ?? [];
    this.#sourcesByRow = new Map(sources.map(source => [this.#toRow(source.call) ?? -1, source]));
    const trees = this.table === undefined ? new Map<string, readonly CallNode[]>() : buildCallTrees(this.table);
    const isBlock = this.context.target.kind === 'block';
    this.#lines = [...trees].flatMap(([hash, nodes]): readonly Line[] => {
      const calls = getVisibleNodes(nodes, this.collapsed).flatMap((node): readonly Line[] => {
        const inside = this.#opened.has(node.row) ? (this.#internalCalls?.get(node.row) ?? []) : [];
        return [{ kind: 'call', node }, ...inside.map(call => ({ kind: 'internal', node, call }) as const)];
      });
      const count = getVisibleNodes(nodes, NONE_COLLAPSED).length;
      return isBlock ? [{ kind: 'transaction', hash, count }, ...calls] : calls;
    });
    this.requestUpdate();
  }

  /** Some nodes leave calls of precompiled contracts out; `null` where the rows are not the calls of the trace. */
  #toRow(call: number): number | null {
    const rows = this.table?.rowCount ?? 0;
    const { count = 0, precompiles = [] } = this.#sources ?? {};
    if (rows === count) return call;
    return rows === count - precompiles.length ? call - precompiles.filter(index => index < call).length : null;
  }

  #toggleInternal(row: number): void {
    if (!this.#opened.delete(row)) this.#opened.add(row);
    this.#updateLines();
  }

  #renderPlace(location: SourceLocation | null, text: string): TemplateResult {
    if (location === null || location.file === null)
      return html`<span class="function">${toVisibleText(text, 200)}</span>`;
    const open = (event: Event) => {
      event.stopPropagation();
      this.context.channel.notify('openLocation', { location });
    };
    return html`<button class="plain place" tabindex="-1" title=${t('Open the source')} @click=${open}>${toVisibleText(text, 200)}</button>`;
  }

  /** The function that the call entered, the place of the call, and a button for the functions that ran inside. */
  #renderSource(row: number): TemplateResult | typeof nothing {
    const source = this.#sourcesByRow.get(row);
    if (source === undefined) return nothing;
    const { contract, definition, callSite } = source;
    const name = formatFunctionName(source);
    const isOpen = this.#opened.has(row);
    const toggle = (event: Event) => {
      event.stopPropagation();
      this.#toggleInternal(row);
    };
    return html`${name === '' ? nothing : this.#renderPlace(definition, name)}${
      callSite === null
        ? nothing
        : html`<span class="muted">${t('called at')}</span>${this.#renderPlace(callSite, formatLocation(callSite))}`
    }${contract === null ? nothing : html`<button class="plain" tabindex="-1" aria-pressed=${isOpen} title=${isOpen ? t('Hide the functions inside') : t('Show the functions inside')} @click=${toggle}><vscode-icon name="symbol-method" size="14" aria-hidden="true"></vscode-icon></button>`}`;
  }

  #renderInternal(node: CallNode, call: InternalCall): TemplateResult {
    const { definition, callSite, depth } = call;
    const name = formatFunctionName(call);
    const margin = 24 + Math.min(node.depth + depth, 40) * 18;
    return html`<vscode-icon name="symbol-method" size="14" aria-hidden="true" .style=${`margin-left:${margin}px`}></vscode-icon>${this.#renderPlace(definition, name)}${
      callSite === null
        ? nothing
        : html`<span class="muted">${t('called at')}</span>${this.#renderPlace(callSite, formatLocation(callSite))}`
    }`;
  }

  override updated(): void {
    if (!this.#shouldFocus) return;
    this.#shouldFocus = false;
    this.renderRoot.querySelector<HTMLElement>('[tabindex="0"]')?.focus({ preventScroll: true });
  }

  #setCollapsed(row: number, isCollapsed: boolean): void {
    const collapsed = new Set(this.collapsed);
    if (isCollapsed) collapsed.add(row);
    else collapsed.delete(row);
    this.collapsed = collapsed;
  }

  #focusLine(index: number): void {
    this.active = Math.max(0, Math.min(this.#lines.length - 1, index));
    const scroller = this.renderRoot.querySelector('.scroll');
    if (scroller !== null) scroller.scrollTop = getScrollTop(this.active, scroller.scrollTop, scroller.clientHeight, 0);
    this.#shouldFocus = true;
    this.requestUpdate();
  }

  #handleKey(event: KeyboardEvent): void {
    const line = this.#lines[this.active];
    const node = line?.kind === 'call' ? line.node : undefined;
    const page = Math.max(1, Math.floor(this.height / ROW_HEIGHT) - 1);
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: this.active + 1,
      ArrowUp: this.active - 1,
      PageDown: this.active + page,
      PageUp: this.active - page,
      Home: 0,
      End: this.#lines.length - 1,
    };
    const to = steps[event.key];
    if (to !== undefined) this.#focusLine(to);
    else if (event.key === 'ArrowRight' && node !== undefined) {
      if (this.collapsed.has(node.row)) this.#setCollapsed(node.row, false);
      else this.#focusLine(this.active + (node.children.length > 0 ? 1 : 0));
    } else if (event.key === 'ArrowLeft' && node !== undefined) {
      if (node.children.length > 0 && !this.collapsed.has(node.row)) this.#setCollapsed(node.row, true);
      else {
        const parent = this.#lines.findLastIndex(
          (other, index) => index < this.active && other.kind === 'call' && other.node.depth < node.depth,
        );
        if (parent >= 0) this.#focusLine(parent);
      }
    } else if (event.key === 'f' && node !== undefined && this.#sourcesByRow.get(node.row) !== undefined)
      this.#toggleInternal(node.row);
    else if (event.key === 'Enter') this.#open(line, event.ctrlKey || event.metaKey);
    else return;
    event.preventDefault();
  }

  #open(line: Line | undefined, side: boolean): void {
    const { chain } = this.context;
    const where = side ? 'side' : 'here';
    if (line?.kind === 'transaction') this.context.navigate({ kind: 'transaction', chain, hash: line.hash }, where);
    const to = line?.kind === 'call' ? line.node.call.text('to') : null;
    if (to !== null) this.context.navigate({ kind: 'address', chain, address: to }, where);
  }

  #renderAddress(address: string | null): TemplateResult | typeof nothing {
    if (address === null) return nothing;
    const name = this.names.addresses[address.toLowerCase()];
    return renderTargetLink(
      this.context,
      { kind: 'address', chain: this.context.chain, address },
      name === undefined ? shortenHex(address) : sanitizeText(name),
      { isMono: name === undefined, title: address, isFocusable: false },
    );
  }

  #renderCall({ call, children, depth, isUndone, row }: CallNode): TemplateResult {
    const value = call.integer('value');
    const { decimals = 18, unit = '' } = call.column('value') ?? {};
    const method = call.text('method') ?? '';
    const error = call.text('error');
    const text = call.text('call');
    const result = call.text('result');
    const gas = call.integer('gasUsed');
    const open = !this.collapsed.has(row);
    return html`<span class="twistie" aria-hidden="true" .style=${`margin-left:${8 + Math.min(depth, 40) * 18}px`} @click=${() => this.#setCollapsed(row, open)}>${
      children.length > 0 ? html`<vscode-icon name=${open ? 'chevron-down' : 'chevron-right'}></vscode-icon>` : nothing
    }</span><span class="type">${sanitizeText(call.text('type') ?? '', 16).toUpperCase()}</span>${this.#renderAddress(call.text('from'))}<span aria-hidden="true">→</span>${this.#renderAddress(call.text('to'))}
      ${error === null ? nothing : this.#renderFailure(call, error, result, row)}
      ${text !== null ? html`<code title=${toVisibleText(text, 2_000)}>${sanitizeText(text, 200)}</code>` : method !== '' ? html`<span class="chip method">${formatMethod(method, this.names)}</span>` : nothing}
      ${this.#renderSource(row)}
      ${value === null || value === 0n ? nothing : isUndone ? html`<s>${formatAmount(value, decimals)} ${unit}</s>` : html`<strong>${formatAmount(value, decimals)} ${unit}</strong>`}
      ${isUndone && error === null ? html`<span class="muted">${t('undone')}</span>` : nothing}
      ${error === null && result !== null ? html`<span class="returned" title=${toVisibleText(result, 2_000)}><span class="muted">${t('returns')}</span> <code>${sanitizeText(result, 120)}</code></span>` : nothing}
      ${gas === null ? nothing : html`<span class="muted">${t('{0} gas', formatInteger(gas))}</span>`}`;
  }

  /** The error is at the call that threw it; the calls around that one only passed it on. */
  #renderFailure(call: NamedRow, error: string, result: string | null, row: number): TemplateResult {
    if (call.text('failure') === 'passed')
      return html`<span class="passed" title=${toVisibleText(result ?? error, 2_000)}><vscode-icon name="arrow-up" size="14" aria-hidden="true"></vscode-icon>${t('passed on')}</span>`;
    // The source names the function in the same row.
    const isNamed = (this.#sourcesByRow.get(row)?.contract ?? null) !== null;
    const place = call.text('failure') === 'threw' && !isNamed ? call.text('place') : null;
    // A node that leaves out what calls returned leaves out their gas too.
    const hasNoReason = result === null && (call.text('output') ?? '0x') === '0x' && call.integer('gasUsed') !== null;
    const reason =
      hasNoReason && !isHalt(error)
        ? html`<span>${t('reverted without a reason')}</span>`
        : html`<code title=${toVisibleText(result ?? error, 2_000)}>${sanitizeText(result ?? error, 200)}</code>`;
    return html`<span class="failed"><vscode-icon name="error" aria-hidden="true"></vscode-icon>${reason}${place === null ? nothing : html`<span>${t('in {0}', sanitizeText(place, 120))}</span>`}</span>`;
  }

  #renderLine(index: number): TemplateResult {
    const line = this.#lines[index];
    const active = index === this.active;
    const style = `transform:translateY(${index * ROW_HEIGHT}px)`;
    const className = `line ${active ? 'active' : ''}`;
    if (line === undefined) return html``;
    if (line.kind === 'transaction')
      return html`<div class=${className} role="treeitem" aria-level="1" aria-expanded="true" tabindex=${active ? 0 : -1} .style=${style} @click=${() => this.#focusLine(index)}><span class="twistie"></span>${renderTargetLink(
        this.context,
        { kind: 'transaction', chain: this.context.chain, hash: line.hash },
        `${line.hash.slice(0, 20)}…`,
        { isMono: true, isFocusable: false },
      )}<span class="muted">${line.count === 1 ? t('1 call') : t('{0} calls', line.count)}</span></div>`;
    const { node } = line;
    if (line.kind === 'internal')
      return html`<div class=${className} role="treeitem" aria-level=${node.depth + line.call.depth + 1} tabindex=${active ? 0 : -1} .style=${style} @click=${() => this.#focusLine(index)}>${this.#renderInternal(node, line.call)}</div>`;
    const level = node.depth + (this.context.target.kind === 'block' ? 2 : 1);
    return html`<div class=${className} role="treeitem" aria-level=${level} aria-expanded=${node.children.length === 0 ? nothing : this.collapsed.has(node.row) ? 'false' : 'true'}
      tabindex=${active ? 0 : -1} .style=${style} @click=${() => this.#focusLine(index)}>${this.#renderCall(node)}</div>`;
  }

  override render(): TemplateResult {
    if (this.#lines.length === 0) return html`<p class="empty muted">${t('No internal transactions.')}</p>`;
    const { start, end } = getRowWindow(this.scrollOffset, this.height, this.#lines.length);
    const shown = Array.from({ length: end - start }, (_, index) => start + index).filter(
      index => index !== this.active,
    );
    return html`<div class="scroll" role="tree" aria-label=${t('Internal transactions')} @keydown=${this.#handleKey} @scroll=${(
      event: Event,
    ) => {
      this.scrollOffset = (event.currentTarget as HTMLElement).scrollTop;
    }}><div class="body" role="none" .style=${`height:${this.#lines.length * ROW_HEIGHT}px`}>${this.#renderLine(this.active)}${shown.map(index => this.#renderLine(index))}</div></div>`;
  }
}

customElements.define('hl-call-tree', CallTreeView);
