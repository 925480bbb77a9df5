// The commands Run Operation, Run Operation as JSON, `hexlens.call.<operation>` and Read Contract.
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { lazy } from '../../base/lazy.ts';
import { commandIds } from '../../manifest/commands.ts';
import { registerLazyCommands } from '../commands/lazyCommands.ts';
import type { FeatureDeps } from '../featureDeps.ts';
import type { OperationCommands } from './operationCommands.ts';

export interface RegisterOperationsDeps
  extends Pick<FeatureDeps, 'worker' | 'settings' | 'book' | 'abis' | 'workspaceState'> {
  /** Ids of all contributed commands; the table of operations is too large to load at activation for its ids. */
  readonly contributed: readonly string[];
}

export interface OperationsFeature extends Disposable {
  load(): Promise<OperationCommands>;
}

/** The command ids of a manifest, such as VS Code's copy of the extension's package.json. */
export function getContributedCommands(manifest: {
  readonly contributes: { readonly commands: readonly { readonly command: string }[] };
}): readonly string[] {
  return manifest.contributes.commands.map(({ command }) => command);
}

const PREFIX = 'hexlens.call.';

export function registerOperations({ contributed, ...deps }: RegisterOperationsDeps): OperationsFeature {
  const store = new DisposableStore();
  const load = lazy(async () => store.add(new (await import('./operationCommands.ts')).OperationCommands(deps)));
  const calls = contributed
    .filter(id => id.startsWith(PREFIX))
    .map(id => [
      id,
      (operations: OperationCommands, parameters: unknown) => operations.run(id.slice(PREFIX.length), parameters),
    ]);
  store.add(
    registerLazyCommands<OperationCommands>(load, {
      ...Object.fromEntries(calls),
      [commandIds.runOperation]: (operations, id, parameters) => operations.run(id, parameters),
      [commandIds.runOperationJson]: (operations, id, parameters) => operations.runAsJson(id, parameters),
      [commandIds.readContract]: (operations, argument) => operations.readContract(argument),
    }),
  );
  return { load, dispose: () => store.dispose() };
}
