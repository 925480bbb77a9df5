// Base class of the pages: a title with key facts, tabs, and one panel that fills the rest.
import { css, html, nothing, type TemplateResult } from 'lit';
import { t } from '../../../base/localize.ts';
import type { InspectorTarget } from '../../../protocol/inspectorTarget.ts';
import type { TrackedTask } from '../../../protocol/trackedTasks.ts';
import { formatTaskProgress } from '../../../view/progress.ts';
import { renderMeter } from '../components/indexNote.ts';
import type { Tab } from '../components/tabBar.ts';
import { renderTargetLink } from '../components/targetLink.ts';
import { FocusGuard } from '../focusGuard.ts';
import type { PageContext } from '../pageContext.ts';
import { PageElement } from '../pageElement.ts';
import type { RequestState } from '../requestController.ts';
import { type FormatContext, toVisibleText } from '../rows/cellFormat.ts';
import { baseStyles } from '../styles.ts';

const pageStyles = css`
  :host { display: flex; flex-direction: column; flex: 1; min-height: 0; }
  header.title { display: flex; flex-wrap: wrap; align-items: center; gap: 6px 10px; padding: 12px 16px 4px; }
  h2 { margin: 14px 12px 4px; font-size: 1.05em; font-weight: 600; }
  h2 .count { font-weight: normal; color: var(--vscode-descriptionForeground); }
  h1 { margin: 0; font-size: 1.45em; font-weight: 600; letter-spacing: -0.01em; overflow-wrap: anywhere; }
  .subject { color: var(--vscode-descriptionForeground); overflow-wrap: anywhere; }
  .key-facts { display: flex; flex-wrap: wrap; gap: 4px 28px; padding: 6px 16px 10px; margin: 0; }
  .key-facts div { min-width: 0; }
  .key-facts dt { font-size: 11px; color: var(--vscode-descriptionForeground); }
  .key-facts dd { margin: 0; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
  .meter { display: inline-block; vertical-align: middle; width: 72px; height: 6px; margin-left: 8px; border-radius: 3px; overflow: hidden; background: color-mix(in srgb, var(--vscode-foreground) 14%, transparent); border: 1px solid var(--vscode-contrastBorder, transparent); }
  .meter i { display: block; height: 100%; background: var(--vscode-progressBar-background, var(--vscode-charts-blue)); }
  .panel { flex: 1; min-height: 240px; overflow: auto; position: relative; }
  label[slot='bar'] { display: inline-flex; align-items: center; gap: 6px; white-space: nowrap; }
  .tab-row { display: flex; align-items: center; border-bottom: 1px solid var(--vscode-panel-border, var(--vscode-contrastBorder, #8885)); }
  .tab-row hl-tab-bar { flex: 1; min-width: 0; margin-bottom: -1px; }
  .tab-row label { display: flex; gap: 6px; align-items: center; padding: 0 12px; white-space: nowrap; color: var(--vscode-descriptionForeground); }
  .panel.column { display: flex; flex-direction: column; }
  details.form { padding: 0 16px 4px; }
  details.form summary { cursor: pointer; padding: 4px 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  details.form form { display: grid; grid-template-columns: repeat(auto-fill, minmax(210px, 1fr)); gap: 8px 14px; padding: 6px 0 10px; max-height: 45vh; overflow: auto; }
  .field { display: flex; flex-direction: column; gap: 3px; min-width: 0; }
  .field label { font-size: 11px; color: var(--vscode-descriptionForeground); }
  .field .issue { color: var(--vscode-errorForeground); font-size: 11px; }
  .submit { align-self: end; }
  .panel.padded { padding: 8px 4px 24px; }
  .note { display: flex; gap: 8px; align-items: center; margin: 6px 16px; padding: 6px 10px; border-radius: 4px; border: 1px solid var(--vscode-inputValidation-infoBorder, var(--vscode-focusBorder)); background: var(--vscode-inputValidation-infoBackground, transparent); color: var(--vscode-inputValidation-infoForeground, inherit); overflow-wrap: anywhere; }
  .note.warn { border-color: var(--vscode-inputValidation-warningBorder, var(--vscode-focusBorder)); background: var(--vscode-inputValidation-warningBackground, transparent); color: var(--vscode-inputValidation-warningForeground, inherit); }
  .loading { display: flex; gap: 10px; align-items: center; padding: 24px 16px; color: var(--vscode-descriptionForeground); }
  .step { display: inline-flex; gap: 2px; }
`;

