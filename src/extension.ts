// Entry point of the VS Code extension.
import { type ExtensionContext, l10n } from 'vscode';
import { setTranslations } from './base/localize.ts';
import { createAbiProvider } from './extension/abi/abiProvider.ts';
import { createLazyAddressBook } from './extension/addressBook/lazyAddressBook.ts';
import { createApiKeys } from './extension/apiKeys/apiKeys.ts';
import { createNamedSecrets } from './extension/apiKeys/namedSecrets.ts';
import { createUrlSecrets } from './extension/apiKeys/urlSecrets.ts';
import { createLogChannel } from './extension/logChannel.ts';
import { registerFeatures } from './extension/registerFeatures.ts';
import { createSettingsSource } from './extension/settings/settingsSource.ts';
import { createWorkerClient } from './extension/worker/workerClient.ts';

export function activate(context: ExtensionContext): void {
  const started = performance.now();
  const { extensionPath, globalState, globalStorageUri, subscriptions } = context;
  setTranslations(l10n.bundle);
  const log = createLogChannel();
  const settings = createSettingsSource();
  const secrets = createNamedSecrets(context.secrets);
  const keys = createApiKeys(secrets);
  const urlSecrets = createUrlSecrets(secrets);
  const abis = createAbiProvider({ settings, log });
  globalState.setKeysForSync(['hexlens.book']);
  const book = createLazyAddressBook({ globalState, log });
  const worker = createWorkerClient({
    extensionPath,
    dataFolder: globalStorageUri.fsPath,
    settings,
    keys,
    secrets: urlSecrets,
    book,
    log,
  });
  subscriptions.push(log, settings, book, worker, abis);
  subscriptions.push(registerFeatures({ context, log, settings, keys, secrets: urlSecrets, abis, book, worker }));
  performance.measure('hexlens/activate', { start: started, end: performance.now() });
}
