// Entry point of the VS Code extension: builds the parts and registers the features.
import type { ExtensionContext } from 'vscode';
import { createAbis } from './host/abi/abis.ts';
import { createBackendHost } from './host/backend/backendHost.ts';
import { registerChecksums } from './host/checksums/registerChecksums.ts';
import { registerCommands } from './host/commands/registerCommands.ts';
import { registerHovers } from './host/hover/registerHovers.ts';
import { registerHttp } from './host/http/registerHttp.ts';
import { createKeys } from './host/keys/keys.ts';
import { registerKeys } from './host/keys/registerKeys.ts';
import { registerLinks } from './host/links/registerLinks.ts';
import { createLogChannel } from './host/log/logChannel.ts';
import { registerProblems } from './host/settings/registerProblems.ts';
import { createSettings } from './host/settings/settings.ts';
import { registerSignIn } from './host/signIn/registerSignIn.ts';
import { registerStatus } from './host/status/registerStatus.ts';

export function activate({ extensionPath, globalStorageUri, secrets, subscriptions }: ExtensionContext): void {
  const started = performance.now();
  const log = createLogChannel();
  const settings = createSettings();
  const keys = createKeys(secrets);
  const backend = createBackendHost({ extensionPath, dataFolder: globalStorageUri.fsPath, settings, keys, log });
  const abis = createAbis({ settings, log });
  subscriptions.push(
    log,
    settings,
    backend,
    abis,
    registerProblems({ settings, log }),
    registerCommands({ log, backend }),
    registerKeys({ keys, configuredOrigins: settings.remoteOrigins }),
    registerHovers({ settings, backend, log, abis }),
    registerSignIn({ backend, settings, log }),
    registerChecksums({ extensionPath, settings, log }),
    registerLinks({ backend, settings }),
    registerStatus({ backend }),
    registerHttp({ backend, settings, secrets, log }),
  );
  performance.measure('hexlens/activate', { start: started, end: performance.now() });
}
