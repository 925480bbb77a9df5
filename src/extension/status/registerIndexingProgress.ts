// Indexing progress in the status bar and, for long tasks, as a notification whose Cancel button pauses the task.
import { commands, l10n, ProgressLocation, StatusBarAlignment, window } from 'vscode';
import { systemClock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { commandIds } from '../../manifest/commands.ts';
import { withProgress } from '../prompts/messages.ts';
import type { WorkerClient } from '../worker/workerClient.ts';
import { createIndexingTasks, type TaskNotification } from './indexingTasks.ts';

export interface IndexingProgressDeps {
  readonly worker: Pick<WorkerClient, 'onEvent' | 'onDidExit' | 'notify'>;
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

export function registerIndexingProgress({ worker }: IndexingProgressDeps): Disposable {
  const store = new DisposableStore();
  const item = store.add(window.createStatusBarItem('hexlens.progress', StatusBarAlignment.Left, 9));
  item.name = l10n.t('HexLens: Indexing');
  item.command = commandIds.showIndexing;
  const tasks = store.add(
    createIndexingTasks({
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
  store.add(worker.onEvent(event => event.type === 'progress' && tasks.update(event.progress)));
  store.add(worker.onDidExit(() => tasks.clear()));
  store.add(
    commands.registerCommand(commandIds.showIndexing, async () =>
      (await import('./statusPickers.ts')).showTasks(tasks),
    ),
  );
  return store;
}
