// Why rows may be missing while an index is built: how far it is, and what can be done about it.
import { html, nothing, type TemplateResult } from 'lit';
import { t } from '../../../base/localize.ts';
import { isTaskComplete, type TrackedTask } from '../../../protocol/trackedTasks.ts';
import { formatBlockProgress, getPercent } from '../../../view/progress.ts';

export interface IndexNoteOptions {
  /** The question was asked again and is not answered yet. */
  readonly isLoading: boolean;
  retry(): void;
  pause(work: TrackedTask): void;
}

interface Words {
  readonly icon: string;
  readonly text: string;
  readonly label: string;
}

function wordsOf(work: TrackedTask | null): Words {
  if (work === null)
    return {
      icon: 'sync',
      text: t('The index is still being built: rows may be missing.'),
      label: t('Ask again'),
    };
  if (work.isRunning)
    return {
      icon: 'sync',
      text: t('The index is still being built: {0}. Rows may be missing.', formatBlockProgress(work)),
      label: t('Pause'),
    };
  if (isTaskComplete(work)) return { icon: 'check', text: t('The index is complete now.'), label: t('Show all rows') };
  return {
    icon: 'debug-pause',
    text: t('The index has stopped: {0}. Rows may be missing.', formatBlockProgress(work)),
    label: t('Go on'),
  };
}

export function renderMeter(work: TrackedTask): TemplateResult | typeof nothing {
  const percent = getPercent(work);
  return percent === null
    ? nothing
    : html`<span class="meter" aria-hidden="true"><i .style=${`width:${percent}%`}></i></span>`;
}

/** `work` is what is known of the index; `null` when nothing was heard of it. Styles are those of the page. */
export function renderIndexNote(
  work: TrackedTask | null,
  { isLoading: loading, retry: again, pause }: IndexNoteOptions,
): TemplateResult {
  const { icon, text, label } = wordsOf(work);
  const act = () => (work?.isRunning ? pause(work) : again());
  return html`<p class="note" role="status"><vscode-icon name=${icon} aria-hidden="true"></vscode-icon><span>${text}${
    work?.isRunning ? renderMeter(work) : nothing
  }</span><button class="action second" ?disabled=${loading} @click=${act}>${label}</button></p>`;
}

/** Neither an answer nor a fault: the user did not want to wait. */
export const renderCancelledNote = (again: () => void): TemplateResult =>
  html`<div class="waiting" role="status"><span>${t('Cancelled.')}</span><button class="plain" @click=${again}>${t('Ask again')}</button></div>`;
