// Builds the parts of the extension and registers its features.
import { type ExtensionContext, l10n } from 'vscode';
import { setTranslations } from '../base/localize.ts';
import { createAbiProvider } from './abi/abiProvider.ts';
import { createLazyAddressBook } from './addressBook/lazyAddressBook.ts';
import { createApiKeys } from './apiKeys/apiKeys.ts';
import { createNamedSecrets } from './apiKeys/namedSecrets.ts';
import { createUrlSecrets } from './apiKeys/urlSecrets.ts';
import { createLogChannel } from './logChannel.ts';
import type { Platform } from './platform.ts';
import { registerFeatures } from './registerFeatures.ts';
import { createSettingsSource } from './settings/settingsSource.ts';
import { WorkerClient } from './worker/workerClient.ts';

export function activateExtension(context: ExtensionContext, platform: Platform): void {
  const started = performance.now();
  const { globalState, subscriptions } = context;
  setTranslations(l10n.bundle);
  const log = createLogChannel();
  const settings = createSettingsSource();
  const secrets = createNamedSecrets(context.secrets);
  const keys = createApiKeys(secrets);
  const urlSecrets = createUrlSecrets(secrets);
  globalState.setKeysForSync(['hexlens.book']);
  const book = createLazyAddressBook({ globalState, log });
  const abis = createAbiProvider({ settings, book, storageUri: context.globalStorageUri, log });
  const worker = new WorkerClient({
    platform,
    settings,
    keys,
    secrets: urlSecrets,
    book,
    log,
  });
  subscriptions.push(log, settings, book, worker, abis);
  subscriptions.push(
    registerFeatures({ context, platform, log, settings, keys, secrets: urlSecrets, abis, book, worker }),
  );
  performance.measure('hexlens/activate', { start: started, end: performance.now() });
}
