// Entry point of the VS Code extension: builds the parts and registers the features.
import { type ExtensionContext, l10n } from 'vscode';
import { setTexts } from './base/localize.ts';
import { createAbis } from './extension/abi/abiProvider.ts';
import { createBook } from './extension/addressBook/lazyAddressBook.ts';
import { createKeys } from './extension/apiKeys/apiKeys.ts';
import { createLogChannel } from './extension/logChannel.ts';
import { registerFeatures } from './extension/registerFeatures.ts';
import { createSettings } from './extension/settings/settingsSource.ts';
import { createBackendHost } from './extension/worker/workerClient.ts';

export function activate(context: ExtensionContext): void {
  const started = performance.now();
  const { extensionPath, globalState, globalStorageUri, secrets, subscriptions } = context;
  setTexts(l10n.bundle);
  const log = createLogChannel();
  const settings = createSettings();
  const keys = createKeys(secrets);
  const abis = createAbis({ settings, log });
  globalState.setKeysForSync(['hexlens.book']);
  const book = createBook({ globalState, log });
  const backend = createBackendHost({ extensionPath, dataFolder: globalStorageUri.fsPath, settings, keys, book, log });
  subscriptions.push(log, settings, book, backend, abis);
  subscriptions.push(registerFeatures({ context, log, settings, keys, abis, book, backend }));
  performance.measure('hexlens/activate', { start: started, end: performance.now() });
}
