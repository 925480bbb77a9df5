// One record as a list of names and values, each in full, linked and with a copy button.
import { css, html, nothing, type TemplateResult } from 'lit';
import { formatFullAmount, formatInteger, formatTokenAmount } from '../../../base/formatUnits.ts';
import { t } from '../../../base/localize.ts';
import type { AmountUnit } from '../../../protocol/amountUnits.ts';
import type { InspectorTarget } from '../../../protocol/inspectorTarget.ts';
import { getRowUnit } from '../../../protocol/rowUnits.ts';
import type { TableCell, TableColumn, TableRow } from '../../../protocol/table.ts';
import { PageElement } from '../pageElement.ts';
import {
  type FormatContext,
  formatAge,
  formatCell,
  formatCellForClipboard,
  formatExactTimes,
  formatStatus,
  getStatusClass,
  isMonospaceColumn,
  toVisibleText,
} from '../rows/cellFormat.ts';
import { getCellTarget } from '../rows/cellTarget.ts';
import { getTokenImage } from '../rows/tokenImage.ts';
import { baseStyles } from '../styles.ts';
import { createImageLoader } from './imageLoader.ts';
import { renderLocation, renderTargetLink } from './targetLink.ts';

/** Characters of a long value that are shown before the user expands it. */
const MAX_TEXT_LENGTH = 1_000;

/** A page does not link to itself. */
function isSameTarget(target: InspectorTarget, other: InspectorTarget): boolean {
  if (target.kind === 'transaction') return other.kind === 'transaction' && target.hash === other.hash;
  return target.kind === 'block' && other.kind === 'block' && target.block === other.block;
}

export class RecordView extends PageElement {
  static override styles = [
    baseStyles,
    css`
      dl { display: grid; grid-template-columns: minmax(172px, max-content) minmax(0, 1fr); margin: 0; }
      dt, dd { padding: 5px 12px; margin: 0; border-bottom: 1px solid color-mix(in srgb, var(--vscode-foreground) 8%, transparent); }
      dt { color: var(--vscode-descriptionForeground); }
      dd { display: flex; align-items: flex-start; gap: 4px; min-width: 0; }
      .value { min-width: 0; overflow-wrap: anywhere; white-space: pre-wrap; }
      .value.long { max-height: 220px; overflow: auto; }
      button.copy { flex: none; opacity: 0; line-height: 1; height: 20px; }
      dd:hover button.copy, button.copy:focus-visible { opacity: 1; }
      img { display: block; max-width: min(100%, 240px); max-height: 240px; object-fit: contain; border-radius: 4px; }
      @media (max-width: 480px) { dl { grid-template-columns: minmax(0, 1fr); } dt { border-bottom: 0; padding-bottom: 0; } }
    `,
  ];
  static override properties = {
    columns: { attribute: false },
    row: { attribute: false },
    format: { attribute: false },
    expanded: { state: true },
  };
  columns: readonly TableColumn[] = [];
  row: TableRow = [];
  declare format: FormatContext;
  expanded: ReadonlySet<string> = new Set();

