// The newest blocks of a chain, updated with each new head, with or without the empty ones.
import { html, nothing, type TemplateResult } from 'lit';
import { formatInteger } from '../../../base/formatUnits.ts';
import { t } from '../../../base/localize.ts';
import { type HexNames, mergeHexNames, noHexNames } from '../../../protocol/hexNames.ts';
import { MAX_BLOCKS_PER_CALL } from '../../../protocol/messages.ts';
import type { TableRow } from '../../../protocol/table.ts';
import type { CollectedReply, LoadedTable } from '../replyCollector.ts';
import { RequestController } from '../requestController.ts';
import { InspectorPage } from './inspectorPage.ts';

const BLOCKS_PER_REQUEST = 25;

/** Cells of a row of blocks, in which the number is the first and the hash the last. */
const getNumber = (row: TableRow | undefined): number => Number(row?.[0] ?? -1);

export class LatestBlocksPage extends InspectorPage {
  static override properties = { context: { attribute: false }, head: { attribute: false } };
  /** The newest block of the chain; `null` while unknown. */
  head: number | null = null;
  /** All blocks of the same chain without gaps, newest first. */
  #table: LoadedTable | null = null;
  /** A table without its empty blocks. */
  #shown: { readonly table: LoadedTable; readonly filtered: LoadedTable } | null = null;
  #names: HexNames = noHexNames;
  /** Refresh and head that the newest blocks were requested for. */
  #run = '';
  #count = BLOCKS_PER_REQUEST;
  /** Times that the newest blocks did not continue those shown. */
  #gapCount = 0;
  #before: number | null = null;
  /** Clicks on Load older. */
  #tryCount = 0;
  readonly #newest = new RequestController(this, 'blocks');
  readonly #older = new RequestController(this, 'blocks');
  /** The replies whose blocks have been added. */
  #addedNewest: CollectedReply = this.#newest.reply;
  #addedOlder: CollectedReply = this.#older.reply;

  override willUpdate(): void {
    this.#addReplies();
    const { channel, chain, refreshCount } = this.context;
    const run = `${refreshCount}:${this.head ?? ''}`;
    if (run !== this.#run) {
      const isNewHead = this.#run.startsWith(`${refreshCount}:`);
      this.#run = run;
      this.#count = isNewHead ? this.#getMissingCount() : BLOCKS_PER_REQUEST;
    }
    this.#newest.request(channel, { chain, before: null, count: this.#count }, `${run}:${this.#gapCount}`);
    const older = this.#before === null ? null : { chain, before: this.#before, count: BLOCKS_PER_REQUEST };
    this.#older.request(channel, older, this.#tryCount);
  }

  #addReplies(): void {
    const newest = this.#newest.reply;
    const older = this.#older.reply;
    if (newest !== this.#addedNewest) this.#addNewest(newest);
    if (older !== this.#addedOlder) this.#addOlder(older);
    this.#addedNewest = newest;
    this.#addedOlder = older;
  }

  /** The blocks above the newest one shown, and that one, which may have been replaced. */
  #getMissingCount(): number {
    const shownHead = getNumber(this.#table?.rows[0]);
    if (this.head === null || shownHead < 0) return BLOCKS_PER_REQUEST;
    const count = this.head - shownHead + 1;
    return count < 1 || count > MAX_BLOCKS_PER_CALL ? BLOCKS_PER_REQUEST : count;
  }

  /** The blocks below stay where the oldest new one is the same as before. Else the chain was reset, reorganized or has gone on too far. */
  #addNewest(reply: CollectedReply): void {
    const table = reply.tables.get('blocks');
    const oldest = table?.rows.at(-1);
    if (table === undefined || oldest === undefined) return;
    const shown = this.#table?.rows ?? [];
    const index = shown.findIndex(row => getNumber(row) === getNumber(oldest));
    const continues = index >= 0 && shown[index]?.at(-1) === oldest.at(-1);
    if (!continues && this.#count < BLOCKS_PER_REQUEST) {
      this.#count = BLOCKS_PER_REQUEST;
      this.#gapCount++;
      return;
    }
    this.#names = mergeHexNames(this.#names, reply.names);
    if (!continues) this.#before = null;
    this.#setRows(table, continues ? [...table.rows, ...shown.slice(index + 1)] : table.rows);
  }

  #addOlder(reply: CollectedReply): void {
    const table = reply.tables.get('blocks');
    const shown = this.#table?.rows ?? [];
    if (table === undefined || this.#before === null || this.#before !== getNumber(shown.at(-1))) return;
    this.#names = mergeHexNames(this.#names, reply.names);
    this.#before = null;
    this.#setRows(table, [...shown, ...table.rows]);
  }

  #setRows(table: LoadedTable, rows: readonly TableRow[]): void {
    this.#table = { ...table, columns: this.#table?.columns ?? table.columns, rows, rowCount: rows.length };
  }

  #getShown(table: LoadedTable, hidesEmpty: boolean): LoadedTable {
    if (!hidesEmpty) return table;
    const known = this.#shown;
    if (known?.table === table) return known.filtered;
    const index = table.columns.findIndex(({ key }) => key === 'transactions');
    const rows = table.rows.filter(row => row[index] !== 0);
    const filtered = { ...table, rows, rowCount: rows.length };
    this.#shown = { table, filtered };
    return filtered;
  }

  #loadOlder(oldest: number): void {
    this.#before = oldest;
    this.#tryCount++;
    this.requestUpdate();
  }

  override render(): TemplateResult {
    const request = this.#newest;
    const hidesEmpty = this.context.pageState['empty'] === 'hidden';
    const all = this.#table;
    const table = all === null ? null : this.#getShown(all, hidesEmpty);
    const oldest = getNumber(all?.rows.at(-1));
    const hidden = (all?.rows.length ?? 0) - (table?.rows.length ?? 0);
    return html`<header class="title"><h1>${t('Latest blocks')}</h1><span class="subject">${this.context.chain}</span>
        ${this.head === null ? nothing : html`<span class="chip ok"><span class="dot"></span>${t('Head {0}', formatInteger(this.head))}</span>`}</header>
      ${request.fault === null || all !== null ? nothing : html`<hl-fault-message .fault=${request.fault}></hl-fault-message>`}
      ${
        this.#older.fault === null
          ? nothing
          : html`<hl-fault-message .fault=${this.#older.fault} @fault-retry=${(event: Event) => {
              event.stopPropagation(); // the blocks that are there stay
              this.#loadOlder(oldest);
            }}></hl-fault-message>`
      }
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
                if (!this.#older.isLoading) this.#loadOlder(oldest);
              }}>${t('Load older')}</button>`
            : nothing
        }</hl-table></div>`
      }`;
  }
}

customElements.define('hl-latest-blocks', LatestBlocksPage);
