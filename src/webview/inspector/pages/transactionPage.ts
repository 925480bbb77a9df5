// A transaction: what it did and whether it could, its input, its logs, its calls.
import { html, nothing, type TemplateResult } from 'lit';
import { sanitizeText, shortenHex } from '../../../base/displayText.ts';
import { formatAmount, formatFullAmount, formatInteger } from '../../../base/formatUnits.ts';
import { t } from '../../../base/localize.ts';
import type { TableRow } from '../../../protocol/table.ts';
import { formatUtcTime } from '../../../view/formatTime.ts';
import type { Tab } from '../components/tabBar.ts';
import { RequestController } from '../requestController.ts';
import { formatLocalTime, formatMethod, formatStatus, formatTime, getStatusClass } from '../rows/cellFormat.ts';
import { getNamedRow, type NamedRow } from '../rows/namedRow.ts';
import { InspectorPage } from './inspectorPage.ts';

const MAIN = ['record', 'logs'];

export class TransactionPage extends InspectorPage {
  readonly #main = new RequestController(this);
  readonly #inner = new RequestController(this);
  #log: TableRow | null = null;

  override willUpdate(): void {
    const { channel: link, target, refreshCount: round } = this.shared;
    if (target.kind !== 'transaction') return;
    this.#main.request(link, { kind: 'operation', target, include: MAIN }, round);
    const wanted = this.shared.pageState['tab'] === 'calls';
    this.#inner.request(link, wanted ? { kind: 'operation', target, include: ['internal'] } : null, round);
  }

