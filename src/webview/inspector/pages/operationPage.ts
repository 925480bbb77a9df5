// Any operation: its parameters as a form, its rows page by page, its record, its pictures, its reply as it came.
import { html, nothing, type TemplateResult } from 'lit';
import { formatInteger } from '../../../base/formatUnits.ts';
import { t } from '../../../base/localize.ts';
import { mergeNames, type Names, noNames } from '../../../protocol/hexNames.ts';
import type { InspectorTarget } from '../../../protocol/inspectorTarget.ts';
import type { Row } from '../../../protocol/table.ts';
import { type HeardWork, isComplete, workOf } from '../../../protocol/trackedTasks.ts';
import { axesOf } from '../components/histogramView.ts';
import { cancelledNote, indexNote } from '../components/indexNote.ts';
import { parametersForm } from '../components/parametersForm.ts';
import type { Tab } from '../components/tabBar.ts';
import type { GrownTable } from '../replyCollector.ts';
import { Asking } from '../requestController.ts';
import { recordOf } from '../rows/namedRow.ts';
import { Page } from './inspectorPage.ts';

type OperationTarget = Extract<InspectorTarget, { readonly kind: 'operation' }>;

const PICTURED: readonly string[] = ['nftOwners', 'walletNfts'];

export class OperationPage extends Page {
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
  #later: readonly Row[] = [];
  #newer: readonly Row[] = [];
  #names: Names = noNames;
  #cursor: string | null = null;
  #wanted: string | null = null;
  #tailFrom: number | null = null;
  #log: Row | null = null;
  /** Grows by one when the index has got further than the answer, and how many ends of work that took in. */
  #again = 0;
  #ends = 0;
  readonly #main = new Asking(this);
  readonly #more = new Asking(this);
  readonly #tail = new Asking(this);

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
    const { link, round } = this.shared;
    this.#takeIndex();
    const asked = `${round}.${this.#again}`;
    const key = `${asked} ${JSON.stringify(target)}`;
    if (key !== this.#key) {
      this.#key = key;
      this.#later = [];
      this.#newer = [];
      this.#names = noNames;
      this.#wanted = null;
      this.#tailFrom = null;
    }
    this.#main.want(link, { kind: 'operation', target }, asked);
    const more: InspectorTarget | null =
      this.#wanted === null ? null : { ...target, parameters: { ...target.parameters, cursor: this.#wanted } };
    this.#more.want(link, more === null ? null : { kind: 'operation', target: more }, round);
    this.#followTail(target);
  }

  get #work(): HeardWork | null {
    return workOf(this.shared.works, this.shared.target, this.shared.chain);
  }

  get #syncing(): boolean {
    return !this.#main.loading && this.#main.collected.envelope?.syncing === true;
  }

  /** The index is whole now: an answer from before is asked for anew, unless the user has read on below it. */
  #takeIndex(): void {
    const work = this.#work;
    if (work === null || !this.#syncing || !isComplete(work) || work.ends === this.#ends) return;
    if (this.#later.length > 0 || this.#wanted !== null) return;
    this.#ends = work.ends;
    this.#again++;
  }

  #askAgain(): void {
    this.#again++;
    this.requestUpdate();
  }

  /** Logs of blocks since the newest that is shown, while the user wants them. */
  #followTail(target: OperationTarget): void {
    const { link } = this.shared;
    const live = this.shared.view['live'] === 'on' && target.operation === 'contractLogs' && this.head !== null;
    if (!live || this.head === null) {
      this.#tail.want(link, null, 0);
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
    if (this.head > this.#tailFrom) this.#tail.want(link, { kind: 'operation', target: tail }, `tail${this.head}`);
  }

  #newestBlock(): number | null {
    const first = this.#main.collected.tables.get('rows');
    const block = recordOf(first)?.cell('blockNumber');
    return typeof block === 'number' ? block : null;
  }

  #takeTail(): void {
    const rows = this.#tail.collected.tables.get('rows');
    if (rows === undefined || this.#tail.loading) return;
    this.#newer = rows.rows;
    this.#names = mergeNames(this.#names, this.#tail.collected.names);
  }

  #takeMore(): void {
    const { tables, names, envelope } = this.#more.collected;
    const rows = tables.get('rows');
    if (rows === undefined || this.#more.loading || this.#wanted === null) return;
    this.#later = [...this.#later, ...rows.rows];
    this.#names = mergeNames(this.#names, names);
    this.#cursor = envelope?.cursor ?? null;
    this.#wanted = null;
    this.#more.want(this.shared.link, null, 0);
  }

  #form(): TemplateResult | typeof nothing {
    const { form } = this.shared.show;
    const target = this.#target;
    if (form === null || target === null || this.embedded) return nothing;
    const { fault } = this.#main;
    return parametersForm(form.fields, {
      open: this.shared.view['form'] === 'open' || fault?.code === 'bad-input',
      issues: fault?.issues ?? [],
      opened: open => this.shared.setView('form', open ? 'open' : ''),
      send: parameters => this.shared.navigate({ ...target, parameters }),
    });
  }

  #rows(): GrownTable | null {
    const table = this.#main.collected.tables.get('rows');
    if (table === undefined) return null;
    const rows =
      this.#newer.length + this.#later.length === 0 ? table.rows : [...this.#newer, ...table.rows, ...this.#later];
    return { ...table, rows, count: table.count + this.#newer.length + this.#later.length };
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
    return this.#main.collected.envelope?.cursor ?? null;
  }

  #lists(table: GrownTable, names: Names): TemplateResult {
    const { envelope } = this.#main.collected;
    const cursor = this.#next();
    const logs = this.#logs;
    const live = this.shared.view['live'] === 'on';
    return html`<hl-table .table=${table} .names=${names} .shared=${this.shared} label=${this.shared.show.form?.title ?? t('Rows')} .list=${{ target: this.shared.target, more: cursor !== null, growing: envelope?.syncing === true }}
      @table-details=${(event: CustomEvent<Row>) => {
        this.#log = logs ? event.detail : null;
        this.requestUpdate();
      }}>
      ${
        logs
          ? html`<hl-decoded slot="details" .subject=${this.#logSubject(table)} .shared=${this.shared}></hl-decoded>
        <label slot="bar"><input type="checkbox" .checked=${live} @change=${(event: Event) =>
          this.shared.setView('live', (event.target as HTMLInputElement).checked ? 'on' : '')}> ${t('Live')}</label>`
          : nothing
      }
      ${envelope?.total === null || envelope === null ? nothing : html`<span slot="bar" class="muted">${t('{0} in all', formatInteger(envelope.total))}</span>`}
      ${
        cursor === null
          ? nothing
          : html`<button slot="bar" class="plain" aria-disabled=${this.#more.loading ? 'true' : nothing} @click=${() => {
              if (this.#more.loading) return;
              this.#wanted = cursor;
              this.requestUpdate();
            }}>${this.#more.loading ? t('Loading…') : t('Load more')}</button>`
      }</hl-table>`;
  }

  #logSubject(table: GrownTable): unknown {
    if (this.#log === null) return null;
    const row = recordOf({ ...table, rows: [this.#log] });
    const topics = ['topic0', 'topic1', 'topic2', 'topic3'].flatMap(key => row?.text(key) ?? []);
    const log = {
      chain: this.shared.chain,
      address: row?.text('address') ?? '',
      topics,
      data: row?.text('data') ?? '0x',
    };
    return { kind: 'log', log };
  }

  #panel(tab: string, names: Names): TemplateResult | typeof nothing {
    const { tables } = this.#main.collected;
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
    const { tables } = this.#main.collected;
    const rows = this.#rows();
    const counted = rows !== null && axesOf(rows).length > 0;
    const wallets = tables.get('wallets');
    return [
      ...(rows === null ? [] : [{ id: 'rows', label: t('Rows'), count: formatInteger(rows.count) }]),
      ...(wallets === undefined ? [] : [{ id: 'rows', label: t('Wallets'), count: formatInteger(wallets.count) }]),
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
    const { notes } = main.collected;
    const again = () => this.#askAgain();
    const names = mergeNames(main.collected.names, this.#names);
    const { form } = this.shared.show;
    const tabs = this.#tabs();
    const tab = this.tab(tabs[0]?.id ?? 'raw', tabs);
    const padded = tab === 'record';
    return html`${this.embedded ? nothing : html`<header class="title"><h1>${form?.title ?? ''}</h1><span class="subject">${form?.summary ?? ''}</span><slot></slot></header>`}
      ${this.#form()}
      ${main.fault === null ? nothing : html`<hl-fault .fault=${main.fault}></hl-fault>`}
      ${this.#more.fault === null ? nothing : html`<hl-fault .fault=${this.#more.fault}></hl-fault>`}
      ${main.arrived ? nothing : this.renderWaiting(main, t('Asking…'), this.#work)}${main.arrived || main.loading || main.fault !== null ? nothing : cancelledNote(again)}${this.renderNotes(notes)}
      ${main.collected.envelope?.syncing ? indexNote(this.#work, { loading: main.loading, again, pause: work => this.pause(work) }) : nothing}
      ${main.arrived ? html`${this.renderTabs(tabs, tab, this.embedded)}<div class="panel ${padded ? 'padded' : ''}" role="tabpanel" aria-label=${tabs.find(({ id }) => id === tab)?.label ?? ''} tabindex=${padded || tab === 'chart' || tab === 'pictures' ? '0' : nothing}>${this.#panel(tab, names)}</div>` : nothing}`;
  }
}

customElements.define('hl-operation', OperationPage);
