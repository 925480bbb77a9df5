// Commands of a feature that is loaded when the first of them runs.
import { commands } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';

/** `runs`: what each command does with the feature, by its id. */
export function registerLazyCommands<Feature>(
  load: () => Promise<Feature>,
  runs: Readonly<Record<string, (feature: Feature, ...args: unknown[]) => unknown>>,
): Disposable {
  const store = new DisposableStore();
  for (const [id, run] of Object.entries(runs))
    store.add(commands.registerCommand(id, async (...args: unknown[]) => run(await load(), ...args)));
  return store;
}
