// One record as a list of names and values: every value whole, linked and to be copied.
import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { formatFullAmount, formatInteger } from '../../../base/formatUnits.ts';
import { t } from '../../../base/localize.ts';
import type { AmountUnit } from '../../../protocol/amountUnits.ts';
import type { InspectorTarget } from '../../../protocol/inspectorTarget.ts';
import type { TableCell, TableColumn, TableRow } from '../../../protocol/table.ts';
import { formatRelativeTime, formatUtcTime } from '../../../view/formatTime.ts';
import type { PageContext } from '../pageContext.ts';
import {
  type FormatContext,
  formatCell,
  formatCellForClipboard,
  formatLocalTime,
  formatStatus,
  getStatusClass,
  isMonospaceColumn,
} from '../rows/cellFormat.ts';
import { getCellTarget } from '../rows/cellTarget.ts';
import { formatExactAmount, getRowUnit } from '../rows/tokenAmount.ts';
import { toVisibleText } from '../rows/visibleText.ts';
import { baseStyles } from '../styles.ts';

/** As much of a long value as is drawn before somebody asks for all of it. */
const CUT = 1_000;

/** A page need not lead to itself. */
function isHere(target: InspectorTarget, here: InspectorTarget): boolean {
  if (target.kind === 'transaction') return here.kind === 'transaction' && target.hash === here.hash;
  return target.kind === 'block' && here.kind === 'block' && target.block === here.block;
}

export class RecordView extends LitElement {
  static override styles = [
    baseStyles,
    css`
      dl { display: grid; grid-template-columns: minmax(110px, max-content) minmax(0, 1fr); margin: 0; }
      dt, dd { padding: 5px 12px; margin: 0; border-bottom: 1px solid color-mix(in srgb, var(--vscode-foreground) 8%, transparent); }
      dt { color: var(--vscode-descriptionForeground); }
      dd { display: flex; align-items: flex-start; gap: 4px; min-width: 0; }
      .value { min-width: 0; overflow-wrap: anywhere; white-space: pre-wrap; }
      .value.long { max-height: 220px; overflow: auto; }
      button.copy { flex: none; opacity: 0; line-height: 1; height: 20px; }
      dd:hover button.copy, button.copy:focus-visible { opacity: 1; }
      @media (max-width: 480px) { dl { grid-template-columns: minmax(0, 1fr); } dt { border-bottom: 0; padding-bottom: 0; } }
    `,
  ];
  static override properties = {
    columns: { attribute: false },
    row: { attribute: false },
    context: { attribute: false },
    shared: { attribute: false },
    whole: { state: true },
  };
  declare columns: readonly TableColumn[];
  declare row: TableRow;
  declare context: FormatContext;
  declare shared: PageContext;
  declare whole: ReadonlySet<string>;

  constructor() {
    super();
    this.columns = [];
    this.row = [];
    this.whole = new Set();
  }

  get #unit(): AmountUnit | null {
    return getRowUnit(this.columns, this.row, this.context.units);
  }

  #value(column: TableColumn, cell: TableCell): TemplateResult | string {
    if (column.kind === 'status')
      return html`<span class="chip ${getStatusClass(cell)}"><span class="dot"></span>${formatStatus(cell)}</span>`;
    const text = String(cell);
    if (column.kind === 'time' && typeof cell === 'number') {
      const date = new Date(cell);
      return Number.isNaN(date.getTime())
        ? text
        : html`${formatRelativeTime(date, this.context.now)} <span class="muted">· ${formatLocalTime(date)} · ${formatUtcTime(date)}</span>`;
    }
    const short = formatCell(column, cell, this.context);
    if (column.kind === 'topic' || column.kind === 'method') {
      const known = column.kind === 'topic' ? this.context.names.events[text] : this.context.names.methods[text];
      const names = (known ?? []).join(t(' or '));
      return html`${names === '' && column.kind === 'method' && short !== text ? short : names} <span class="mono muted">${text}</span>`;
    }
    if (column.kind === 'coin') {
      const exact = /^-?\d+$/.test(text) ? formatFullAmount(BigInt(text), column.decimals ?? 18) : text;
      return this.context.preferences.numbers === 'hex'
        ? short
        : html`${exact} <span class="muted">${column.unit ?? ''}</span>`;
    }
    if (column.kind === 'tokenAmount') {
      const unit = this.#unit;
      return unit === null
        ? ''
        : html`<bdi>${formatExactAmount(BigInt(text), unit)}</bdi> <span class="muted">${text}</span>`;
    }
    if (column.kind === 'number' || column.kind === 'amount' || column.kind === 'block') {
      const shown =
        this.context.preferences.numbers === 'hex' || !/^-?\d+$/.test(text) ? short : formatInteger(BigInt(text));
      return this.#linked(column, cell, shown);
    }
    if (column.kind === 'address' || column.kind === 'aptos') {
      const name = this.context.names.addresses[text.toLowerCase()];
      return html`${this.#linked(column, cell, text)}${name === undefined ? nothing : html` <span class="chip">${toVisibleText(name, 64)}</span>`}`;
    }
    if (column.kind === 'flag') return short;
    return this.#linked(column, cell, this.#cut(column, text));
  }

  #cut(column: TableColumn, text: string): TemplateResult | string {
    if (text.length <= CUT || this.whole.has(column.key)) return toVisibleText(text);
    return html`${toVisibleText(text.slice(0, CUT))}… <button class="plain" @click=${() => {
      this.whole = new Set(this.whole).add(column.key);
    }}>${t('Show all {0} characters', formatInteger(text.length))}</button>`;
  }

  #linked(column: TableColumn, cell: TableCell, shown: TemplateResult | string): TemplateResult | string {
    const target = getCellTarget(column, cell, this.shared.chain, this.columns, this.row);
    if (target === null || isHere(target, this.shared.target)) return shown;
    return html`<a href="#" @click=${(event: MouseEvent) => {
      event.preventDefault();
      event.stopPropagation();
      this.shared.navigate(target, event.ctrlKey || event.metaKey ? 'side' : 'here');
    }}>${shown}</a>`;
  }

  override render(): TemplateResult {
    return html`<dl>${this.columns.map((column, at) => {
      const cell = this.row[at] ?? null;
      if (cell === null && column.kind !== 'status') return nothing;
      // A number whose contract is no ERC-20 may be an id.
      if (column.kind === 'tokenAmount' && this.#unit === null) return nothing;
      const long = typeof cell === 'string' && cell.length > 400;
      return html`<dt>${column.label}</dt><dd data-key=${column.key}><span class="value ${isMonospaceColumn(column) ? 'mono' : ''} ${long ? 'long' : ''}"
        tabindex=${long ? '0' : nothing} role=${long ? 'group' : nothing} aria-label=${long ? column.label : nothing}>${this.#value(column, cell)}</span><button class="plain copy" title=${t('Copy {0}', column.label)}
        aria-label=${t('Copy {0}', column.label)} @click=${() => this.shared.channel.send({ type: 'copy', text: formatCellForClipboard(column, cell) })}><vscode-icon name="copy" size="14"></vscode-icon></button></dd>`;
    })}</dl>`;
  }
}

customElements.define('hl-facts', RecordView);
