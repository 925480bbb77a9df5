// `hexlens.inspect` and panels of an earlier window: the inspector itself is loaded when one is needed.
import { commands, type Uri, window } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Log } from '../../base/log.ts';
import { commandIds } from '../../manifest/commands.ts';
import type { AbiProvider } from '../abi/abiProvider.ts';
import type { AddressBook } from '../addressBook/addressBook.ts';
import type { SettingsSource } from '../settings/settingsSource.ts';
import type { WorkerClient } from '../worker/workerClient.ts';
import type { Inspector } from './inspector.ts';

export interface RegisterInspectorDeps {
  readonly extensionUri: Uri;
  readonly extensionId: string;
  readonly backend: WorkerClient;
  readonly settings: SettingsSource;
  readonly abis: AbiProvider;
  readonly book: AddressBook;
  readonly log: Log;
}

export function registerInspector(deps: RegisterInspectorDeps): Disposable {
  const store = new DisposableStore();
  let loading: Promise<Inspector> | undefined;
  const load = (): Promise<Inspector> => {
    loading ??= import('./inspector.ts').then(({ createInspector }) => store.add(createInspector(deps)));
    return loading;
  };
  store.add(
    commands.registerCommand(commandIds.inspect, async (argument: unknown, where?: unknown) =>
      (await load()).inspect(argument, where === 'side' ? 'side' : 'here'),
    ),
  );
  store.add(
    window.registerWebviewPanelSerializer('hexlens.inspector', {
      deserializeWebviewPanel: async (panel, kept) => (await load()).restore(panel, kept),
    }),
  );
  return store;
}
