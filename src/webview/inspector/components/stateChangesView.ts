// The tab State Changes: what a transaction changed, by account and variable, with the line that wrote it.
import { css, html, nothing, type TemplateResult } from 'lit';
import { t } from '../../../base/localize.ts';
import type { StateAccount, StateRow } from '../../../view/source/stateTable.ts';
import { TracedElement } from '../pageElement.ts';
import { getNumberClass, toVisibleText } from '../rows/cellFormat.ts';
import { baseStyles } from '../styles.ts';
import { renderLocation, renderTargetLink } from './targetLink.ts';

/** Rows of an account that are shown at first, and with each click on Show More. */
const ROWS_PER_STEP = 200;

export class StateChangesView extends TracedElement<'stateChanges'> {
  static override styles = [
    baseStyles,
    css`
      :host { padding: 8px 16px 24px; }
      h2 { margin: 14px 0 0; font-size: 1.05em; font-weight: 600; overflow-wrap: anywhere; color: var(--vscode-foreground); }
      h2 .muted { font-weight: normal; }
      .wide { overflow-x: auto; }
      table { border-collapse: collapse; width: 100%; }
      thead th { min-width: 10em; } thead th:first-child { width: 40%; min-width: 18em; } thead th:last-child { min-width: 21em; }
      th { text-align: left; font-weight: normal; font-size: 11px; color: var(--vscode-descriptionForeground); }
      th, td { padding: 3px 16px 3px 0; vertical-align: top; border-bottom: 1px solid var(--vscode-panel-border, var(--vscode-contrastBorder, transparent)); overflow-wrap: anywhere; }
      td:last-child { overflow-wrap: break-word; } /* paths are broken behind slashes */
      td.value { white-space: pre-wrap; font-variant-numeric: tabular-nums; }
      td.number { white-space: nowrap; }
      td.after { font-weight: 600; }
      .mark { font-style: italic; opacity: 0.8; }
      button.place { color: var(--vscode-textLink-foreground); text-align: left; padding: 0; } button.place:hover { text-decoration: underline; }
      .loading { display: flex; gap: 10px; align-items: center; padding: 16px 0; color: var(--vscode-descriptionForeground); }
      p { margin: 8px 0; }
    `,
  ];
  /** By address, of those whose rows do not all fit. */
  readonly #shown = new Map<string, number>();

  constructor() {
    super('stateChanges');
  }

  /** A note is not repeated below the same one. */
  #renderRow(
    { label, title, before, after, note, location, marks }: StateRow,
    above: StateRow | undefined,
  ): TemplateResult {
    return html`<tr title=${toVisibleText(title, 1_000)}>
      <td class="mono">${toVisibleText(label, 300)}${note === null || note === above?.note ? nothing : html` <span class="muted">${note}</span>`}</td>
      <td class="value mono ${getNumberClass(before)}">${toVisibleText(before, 1_000)}</td><td class="value mono after ${getNumberClass(after)}">${toVisibleText(after, 1_000)}</td>
      <td>${location === null ? nothing : renderLocation(this.context, location)}${marks.length === 0 ? nothing : html` <span class="mark">${marks.join(', ')}</span>`}</td></tr>`;
  }

  #renderAccount({ address, name, contract, rows }: StateAccount): TemplateResult {
    const { chain } = this.context;
    const shown = this.#shown.get(address) ?? ROWS_PER_STEP;
    const showMore = () => {
      this.#shown.set(address, shown + ROWS_PER_STEP);
      this.requestUpdate();
    };
    const more = rows.length - shown;
    const text = name === null ? address : toVisibleText(name, 100);
    const link = renderTargetLink(this.context, { kind: 'address', chain, address }, text, { isMono: name === null });
    return html`<tbody><tr><th colspan="4" scope="rowgroup"><h2 title=${address}>${link}${contract === null ? nothing : html` <span class="muted">${toVisibleText(contract, 100)}</span>`}</h2></th></tr>
      ${rows.slice(0, shown).map((row, i) => this.#renderRow(row, rows[i - 1]))}
      ${more > 0 ? html`<tr><td colspan="4"><button class="plain place" @click=${showMore}>${t('Show {0} More', String(Math.min(more, ROWS_PER_STEP)))}</button></td></tr>` : nothing}</tbody>`;
  }

  /** One table, so that the values of all accounts are below each other. */
  #renderTable(accounts: readonly StateAccount[]): TemplateResult {
    return html`<div class="wide"><table><thead><tr><th scope="col">${t('Variable')}</th><th scope="col">${t('Before')}</th><th scope="col">${t('After')}</th><th scope="col">${t('Written by')}</th></tr></thead>
      ${accounts.map(account => this.#renderAccount(account))}</table></div>`;
  }

  override render(): TemplateResult {
    const { isLoading, fault } = this.request;
    if (fault !== null) return html`<hl-fault-message .fault=${fault}></hl-fault-message>`;
    if (this.details === null) {
      const cancel = () => this.request.cancel();
      return isLoading
        ? html`<div class="loading" role="status"><vscode-progress-ring aria-hidden="true"></vscode-progress-ring><span>${t('Running the transaction again…')}</span><button class="plain" @click=${cancel}>${t('Cancel')}</button></div>`
        : html`<p class="muted">${t('Cancelled.')}</p>`;
    }
    const { accounts, lacksNames, notes } = this.details;
    const build = () => this.context.channel.notify('buildDebugInformation', null);
    return html`${lacksNames ? html`<p class="muted">${t('Names of variables need build information:')} <button class="plain place" @click=${build}>${t('Build')}</button></p>` : nothing}${notes.map(note => html`<p class="muted">${toVisibleText(note, 500)}</p>`)}
      ${accounts.length === 0 && notes.length === 0 ? html`<p class="muted">${t('It changed nothing.')}</p>` : nothing}
      ${accounts.length === 0 ? nothing : this.#renderTable(accounts)}`;
  }
}

customElements.define('hl-state-changes', StateChangesView);
