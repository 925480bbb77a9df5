// Indexing progress in the status bar and, for long tasks, as a notification whose Cancel button pauses the task.
import { l10n, ProgressLocation, type QuickPickItem, StatusBarAlignment, window } from 'vscode';
import type { Progress } from '../../api/workerProtocol.ts';
import { systemClock } from '../../base/clock.ts';
import { DisposableStore } from '../../base/disposable.ts';
import { commandIds } from '../../manifest/commands.ts';
import { formatTaskProgress } from '../../view/progress.ts';
import { withProgress } from '../prompts/showMessage.ts';
import type { WorkerClient } from '../worker/workerClient.ts';
import { formatTaskTitle, IndexingTasks, type TaskNotification } from './indexingTasks.ts';

export interface IndexingProgressDeps {
  readonly worker: Pick<WorkerClient, 'notify'>;
}

/** Shows a progress notification until it is ended. */
function notify(title: string, cancel: () => void): TaskNotification {
  const ended = Promise.withResolvers<void>();
  let report: TaskNotification['report'] = () => {};
  const options = { location: ProgressLocation.Notification, title, cancellable: true };
  void withProgress(options, async (progress, token) => {
    report = step => progress.report(step);
    const cancelled = token.onCancellationRequested(cancel);
    await ended.promise;
    cancelled.dispose();
  });
  return { report: step => report(step), end: () => ended.resolve() };
}

interface TaskItem extends QuickPickItem {
  run(): void;
}

export function createIndexingProgress({ worker }: IndexingProgressDeps) {
  const store = new DisposableStore();
  const item = store.add(window.createStatusBarItem('hexlens.progress', StatusBarAlignment.Left, 9));
  item.name = l10n.t('HexLens: Indexing');
  item.command = commandIds.showIndexing;
  const tasks = store.add(
    new IndexingTasks({
      clock: systemClock,
      notify,
      pause: task => worker.notify('pauseTask', task),
      resume: task => worker.notify('resumeTask', task),
      show(summary) {
        if (summary === null) return item.hide();
        item.text = summary.text;
        item.tooltip = [...summary.lines, l10n.t('Click to pause or resume.')].join('\n');
        item.accessibilityInformation = { label: summary.lines.join('; ') };
        item.show();
      },
    }),
  );
  return {
    update: (progress: Progress) => tasks.update(progress),
    /** Removes all tasks, such as when the worker has exited. */
    clear: () => tasks.clear(),
    /** Lets the user pause running tasks and resume paused ones. */
    async showTasks() {
      const items = tasks.list().map(({ progress, isPaused }): TaskItem => {
        const { task } = progress;
        return {
          label: isPaused ? `$(debug-continue) ${l10n.t('Resume')}` : `$(debug-pause) ${l10n.t('Pause')}`,
          description: formatTaskTitle(progress),
          detail: formatTaskProgress(progress),
          run: () => (isPaused ? tasks.resume(task) : tasks.pause(task)),
        };
      });
      const placeHolder =
        items.length === 0 ? l10n.t('Nothing is being indexed.') : l10n.t('Running and paused indexing');
      const choice = await window.showQuickPick(items, { title: l10n.t('HexLens: Indexing'), placeHolder });
      choice?.run();
    },
    dispose: () => store.dispose(),
  };
}
