// Notes about an incomplete index: how far it is, why rows may be missing, and what the user can do.
import { html, nothing, type TemplateResult } from 'lit';
import { t } from '../../../base/localize.ts';
import { isTaskComplete, type TrackedTask } from '../../../protocol/trackedTasks.ts';
import { formatTaskProgress, getPercent } from '../../../view/progress.ts';

export interface IndexNoteOptions {
  /** The operation is running again. */
  readonly isLoading: boolean;
  retry(): void;
  pause(task: TrackedTask): void;
}

interface NoteText {
  readonly icon: string;
  readonly text: string;
  readonly label: string;
}

function getNoteText(task: TrackedTask | null): NoteText {
  if (task === null) {
    const text = t('The index is still being built: rows may be missing.');
    return { icon: 'sync', text, label: t('Run again') };
  }
  if (task.isRunning) {
    const text = t('The index is still being built: {0}. Rows may be missing.', formatTaskProgress(task));
    return { icon: 'sync', text, label: t('Pause') };
  }
  if (isTaskComplete(task)) return { icon: 'check', text: t('The index is complete now.'), label: t('Show all rows') };
  const text = t('The index has stopped: {0}. Rows may be missing.', formatTaskProgress(task));
  return { icon: 'debug-pause', text, label: t('Resume') };
}

export function renderMeter(task: TrackedTask): TemplateResult | typeof nothing {
  const percent = getPercent(task);
  return percent === null
    ? nothing
    : html`<span class="meter" aria-hidden="true"><i .style=${`width:${percent}%`}></i></span>`;
}

/** `task` builds the index; `null` while nothing is known of it. The styles are those of the page. */
export function renderIndexNote(
  task: TrackedTask | null,
  { isLoading, retry, pause }: IndexNoteOptions,
): TemplateResult {
  const { icon, text, label } = getNoteText(task);
  const act = () => (task?.isRunning ? pause(task) : retry());
  return html`<p class="note" role="status"><vscode-icon name=${icon} aria-hidden="true"></vscode-icon><span>${text}${
    task?.isRunning ? renderMeter(task) : nothing
  }</span><button class="action second" ?disabled=${isLoading} @click=${act}>${label}</button></p>`;
}

/** The user has cancelled the request. */
export const renderCancelledNote = (retry: () => void): TemplateResult =>
  html`<div class="loading" role="status"><span>${t('Cancelled.')}</span><button class="plain" @click=${retry}>${t('Run again')}</button></div>`;
