// Any operation: its parameters as a form, its rows page by page, its record, its pictures, its reply as it came.
import { html, nothing, type TemplateResult } from 'lit';
import { formatInteger } from '../../../base/formatUnits.ts';
import { t } from '../../../base/localize.ts';
import { type HexNames, mergeHexNames, noHexNames } from '../../../protocol/hexNames.ts';
import type { InspectorTarget } from '../../../protocol/inspectorTarget.ts';
import type { TableRow } from '../../../protocol/table.ts';
import { findTrackedTask, isTaskComplete, type TrackedTask } from '../../../protocol/trackedTasks.ts';
import { getHistogramAxes } from '../components/histogramView.ts';
import { renderCancelledNote, renderIndexNote } from '../components/indexNote.ts';
import { renderParametersForm } from '../components/parametersForm.ts';
import type { Tab } from '../components/tabBar.ts';
import type { LoadedTable } from '../replyCollector.ts';
import { RequestController } from '../requestController.ts';
import { getNamedRow } from '../rows/namedRow.ts';
import { InspectorPage } from './inspectorPage.ts';

type OperationTarget = Extract<InspectorTarget, { readonly kind: 'operation' }>;

const PICTURED: readonly string[] = ['nftOwners', 'walletNfts'];

export class OperationPage extends InspectorPage {
  static override properties = {
    shared: { attribute: false },
    head: { attribute: false },
    embedded: { type: Boolean },
  };
  /** The newest block that the host knows of. */
  declare head: number | null;
  /** Inside another page: no title, no form. */
  declare embedded: boolean;
  #key = '';
  /** Rows of further pages, and of the live tail before the first. */
  #later: readonly TableRow[] = [];
  #newer: readonly TableRow[] = [];
  #names: HexNames = noHexNames;
  #cursor: string | null = null;
  #wanted: string | null = null;
  #tailFrom: number | null = null;
  #log: TableRow | null = null;
  /** Grows by one when the index has got further than the answer, and how many ends of work that took in. */
  #again = 0;
  #ends = 0;
  readonly #main = new RequestController(this);
  readonly #more = new RequestController(this);
  readonly #tail = new RequestController(this);

  constructor() {
    super();
    this.head = null;
    this.embedded = false;
  }

