// The newest blocks of a chain, updated with each new head, with or without the empty ones.
import { html, nothing, type TemplateResult } from 'lit';
import { formatInteger } from '../../../base/formatUnits.ts';
import { t } from '../../../base/localize.ts';
import { type HexNames, mergeHexNames, noHexNames } from '../../../protocol/hexNames.ts';
import { MAX_BLOCKS_PER_CALL } from '../../../protocol/messages.ts';
import type { CollectedReply, LoadedTable } from '../replyCollector.ts';
import { RequestController } from '../requestController.ts';
import { InspectorPage } from './inspectorPage.ts';

const BLOCKS_PER_REQUEST = 25;

export class LatestBlocksPage extends InspectorPage {
  static override properties = { context: { attribute: false }, head: { attribute: false } };
  /** The newest block of the chain; `null` while unknown. */
  declare head: number | null;
  #table: LoadedTable | null = null;
  #names: HexNames = noHexNames;
  #before: number | null = null;
  readonly #newest = new RequestController(this, 'blocks', () => this.#merge(this.#newest.reply));
  readonly #older = new RequestController(this, 'blocks', () => this.#merge(this.#older.reply));

  constructor() {
    super();
    this.head = null;
  }

  override willUpdate(): void {
    const { channel, chain, refreshCount } = this.context;
    const shownHead = Number(this.#table?.rows[0]?.[0] ?? -1);
    const missing =
      this.head === null || shownHead < 0
        ? BLOCKS_PER_REQUEST
        : Math.max(1, Math.min(MAX_BLOCKS_PER_CALL, this.head - shownHead + 1));
    this.#newest.request(channel, { chain, before: null, count: missing }, `${refreshCount}:${this.head ?? ''}`);
    this.#older.request(
      channel,
      this.#before === null ? null : { chain, before: this.#before, count: BLOCKS_PER_REQUEST },
      refreshCount,
    );
  }

  /** New rows replace those with the same number: a reorganization may have replaced the blocks. */
  #merge(reply: CollectedReply): void {
    const table = reply.tables.get('blocks');
    if (table === undefined) return;
    this.#names = mergeHexNames(this.#names, reply.names);
    const top = Number(table.rows[0]?.[0] ?? 0);
    const numbers = new Set(table.rows.map(([number]) => number));
    // Blocks above the new head belong to a chain that was reset.
    const older = (this.#table?.rows ?? []).filter(
      ([number]) => !numbers.has(number ?? null) && (Number(number) < top || this.#before !== null),
    );
    const rows = [...table.rows, ...older].sort((a, b) => Number(b[0]) - Number(a[0]));
    this.#table = { ...table, rows, rowCount: rows.length };
  }

  override render(): TemplateResult {
    const request = this.#newest;
    const hidesEmpty = this.context.pageState['empty'] === 'hidden';
    const all = this.#table;
    const transactionsIndex = all?.columns.findIndex(({ key }) => key === 'transactions') ?? -1;
    const rows = all === null ? [] : hidesEmpty ? all.rows.filter(row => row[transactionsIndex] !== 0) : all.rows;
    const table = all === null ? null : { ...all, rows, rowCount: rows.length };
    const oldest = Number(all?.rows.at(-1)?.[0] ?? 0);
    const hidden = (all?.rows.length ?? 0) - rows.length;
    return html`<header class="title"><h1>${t('Latest blocks')}</h1><span class="subject">${this.context.chain}</span>
        ${this.head === null ? nothing : html`<span class="chip ok"><span class="dot"></span>${t('Head {0}', formatInteger(this.head))}</span>`}</header>
      ${request.fault === null || all !== null ? nothing : html`<hl-fault-message .fault=${request.fault}></hl-fault-message>`}
      ${
        table === null
          ? this.renderLoading(request, t('Loading the newest blocks…'))
          : html`<div class="panel"><hl-table .table=${table} .names=${this.#names} .context=${this.context} label=${t('Latest blocks')}>
        <label slot="bar"><input type="checkbox" .checked=${hidesEmpty} @change=${(event: Event) =>
          this.context.setPageState(
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

customElements.define('hl-latest-blocks', LatestBlocksPage);