  #party(address: string | null): TemplateResult | null {
    if (address === null) return null;
    const name = this.#main.reply.names.addresses[address.toLowerCase()];
    const text = name === undefined ? shortenHex(address) : sanitizeText(name);
    return html`<span title=${address}>${this.link(text, { kind: 'address', chain: this.shared.chain, address }, name === undefined)}</span>`;
  }

  #glance(record: NamedRow): TemplateResult {
    const { chain, preferences, now } = this.shared;
    const time = record.cell('blockTimestamp');
    const block = record.cell('blockNumber');
    const [value, fee] = [record.integer('value'), record.integer('fee')];
    const { unit = '', decimals = 18 } = record.column('value') ?? {};
    const [used, limit] = [record.integer('receiptGasUsed'), record.integer('gas')];
    const created = record.text('receiptContractAddress');
    return this.glance([
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
          : this.link(formatInteger(Number(block)), { kind: 'block', chain, block: String(block) }),
      ],
      [t('From'), this.#party(record.text('fromAddress'))],
      created === null
        ? [t('To'), this.#party(record.text('toAddress'))]
        : [t('Created contract'), this.#party(created)],
      [
        t('Value'),
        value === null
          ? null
          : html`<span title=${`${formatFullAmount(value, decimals)} ${unit}`}>${formatAmount(value, decimals)} ${unit}</span>`,
      ],
      [
        t('Fee'),
        fee === null
          ? null
          : html`<span title=${`${formatFullAmount(fee, decimals)} ${unit}`}>${formatAmount(fee, decimals, 8)} ${unit}</span>`,
      ],
      [
        t('Gas used'),
        used === null
          ? null
          : html`${formatInteger(used)}${limit === null || limit === 0n ? nothing : html` <span class="muted">(${Number((used * 1_000n) / limit) / 10} %)</span>`}`,
      ],
    ]);
  }

  #head(record: NamedRow | null): TemplateResult {
    const { target } = this.shared;
    const hash = target.kind === 'transaction' ? target.hash : '';
    const method = record?.text('method') ?? null;
    const status = record?.cell('receiptStatus') ?? null;
    const copy = t('Copy the hash');
    return html`<header class="title"><h1>${t('Transaction')}</h1><span class="subject mono" title=${hash}>${hash.slice(0, 18)}…${hash.slice(-8)}</span>
      <button class="plain" title=${copy} aria-label=${copy} @click=${() => this.shared.channel.send({ type: 'copy', text: hash })}><vscode-icon name="copy" aria-hidden="true"></vscode-icon></button>
      ${record === null ? nothing : html`<span class="chip ${getStatusClass(status)}"><span class="dot"></span>${formatStatus(status)}</span><span class="chip method">${formatMethod(method ?? '', this.#main.reply.names)}</span>`}
      <slot></slot></header>`;
  }

  #panel(tab: string, record: NamedRow): TemplateResult | typeof nothing {
    const { tables, names } = this.#main.reply;
    const { shared } = this;
    switch (tab) {
      case 'logs':
        return html`<hl-table .table=${tables.get('logs')} .names=${names} .shared=${shared} label=${t('Logs')}
          @table-details=${(event: CustomEvent<TableRow>) => {
            this.#log = event.detail;
            this.requestUpdate();
          }}><hl-decoded slot="details" .subject=${this.#logSubject()} .shared=${shared}></hl-decoded></hl-table>`;
      case 'input':
        return html`<hl-input .input=${record.text('input') ?? '0x'} .to=${record.text('toAddress')} .shared=${shared}></hl-input>`;
      case 'calls':
        return html`${this.#inner.fault === null ? nothing : html`<hl-fault .fault=${this.#inner.fault}></hl-fault>`}
          ${this.renderWaiting(this.#inner, t('Tracing the transaction…'))}${this.renderNotes(this.#inner.reply.notes)}
          ${this.#inner.hasReply ? html`<hl-calls .table=${this.#inner.reply.tables.get('internal')} .names=${this.#inner.reply.names} .shared=${shared}></hl-calls>` : nothing}`;
      case 'raw':
        return html`<hl-raw .shared=${shared}></hl-raw>`;
      default: {
        const facts = tables.get('record');
        return facts === undefined
          ? nothing
          : html`<hl-facts .columns=${facts.columns} .row=${facts.rows[0] ?? []} .context=${this.context(this.#main)} .shared=${shared}></hl-facts>`;
      }
    }
  }

  #logSubject(): unknown {
    const table = this.#main.reply.tables.get('logs');
    if (this.#log === null || table === undefined) return null;
    const row = getNamedRow({ ...table, rows: [this.#log] });
    if (row === null) return null;
    const topics = ['topic0', 'topic1', 'topic2', 'topic3'].flatMap(key => row.text(key) ?? []);
    return {
      kind: 'log',
      log: { chain: this.shared.chain, address: row.text('address') ?? '', topics, data: row.text('data') ?? '0x' },
    };
  }

  override render(): TemplateResult {
    const main = this.#main;
    const { tables, notes } = main.reply;
    const record = getNamedRow(tables.get('record'));
    const logs = tables.get('logs');
    const tabs: readonly Tab[] = [
      { id: 'overview', label: t('Overview') },
      { id: 'input', label: t('Input') },
      { id: 'logs', label: t('Logs'), ...(logs && { count: formatInteger(logs.rowCount) }) },
      { id: 'calls', label: t('Calls') },
      { id: 'raw', label: t('Raw') },
    ];
    const tab = this.tab('overview', tabs);
    return html`${this.#head(record)}
      ${main.fault === null ? nothing : html`<hl-fault .fault=${main.fault}></hl-fault>`}
      ${record === null ? this.renderWaiting(main, t('Reading the transaction…')) : this.#glance(record)}${record?.cell('receiptStatus') === 0 ? html`<hl-revert hash=${record.text('hash') ?? ''} .shared=${this.shared}></hl-revert>` : nothing}${this.renderNotes(notes)}
      ${record === null ? nothing : html`${this.renderTabs(tabs, tab)}<div class="panel ${tab === 'overview' || tab === 'input' ? 'padded' : ''}" role="tabpanel" aria-label=${tabs.find(({ id }) => id === tab)?.label ?? ''} tabindex=${tab === 'overview' || tab === 'input' ? '0' : nothing}>${this.#panel(tab, record)}</div>`}`;
  }
}

customElements.define('hl-transaction', TransactionPage);
