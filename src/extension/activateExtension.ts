// Builds the parts of the extension and registers its features.
import { type ExtensionContext, l10n } from 'vscode';
import { DisposableStore } from '../base/disposable.ts';
import { setTranslations } from '../base/localize.ts';
import { yieldToEventLoop } from '../base/yieldToEventLoop.ts';
import { createAbiProvider } from './abi/abiProvider.ts';
import { createLazyAddressBook } from './addressBook/lazyAddressBook.ts';
import { createApiKeys } from './apiKeys/apiKeys.ts';
import { createNamedSecrets } from './apiKeys/namedSecrets.ts';
import { createUrlSecrets } from './apiKeys/urlSecrets.ts';
import { createLogChannel } from './logChannel.ts';
import type { Platform } from './platform.ts';
import { featureGroups } from './registerFeatures.ts';
import { createSettingsSource } from './settings/settingsSource.ts';
import { HashRecords } from './source/hashRecords.ts';
import { WorkerClient } from './worker/workerClient.ts';

/**
 * Registers the features in several turns of the event loop, so that other extensions do not wait for all of it. VS Code
 * waits for the end before it runs a command or shows a view.
 */
export async function activateExtension(context: ExtensionContext, platform: Platform): Promise<void> {
  let start = performance.now();
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
  const records = new HashRecords(log);
  subscriptions.push(log, settings, book, worker, abis, records);
  const deps = { context, platform, log, settings, keys, secrets: urlSecrets, abis, book, worker, records };
  const features = new DisposableStore();
  subscriptions.push(features);
  for (const register of featureGroups) {
    if (features.disposed) return;
    features.add(register(deps));
    performance.measure('hexlens/activate', { start, end: performance.now() });
    await yieldToEventLoop();
    start = performance.now();
  }
}
