// The look-up commands.
import { commands } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { lazy } from '../../base/lazy.ts';
import { commandIds } from '../../manifest/commands.ts';
import { contextKeys } from '../../manifest/identifiers.ts';
import { HISTORY_KEY } from '../../view/lookUp/lookUpHistory.ts';
import { registerLazyCommands } from '../commands/lazyCommands.ts';
import type { FeatureDeps } from '../featureDeps.ts';
import type { OperationCommands } from '../operations/operationCommands.ts';

export interface RegisterLookUpDeps
  extends Pick<FeatureDeps, 'worker' | 'settings' | 'book' | 'workspaceState' | 'abis' | 'records'> {
  operations(): Promise<OperationCommands>;
}

export function registerLookUp(deps: RegisterLookUpDeps): Disposable {
  const store = new DisposableStore();
  if (deps.workspaceState.get(HISTORY_KEY) !== undefined)
    void commands.executeCommand('setContext', contextKeys.lookedUp, true);
  const load = lazy(async () => store.add(new (await import('./lookUpBox.ts')).LookUpBox(deps)));
  store.add(
    registerLazyCommands(load, {
      [commandIds.lookUp]: (box, text) => box.show(typeof text === 'string' ? text : ''),
      [commandIds.lookUpSelection]: box => box.showSelection(),
      [commandIds.lookUpUnderCursor]: box => box.showSelection(),
      [commandIds.lookUpTerminalSelection]: box => box.showTerminalSelection(),
      [commandIds.clearLookUpHistory]: box => box.clearHistory(),
    }),
  );
  return store;
}
