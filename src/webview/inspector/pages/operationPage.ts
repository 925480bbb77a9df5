// Any operation: its parameters as a form, its rows page by page, its result, images and raw reply.

import { html, nothing, type TemplateResult } from 'lit';
import type { InputTexts } from '../../../api/wire/inputTexts.ts';
import type { HexLensError } from '../../../base/errors.ts';
import { formatInteger } from '../../../base/formatUnits.ts';
import { t } from '../../../base/localize.ts';
import { type HexNames, mergeHexNames, noHexNames } from '../../../protocol/hexNames.ts';
import type { InspectorTarget, OperationTarget } from '../../../protocol/inspectorTarget.ts';
import type { FormField } from '../../../protocol/messages.ts';
import type { TableColumn } from '../../../protocol/table.ts';
import { findTrackedTask, isTaskComplete, type TrackedTask } from '../../../protocol/trackedTasks.ts';
import { getHistogramAxes } from '../components/histogramView.ts';
import { renderCancelledNote, renderIndexNote } from '../components/indexNote.ts';
import type { Tab } from '../components/tabBar.ts';
import type { LoadedTable } from '../replyCollector.ts';
import { RequestController } from '../requestController.ts';
import { joinTables } from '../rows/joinTables.ts';
import { getNamedRow } from '../rows/namedRow.ts';
import { InspectorPage } from './inspectorPage.ts';

/** The holders with the most tokens first; `null` for a table without owners, or of one token only. */
function toHolders(table: LoadedTable): LoadedTable | null {
  const owner = table.columns.find(({ key }) => key === 'ownerOf');
  if (owner === undefined) return null;
  const tokens = new Map<string, { count: number; amount: bigint }>();
  for (const index of table.rows.keys()) {
    const row = getNamedRow(table, index);
    const holder = row?.text('ownerOf') ?? null;
    if (row === null || holder === null) continue;
    const { count, amount } = tokens.get(holder) ?? { count: 0, amount: 0n };
    tokens.set(holder, { count: count + 1, amount: amount + (row.integer('amount') ?? 1n) });
  }
  const columns: readonly TableColumn[] = [
    { key: 'ownerOf', label: owner.label, kind: 'address' },
    { key: 'tokens', label: t('Tokens'), kind: 'number' },
    { key: 'amount', label: t('Amount'), kind: 'amount' },
  ];
  const rows = [...tokens]
    .sort(([, a], [, b]) => b.count - a.count)
    .map(([holder, { count, amount }]) => [holder, count, amount.toString()]);
  return { name: 'holders', columns, rows, rowCount: rows.length };
}

interface ParametersFormOptions {
  readonly isOpen: boolean;
  /** Problems by field, named as the service names it. */
  readonly issues: readonly { readonly field: string; readonly message: string }[];
  onToggle(isOpen: boolean): void;
  onSubmit(parameters: InputTexts): void;
}

/** Further pages that are loaded again when the user returns to them. */
const MAX_SAVED_PAGES = 20;

/** A parameter in the closed form: shortened, or the number of its values. */
function summarizeValue(value: string, isList: boolean): string {
  const count = value.split('\n').length;
  if (isList && count > 1) return formatInteger(count);
  return value.length > 24 ? `${value.slice(0, 12)}…` : value;
}

function readForm(form: HTMLFormElement, fields: readonly FormField[]): InputTexts {
  const data = new FormData(form);
  const parameters: Record<string, string | readonly string[]> = {};
  for (const { name, isList } of fields) {
    const text = String(data.get(name) ?? '').trim();
    if (text === '') continue;
    parameters[name] = isList ? text.split(/[\s,]+/).filter(item => item !== '') : text;
  }
  return parameters as InputTexts;
}

function renderControl({ name, placeholder, isList, choices, value }: FormField, isInvalid: boolean): TemplateResult {
  const invalid = isInvalid ? 'true' : nothing;
  if (isList || value.length > 120)
    return html`<textarea id=${name} name=${name} rows="2" spellcheck="false" placeholder=${placeholder} aria-invalid=${invalid} .value=${value}></textarea>`;
  return choices !== null
    ? html`<select id=${name} name=${name} aria-invalid=${invalid}><option value="">${t('(default)')}</option>${choices.map(choice => html`<option value=${choice} ?selected=${choice === value}>${choice}</option>`)}</select>`
    : html`<input id=${name} name=${name} type="text" spellcheck="false" autocomplete="off" placeholder=${placeholder} aria-invalid=${invalid} .value=${value}>`;
}

