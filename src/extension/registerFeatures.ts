// Every feature of the editor, registered over the same parts.
import type { ExtensionContext } from 'vscode';
import { type Disposable, DisposableStore } from '../base/disposable.ts';
import type { Abis } from './abi/abiProvider.ts';
import type { Book } from './addressBook/addressBook.ts';
import { registerBook } from './addressBook/registerAddressBook.ts';
import type { Keys } from './apiKeys/apiKeys.ts';
import { registerKeys } from './apiKeys/registerApiKeys.ts';
import { registerChecksums } from './checksums/registerChecksums.ts';
import { registerCommands } from './commands/registerCommands.ts';
import { registerHovers } from './hover/registerHovers.ts';
import { registerHttp } from './http/registerHttpService.ts';
import { registerInspector } from './inspector/registerInspector.ts';
import { registerLinks } from './links/registerLinks.ts';
import type { LogChannel } from './logChannel.ts';
import { registerLookUp } from './lookUp/registerLookUp.ts';
import { registerNodeCommands } from './nodes/registerNodeCommands.ts';
import { commandsOf, registerOperations } from './operations/registerOperations.ts';
import { registerProblems } from './settings/registerSettingProblems.ts';
import type { SettingsSource } from './settings/settingsSource.ts';
import { registerSidebar } from './sidebar/registerSidebar.ts';
import { registerSignIn } from './siwe/registerSiwe.ts';
import { registerStatus } from './status/registerStatus.ts';
import { registerTools } from './tools/registerLanguageModelTools.ts';
import { registerUris } from './uris/registerUriHandler.ts';
import type { BackendHost } from './worker/workerClient.ts';

export interface Parts {
  readonly context: ExtensionContext;
  readonly log: LogChannel;
  readonly settings: SettingsSource;
  readonly keys: Keys;
  readonly abis: Abis;
  readonly book: Book;
  readonly backend: BackendHost;
}

export function registerFeatures({ context, log, settings, keys, abis, book, backend }: Parts): Disposable {
  const { extension, extensionPath, extensionUri, globalState, workspaceState: memory } = context;
  const store = new DisposableStore();
  const contributed = commandsOf(extension.packageJSON);
  const operations = store.add(registerOperations({ backend, settings, book, memory, contributed }));
  const { load } = operations;
  const lookUp = store.add(registerLookUp({ backend, settings, book, memory, operations: load }));
  store.add(registerProblems({ settings, log }));
  store.add(registerCommands({ log, backend, openHere: lookUp.openHere }));
  store.add(registerKeys({ keys, configuredOrigins: settings.remoteOrigins }));
  store.add(registerHovers({ settings, backend, book, log, abis }));
  store.add(registerBook({ book, backend, settings, log }));
  store.add(registerSignIn({ backend, settings, log }));
  store.add(registerChecksums({ extensionPath, settings, log }));
  store.add(registerLinks({ backend, settings }));
  store.add(registerStatus({ backend }));
  store.add(registerSidebar({ book, backend, settings, keys, log, globalState }));
  store.add(registerInspector({ extensionUri, extensionId: extension.id, backend, settings, abis, book, log }));
  store.add(registerNodeCommands({ backend, settings }));
  store.add(registerTools({ backend, settings }));
  store.add(registerUris({ operations: load }));
  store.add(registerHttp({ backend, settings, secrets: context.secrets, log }));
  return store;
}
