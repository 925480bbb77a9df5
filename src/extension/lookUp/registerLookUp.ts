// The look-up commands.
import { commands } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { lazy } from '../../base/lazy.ts';
import { commandIds } from '../../manifest/commands.ts';
import { contextKeys } from '../../manifest/identifiers.ts';
import { HISTORY_KEY } from '../../view/lookUp/lookUpHistory.ts';
import type { FeatureDeps } from '../featureDeps.ts';
import type { OperationCommands } from '../operations/operationCommands.ts';

export interface RegisterLookUpDeps
  extends Pick<FeatureDeps, 'worker' | 'settings' | 'book' | 'workspaceState' | 'abis'> {
  operations(): Promise<OperationCommands>;
}

export function registerLookUp(deps: RegisterLookUpDeps): Disposable {
  const store = new DisposableStore();
  if (deps.workspaceState.get(HISTORY_KEY) !== undefined)
    void commands.executeCommand('setContext', contextKeys.lookedUp, true);
  const getBox = lazy(async () => store.add(new (await import('./lookUpBox.ts')).LookUpBox(deps)));
  const add = (id: string, run: (...args: unknown[]) => unknown) => store.add(commands.registerCommand(id, run));
  add(commandIds.lookUp, async text => (await getBox()).show(typeof text === 'string' ? text : ''));
  for (const id of [commandIds.lookUpSelection, commandIds.lookUpUnderCursor])
    add(id, async () => (await getBox()).showSelection());
  add(commandIds.lookUpTerminalSelection, async () => (await getBox()).showTerminalSelection());
  add(commandIds.clearLookUpHistory, async () => (await getBox()).clearHistory());
  return store;
}
