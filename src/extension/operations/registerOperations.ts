// The commands Run Operation, Run Operation as JSON, `hexlens.call.<operation>` and Read Contract.
import { commands } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { lazy } from '../../base/lazy.ts';
import { commandIds } from '../../manifest/commands.ts';
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
  const load = lazy(async () => {
    const { OperationCommands } = await import('./operationCommands.ts');
    return store.add(new OperationCommands(deps));
  });
  for (const id of contributed)
    if (id.startsWith(PREFIX))
      store.add(
        commands.registerCommand(id, async (parameters?: unknown) =>
          (await load()).run(id.slice(PREFIX.length), parameters),
        ),
      );
  store.add(
    commands.registerCommand(commandIds.runOperation, async (id?: unknown, parameters?: unknown) =>
      (await load()).run(id, parameters),
    ),
  );
  store.add(
    commands.registerCommand(commandIds.runOperationJson, async (id?: unknown, parameters?: unknown) =>
      (await load()).runAsJson(id, parameters),
    ),
  );
  store.add(
    commands.registerCommand(commandIds.readContract, async (argument?: unknown) =>
      (await load()).readContract(argument),
    ),
  );
  return { load, dispose: () => store.dispose() };
}
