// The tab Gas of a transaction: what it paid for, as a chart of blocks inside each other and as tables.

import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { formatInteger } from '../../../base/formatUnits.ts';
import { getOrInsert } from '../../../base/getOrInsert.ts';
import { t } from '../../../base/localize.ts';
import type { GasDetails } from '../../../protocol/messages.ts';
import { formatShare } from '../../../view/formatShare.ts';
import type { GasBlock } from '../../../view/source/gasBlocks.ts';
import { formatLocation } from '../../../view/source/stackHover.ts';
import { FocusGuard } from '../focusGuard.ts';
import { getTraceTarget, type PageContext } from '../pageContext.ts';
import { RequestController } from '../requestController.ts';
import { toVisibleText } from '../rows/cellFormat.ts';
import { baseStyles } from '../styles.ts';

/** Blocks of a smaller part of what is shown are too narrow to be seen; the tables have them. */
const MIN_SHARE = 0.002;
/** Narrower ones have no room for a name. */
const MIN_LABEL_SHARE = 0.025;
const ROW_HEIGHT = 24;
/** Rows below the one that is shown first. */
const MAX_ROWS = 40;
/** Orange is translucent in themes of VS Code: its blocks would look like lines. */
const COLORS = ['blue', 'green', 'purple', 'yellow', 'red'] as const;

/** A block with its place in the chart, in parts of the whole width. */
interface PlacedBlock {
  readonly block: GasBlock;
  readonly row: number;
  readonly left: number;
  readonly width: number;
  /** Index in the list of the block around it; -1 for the first. */
  readonly parent: number;
}

/** Each block after the one around it. */
function placeBlocks(root: GasBlock): readonly PlacedBlock[] {
  const placed: PlacedBlock[] = [{ block: root, row: 0, left: 0, width: 1, parent: -1 }];
  for (let index = 0; index < placed.length; index++) {
    const { block, row, left } = placed[index] as PlacedBlock;
    if (row >= MAX_ROWS) continue;
    let at = left;
    for (const child of block.children) {
      const share = child.gas / root.gas;
      if (share >= MIN_SHARE) placed.push({ block: child, row: row + 1, left: at, width: share, parent: index });
      at += share;
    }
  }
  return placed;
}