  readonly #images = createImageLoader(() => this.requestUpdate());

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#images.cancelAll();
  }

  /** The picture of a token's media, which the user has asked for; `null` until it is there. */
  #renderPicture(media: string): TemplateResult | null {
    const read = (key: string) => {
      const cell = this.row[this.columns.findIndex(column => column.key === key)];
      return typeof cell === 'string' ? cell : null;
    };
    const { name, dataUri, uri } = getTokenImage(read('normalizedMetadata') ?? read('metadata'), media);
    const { channel, chain } = this.context;
    if (dataUri === null && uri !== null) this.#images.load(channel, { chain, uri });
    const state = uri === null ? null : this.#images.get({ chain, uri });
    const source = dataUri ?? (state?.kind === 'loaded' ? state.source : null);
    if (source === null) return null;
    return html`<img src=${source} alt=${name ?? t('Token image')} decoding="async">`;
  }

  get #unit(): AmountUnit | null {
    return getRowUnit(this.columns, this.row, this.format.units);
  }

  #renderValue(column: TableColumn, cell: TableCell): TemplateResult | string {
    if (column.kind === 'status')
      return html`<span class="chip ${getStatusClass(cell)}"><span class="dot"></span>${formatStatus(cell)}</span>`;
    const text = String(cell);
    if (column.kind === 'time' && typeof cell === 'number') {
      const date = new Date(cell);
      return Number.isNaN(date.getTime())
        ? text
        : html`${formatAge(date, this.format.now, column.key)} <span class="muted">· ${formatExactTimes(date).join(' · ')}</span>`;
    }
    const short = formatCell(column, cell, this.format);
    if (column.kind === 'topic' || column.kind === 'method') {
      const known = column.kind === 'topic' ? this.format.names.events[text] : this.format.names.methods[text];
      const names = (known ?? []).join(t(' or '));
      return html`${names === '' && column.kind === 'method' && short !== text ? short : names} <span class="mono muted">${text}</span>`;
    }
    if (column.kind === 'coin') {
      const exact = /^-?\d+$/.test(text) ? formatFullAmount(BigInt(text), column.decimals ?? 18) : text;
      return this.format.preferences.numbers === 'hex'
        ? short
        : html`${exact} <span class="muted">${column.unit ?? ''}</span>`;
    }
    if (column.kind === 'tokenAmount') {
      const unit = this.#unit;
      return unit === null
        ? ''
        : html`<bdi>${formatTokenAmount(BigInt(text), unit)}</bdi> <span class="muted">${text}</span>`;
    }
    if (column.kind === 'number' || column.kind === 'amount' || column.kind === 'block') {
      const shown =
        this.format.preferences.numbers === 'hex' || !/^-?\d+$/.test(text) ? short : formatInteger(BigInt(text));
      return this.#renderLink(column, cell, shown);
    }
    if (column.kind === 'address' || column.kind === 'aptos') {
      const name = this.format.names.addresses[text.toLowerCase()];
      return html`${this.#renderLink(column, cell, text)}${name === undefined ? nothing : html` <span class="chip">${toVisibleText(name, 64)}</span>`}`;
    }
    if (column.kind === 'flag') return short;
    const picture = column.key === 'media' ? this.#renderPicture(text) : null;
    if (picture !== null)
      return html`${picture}<details><summary>JSON</summary>${this.#renderText(column, text)}</details>`;
    return this.#renderLink(column, cell, this.#renderText(column, text));
  }

  #renderText(column: TableColumn, text: string): TemplateResult | string {
    if (text.length <= MAX_TEXT_LENGTH || this.expanded.has(column.key)) return toVisibleText(text);
    return html`${toVisibleText(text.slice(0, MAX_TEXT_LENGTH))}… <button class="plain" @click=${() => {
      this.expanded = new Set(this.expanded).add(column.key);
    }}>${t('Show all {0} characters', formatInteger(text.length))}</button>`;
  }

  #renderLink(column: TableColumn, cell: TableCell, shown: TemplateResult | string): TemplateResult | string {
    const target = getCellTarget(column, cell, this.context.chain, this.columns, this.row);
    if (target?.kind === 'source' && column.locations !== undefined)
      return renderLocation(this.context, target.location);
    if (target === null || target.kind === 'source' || isSameTarget(target, this.context.target)) return shown;
    return renderTargetLink(this.context, target, shown);
  }

  override render(): TemplateResult {
    return html`<dl>${this.columns.map((column, index) => {
      const cell = this.row[index] ?? null;
      if (column.isDecoded === true || (cell === null && column.kind !== 'status')) return nothing;
      // Without a unit the contract is no ERC-20: the number may be a token id.
      if (column.kind === 'tokenAmount' && this.#unit === null) return nothing;
      const long = typeof cell === 'string' && cell.length > 400;
      return html`<dt>${column.label}</dt><dd data-key=${column.key}><span class="value ${isMonospaceColumn(column) ? 'mono' : ''} ${long ? 'long' : ''}"
        tabindex=${long ? '0' : nothing} role=${long ? 'group' : nothing} aria-label=${long ? column.label : nothing}>${this.#renderValue(column, cell)}</span><button class="plain copy" title=${t('Copy {0}', column.label)}
        aria-label=${t('Copy {0}', column.label)} @click=${() => this.context.channel.notify('copy', { text: formatCellForClipboard(column, cell) })}><vscode-icon name="copy" size="14"></vscode-icon></button></dd>`;
    })}</dl>`;
  }
}

customElements.define('hl-record', RecordView);
