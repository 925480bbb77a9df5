// Loads the display of indexing progress with the first progress of an index.
import { commands } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { lazy } from '../../base/lazy.ts';
import type { Log } from '../../base/log.ts';
import { commandIds } from '../../manifest/commands.ts';
import type { WorkerClient } from '../worker/workerClient.ts';

export interface RegisterIndexingProgressDeps {
  readonly worker: Pick<WorkerClient, 'onEvent' | 'onDidExit' | 'notify'>;
  readonly log: Log;
}

export function registerIndexingProgress({ worker, log }: RegisterIndexingProgressDeps): Disposable {
  const store = new DisposableStore();
  const load = lazy(async () => store.add((await import('./indexingProgress.ts')).createIndexingProgress({ worker })));
  store.add(
    worker.onEvent(event => {
      if (event.type !== 'progress' || event.progress.kind !== 'index') return;
      load()
        .then(shown => shown.update(event.progress))
        .catch(error => log.error(`The progress of indexing could not be shown: ${String(error)}`));
    }),
  );
  store.add(worker.onDidExit(() => load.ifLoaded(shown => shown.clear())));
  store.add(commands.registerCommand(commandIds.showIndexing, async () => (await load()).showTasks()));
  return store;
}