export class GasChartView extends LitElement {
  static override styles = [
    baseStyles,
    css`
      :host { display: flex; flex-direction: column; height: 100%; min-height: 0; }
      .bar { display: flex; flex-wrap: wrap; gap: 6px 16px; align-items: center; padding: 8px 16px; }
      .bar select { min-height: 24px; }
      .panel { flex: 0 1 auto; overflow: auto; padding: 0 16px 12px; }
      .block b { font-weight: 600; }
      .block.line b { font-weight: normal; }
      .chart { position: relative; min-width: 480px; }
      .block {
        position: absolute; height: ${ROW_HEIGHT - 2}px; line-height: ${ROW_HEIGHT - 4}px; overflow: hidden; white-space: nowrap; text-overflow: ellipsis; padding: 0 4px; cursor: pointer;
        border: 1px solid var(--vscode-contrastBorder, var(--vscode-editor-background)); border-radius: 2px; font-size: 0.92em; font-variant-numeric: tabular-nums;
        color: var(--vscode-foreground); background: color-mix(in srgb, var(--block) 26%, var(--vscode-editor-background));
      }
      .block.line { background: color-mix(in srgb, var(--block) 13%, var(--vscode-editor-background)); font-family: var(--vscode-editor-font-family, monospace); }
      .block.other, .block.transaction { background: color-mix(in srgb, var(--vscode-foreground) 9%, var(--vscode-editor-background)); }
      :host-context(.vscode-high-contrast) .block { background: var(--vscode-editor-background); }
      :host-context(.vscode-high-contrast) .block.line { border-style: dotted; }
      .block:hover { filter: brightness(1.12); }
      .block:focus-visible { outline: 2px solid var(--vscode-focusBorder); outline-offset: -2px; z-index: 1; }
      .detail { min-height: 22px; padding: 4px 16px; border-top: 1px solid var(--vscode-panel-border, var(--vscode-contrastBorder, transparent)); display: flex; flex-wrap: wrap; gap: 4px 14px; font-variant-numeric: tabular-nums; }
      .detail b { overflow-wrap: anywhere; }
      button.link { color: var(--vscode-textLink-foreground); padding: 0; } button.link:hover { text-decoration: underline; }
      .loading { display: flex; gap: 10px; align-items: center; padding: 16px; color: var(--vscode-descriptionForeground); }
      p { margin: 6px 16px; }
      hl-table { flex: 1; min-height: 0; }
    `,
  ];
  static override properties = { hash: {}, context: { attribute: false } };
  hash = '';
  declare context: PageContext;
  #details: GasDetails | null = null;
  /** The way to the block that takes the whole width, from the outermost. */
  #zoomed: readonly GasBlock[] = [];
  #current: GasBlock | null = null;
  /** By contract, in the order of the chart. */
  #colors = new Map<string, string>();
  readonly #request = new RequestController(this, 'transactionGas', part => {
    if (part.kind !== 'gas') return;
    this.#details = part;
    this.#zoomed = part.block === null ? [] : [part.block];
    this.#current = null;
    this.#colors = new Map();
  });
  readonly focusGuard = new FocusGuard(this);

  override willUpdate(): void {
    const { channel, refreshCount } = this.context;
    this.#request.request(channel, getTraceTarget(this.context, this.hash), refreshCount);
  }

  #getColor(contract: string | null): string {
    if (contract === null) return 'var(--vscode-foreground)';
    return getOrInsert(this.#colors, contract, () => {
      const name = COLORS[this.#colors.size % COLORS.length];
      return `var(--vscode-charts-${name})`;
    });
  }

  #zoom(way: readonly GasBlock[], focused: GasBlock | undefined = way.at(-1)): void {
    this.#zoomed = way;
    this.#current = focused ?? null;
    this.requestUpdate();
    this.#focusCurrent();
  }

  #focusCurrent(): void {
    void this.updateComplete.then(() => this.renderRoot.querySelector<HTMLElement>('.block[tabindex="0"]')?.focus());
  }

  /** From the outermost block that is shown to one of the placed ones. */
  #wayTo(placed: readonly PlacedBlock[], index: number): readonly GasBlock[] {
    const way: GasBlock[] = [];
    for (let at = index; at > 0; at = placed[at]?.parent ?? -1) way.unshift((placed[at] as PlacedBlock).block);
    return [...this.#zoomed, ...way];
  }

  /** Left and right: in the same row; down: into a block; up: out of it; Enter: zooms; Escape: zooms out. */
  #onKeyDown(event: KeyboardEvent, placed: readonly PlacedBlock[], index: number): void {
    const { row, parent } = placed[index] as PlacedBlock;
    const sameRow = placed.flatMap((each, at) => (each.row === row ? [at] : []));
    const at = sameRow.indexOf(index);
    const targets: Readonly<Record<string, number | undefined>> = {
      ArrowLeft: sameRow[at - 1],
      ArrowRight: sameRow[at + 1],
      ArrowUp: parent,
      ArrowDown: placed.findIndex(each => each.parent === index),
      Home: 0,
    };
    if (event.key === 'Enter' || event.key === ' ') this.#onActivate(placed, index);
    else if (event.key === 'Escape' && this.#zoomed.length > 1)
      this.#zoom(this.#zoomed.slice(0, -1), this.#zoomed.at(-1));
    else if (event.key in targets) {
      const target = placed[targets[event.key] ?? -1];
      if (target !== undefined) {
        this.#current = target.block;
        this.requestUpdate();
        this.#focusCurrent();
      }
    } else return;
    event.preventDefault();
  }

  /** A block with others inside is shown in the whole width; one without opens its line. */
  #onActivate(placed: readonly PlacedBlock[], index: number): void {
    const { block } = placed[index] as PlacedBlock;
    if (index === 0 && this.#zoomed.length > 1) this.#zoom(this.#zoomed.slice(0, -1));
    else if (block.children.length > 0) this.#zoom(this.#wayTo(placed, index));
    else this.#open(block);
  }

  #open({ location }: GasBlock): void {
    if (location !== null) this.context.channel.notify('openLocation', { location });
  }

  #describe({ label, gas, calls }: GasBlock): string {
    const total = this.#details?.gasUsed ?? 0;
    const runs = calls > 1 ? `, ${t('{0} runs', formatInteger(calls))}` : '';
    return `${toVisibleText(label, 200)}, ${t('{0} gas ({1})', formatInteger(gas), formatShare(gas, total))}${runs}`;
  }

  #renderBlock(each: PlacedBlock, placed: readonly PlacedBlock[], index: number): TemplateResult {
    const { block, row, left, width } = each;
    const isCurrent = block === (this.#current ?? placed[0]?.block);
    const select = () => {
      this.#current = block;
      this.requestUpdate();
    };
    const style = `left:${100 * left}%;width:${100 * width}%;top:${ROW_HEIGHT * row}px;--block:${this.#getColor(block.contract)}`;
    return html`<div class="block ${block.kind}" role="treeitem" aria-level=${row + this.#zoomed.length} aria-label=${this.#describe(block)} aria-selected=${isCurrent} aria-expanded=${block.children.length === 0 ? nothing : 'true'} tabindex=${isCurrent ? 0 : -1} .style=${style}
      title=${this.#describe(block)} @focus=${select} @mouseenter=${select} @click=${() => this.#onActivate(placed, index)} @keydown=${(event: KeyboardEvent) => this.#onKeyDown(event, placed, index)}>${width < MIN_LABEL_SHARE ? nothing : html`<b>${toVisibleText(block.label, 200)}</b> ${formatInteger(block.gas)}`}</div>`;
  }

  #renderChart(): TemplateResult | typeof nothing {
    const root = this.#zoomed.at(-1);
    if (root === undefined || root.gas <= 0) return nothing;
    const placed = placeBlocks(root);
    const rows = placed.reduce((max, { row }) => Math.max(max, row), 0) + 1;
    const shown = placed.find(({ block }) => block === this.#current)?.block ?? root;
    const { location } = shown;
    const refund = this.#details?.refund ?? 0;
    return html`<div class="panel"><div class="chart" role="tree" aria-label=${t('Gas by contract, function and line')} .style=${`height:${ROW_HEIGHT * rows}px`}>${placed.map((each, index) => this.#renderBlock(each, placed, index))}</div></div>
      <div class="detail" role="status"><b>${this.#describe(shown)}</b>${
        location === null
          ? nothing
          : location.file === null
            ? html`<span class="muted">${toVisibleText(formatLocation(location), 200)}</span>`
            : html`<button class="plain link" @click=${() => this.#open(shown)}>${toVisibleText(formatLocation(location), 200)}</button>`
      }${this.#zoomed.length > 1 ? html`<button class="plain link" @click=${() => this.#zoom(this.#zoomed.slice(0, 1))}>${t('Show All')}</button>` : nothing}${refund > 0 ? html`<span class="muted">${t('The blocks are before the refund of {0}.', formatInteger(refund))}</span>` : nothing}</div>`;
  }

  override render(): TemplateResult {
    const { isLoading, fault, reply } = this.#request;
    if (fault !== null) return html`<hl-fault-message .fault=${fault}></hl-fault-message>`;
    if (this.#details === null) {
      const cancel = () => this.#request.cancel();
      return isLoading
        ? html`<div class="loading" role="status"><vscode-progress-ring aria-hidden="true"></vscode-progress-ring><span>${t('Running the transaction again…')}</span><button class="plain" @click=${cancel}>${t('Cancel')}</button></div>`
        : html`<p class="muted">${t('Cancelled.')}</p>`;
    }
    const { notes, block } = this.#details;
    const { pageState, setPageState } = this.context;
    const views = [
      ['chart', t('Chart')],
      ['functions', t('Functions')],
      ['lines', t('Lines')],
      ['others', t('Beside the lines')],
    ] as const;
    const view = views.find(([id]) => id === pageState['gasView'])?.[0] ?? 'chart';
    const table = reply.tables.get(view);
    return html`${notes.map(note => html`<p class="muted">${toVisibleText(note, 500)}</p>`)}
      ${
        block === null
          ? nothing
          : html`<div class="bar"><label>${t('View')} <select @change=${(event: Event) => setPageState('gasView', (event.target as HTMLSelectElement).value)}>${views.map(
              ([id, label]) => html`<option value=${id} ?selected=${id === view}>${label}</option>`,
            )}</select></label><span class="muted">${t('{0} gas in all', formatInteger(this.#details.gasUsed))}</span></div>
            ${view === 'chart' ? this.#renderChart() : table === undefined ? nothing : html`<hl-table .table=${table} .names=${reply.names} .context=${this.context} label=${views.find(([id]) => id === view)?.[1] ?? ''}></hl-table>`}`
      }`;
  }
}

customElements.define('hl-gas', GasChartView);
