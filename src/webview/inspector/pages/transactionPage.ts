// A transaction: key facts, status, input, logs and internal transactions.

import { html, nothing, type TemplateResult } from 'lit';
import { TRANSACTION_GAS } from '../../../api/transactionFee.ts';
import { sanitizeText, shortenHex } from '../../../base/displayText.ts';
import { formatAmount, formatFullAmount, formatInteger } from '../../../base/formatUnits.ts';
import { type Hex, isHash } from '../../../base/hex.ts';
import { t } from '../../../base/localize.ts';
import type { TableColumn } from '../../../protocol/table.ts';
import { formatUtcTime } from '../../../view/formatTime.ts';
import '../components/simulationView.ts';
import type { Tab } from '../components/tabBar.ts';
import { LazyElement } from '../lazyElement.ts';
import { getTraceTarget } from '../pageContext.ts';
import type { LoadedTable } from '../replyCollector.ts';
import { RequestController } from '../requestController.ts';
import { formatLocalTime, formatMethod, formatStatus, formatTime, getStatusClass } from '../rows/cellFormat.ts';
import { getNamedRow, type NamedRow } from '../rows/namedRow.ts';
import { InspectorPage } from './inspectorPage.ts';

/** Tables that are loaded with the page; internal transactions take a trace. */
const MAIN_TABLES = ['record', 'logs'];

/** The function is beside the event that it emitted. */
function addEmitters(logs: LoadedTable, emitters: readonly string[]): LoadedTable {
  const at = logs.columns.findIndex(({ key }) => key === 'topic0') + 1;
  const column: TableColumn = { key: 'emitter', label: t('Emitted in'), kind: 'text', isSecondary: true };
  return {
    ...logs,
    columns: logs.columns.toSpliced(at, 0, column),
    rows: logs.rows.map((row, index) => row.toSpliced(at, 0, emitters[index] ?? null)),
  };
}

