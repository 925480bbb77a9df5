// A block: its facts at a glance, its transactions, logs, inner calls and gas.
import { html, nothing, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import { shortenHex } from '../../../base/displayText.ts';
import { formatAmount, formatInteger } from '../../../base/formatUnits.ts';
import { t } from '../../../base/localize.ts';
import { formatUtcTime } from '../../../view/formatTime.ts';
import type { Tab } from '../components/tabBar.ts';
import type { LoadedTable } from '../replyCollector.ts';
import { RequestController } from '../requestController.ts';
import { formatLocalTime, formatTime } from '../rows/cellFormat.ts';
import { getNamedRow, type NamedRow } from '../rows/namedRow.ts';
import { InspectorPage } from './inspectorPage.ts';

const MAIN = ['record', 'transactions', 'logs'];

export class BlockPage extends InspectorPage {
  readonly #main = new RequestController(this);
  readonly #inner = new RequestController(this);

  override willUpdate(): void {
    const { channel: link, target, refreshCount: round } = this.shared;
    if (target.kind !== 'block') return;
    this.#main.request(link, { kind: 'operation', target, include: MAIN }, round);
    const wanted = this.shared.pageState['tab'] === 'internal';
    this.#inner.request(link, wanted ? { kind: 'operation', target, include: ['internal'] } : null, round);
  }

  #tabs(transactions: LoadedTable | undefined, logs: LoadedTable | undefined): readonly Tab[] {
    return [
      {
        id: 'transactions',
        label: t('Transactions'),
        ...(transactions && { count: formatInteger(transactions.rowCount) }),
      },
      { id: 'logs', label: t('Logs'), ...(logs && { count: formatInteger(logs.rowCount) }) },
      { id: 'internal', label: t('Internal transactions') },
      { id: 'gas', label: t('Gas') },
      { id: 'overview', label: t('Overview') },
      { id: 'raw', label: t('Raw') },
    ];
  }

  #glance(record: NamedRow): TemplateResult {
    const time = record.cell('timestamp');
    const [used, limit] = [record.integer('gasUsed'), record.integer('gasLimit')];
    const percent = used === null || limit === null || limit === 0n ? null : Number((used * 1_000n) / limit) / 10;
    const fee = record.integer('baseFeePerGas');
    const miner = record.text('miner');
    const { chain, preferences, now } = this.shared;
    return this.glance([
      [
        t('Time'),
        typeof time === 'number'
          ? html`<span title=${`${formatLocalTime(new Date(time))}\n${formatUtcTime(new Date(time))}`}>${formatTime(time, preferences, now)}</span>`
          : null,
      ],
      [t('Transactions'), formatInteger(Number(record.cell('transactionCount') ?? 0))],
      [
        t('Gas used'),
        used === null
          ? null
          : html`${formatInteger(used)}${percent === null ? nothing : html` <span class="muted">(${percent} %)</span><span class="meter" aria-hidden="true"><i .style=${`width:${Math.min(100, percent)}%`}></i></span>`}`,
      ],
      [t('Base fee'), fee === null ? null : `${formatAmount(fee, 9)} Gwei`],
      [
        t('Miner'),
        miner === null || /^0x0*$/.test(miner)
          ? null
          : this.link(shortenHex(miner), { kind: 'address', chain, address: miner }, true),
      ],
      [
        t('Hash'),
        html`<span class="mono" title=${record.text('hash') ?? ''}>${shortenHex(record.text('hash') ?? '')}</span>`,
      ],
    ]);
  }

  #head(record: NamedRow | null): TemplateResult {
    const { target, chain } = this.shared;
    const asked = target.kind === 'block' ? target.block : '';
    const number = record?.cell('number');
    // Known before the answer is there: who goes through blocks need not wait for each of them.
    const at = typeof number === 'number' ? number : /^\d+$/.test(asked) ? Number(asked) : null;
    const title = at === null ? shortenHex(asked) : formatInteger(at);
    const step = (to: number, name: string, icon: string) =>
      html`<button class="plain" data-again=${icon} title=${name} aria-label=${name} ?disabled=${to < 0} @click=${() =>
        this.shared.navigate({
          kind: 'block',
          chain,
          block: String(to),
        })}><vscode-icon name=${icon} aria-hidden="true"></vscode-icon></button>`;
    return html`<header class="title"><h1>${t('Block {0}', title)}</h1>
      ${at !== null ? html`<span class="step">${step(at - 1, t('Previous block'), 'chevron-left')}${step(at + 1, t('Next block'), 'chevron-right')}</span>` : nothing}
      <slot></slot></header>`;
  }

  #panel(tab: string, record: NamedRow | null): unknown {
    const { tables, names } = this.#main.reply;
    const { shared } = this;
    const table = (name: string, label: string) =>
      // Each with a sort, a selection and details of its own.
      keyed(
        name,
        html`<hl-table .table=${tables.get(name)} .names=${names} .shared=${shared} label=${label}></hl-table>`,
      );
    switch (tab) {
      case 'transactions':
        return table('transactions', t('Transactions'));
      case 'logs':
        return table('logs', t('Logs'));
      case 'internal':
        return html`${this.#inner.fault === null ? nothing : html`<hl-fault .fault=${this.#inner.fault}></hl-fault>`}
          ${this.renderWaiting(this.#inner, t('Tracing the block…'))}${this.renderNotes(this.#inner.reply.notes)}
          ${this.#inner.hasReply ? html`<hl-calls .table=${this.#inner.reply.tables.get('internal')} .names=${this.#inner.reply.names} .shared=${shared}></hl-calls>` : nothing}`;
      case 'gas':
        return html`<hl-gas .transactions=${tables.get('transactions')} .limit=${record?.text('gasLimit') ?? null} .shared=${shared}></hl-gas>`;
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

  override render(): TemplateResult {
    const main = this.#main;
    const { tables, notes } = main.reply;
    const record = getNamedRow(tables.get('record'));
    const tabs = this.#tabs(tables.get('transactions'), tables.get('logs'));
    const empty = tables.get('transactions')?.rowCount === 0;
    const tab = this.tab(empty ? 'overview' : 'transactions', tabs);
    return html`${this.#head(record)}
      ${main.fault === null ? nothing : html`<hl-fault .fault=${main.fault}></hl-fault>`}
      ${record === null ? this.renderWaiting(main, t('Reading the block…')) : this.#glance(record)}${this.renderNotes(notes)}
      ${record === null ? nothing : html`${this.renderTabs(tabs, tab)}<div class="panel ${tab === 'overview' ? 'padded' : ''}" role="tabpanel" aria-label=${tabs.find(({ id }) => id === tab)?.label ?? ''} tabindex=${tab === 'overview' || tab === 'gas' ? '0' : nothing}>${this.#panel(tab, record)}</div>`}`;
  }
}

customElements.define('hl-block', BlockPage);
