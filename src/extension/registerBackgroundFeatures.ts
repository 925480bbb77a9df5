// Loads what works without being asked, such as the status bar, a moment after the start of the window.
import { commands } from 'vscode';
import { type Disposable, DisposableStore, disposable } from '../base/disposable.ts';
import { createCancelledFault } from '../base/errors.ts';
import { lazy } from '../base/lazy.ts';
import { commandIds } from '../manifest/commands.ts';
import type { BackgroundFeaturesDeps } from './backgroundFeatures.ts';

/** Also because the first request starts the worker, which would slow down the start of the window. */
const LOAD_DELAY_MS = 1_000;

export function registerBackgroundFeatures(deps: BackgroundFeaturesDeps): Disposable {
  const store = new DisposableStore();
  const load = lazy(async () => {
    const { createBackgroundFeatures } = await import('./backgroundFeatures.ts');
    if (store.disposed) throw createCancelledFault();
    return store.add(createBackgroundFeatures(deps));
  });
  const timer = setTimeout(
    () =>
      load().catch(error => !store.disposed && deps.log.error(`The status bar could not be loaded: ${String(error)}`)),
    LOAD_DELAY_MS,
  );
  store.add(disposable(() => clearTimeout(timer)));
  for (const name of ['showStatus', 'storeUrlSecret'] as const)
    store.add(commands.registerCommand(commandIds[name], async (...args: unknown[]) => (await load())[name](...args)));
  return store;
}