  get #target(): OperationTarget | null {
    const { target } = this.shared;
    return target.kind === 'operation' ? target : null;
  }

  override willUpdate(): void {
    const target = this.#target;
    if (target === null) return;
    const { channel: link, refreshCount: round } = this.shared;
    this.#takeIndex();
    const asked = `${round}.${this.#again}`;
    const key = `${asked} ${JSON.stringify(target)}`;
    if (key !== this.#key) {
      this.#key = key;
      this.#later = [];
      this.#newer = [];
      this.#names = noHexNames;
      this.#wanted = null;
      this.#tailFrom = null;
    }
    this.#main.request(link, { kind: 'operation', target }, asked);
    const more: InspectorTarget | null =
      this.#wanted === null ? null : { ...target, parameters: { ...target.parameters, cursor: this.#wanted } };
    this.#more.request(link, more === null ? null : { kind: 'operation', target: more }, round);
    this.#followTail(target);
  }

  get #work(): TrackedTask | null {
    return findTrackedTask(this.shared.tasks, this.shared.target, this.shared.chain);
  }

  get #syncing(): boolean {
    return !this.#main.isLoading && this.#main.reply.listInfo?.isSyncing === true;
  }

  /** The index is whole now: an answer from before is asked for anew, unless the user has read on below it. */
  #takeIndex(): void {
    const work = this.#work;
    if (work === null || !this.#syncing || !isTaskComplete(work) || work.endCount === this.#ends) return;
    if (this.#later.length > 0 || this.#wanted !== null) return;
    this.#ends = work.endCount;
    this.#again++;
  }

  #askAgain(): void {
    this.#again++;
    this.requestUpdate();
  }

  /** Logs of blocks since the newest that is shown, while the user wants them. */
  #followTail(target: OperationTarget): void {
    const { channel: link } = this.shared;
    const live = this.shared.pageState['live'] === 'on' && target.operation === 'contractLogs' && this.head !== null;
    if (!live || this.head === null) {
      this.#tail.request(link, null, 0);
      return;
    }
    this.#takeTail();
    this.#tailFrom ??= this.#newestBlock() ?? this.head;
    const {
      fromDate: _from,
      toDate: _to,
      toBlock: _toBlock,
      blockNumber: _block,
      cursor: _cursor,
      ...rest
    } = target.parameters;
    const tail: InspectorTarget = { ...target, parameters: { ...rest, fromBlock: String(this.#tailFrom + 1) } };
    if (this.head > this.#tailFrom) this.#tail.request(link, { kind: 'operation', target: tail }, `tail${this.head}`);
  }

  #newestBlock(): number | null {
    const first = this.#main.reply.tables.get('rows');
    const block = getNamedRow(first)?.cell('blockNumber');
    return typeof block === 'number' ? block : null;
  }

  #takeTail(): void {
    const rows = this.#tail.reply.tables.get('rows');
    if (rows === undefined || this.#tail.isLoading) return;
    this.#newer = rows.rows;
    this.#names = mergeHexNames(this.#names, this.#tail.reply.names);
  }

  #takeMore(): void {
    const { tables, names, listInfo: envelope } = this.#more.reply;
    const rows = tables.get('rows');
    if (rows === undefined || this.#more.isLoading || this.#wanted === null) return;
    this.#later = [...this.#later, ...rows.rows];
    this.#names = mergeHexNames(this.#names, names);
    this.#cursor = envelope?.cursor ?? null;
    this.#wanted = null;
    this.#more.request(this.shared.channel, null, 0);
  }

  #form(): TemplateResult | typeof nothing {
    const { form } = this.shared.state;
    const target = this.#target;
    if (form === null || target === null || this.embedded) return nothing;
    const { fault } = this.#main;
    return renderParametersForm(form.fields, {
      isOpen: this.shared.pageState['form'] === 'open' || fault?.code === 'bad-input',
      issues: fault?.issues ?? [],
      onToggle: open => this.shared.setPageState('form', open ? 'open' : ''),
      onSubmit: parameters => this.shared.navigate({ ...target, parameters }),
    });
  }

  #rows(): LoadedTable | null {
    const table = this.#main.reply.tables.get('rows');
    if (table === undefined) return null;
    const rows =
      this.#newer.length + this.#later.length === 0 ? table.rows : [...this.#newer, ...table.rows, ...this.#later];
    return { ...table, rows, rowCount: table.rowCount + this.#newer.length + this.#later.length };
  }

  get #logs(): boolean {
    return this.#target?.operation === 'contractLogs';
  }

  get #transfers(): boolean {
    return /transfers$/i.test(this.#target?.operation ?? '');
  }

  /** Where the list goes on; `null` when all of it is here. */
  #next(): string | null {
    if (this.#later.length > 0 || this.#cursor !== null) return this.#cursor;
    return this.#main.reply.listInfo?.cursor ?? null;
  }

  #lists(table: LoadedTable, names: HexNames): TemplateResult {
    const { listInfo: envelope } = this.#main.reply;
    const cursor = this.#next();
    const logs = this.#logs;
    const live = this.shared.pageState['live'] === 'on';
    return html`<hl-table .table=${table} .names=${names} .shared=${this.shared} label=${this.shared.state.form?.title ?? t('Rows')} .list=${{ target: this.shared.target, more: cursor !== null, growing: envelope?.isSyncing === true }}
      @table-details=${(event: CustomEvent<TableRow>) => {
        this.#log = logs ? event.detail : null;
        this.requestUpdate();
      }}>
      ${
        logs
          ? html`<hl-decoded slot="details" .subject=${this.#logSubject(table)} .shared=${this.shared}></hl-decoded>
        <label slot="bar"><input type="checkbox" .checked=${live} @change=${(event: Event) =>
          this.shared.setPageState(
            'live',
            (event.target as HTMLInputElement).checked ? 'on' : '',
          )}> ${t('Live')}</label>`
          : nothing
      }
      ${envelope?.total === null || envelope === null ? nothing : html`<span slot="bar" class="muted">${t('{0} in all', formatInteger(envelope.total))}</span>`}
      ${
        cursor === null
          ? nothing
          : html`<button slot="bar" class="plain" aria-disabled=${this.#more.isLoading ? 'true' : nothing} @click=${() => {
              if (this.#more.isLoading) return;
              this.#wanted = cursor;
              this.requestUpdate();
            }}>${this.#more.isLoading ? t('Loading…') : t('Load more')}</button>`
      }</hl-table>`;
  }

  #logSubject(table: LoadedTable): unknown {
    if (this.#log === null) return null;
    const row = getNamedRow({ ...table, rows: [this.#log] });
    const topics = ['topic0', 'topic1', 'topic2', 'topic3'].flatMap(key => row?.text(key) ?? []);
    const log = {
      chain: this.shared.chain,
      address: row?.text('address') ?? '',
      topics,
      data: row?.text('data') ?? '0x',
    };
    return { kind: 'log', log };
  }

  #panel(tab: string, names: HexNames): TemplateResult | typeof nothing {
    const { tables } = this.#main.reply;
    const rows = this.#rows();
    const record = tables.get('record');
    const wallets = tables.get('wallets');
    if (tab === 'raw') return html`<hl-raw .shared=${this.shared}></hl-raw>`;
    if (tab === 'pictures' && rows !== null)
      return html`<hl-gallery .table=${rows} .shared=${this.shared}></hl-gallery>`;
    if (tab === 'chart' && rows !== null)
      return html`<hl-over-range .table=${rows} .names=${names} .shared=${this.shared} first=${this.#transfers ? 'time' : 'block'}
        what=${this.#logs ? 'logs' : this.#transfers ? 'transfers' : 'rows'} ?more=${this.#next() !== null}></hl-over-range>`;
    if (tab === 'chart' && wallets !== undefined)
      return html`<hl-balances .table=${wallets} .shared=${this.shared}></hl-balances>`;
    if (tab === 'record' && record !== undefined)
      return html`${record.rows.map(row => html`<hl-facts .columns=${record.columns} .row=${row} .context=${{ ...this.context(this.#main), names }} .shared=${this.shared}></hl-facts>`)}`;
    if (wallets !== undefined)
      return html`<hl-table .table=${wallets} .names=${names} .shared=${this.shared} label=${t('Wallets')}></hl-table>`;
    return rows === null ? nothing : this.#lists(rows, names);
  }

  #tabs(): readonly Tab[] {
    const { tables } = this.#main.reply;
    const rows = this.#rows();
    const counted = rows !== null && getHistogramAxes(rows).length > 0;
    const wallets = tables.get('wallets');
    return [
      ...(rows === null ? [] : [{ id: 'rows', label: t('Rows'), count: formatInteger(rows.rowCount) }]),
      ...(wallets === undefined ? [] : [{ id: 'rows', label: t('Wallets'), count: formatInteger(wallets.rowCount) }]),
      ...(tables.has('record') ? [{ id: 'record', label: wallets === undefined ? t('Record') : t('Sums') }] : []),
      ...(rows !== null && PICTURED.includes(this.#target?.operation ?? '')
        ? [{ id: 'pictures', label: t('Pictures') }]
        : []),
      ...(counted || wallets !== undefined ? [{ id: 'chart', label: t('Chart') }] : []),
      { id: 'raw', label: t('Raw') },
    ];
  }

  override render(): TemplateResult {
    this.#takeMore();
    const main = this.#main;
    const { notes } = main.reply;
    const again = () => this.#askAgain();
    const names = mergeHexNames(main.reply.names, this.#names);
    const { form } = this.shared.state;
    const tabs = this.#tabs();
    const tab = this.tab(tabs[0]?.id ?? 'raw', tabs);
    const padded = tab === 'record';
    return html`${this.embedded ? nothing : html`<header class="title"><h1>${form?.title ?? ''}</h1><span class="subject">${form?.summary ?? ''}</span><slot></slot></header>`}
      ${this.#form()}
      ${main.fault === null ? nothing : html`<hl-fault .fault=${main.fault}></hl-fault>`}
      ${this.#more.fault === null ? nothing : html`<hl-fault .fault=${this.#more.fault}></hl-fault>`}
      ${main.hasReply ? nothing : this.renderWaiting(main, t('Asking…'), this.#work)}${main.hasReply || main.isLoading || main.fault !== null ? nothing : renderCancelledNote(again)}${this.renderNotes(notes)}
      ${main.reply.listInfo?.isSyncing ? renderIndexNote(this.#work, { isLoading: main.isLoading, retry: again, pause: work => this.pause(work) }) : nothing}
      ${main.hasReply ? html`${this.renderTabs(tabs, tab, this.embedded)}<div class="panel ${padded ? 'padded' : ''}" role="tabpanel" aria-label=${tabs.find(({ id }) => id === tab)?.label ?? ''} tabindex=${padded || tab === 'chart' || tab === 'pictures' ? '0' : nothing}>${this.#panel(tab, names)}</div>` : nothing}`;
  }
}

customElements.define('hl-operation', OperationPage);