/** Faults name fields as the service does: `from_block`. */
const toFieldKey = (field: string): string => field.replaceAll('_', '').toLowerCase();

/** The same with the labels of the form's fields. */
const labelFields = (text: string, fields: readonly FormField[]): string =>
  text.replace(
    /\b[a-z]+_[a-z_]+\b/g,
    word => fields.find(({ name }) => name.toLowerCase() === toFieldKey(word))?.label ?? word,
  );

function renderParametersForm(fields: readonly FormField[], options: ParametersFormOptions): TemplateResult {
  const issues = new Map(options.issues.map(issue => [toFieldKey(issue.field), labelFields(issue.message, fields)]));
  const summary = fields.flatMap(({ label, value, isList }) =>
    value === '' ? [] : `${label}: ${summarizeValue(value, isList)}`,
  );
  const handleSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    options.onSubmit(readForm(event.currentTarget as HTMLFormElement, fields));
  };
  return html`<details class="form" ?open=${options.isOpen} @toggle=${(event: Event) => options.onToggle((event.target as HTMLDetailsElement).open)}>
      <summary>${t('Parameters')} <span class="muted">${summary.join(' · ')}</span></summary>
      <form @submit=${handleSubmit}>${fields.map(field => {
        const { name, label, description, required } = field;
        const issue = issues.get(name.toLowerCase());
        return html`<div class="field" title=${description}><label for=${name}>${label}${required ? html`<span aria-hidden="true"> *</span>` : nothing}</label>${renderControl(field, issue !== undefined)}${issue === undefined ? nothing : html`<span class="issue" role="alert">${issue}</span>`}</div>`;
      })}<div class="submit"><button class="action" type="submit">${t('Run')}</button></div></form></details>`;
}

export class OperationPage extends InspectorPage {
  static override properties = {
    context: { attribute: false },
    embedded: { type: Boolean },
  };
  /** Inside another page, without title and form. */
  embedded = false;
  /** Target and refresh of the rows below. */
  #key = '';
  /** Further pages, in their order. */
  #laterTables: readonly LoadedTable[] = [];
  /** All rows, and the tables that they are from. */
  #allRows: { readonly tables: readonly LoadedTable[]; readonly joined: LoadedTable } | null = null;
  /** Names in the further pages. */
  #names: HexNames = noHexNames;
  /** After the further pages. */
  #cursor: string | null = null;
  /** The cursor of the page that is being loaded. */
  #loadingCursor: string | null = null;
  /** Further pages that were shown when the user left, and are still to be loaded; `null` before the first run. */
  #pagesToLoad: number | null = null;
  /** Tries to load that page. */
  #tryCount = 0;
  /** What was submitted last and why it was rejected; it is not part of the history. */
  #rejected: { readonly parameters: InputTexts; readonly fault: HexLensError } | null = null;
  /** Runs of the operation beside those of the context's `refreshCount`: by the user, or because the index is complete. */
  #runCount = 0;
  /** The notes of the last run, where it has rows that are still being read; `null` when all are there. */
  #readNotes: string | null = null;
  /** `endCount` of the task that has caused the last run. */
  #seenEndCount = 0;
  readonly #main = new RequestController(this, 'operation');
  readonly #more = new RequestController(this, 'operation');

  /** Inside an address page, whose row of tabs has the menu of them. */
  #views: readonly Tab[] | null = null;

