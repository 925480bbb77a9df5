// A block: key facts, transactions, logs, internal transactions and gas.
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

/** Tables that are loaded with the page; internal transactions take a trace. */
const MAIN_TABLES = ['record', 'transactions', 'logs'];

export class BlockPage extends InspectorPage {
  readonly #main = new RequestController(this, 'operation');
  readonly #internal = new RequestController(this, 'operation');

  override willUpdate(): void {
    const { channel, target, refreshCount } = this.context;
    if (target.kind !== 'block') return;
    this.#main.request(channel, { target, include: MAIN_TABLES }, refreshCount);
    const isShown = this.context.pageState['tab'] === 'internal';
    this.#internal.request(channel, isShown ? { target, include: ['internal'] } : null, refreshCount);
  }

  #getTabs(transactions: LoadedTable | undefined, logs: LoadedTable | undefined): readonly Tab[] {
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

  #renderKeyFacts(record: NamedRow): TemplateResult {
    const time = record.cell('timestamp');
    const [used, limit] = [record.integer('gasUsed'), record.integer('gasLimit')];
    const permille = used === null || limit === null || limit === 0n ? null : (used * 1_000n) / limit;
    const fee = record.integer('baseFeePerGas');
    const { unit = 'gwei', decimals = 9 } = record.column('baseFeePerGas') ?? {};
    const miner = record.text('miner');
    const { chain, preferences, now } = this.context;
    return this.renderKeyFacts([
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
          : html`${formatInteger(used)}${permille === null ? nothing : html` <span class="muted">(${t('{0}%', formatAmount(permille, 1))})</span><span class="meter" aria-hidden="true"><i .style=${`width:${Math.min(100, Number(permille) / 10)}%`}></i></span>`}`,
      ],
      [t('Base fee'), fee === null ? null : `${formatAmount(fee, decimals)} ${unit}`],
      [
        t('Miner'),
        miner === null || /^0x0*$/.test(miner)
          ? null
          : this.renderLink(shortenHex(miner), { kind: 'address', chain, address: miner }, true),
      ],
      [
        t('Hash'),
        html`<span class="mono" title=${record.text('hash') ?? ''}>${shortenHex(record.text('hash') ?? '')}</span>`,
      ],
    ]);
  }

  #renderTitle(record: NamedRow | null): TemplateResult {
    const { target, chain } = this.context;
    const blockId = target.kind === 'block' ? target.block : '';
    const number = record?.cell('number');
    // Known before the block has loaded, so that Next and Previous need not wait for it.
    const blockNumber = typeof number === 'number' ? number : /^\d+$/.test(blockId) ? Number(blockId) : null;
    const title = blockNumber === null ? shortenHex(blockId) : formatInteger(blockNumber);
    const step = (to: number, label: string, icon: string) =>
      html`<button class="plain" data-focus-key=${icon} title=${label} aria-label=${label} ?disabled=${to < 0} @click=${() =>
        this.context.navigate({
          kind: 'block',
          chain,
          block: String(to),
        })}><vscode-icon name=${icon} aria-hidden="true"></vscode-icon></button>`;
    return html`<header class="title"><h1>${t('Block {0}', title)}</h1>
      ${blockNumber !== null ? html`<span class="step">${step(blockNumber - 1, t('Previous block'), 'chevron-left')}${step(blockNumber + 1, t('Next block'), 'chevron-right')}</span>` : nothing}
      <slot></slot></header>`;
  }

  #renderPanel(tab: string, record: NamedRow | null): unknown {
    const { tables, names } = this.#main.reply;
    const { context } = this;
    const renderTable = (name: string, label: string) =>
      // Keyed: each has a sort order, a selection and details of its own.
      keyed(
        name,
        html`<hl-table .table=${tables.get(name)} .names=${names} .context=${context} label=${label}></hl-table>`,
      );
    switch (tab) {
      case 'transactions':
        return renderTable('transactions', t('Transactions'));
      case 'logs':
        return renderTable('logs', t('Logs'));
      case 'internal':
        return this.renderCallTree(this.#internal, t('Tracing the block…'));
      case 'gas':
        return html`<hl-gas-chart .transactions=${tables.get('transactions')} .limit=${record?.text('gasLimit') ?? null} .context=${context}></hl-gas-chart>`;
      case 'raw':
        return html`<hl-raw-reply .context=${context}></hl-raw-reply>`;
      default:
        return this.renderRecord(this.#main);
    }
  }

  override render(): TemplateResult {
    const main = this.#main;
    const { tables, notes } = main.reply;
    const record = getNamedRow(tables.get('record'));
    const tabs = this.#getTabs(tables.get('transactions'), tables.get('logs'));
    const isEmpty = tables.get('transactions')?.rowCount === 0;
    const tab = this.getTab(isEmpty ? 'overview' : 'transactions', tabs);
    return html`${this.#renderTitle(record)}
      ${this.renderFault(main)}
      ${record === null ? this.renderLoading(main, t('Loading the block…')) : this.#renderKeyFacts(record)}${this.renderNotes(notes)}
      ${record === null ? nothing : html`${this.renderTabs(tabs, tab)}<div class="panel ${tab === 'overview' ? 'padded' : ''}" role="tabpanel" aria-label=${tabs.find(({ id }) => id === tab)?.label ?? ''} tabindex=${tab === 'overview' || tab === 'gas' ? '0' : nothing}>${this.#renderPanel(tab, record)}</div>`}`;
  }
}

customElements.define('hl-block', BlockPage);
