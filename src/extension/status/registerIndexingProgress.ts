// Long indexing beside the chain in the status bar, and as a notification that can be cancelled.
import { commands, l10n, ProgressLocation, type QuickPickItem, StatusBarAlignment, window } from 'vscode';
import { systemClock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { commandIds } from '../../manifest/commands.ts';
import { formatBlockProgress } from '../../view/progress.ts';
import type { WorkerClient } from '../worker/workerClient.ts';
import { createIndexingTasks, formatTaskTitle, type IndexingTasks, type TaskNotification } from './indexingTasks.ts';

export interface IndexingProgressDeps {
  readonly backend: Pick<WorkerClient, 'onEvent' | 'onDidEnd' | 'pause' | 'resume'>;
}

/** A notification until it is ended, by whoever does the work or by its own button. */
function notify(title: string, cancel: () => void): TaskNotification {
  const ended = Promise.withResolvers<void>();
  let report: TaskNotification['report'] = () => {};
  const options = { location: ProgressLocation.Notification, title, cancellable: true };
  void window.withProgress(options, async (progress, token) => {
    report = step => progress.report(step);
    const cancelled = token.onCancellationRequested(cancel);
    await ended.promise;
    cancelled.dispose();
  });
  return { report: step => report(step), end: () => ended.resolve() };
}

export function registerIndexingProgress({ backend }: IndexingProgressDeps): Disposable {
  const store = new DisposableStore();
  const item = store.add(window.createStatusBarItem('hexlens.progress', StatusBarAlignment.Left, 9));
  item.name = l10n.t('HexLens: Indexing');
  item.command = commandIds.showIndexing;
  const works = store.add(
    createIndexingTasks({
      clock: systemClock,
      notify,
      pause: task => backend.pause(task),
      resume: task => backend.resume(task),
      show(shown) {
        if (shown === null) return item.hide();
        item.text = shown.text;
        item.tooltip = [...shown.lines, l10n.t('Click to pause it or to go on.')].join('\n');
        item.accessibilityInformation = { label: shown.lines.join('; ') };
        item.show();
      },
    }),
  );
  store.add(backend.onEvent(event => event.type === 'progress' && works.update(event.progress)));
  store.add(backend.onDidExit(() => works.clear()));
  store.add(commands.registerCommand(commandIds.showIndexing, () => showWorks(works)));
  return store;
}

interface WorkItem extends QuickPickItem {
  run(): void;
}

/** What is under way can be paused, what is paused goes on. */
async function showWorks(works: IndexingTasks): Promise<void> {
  const items = works.list().map(({ progress, paused }): WorkItem => {
    const { task } = progress;
    return {
      label: paused ? `$(debug-continue) ${l10n.t('Go On')}` : `$(debug-pause) ${l10n.t('Pause')}`,
      description: formatTaskTitle(progress),
      detail: formatBlockProgress(progress),
      run: () => (paused ? works.resume(task) : works.pause(task)),
    };
  });
  const placeHolder =
    items.length === 0 ? l10n.t('Nothing is being indexed.') : l10n.t('What is indexed just now, and what is paused');
  const choice = await window.showQuickPick(items, { title: l10n.t('HexLens: Indexing'), placeHolder });
  choice?.run();
}