  get #target(): OperationTarget | null {
    const { target } = this.context;
    return target.kind === 'operation' ? target : null;
  }

  override willUpdate(): void {
    const target = this.#target;
    if (target === null) return;
    const { channel, refreshCount, head, isLive } = this.context;
    this.#takeLaterRows();
    this.#rerunOnceIndexed();
    this.#rerunWhileReading();
    const run = `${refreshCount}.${this.#runCount}`;
    const key = `${run} ${JSON.stringify(target)}`;
    if (key !== this.#key) this.#startRun(key);
    this.#loadSavedPages();
    // Another first page would not fit further ones, and new blocks do not change a list that has an end.
    const followsHead = isLive !== null && this.#laterTables.length === 0 && this.#loadingCursor === null;
    this.#main.request(channel, { target }, run, followsHead ? head : null);
    const more: InspectorTarget | null =
      this.#loadingCursor === null
        ? null
        : { ...target, parameters: { ...target.parameters, cursor: this.#loadingCursor } };
    this.#more.request(channel, more === null ? null : { target: more }, `${run}.${this.#tryCount}`);
  }

  /** Another target, or the same one again: further pages follow another first page. */
  #startRun(key: string): void {
    this.#key = key;
    this.#laterTables = [];
    this.#names = noHexNames;
    this.#cursor = null;
    this.#loadingCursor = null;
    // Only the first run shows what an earlier visit has left; later ones begin with the first page.
    const savedPages = Number(this.context.pageState['pages']) || 0;
    const isFirst = this.#pagesToLoad === null;
    this.#pagesToLoad = isFirst ? Math.min(MAX_SAVED_PAGES, savedPages) : 0;
    if (!isFirst && savedPages > 0) this.context.setPageState('pages', '0');
  }

  /** Further pages, one after another, as they were when the user left the page. */
  #loadSavedPages(): void {
    const cursor = this.#getNextCursor();
    if (!this.#pagesToLoad || this.#main.isLoading || this.#loadingCursor !== null || cursor === null) return;
    this.#pagesToLoad--;
    this.#loadingCursor = cursor;
  }

  get #task(): TrackedTask | null {
    const { tasks, operationView, target, chain } = this.context;
    return findTrackedTask(tasks, operationView?.taskKind ?? null, target, chain);
  }

  get #isSyncing(): boolean {
    return !this.#main.isLoading && this.#main.reply.listInfo?.isSyncing === true;
  }

  /** Runs the operation again once the index is complete, unless the user has loaded further pages. */
  #rerunOnceIndexed(): void {
    const task = this.#task;
    if (task === null || !this.#isSyncing || !isTaskComplete(task) || task.endCount === this.#seenEndCount) return;
    if (this.#laterTables.length > 0 || this.#loadingCursor !== null) return;
    this.#seenEndCount = task.endCount;
    this.#runCount++;
  }

  /** Runs the operation again while each run says of other rows that they are still being read. */
  #rerunWhileReading(): void {
    const { listInfo, notes } = this.#main.reply;
    if (this.#main.isLoading || this.#main.fault !== null || this.#laterTables.length > 0) return;
    const read = listInfo?.isReading === true ? notes.join() : null;
    const hasMore = read !== null && read !== this.#readNotes && this.#loadingCursor === null;
    this.#readNotes = read;
    if (hasMore) this.#runCount++;
  }

  #runAgain(): void {
    this.#runCount++;
    this.requestUpdate();
  }

  #takeLaterRows(): void {
    const { tables, names, listInfo } = this.#more.reply;
    const rows = tables.get('rows');
    if (rows === undefined || this.#more.isLoading || this.#more.fault !== null || this.#loadingCursor === null) return;
    this.#laterTables = [...this.#laterTables, rows];
    this.#names = mergeHexNames(this.#names, names);
    this.#cursor = listInfo?.cursor ?? null;
    this.#loadingCursor = null;
  }

  #loadMore(cursor: string): void {
    this.#loadingCursor = cursor;
    this.context.setPageState('pages', String(this.#laterTables.length + 1));
    this.#tryAgain();
  }

  #tryAgain(): void {
    this.#tryCount++;
    this.requestUpdate();
  }

  #renderForm(): TemplateResult | typeof nothing {
    const { form } = this.context.state;
    const target = this.#target;
    if (form === null || target === null || this.embedded) return nothing;
    const fault = this.#rejected?.fault ?? this.#main.fault;
    return renderParametersForm(this.#getFields(form.fields), {
      isOpen: this.context.pageState['form'] === 'open' || fault?.code === 'bad-input',
      issues: fault?.issues ?? [],
      onToggle: open => this.context.setPageState('form', open ? 'open' : ''),
      onSubmit: parameters => this.#submit({ ...target, parameters }),
    });
  }

  /** What was typed stays in the form while it is rejected. */
  #getFields(fields: readonly FormField[]): readonly FormField[] {
    const rejected = this.#rejected;
    if (rejected === null) return fields;
    return fields.map(field => {
      const given = rejected.parameters[field.name] ?? '';
      return { ...field, value: typeof given === 'string' ? given : given.join('\n') };
    });
  }

  /** Opens the operation with values in place of names; what is rejected is shown in the form and opens nothing. */
  #submit(target: OperationTarget): void {
    const { channel, navigate } = this.context;
    this.#rejected = null;
    let resolved: OperationTarget | null = null;
    channel.start(
      'resolveNames',
      { target },
      {
        onPart: part => {
          resolved = part;
        },
        onDone: () => {
          if (resolved !== null) navigate(resolved);
          this.requestUpdate();
        },
        onFault: fault => {
          this.#rejected = { parameters: target.parameters, fault };
          this.requestUpdate();
        },
      },
    );
  }

  /** A fault that the form shows at its fields is not shown above it too. */
  #getShownFault(): HexLensError | null {
    const fault = this.#rejected?.fault ?? this.#main.fault;
    const { form } = this.context.state;
    if (fault?.code !== 'bad-input' || fault.issues.length === 0 || form === null || this.embedded) return fault;
    const names = new Set(form.fields.map(({ name }) => name.toLowerCase()));
    return fault.issues.every(({ field }) => names.has(toFieldKey(field))) ? null : fault;
  }

  #getRows(): LoadedTable | null {
    const table = this.#main.reply.tables.get('rows');
    if (table === undefined) return null;
    if (this.#laterTables.length === 0) return table;
    const tables = [table, ...this.#laterTables];
    const known = this.#allRows;
    if (known?.tables.length === tables.length && known.tables.every((one, index) => one === tables[index]))
      return known.joined;
    const joined = joinTables(table.name, tables);
    this.#allRows = { tables, joined };
    return joined;
  }

  get #isLogs(): boolean {
    return this.context.operationView?.histogram === 'logs';
  }

  get #isTransfers(): boolean {
    return this.context.operationView?.histogram === 'transfers';
  }

  /** The cursor of the next page; `null` when the list is complete. */
  #getNextCursor(): string | null {
    if (this.#laterTables.length > 0) return this.#cursor;
    return this.#main.reply.listInfo?.cursor ?? null;
  }

  #renderList(table: LoadedTable, names: HexNames): TemplateResult {
    const { listInfo } = this.#main.reply;
    const cursor = this.#getNextCursor();
    // While the first page is read again, the cursor is that of the old one.
    const isLoading = this.#more.isLoading || this.#main.isLoading;
    return html`<hl-table .table=${table} .names=${names} .context=${this.context} label=${this.context.state.form?.title ?? t('Rows')} .list=${{ target: this.context.target, hasMore: cursor !== null, isIncomplete: listInfo?.isSyncing === true }}>
      ${listInfo?.total === null || listInfo === null ? nothing : html`<span slot="bar" class="muted">${t('{0} in total', formatInteger(listInfo.total))}</span>`}
      ${
        cursor === null
          ? nothing
          : html`<button slot="bar" class="plain" aria-disabled=${isLoading ? 'true' : nothing} @click=${() => {
              if (!isLoading) this.#loadMore(cursor);
            }}>${this.#more.isLoading ? t('Loading…') : t('Load more')}</button>`
      }</hl-table>`;
  }

  get #hasImages(): boolean {
    return this.context.operationView?.hasImages === true;
  }

  #renderPanel(tab: string, names: HexNames): TemplateResult | typeof nothing {
    const { tables } = this.#main.reply;
    const rows = this.#getRows();
    const record = tables.get('record');
    const wallets = tables.get('wallets');
    if (tab === 'raw') return html`<hl-raw-reply .context=${this.context}></hl-raw-reply>`;
    if (tab === 'pictures' && rows !== null)
      return html`<hl-image-gallery .table=${rows} .context=${this.context}></hl-image-gallery>`;
    if (tab === 'holders' && rows !== null) {
      const isPart = this.#getNextCursor() !== null;
      return html`${isPart ? this.renderNotes([t('Of the {0} tokens that are loaded; there are more.', formatInteger(rows.rows.length))]) : nothing}
        <hl-table .table=${toHolders(rows) ?? rows} .names=${names} .context=${this.context} label=${t('Holders')}></hl-table>`;
    }
    if (tab === 'chart' && rows !== null)
      return html`<hl-histogram .table=${rows} .names=${names} .context=${this.context} defaultAxis=${this.#isTransfers ? 'time' : 'block'}
        rowKind=${this.#isLogs ? 'logs' : this.#isTransfers ? 'transfers' : 'rows'} ?hasMore=${this.#getNextCursor() !== null}></hl-histogram>`;
    if (tab === 'chart' && wallets !== undefined)
      return html`<hl-balance-chart .table=${wallets} .names=${names} .context=${this.context}></hl-balance-chart>`;
    if (tab === 'record' && record !== undefined)
      return html`${record.rows.map(row => html`<hl-record .columns=${record.columns} .row=${row} .format=${{ ...this.formatContext(this.#main), names }} .context=${this.context}></hl-record>`)}`;
    if (wallets !== undefined)
      return html`<hl-table .table=${wallets} .names=${names} .context=${this.context} label=${t('Wallets')}></hl-table>`;
    return rows === null ? nothing : this.#renderList(rows, names);
  }

  #getTabs(): readonly Tab[] {
    const { tables } = this.#main.reply;
    const rows = this.#getRows();
    const hasHistogram = rows !== null && getHistogramAxes(rows).length > 0;
    const wallets = tables.get('wallets');
    return [
      ...(rows === null ? [] : [{ id: 'rows', label: t('Rows'), count: formatInteger(rows.rowCount) }]),
      ...(wallets === undefined ? [] : [{ id: 'rows', label: t('Wallets'), count: formatInteger(wallets.rowCount) }]),
      ...(tables.has('record') ? [{ id: 'record', label: wallets === undefined ? t('Result') : t('Totals') }] : []),
      ...(rows !== null && this.#target?.operation === 'contractNftOwners'
        ? [{ id: 'holders', label: t('Holders') }]
        : []),
      ...(rows !== null && this.#hasImages ? [{ id: 'pictures', label: t('Images') }] : []),
      ...(hasHistogram || wallets !== undefined ? [{ id: 'chart', label: t('Chart') }] : []),
      { id: 'raw', label: t('Raw') },
    ];
  }

  override updated(): void {
    if (!this.embedded) return;
    const views = this.#main.hasReply ? this.#getTabs() : [];
    const isSame = views.map(({ id }) => id).join() === this.#views?.map(({ id }) => id).join();
    this.#views = views;
    if (!isSame) this.dispatchEvent(new CustomEvent('views', { detail: views }));
  }

  override render(): TemplateResult {
    const main = this.#main;
    const { notes } = main.reply;
    const further = this.#more.fault;
    const retry = () => this.#runAgain();
    const fault = this.#getShownFault();
    const names = mergeHexNames(main.reply.names, this.#names);
    const { form } = this.context.state;
    const tabs = this.#getTabs();
    const tab = this.getTab(tabs[0]?.id ?? 'raw', tabs);
    const isPadded = tab === 'record';
    return html`${this.embedded ? nothing : html`<header class="title"><h1>${form?.title ?? ''}</h1><span class="subject">${form?.summary ?? ''}</span><slot></slot></header>`}
      ${this.#renderForm()}
      ${fault === null ? nothing : html`<hl-fault-message .fault=${fault}></hl-fault-message>`}
      ${
        further === null
          ? nothing
          : html`<hl-fault-message .fault=${further} @fault-retry=${(event: Event) => {
              event.stopPropagation(); // the rows that are there stay
              this.#tryAgain();
            }}></hl-fault-message>`
      }
      ${main.hasReply ? nothing : this.renderLoading(main, t('Running…'), this.#task)}${main.hasReply || main.isLoading || main.fault !== null ? nothing : renderCancelledNote(retry)}${this.renderNotes(notes)}
      ${main.reply.listInfo?.isSyncing ? renderIndexNote(this.#task, { isLoading: main.isLoading, retry, pause: task => this.pauseTask(task) }) : nothing}
      ${main.hasReply ? html`${this.embedded ? nothing : this.renderTabs(tabs, tab)}<div class="panel ${isPadded ? 'padded' : ''}" role="tabpanel" aria-label=${tabs.find(({ id }) => id === tab)?.label ?? ''} tabindex=${isPadded || tab === 'chart' || tab === 'pictures' ? '0' : nothing}>${this.#renderPanel(tab, names)}</div>` : nothing}`;
  }
}

customElements.define('hl-operation', OperationPage);
