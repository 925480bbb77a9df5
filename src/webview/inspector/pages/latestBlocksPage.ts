// The newest blocks of a chain: grows while the chain does, with or without the empty ones.
import { html, nothing, type TemplateResult } from 'lit';
import { formatInteger } from '../../../base/formatUnits.ts';
import { t } from '../../../base/localize.ts';
import { type HexNames, mergeHexNames, noHexNames } from '../../../protocol/hexNames.ts';
import type { LoadedTable } from '../replyCollector.ts';
import { RequestController } from '../requestController.ts';
import { InspectorPage } from './inspectorPage.ts';

const PART = 25;

export class LatestBlocksPage extends InspectorPage {
  static override properties = { shared: { attribute: false }, head: { attribute: false } };
  /** The newest block that the host knows of; `null` while it does not say. */
  declare head: number | null;
  #table: LoadedTable | null = null;
  #names: HexNames = noHexNames;
  #before: number | null = null;
  readonly #newest = new RequestController(this, () => this.#take(this.#newest));
  readonly #older = new RequestController(this, () => this.#take(this.#older));

  constructor() {
    super();
    this.head = null;
  }

  override willUpdate(): void {
    const { channel: link, chain, refreshCount: round } = this.shared;
    const known = Number(this.#table?.rows[0]?.[0] ?? -1);
    const missing = this.head === null || known < 0 ? PART : Math.max(1, Math.min(50, this.head - known + 1));
    this.#newest.request(link, { kind: 'blocks', chain, before: null, count: missing }, `${round}:${this.head ?? ''}`);
    this.#older.request(
      link,
      this.#before === null ? null : { kind: 'blocks', chain, before: this.#before, count: PART },
      round,
    );
  }

  /** New rows take the place of those with the same number: a reorganisation exchanges them. */
  #take({ reply: collected }: RequestController): void {
    const table = collected.tables.get('blocks');
    if (table === undefined) return;
    this.#names = mergeHexNames(this.#names, collected.names);
    const top = Number(table.rows[0]?.[0] ?? 0);
    const numbers = new Set(table.rows.map(([number]) => number));
    // A chain that was reset is shorter than what was shown of it.
    const kept = (this.#table?.rows ?? []).filter(
      ([number]) => !numbers.has(number ?? null) && (Number(number) < top || this.#before !== null),
    );
    const rows = [...table.rows, ...kept].sort((a, b) => Number(b[0]) - Number(a[0]));
    this.#table = { ...table, rows, rowCount: rows.length };
  }

  override render(): TemplateResult {
    const asking = this.#newest;
    const hidesEmpty = this.shared.pageState['empty'] === 'hidden';
    const all = this.#table;
    const at = all?.columns.findIndex(({ key }) => key === 'transactions') ?? -1;
    const rows = all === null ? [] : hidesEmpty ? all.rows.filter(row => row[at] !== 0) : all.rows;
    const table = all === null ? null : { ...all, rows, count: rows.length };
    const oldest = Number(all?.rows.at(-1)?.[0] ?? 0);
    const hidden = (all?.rows.length ?? 0) - rows.length;
    return html`<header class="title"><h1>${t('Latest blocks')}</h1><span class="subject">${this.shared.chain}</span>
        ${this.head === null ? nothing : html`<span class="chip ok"><span class="dot"></span>${t('Head {0}', formatInteger(this.head))}</span>`}</header>
      ${asking.fault === null || all !== null ? nothing : html`<hl-fault .fault=${asking.fault}></hl-fault>`}
      ${
        table === null
          ? this.renderWaiting(asking, t('Reading the newest blocks…'))
          : html`<div class="panel"><hl-table .table=${table} .names=${this.#names} .shared=${this.shared} label=${t('Latest blocks')}>
        <label slot="bar"><input type="checkbox" .checked=${hidesEmpty} @change=${(event: Event) =>
          this.shared.setPageState(
            'empty',
            (event.target as HTMLInputElement).checked ? 'hidden' : '',
          )}> ${t('Hide empty blocks')}${hidden > 0 ? ` (${hidden})` : ''}</label>
        ${
          oldest > 0
            ? html`<button slot="bar" class="plain" aria-disabled=${this.#older.isLoading ? 'true' : nothing} @click=${() => {
                if (this.#older.isLoading) return;
                this.#before = oldest;
                this.requestUpdate();
              }}>${t('Load older')}</button>`
            : nothing
        }</hl-table></div>`
      }`;
  }
}

customElements.define('hl-head', LatestBlocksPage);
