// `hexlens.call.<operation>` for every operation, and `Run Operation as JSON…`; the rest is loaded with the first of them.
import { commands, type Memento } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { commandIds } from '../../manifest/commands.ts';
import type { AddressBook } from '../addressBook/addressBook.ts';
import type { SettingsSource } from '../settings/settingsSource.ts';
import type { WorkerClient } from '../worker/workerClient.ts';
import type { OperationCommands } from './operationCommands.ts';

export interface RegisterOperationsDeps {
  readonly backend: WorkerClient;
  readonly settings: SettingsSource;
  readonly book: AddressBook;
  readonly memory: Memento;
  /** Ids of all contributed commands: the table of operations would be too much to load at start only for its ids. */
  readonly contributed: readonly string[];
}

export interface OperationsFeature extends Disposable {
  load(): Promise<OperationCommands>;
}

/** The ids in a manifest, which is VS Code's own copy of our package.json. */
export function getContributedCommands(manifest: {
  readonly contributes: { readonly commands: readonly { readonly command: string }[] };
}): readonly string[] {
  return manifest.contributes.commands.map(({ command }) => command);
}

const PREFIX = 'hexlens.call.';

export function registerOperations({ contributed, ...deps }: RegisterOperationsDeps): OperationsFeature {
  const store = new DisposableStore();
  let loading: Promise<OperationCommands> | undefined;
  const load = () => {
    loading ??= import('./operationCommands.ts').then(({ createOperationCommands }) =>
      store.add(createOperationCommands(deps)),
    );
    return loading;
  };
  for (const id of contributed)
    if (id.startsWith(PREFIX))
      store.add(
        commands.registerCommand(id, async (given?: unknown) => (await load()).run(id.slice(PREFIX.length), given)),
      );
  store.add(
    commands.registerCommand(commandIds.runOperationJson, async (id?: unknown, given?: unknown) =>
      (await load()).runAsJson(id, given),
    ),
  );
  return { load, dispose: () => store.dispose() };
}