export class TransactionPage extends InspectorPage {
  readonly #main = new RequestController(this, 'operation');
  readonly #node = new RequestController(this, 'nodeTransaction');
  readonly #internal = new RequestController(this, 'operation');
  /** The functions that emitted the logs, in their order. */
  #emitters: readonly string[] = [];
  readonly #emitterRequest = new RequestController(this, 'logEmitters', ({ functions }) => {
    this.#emitters = functions;
  });
  /** The table of logs with these functions, made once for both. */
  #logs: { readonly of: LoadedTable; readonly emitters: readonly string[]; readonly table: LoadedTable } | null = null;
  readonly #stateChanges = new LazyElement(this, 'hl-state-changes', () => import('../components/stateChangesView.ts'));

  readonly #gas = new LazyElement(this, 'hl-gas', () => import('../components/gasView.ts'));

  override willUpdate(): void {
    const { channel, target, refreshCount, head } = this.context;
    if (target.kind !== 'transaction' && target.kind !== 'simulation') return;
    const isPending = getNamedRow(this.#main.reply.tables.get('record'))?.cell('receiptStatus') === null;
    this.#main.request(channel, { target, include: MAIN_TABLES }, refreshCount, isPending ? head : null);
    const ofNode = target.kind === 'simulation' ? null : { chain: target.chain, hash: target.hash };
    this.#node.request(channel, ofNode, refreshCount, isPending ? head : null);
    const isShown = this.context.pageState['tab'] === 'calls';
    const areLogsShown = this.#getTab() === 'logs' && (this.#main.reply.tables.get('logs')?.rowCount ?? 0) > 0;
    const traced = target.kind === 'simulation' ? target : { chain: target.chain, hash: target.hash as Hex };
    this.#emitterRequest.request(channel, areLogsShown ? traced : null, refreshCount);
    this.#internal.request(channel, isShown ? { target, include: ['internal'] } : null, refreshCount);
  }

  #getTab(): string {
    const { target, pageState } = this.context;
    return pageState['tab'] ?? (target.kind === 'transaction' ? target.tab : undefined) ?? 'overview';
  }

  #getLogs(): LoadedTable | undefined {
    const of = this.#main.reply.tables.get('logs');
    const emitters = this.#emitters;
    if (of === undefined || emitters.length !== of.rowCount) return of;
    if (this.#logs?.of !== of || this.#logs.emitters !== emitters)
      this.#logs = { of, emitters, table: addEmitters(of, emitters) };
    return this.#logs.table;
  }

  #renderAddress(address: string | null): TemplateResult | null {
    if (address === null) return null;
    const name = this.#main.reply.names.addresses[address.toLowerCase()];
    const text = name === undefined ? shortenHex(address) : sanitizeText(name);
    return html`<span title=${address}>${this.renderLink(text, { kind: 'address', chain: this.context.chain, address }, name === undefined)}</span>`;
  }

  #renderKeyFacts(record: NamedRow): TemplateResult {
    const { chain, preferences, now } = this.context;
    const time = record.cell('blockTimestamp');
    const block = record.cell('blockNumber');
    const [value, fee] = [record.integer('value'), record.integer('fee')];
    const [tokenFee, feeToken] = [record.integer('receiptFee'), record.text('receiptFeeToken')];
    const isFeeMinimum = record.cell('receiptFeeIncomplete') === true;
    const { unit = '', decimals = 18 } = record.column('value') ?? {};
    const [used, limit] = [record.integer('receiptGasUsed'), record.integer('gas')];
    const created = record.text('receiptContractAddress');
    return this.renderKeyFacts([
      [
        t('Time'),
        typeof time === 'number'
          ? html`<span title=${`${formatLocalTime(new Date(time))}\n${formatUtcTime(new Date(time))}`}>${formatTime(time, preferences, now)}</span>`
          : null,
      ],
      [
        t('Block'),
        block === null
          ? t('Pending')
          : this.renderLink(formatInteger(Number(block)), { kind: 'block', chain, block: String(block) }),
      ],
      [t('From'), this.#renderAddress(record.text('fromAddress'))],
      created === null
        ? [t('To'), this.#renderAddress(record.text('toAddress'))]
        : [t('Created contract'), this.#renderAddress(created)],
      [
        t('Value'),
        value === null
          ? null
          : html`<span title=${`${formatFullAmount(value, decimals)} ${unit}`}>${formatAmount(value, decimals)} ${unit}</span>`,
      ],
      [
        t('Fee'),
        feeToken !== null && tokenFee !== null
          ? html`<span title=${t('In the smallest unit of the token')}>${formatInteger(tokenFee)}</span> ${this.#renderAddress(feeToken)}`
          : fee === null
            ? null
            : html`${isFeeMinimum ? t('At least') : nothing} <span title=${`${formatFullAmount(fee, decimals)} ${unit}`}>${formatAmount(fee, decimals, 8)} ${unit}</span>`,
      ],
      [t('Type'), getNamedRow(this.#node.reply.tables.get('details'))?.text('type') ?? null],
      [
        t('Gas used'),
        used === null
          ? null
          : html`${formatInteger(used)}${limit === null || limit === 0n ? nothing : html` <span class="muted">(${t('{0}%', formatAmount((used * 1_000n) / limit, 1))})</span>`}`,
      ],
    ]);
  }

  #renderAgain(): TemplateResult {
    const { channel, target } = this.context;
    const text = t('Simulate again with other arguments');
    return html`<button class="plain" title=${text} aria-label=${text} @click=${() => channel.notify('simulate', { target })}><vscode-icon name="beaker" aria-hidden="true"></vscode-icon></button>`;
  }

  #renderSimulationTitle(record: NamedRow | null): TemplateResult {
    const status = record?.cell('receiptStatus') ?? null;
    return html`<header class="title"><h1>${t('Simulated call')}</h1>${this.#renderAgain()}
      ${record === null ? nothing : html`<span class="chip ${getStatusClass(status)}"><span class="dot"></span>${formatStatus(status)}</span><span class="chip method">${formatMethod(record.text('method') ?? '', this.#main.reply.names)}</span>`}
      <slot></slot></header>
      <p class="note warn"><vscode-icon name="beaker" aria-hidden="true"></vscode-icon>${t('Simulated: this call is not on the chain. It was run here on the state of the chain, and was never signed or sent.')}</p>`;
  }

  #renderTitle(record: NamedRow | null): TemplateResult {
    const { target } = this.context;
    if (target.kind === 'simulation') return this.#renderSimulationTitle(record);
    const hash = target.kind === 'transaction' ? target.hash : '';
    const method = record?.text('method') ?? null;
    const status = record?.cell('receiptStatus') ?? null;
    const copy = t('Copy the hash');
    return html`<header class="title"><h1>${t('Transaction')}</h1><span class="subject mono" title=${hash}>${hash.slice(0, 18)}…${hash.slice(-8)}</span>
      <button class="plain" title=${copy} aria-label=${copy} @click=${() => this.context.channel.notify('copy', { text: hash })}><vscode-icon name="copy" aria-hidden="true"></vscode-icon></button>
      ${this.#renderDebug(record, hash)}${this.#renderAgain()}
      ${record === null ? nothing : html`<span class="chip ${getStatusClass(status)}"><span class="dot"></span>${formatStatus(status)}</span><span class="chip method">${formatMethod(method ?? '', this.#main.reply.names)}</span>`}
      <slot></slot></header>`;
  }

  /** Without input there is no code that could be followed. */
  #renderDebug(record: NamedRow | null, hash: string): TemplateResult | typeof nothing {
    const hasCode = record !== null && record.cell('receiptStatus') !== null && (record.text('input') ?? '0x') !== '0x';
    if (!hasCode || !isHash(hash)) return nothing;
    const { channel } = this.context;
    const target = getTraceTarget(this.context, hash);
    const title = t('Step through the transaction');
    return html`<button class="plain" title=${title} aria-label=${title} @click=${() => channel.notify('debug', { ...target, frame: null })}><vscode-icon name="debug-alt" aria-hidden="true"></vscode-icon></button>`;
  }

  #renderPanel(tab: string, record: NamedRow): TemplateResult | typeof nothing {
    const { names } = this.#main.reply;
    const { context } = this;
    switch (tab) {
      case 'logs':
        return html`<hl-table .table=${this.#getLogs()} .names=${names} .context=${context} label=${t('Logs')}></hl-table>`;
      case 'input':
        return html`<hl-input .input=${record.text('input') ?? '0x'} .to=${record.text('toAddress')} .context=${context}></hl-input>`;
      case 'calls':
        return this.renderCallTree(this.#internal, t('Tracing the transaction…'));
      case 'state':
        return this.#stateChanges.render(
          () => html`<hl-state-changes hash=${record.text('hash') ?? ''} .context=${context}></hl-state-changes>`,
        );
      case 'gas':
        return this.#gas.render(() => html`<hl-gas hash=${record.text('hash') ?? ''} .context=${context}></hl-gas>`);
      case 'raw':
        return html`<hl-raw-reply .context=${context}></hl-raw-reply>`;
      default:
        return html`${this.renderRecord(this.#main)}${this.#renderNodeTables()}`;
    }
  }

  /** Without a fault of its own: the record above says what is wrong with the node. */
  #renderNodeTables(): readonly TemplateResult[] {
    const titles: Readonly<Record<string, string>> = {
      accessList: t('Access list'),
      authorizations: t('Authorizations (EIP-7702)'),
    };
    return [...this.#node.reply.tables].map(([name, { columns, rows }]) => {
      const title = titles[name];
      const heading = title === undefined ? nothing : html`<h2>${title} <span class="count">${rows.length}</span></h2>`;
      return html`${heading}${rows.map(row => html`<hl-record .columns=${columns} .row=${row} .format=${this.formatContext(this.#node)} .context=${this.context}></hl-record>`)}`;
    });
  }

  /** Tracing costs nothing on this machine; elsewhere it waits for the tree of calls. */
  #renderFailures(record: NamedRow): TemplateResult | typeof nothing {
    const { context } = this;
    const hash = record.text('hash') ?? '';
    const status = record.cell('receiptStatus');
    // Who simulates a call wants its trace.
    const isOnLoopback =
      context.target.kind === 'simulation' ||
      context.chains.some(one => one.selector === context.chain && one.isOnLoopback);
    if (status === 0) {
      // The link of a hover asks for it too.
      const isAsked =
        context.pageState['stack'] === 'on' || ('tab' in context.target && context.target.tab === 'calls');
      const explain = () => context.setPageState('stack', 'on');
      const stack =
        isOnLoopback || isAsked
          ? html`<hl-stack hash=${hash} .context=${context}></hl-stack>`
          : html`<p class="explain"><button class="action second" title=${t('Run the transaction again on this machine: the node is queried for all that it read')} @click=${explain}>${t('Explain by Replay…')}</button></p>`;
      return html`<hl-revert-reason hash=${hash} .context=${context}></hl-revert-reason>${stack}`;
    }
    const isTraced = isOnLoopback || context.pageState['tab'] === 'calls';
    const hasCalls = (record.integer('receiptGasUsed') ?? 0n) > TRANSACTION_GAS;
    if (status !== 1 || !isTraced || !hasCalls) return nothing;
    return html`<hl-inner-failures hash=${hash} .context=${context}></hl-inner-failures>`;
  }

  override render(): TemplateResult {
    const main = this.#main;
    const { tables, notes } = main.reply;
    const record = getNamedRow(tables.get('record'));
    const logs = tables.get('logs');
    const { target } = this.context;
    const isSimulated = target.kind === 'simulation';
    const tabs: readonly Tab[] = [
      { id: 'overview', label: t('Overview') },
      { id: 'input', label: t('Input') },
      { id: 'logs', label: t('Logs'), ...(logs && { count: formatInteger(logs.rowCount) }) },
      { id: 'calls', label: t('Internal transactions') },
      { id: 'state', label: t('State changes') },
      { id: 'gas', label: t('Gas') },
      ...(isSimulated ? [] : [{ id: 'raw', label: t('Raw') }]),
    ];
    const tab = this.getTab(this.#getTab(), tabs);
    return html`${this.#renderTitle(record)}
      ${this.renderFault(main)}
      ${record === null ? this.renderLoading(main, t('Loading the transaction…')) : this.#renderKeyFacts(record)}${record === null ? nothing : this.#renderFailures(record)}${record !== null && isSimulated ? html`<hl-simulation .simulation=${target.simulation} .context=${this.context}></hl-simulation>` : nothing}${this.renderNotes(notes)}
      ${record === null ? nothing : html`${this.renderTabs(tabs, tab)}<div class="panel ${tab === 'overview' || tab === 'input' ? 'padded' : ''}" role="tabpanel" aria-label=${tabs.find(({ id }) => id === tab)?.label ?? ''} tabindex=${tab === 'overview' || tab === 'input' ? '0' : nothing}>${this.#renderPanel(tab, record)}</div>`}`;
  }
}

customElements.define('hl-transaction', TransactionPage);
