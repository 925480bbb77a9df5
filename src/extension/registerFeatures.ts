import { commands, type ExtensionContext } from 'vscode';
import { type Disposable, DisposableStore } from '../base/disposable.ts';
import { contextKeys } from '../manifest/identifiers.ts';
import type { AbiProvider } from './abi/abiProvider.ts';
import type { AddressBook } from './addressBook/addressBook.ts';
import { registerAddressBook } from './addressBook/registerAddressBook.ts';
import type { ApiKeys } from './apiKeys/apiKeys.ts';
import { registerApiKeys } from './apiKeys/registerApiKeys.ts';
import type { UrlSecrets } from './apiKeys/urlSecrets.ts';
import { registerChecksums } from './checksums/registerChecksums.ts';
import { registerCommands } from './commands/registerCommands.ts';
import { registerDefinitions } from './definitions/registerDefinitions.ts';
import { registerHovers } from './hover/registerHovers.ts';
import { registerHttpService } from './http/registerHttpService.ts';
import { registerInspector } from './inspector/registerInspector.ts';
import { registerLinks } from './links/registerLinks.ts';
import type { LogChannel } from './logChannel.ts';
import { registerLookUp } from './lookUp/registerLookUp.ts';
import { registerMcpServer } from './mcp/registerMcpServer.ts';
import { registerNodeCommands } from './nodes/registerNodeCommands.ts';
import { getContributedCommands, registerOperations } from './operations/registerOperations.ts';
import type { Platform } from './platform.ts';
import { registerBackgroundFeatures } from './registerBackgroundFeatures.ts';
import { registerSample } from './sample/registerSample.ts';
import type { SettingsSource } from './settings/settingsSource.ts';
import { registerSidebar } from './sidebar/registerSidebar.ts';
import { registerSiwe } from './siwe/registerSiwe.ts';
import { registerSource } from './source/registerSource.ts';
import { registerIndexingProgress } from './status/registerIndexingProgress.ts';
import { registerLanguageModelTools } from './tools/registerLanguageModelTools.ts';
import { registerUriHandler } from './uris/registerUriHandler.ts';
import type { WorkerClient } from './worker/workerClient.ts';

export interface FeatureDeps {
  readonly context: ExtensionContext;
  readonly platform: Platform;
  readonly log: LogChannel;
  readonly settings: SettingsSource;
  readonly keys: ApiKeys;
  readonly secrets: UrlSecrets;
  readonly abis: AbiProvider;
  readonly book: AddressBook;
  readonly worker: WorkerClient;
}

export function registerFeatures({
  context,
  platform,
  log,
  settings,
  keys,
  secrets,
  abis,
  book,
  worker,
}: FeatureDeps): Disposable {
  const { extension, extensionUri, globalState, workspaceState } = context;
  const store = new DisposableStore();
  if (platform.isBrowser) void commands.executeCommand('setContext', contextKeys.inBrowser, true);
  const contributed = getContributedCommands(extension.packageJSON);
  const operations = store.add(registerOperations({ worker, settings, book, abis, workspaceState, contributed }));
  const { load } = operations;
  store.add(registerLookUp({ worker, settings, book, workspaceState, abis, operations: load }));
  store.add(registerCommands({ extension, platform, log, worker, settings }));
  store.add(registerApiKeys({ keys, settings, secrets }));
  store.add(registerHovers({ settings, worker, book, log, abis, workspaceState }));
  store.add(registerDefinitions({ settings, worker, book, abis }));
  store.add(registerSample(context));
  store.add(registerSource({ worker, abis, workspaceState }));
  store.add(registerAddressBook({ book, worker, settings, abis, log }));
  store.add(registerSiwe({ worker, settings, log }));
  store.add(registerChecksums({ platform, settings, log }));
  store.add(registerLinks({ worker, settings }));
  store.add(registerSidebar({ book, worker, settings, keys, abis, log, globalState, workspaceState }));
  store.add(
    registerInspector({ extensionUri, extensionId: extension.id, worker, settings, abis, book, workspaceState, log }),
  );
  store.add(registerNodeCommands({ worker, settings, secrets }));
  store.add(registerLanguageModelTools({ worker, settings }));
  if (!platform.isBrowser) store.add(registerMcpServer({ context, settings, keys, secrets, book }));
  store.add(registerUriHandler({ operations: load }));
  store.add(registerHttpService({ worker, settings, secrets: context.secrets, log }));
  store.add(registerIndexingProgress({ worker, log }));
  store.add(registerBackgroundFeatures({ worker, settings, secrets, book, log }));
  return store;
}