export abstract class InspectorPage extends PageElement {
  static override styles = [baseStyles, pageStyles];
  readonly focusGuard = new FocusGuard(this);

  /** The selected tab: the one that the page was left at, else `first`. */
  protected getTab(first: string, tabs: readonly Tab[]): string {
    const saved = this.context.pageState['tab'];
    return tabs.some(({ id }) => id === saved) ? (saved ?? first) : first;
  }

  /** The context of a tab, whose page state is saved under the tab's id. */
  protected createPartContext(id: string): PageContext {
    const { context } = this;
    const prefix = `${id}/`;
    const pageState = Object.fromEntries(
      Object.entries(context.pageState).flatMap(([name, value]) =>
        name.startsWith(prefix) ? [[name.slice(prefix.length), value]] : [],
      ),
    );
    return { ...context, pageState, setPageState: (name, value) => context.setPageState(prefix + name, value) };
  }

  protected formatContext(request: RequestState): FormatContext {
    return { preferences: this.context.preferences, names: request.reply.names, now: this.context.now };
  }

  protected renderTabs(tabs: readonly Tab[], selected: string): TemplateResult {
    return html`<hl-tab-bar .tabs=${tabs} selected=${selected} label=${t('Tabs')}
      @tab-select=${(event: CustomEvent<string>) => this.context.setPageState('tab', event.detail)}></hl-tab-bar>`;
  }

  /** `task` is what the request waits for, if that is known: cancelling pauses it too. */
  protected renderLoading(
    request: RequestState,
    text: string,
    task: TrackedTask | null = null,
  ): TemplateResult | typeof nothing {
    if (!request.isLoading) return nothing;
    const running = task?.isRunning ? task : null;
    return html`<div class="loading" role="status"><vscode-progress-ring aria-hidden="true"></vscode-progress-ring><span>${text}${
      running === null ? nothing : html` ${formatTaskProgress(running)}${renderMeter(running)}`
    }</span><button class="plain" @click=${() => {
      request.cancel();
      if (running !== null) this.pauseTask(running);
    }}>${t('Cancel')}</button></div>`;
  }

  protected pauseTask({ task }: TrackedTask): void {
    this.context.channel.notify('pauseTask', { task });
  }

  protected renderNotes(notes: readonly string[]): TemplateResult[] {
    return notes.map(
      note =>
        html`<p class="note"><vscode-icon name="info" aria-hidden="true"></vscode-icon>${toVisibleText(note, 300)}</p>`,
    );
  }

  protected renderFault({ fault }: RequestState): TemplateResult | typeof nothing {
    return fault === null ? nothing : html`<hl-fault-message .fault=${fault}></hl-fault-message>`;
  }

  /** The only row of the table `record`. */
  protected renderRecord(request: RequestState): TemplateResult | typeof nothing {
    const table = request.reply.tables.get('record');
    return table === undefined
      ? nothing
      : html`<hl-record .columns=${table.columns} .row=${table.rows[0] ?? []} .format=${this.formatContext(request)} .context=${this.context}></hl-record>`;
  }

  /** The table `internal` as a tree; `loading` is shown until it is there. */
  protected renderCallTree(request: RequestState, loading: string): TemplateResult {
    const { tables, names, notes } = request.reply;
    return html`${this.renderFault(request)}${this.renderLoading(request, loading)}${this.renderNotes(notes)}
      ${request.hasReply ? html`<hl-call-tree .table=${tables.get('internal')} .names=${names} .context=${this.context}></hl-call-tree>` : nothing}`;
  }

  protected renderLink(text: string, target: InspectorTarget, isMono = false): TemplateResult {
    return renderTargetLink(this.context, target, text, { isMono });
  }

  protected renderKeyFacts(entries: readonly (readonly [label: string, value: unknown])[]): TemplateResult {
    return html`<dl class="key-facts">${entries.map(([label, value]) =>
      value === null ? nothing : html`<div><dt>${label}</dt><dd>${value}</dd></div>`,
    )}</dl>`;
  }
}
