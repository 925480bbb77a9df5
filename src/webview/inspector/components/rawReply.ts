// The raw reply of an operation as a collapsible JSON tree.
import { css, html, nothing, type TemplateResult } from 'lit';
import { formatInteger } from '../../../base/formatUnits.ts';
import { t } from '../../../base/localize.ts';
import { PageElement } from '../pageElement.ts';
import { RequestController } from '../requestController.ts';
import { toVisibleText } from '../rows/cellFormat.ts';
import { baseStyles } from '../styles.ts';

interface JsonNode {
  readonly path: string;
  readonly name: string;
  readonly value: unknown;
  readonly depth: number;
}

/** Entries of one object or array that are rendered at once. */
const ENTRIES_PER_STEP = 200;
const MAX_TEXT_LENGTH = 400;

const getEntries = (value: unknown): readonly (readonly [string, unknown])[] =>
  value !== null && typeof value === 'object' ? Object.entries(value) : [];

export class RawReply extends PageElement {
  static override styles = [
    baseStyles,
    css`
      :host { padding: 4px 0 16px; }
      .bar { display: flex; gap: 12px; align-items: center; padding: 4px 16px; }
      .source[aria-pressed='true'] { background: var(--vscode-toolbar-activeBackground, var(--vscode-toolbar-hoverBackground)); outline: 1px solid var(--vscode-contrastActiveBorder, transparent); }
      .tree { font-family: var(--vscode-editor-font-family, monospace); font-size: 0.95em; }
      .line { display: flex; gap: 6px; align-items: baseline; padding: 0 16px; min-height: 22px; line-height: 22px; }
      .line:hover { background: var(--vscode-list-hoverBackground); }
      .twistie { flex: none; width: 14px; color: var(--vscode-descriptionForeground); }
      .name { color: var(--vscode-symbolIcon-propertyForeground, var(--vscode-foreground)); flex: none; }
      .value { overflow-wrap: anywhere; white-space: pre-wrap; min-width: 0; }
      .string { color: var(--vscode-debugTokenExpression-string, var(--vscode-foreground)); }
      .number { color: var(--vscode-debugTokenExpression-number, var(--vscode-foreground)); }
      .boolean { color: var(--vscode-debugTokenExpression-boolean, var(--vscode-foreground)); }
      .note { padding: 16px; margin: 0; }
    `,
  ];
  static override properties = {
    openPaths: { state: true },
    shownCounts: { state: true },
    active: { state: true },
  };
  openPaths: ReadonlySet<string> = new Set(['$', '$.transaction', '$.receipt']);
  shownCounts: ReadonlyMap<string, number> = new Map();
  active = '$';
  #text = '';
  #chunks: ArrayBuffer[] = [];
  #value: unknown;
  #isParsed = false;
  #shouldFocus = false;
  readonly #request = new RequestController(this, 'raw', ({ bytes }) => {
    this.#chunks.push(bytes);
  });

  override willUpdate(): void {
    const { channel, target, refreshCount, head, isLive } = this.context;
    const source = this.#isFromNode ? { source: 'node' as const } : {};
    if (this.#request.request(channel, { target, ...source }, refreshCount, isLive === null ? null : head))
      this.#chunks = [];
    if (this.#request.isLoading || this.#chunks.length === 0) return;
    this.#isParsed = true;
    const decoder = new TextDecoder();
    this.#text = this.#chunks.map(part => decoder.decode(part, { stream: true })).join('') + decoder.decode();
    this.#chunks = [];
    try {
      this.#value = JSON.parse(this.#text);
    } catch {
      this.#value = this.#text;
    }
  }

  /** What the node itself says; else the record that HexLens makes of it. */
  get #isFromNode(): boolean {
    const { target, pageState } = this.context;
    return target.kind === 'transaction' && pageState['raw'] === 'node';
  }

  #renderSources(): TemplateResult | typeof nothing {
    const { target, setPageState } = this.context;
    if (target.kind !== 'transaction') return nothing;
    const renderSource = (source: string, label: string, isShown: boolean) =>
      html`<button class="plain source" aria-pressed=${isShown ? 'true' : 'false'} @click=${() => setPageState('raw', source)}>${label}</button>`;
    return html`<span role="group" aria-label=${t('Source')}>${renderSource('record', t('Record'), !this.#isFromNode)}${renderSource('node', t('JSON of the node'), this.#isFromNode)}</span>`;
  }

  override updated(): void {
    if (!this.#shouldFocus) return;
    this.#shouldFocus = false;
    this.renderRoot.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
  }

  #getVisibleNodes(): readonly JsonNode[] {
    const nodes: JsonNode[] = [];
    const add = (node: JsonNode): void => {
      nodes.push(node);
      if (!this.openPaths.has(node.path)) return;
      const entries = getEntries(node.value);
      const shownCount = this.shownCounts.get(node.path) ?? ENTRIES_PER_STEP;
      for (const [name, value] of entries.slice(0, shownCount))
        add({ path: `${node.path}.${name}`, name, value, depth: node.depth + 1 });
    };
    add({ path: '$', name: '', value: this.#value, depth: 0 });
    return nodes;
  }

  #toggle(path: string): void {
    const paths = new Set(this.openPaths);
    if (!paths.delete(path)) paths.add(path);
    this.openPaths = paths;
  }

  #handleKey(event: KeyboardEvent): void {
    const nodes = this.#getVisibleNodes();
    const activeIndex = nodes.findIndex(({ path }) => path === this.active);
    const node = nodes[activeIndex];
    if (node === undefined) return;
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: activeIndex + 1,
      ArrowUp: activeIndex - 1,
      Home: 0,
      End: nodes.length - 1,
    };
    const to = steps[event.key];
    const hasEntries = getEntries(node.value).length > 0;
    if (to !== undefined) this.active = nodes[Math.max(0, Math.min(nodes.length - 1, to))]?.path ?? this.active;
    else if (
      hasEntries &&
      (event.key === 'Enter' || event.key === ' ' || (event.key === 'ArrowRight') !== this.openPaths.has(node.path))
    ) {
      if (!['Enter', ' ', 'ArrowRight', 'ArrowLeft'].includes(event.key)) return;
      this.#toggle(node.path);
    } else if (event.key === 'ArrowLeft') {
      this.active =
        nodes.findLast((other, index) => index < activeIndex && other.depth < node.depth)?.path ?? this.active;
    } else return;
    event.preventDefault();
    this.#shouldFocus = true;
  }

  #renderValue(value: unknown): TemplateResult | string {
    if (Array.isArray(value)) return html`<span class="muted">[${value.length}]</span>`;
    if (value !== null && typeof value === 'object')
      return html`<span class="muted">{${Object.keys(value).length}}</span>`;
    if (typeof value !== 'string') return html`<span class=${typeof value}>${String(value)}</span>`;
    return html`<span class="string">"${toVisibleText(value, MAX_TEXT_LENGTH)}"</span>`;
  }

  #renderLine({ path, name, value, depth }: JsonNode): TemplateResult {
    const entries = getEntries(value);
    const isOpen = this.openPaths.has(path);
    const shownCount = this.shownCounts.get(path) ?? ENTRIES_PER_STEP;
    const hasMore = isOpen && entries.length > shownCount;
    return html`<div class="line" role="treeitem" aria-level=${depth + 1} aria-expanded=${entries.length === 0 ? nothing : isOpen ? 'true' : 'false'} tabindex=${path === this.active ? 0 : -1}
      .style=${`padding-left:${12 + depth * 16}px`} @click=${() => {
        this.active = path;
        if (entries.length > 0) this.#toggle(path);
      }}><span class="twistie" aria-hidden="true">${entries.length === 0 ? '' : isOpen ? '▾' : '▸'}</span>${name === '' ? nothing : html`<span class="name">${toVisibleText(name, 200)}:</span>`}<span class="value">${this.#renderValue(value)}</span>${
        hasMore
          ? html`<button class="plain" @click=${(event: Event) => {
              event.stopPropagation();
              this.shownCounts = new Map(this.shownCounts).set(path, shownCount + ENTRIES_PER_STEP * 5);
            }}>${t('Show more of {0}', formatInteger(entries.length))}</button>`
          : nothing
      }</div>`;
  }

  override render(): TemplateResult {
    const { fault } = this.#request;
    if (fault !== null && this.#isFromNode)
      return html`<div class="bar">${this.#renderSources()}</div><hl-fault-message .fault=${fault}></hl-fault-message>`;
    if (fault !== null) return html`<hl-fault-message .fault=${fault}></hl-fault-message>`;
    if (!this.#isParsed) return html`<p class="note muted" role="status">${t('Loading…')}</p>`;
    return html`<div class="bar">${this.#renderSources()}<span class="muted">${t('{0} characters', formatInteger(this.#text.length))}</span><button class="plain" @click=${() =>
      this.context.channel.notify('copy', {
        text: this.#text,
      })}><vscode-icon name="copy" aria-hidden="true"></vscode-icon> ${t('Copy JSON')}</button></div>
      <div class="tree" role="tree" aria-label=${t('Raw reply')} @keydown=${this.#handleKey}>${this.#getVisibleNodes().map(node => this.#renderLine(node))}</div>`;
  }
}

customElements.define('hl-raw-reply', RawReply);
