// The reply of an operation as it came: a tree of JSON that opens where one looks, or its text.
import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { formatInteger } from '../../../base/formatUnits.ts';
import { t } from '../../../base/localize.ts';
import type { PageContext } from '../pageContext.ts';
import { RequestController } from '../requestController.ts';
import { toVisibleText } from '../rows/visibleText.ts';
import { baseStyles } from '../styles.ts';

interface Node {
  readonly path: string;
  readonly name: string;
  readonly value: unknown;
  readonly depth: number;
}

/** Entries of one list that are drawn at once. */
const PART = 200;
const CUT = 400;

const entriesOf = (value: unknown): readonly (readonly [string, unknown])[] =>
  value !== null && typeof value === 'object' ? Object.entries(value) : [];

export class RawReply extends LitElement {
  static override styles = [
    baseStyles,
    css`
      :host { padding: 4px 0 16px; }
      .bar { display: flex; gap: 12px; align-items: center; padding: 4px 16px; }
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
    shared: { attribute: false },
    open: { state: true },
    parts: { state: true },
    active: { state: true },
  };
  declare shared: PageContext;
  declare open: ReadonlySet<string>;
  declare parts: ReadonlyMap<string, number>;
  declare active: string;
  #text = '';
  #bytes: ArrayBuffer[] = [];
  #value: unknown;
  #parsed = false;
  #round = -1;
  #focus = false;
  readonly #asking = new RequestController(this, message => {
    if (message.type === 'text') this.#bytes.push(message.bytes);
  });

  constructor() {
    super();
    this.open = new Set(['$']);
    this.parts = new Map();
    this.active = '$';
  }

  override willUpdate(): void {
    const { channel: link, target, refreshCount: round } = this.shared;
    if (round !== this.#round) {
      this.#round = round;
      this.#bytes = [];
      this.#parsed = false;
    }
    this.#asking.request(link, { kind: 'raw', target }, round);
    if (this.#asking.isLoading || this.#parsed || this.#bytes.length === 0) return;
    this.#parsed = true;
    const decoder = new TextDecoder();
    this.#text = this.#bytes.map(part => decoder.decode(part, { stream: true })).join('') + decoder.decode();
    try {
      this.#value = JSON.parse(this.#text);
    } catch {
      this.#value = this.#text;
    }
  }

  override updated(): void {
    if (!this.#focus) return;
    this.#focus = false;
    this.renderRoot.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
  }

  #visible(): readonly Node[] {
    const nodes: Node[] = [];
    const add = (node: Node): void => {
      nodes.push(node);
      if (!this.open.has(node.path)) return;
      const entries = entriesOf(node.value);
      const most = this.parts.get(node.path) ?? PART;
      for (const [name, value] of entries.slice(0, most))
        add({ path: `${node.path}.${name}`, name, value, depth: node.depth + 1 });
    };
    add({ path: '$', name: '', value: this.#value, depth: 0 });
    return nodes;
  }

  #toggle(path: string): void {
    const open = new Set(this.open);
    if (!open.delete(path)) open.add(path);
    this.open = open;
  }

  #onKey(event: KeyboardEvent): void {
    const nodes = this.#visible();
    const at = nodes.findIndex(({ path }) => path === this.active);
    const node = nodes[at];
    if (node === undefined) return;
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      Home: 0,
      End: nodes.length - 1,
    };
    const to = steps[event.key];
    const many = entriesOf(node.value).length > 0;
    if (to !== undefined) this.active = nodes[Math.max(0, Math.min(nodes.length - 1, to))]?.path ?? this.active;
    else if (
      many &&
      (event.key === 'Enter' || event.key === ' ' || (event.key === 'ArrowRight') !== this.open.has(node.path))
    ) {
      if (!['Enter', ' ', 'ArrowRight', 'ArrowLeft'].includes(event.key)) return;
      this.#toggle(node.path);
    } else if (event.key === 'ArrowLeft') {
      this.active = nodes.findLast((other, index) => index < at && other.depth < node.depth)?.path ?? this.active;
    } else return;
    event.preventDefault();
    this.#focus = true;
  }

  #shown(value: unknown): TemplateResult | string {
    if (Array.isArray(value)) return html`<span class="muted">[${value.length}]</span>`;
    if (value !== null && typeof value === 'object')
      return html`<span class="muted">{${Object.keys(value).length}}</span>`;
    if (typeof value !== 'string') return html`<span class=${typeof value}>${String(value)}</span>`;
    return html`<span class="string">"${toVisibleText(value, CUT)}"</span>`;
  }

  #line({ path, name, value, depth }: Node): TemplateResult {
    const entries = entriesOf(value);
    const open = this.open.has(path);
    const most = this.parts.get(path) ?? PART;
    const more = open && entries.length > most;
    return html`<div class="line" role="treeitem" aria-level=${depth + 1} aria-expanded=${entries.length === 0 ? nothing : open ? 'true' : 'false'} tabindex=${path === this.active ? 0 : -1}
      .style=${`padding-left:${12 + depth * 16}px`} @click=${() => {
        this.active = path;
        if (entries.length > 0) this.#toggle(path);
      }}><span class="twistie" aria-hidden="true">${entries.length === 0 ? '' : open ? '▾' : '▸'}</span>${name === '' ? nothing : html`<span class="name">${toVisibleText(name, 200)}:</span>`}<span class="value">${this.#shown(value)}</span>${
        more
          ? html`<button class="plain" @click=${(event: Event) => {
              event.stopPropagation();
              this.parts = new Map(this.parts).set(path, most + PART * 5);
            }}>${t('Show more of {0}', formatInteger(entries.length))}</button>`
          : nothing
      }</div>`;
  }

  override render(): TemplateResult {
    const { fault, isLoading: loading } = this.#asking;
    if (fault !== null) return html`<hl-fault .fault=${fault}></hl-fault>`;
    if (loading || !this.#parsed) return html`<p class="note muted" role="status">${t('Reading…')}</p>`;
    return html`<div class="bar"><span class="muted">${t('{0} characters', formatInteger(this.#text.length))}</span><button class="plain" @click=${() =>
      this.shared.channel.send({
        type: 'copy',
        text: this.#text,
      })}><vscode-icon name="copy" aria-hidden="true"></vscode-icon> ${t('Copy JSON')}</button></div>
      <div class="tree" role="tree" aria-label=${t('Reply')} @keydown=${this.#onKey}>${this.#visible().map(node => this.#line(node))}</div>`;
  }
}

customElements.define('hl-raw', RawReply);
