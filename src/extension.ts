// Entry point of the VS Code extension: builds the parts and registers the features.
import type { ExtensionContext } from 'vscode';
import { createAbis } from './host/abi/abis.ts';
import { createBackendHost } from './host/backend/backendHost.ts';
import { createBook } from './host/book/createBook.ts';
import { registerBook } from './host/book/registerBook.ts';
import { registerChecksums } from './host/checksums/registerChecksums.ts';
import { registerCommands } from './host/commands/registerCommands.ts';
import { registerHovers } from './host/hover/registerHovers.ts';
import { createKeys } from './host/keys/keys.ts';
import { registerKeys } from './host/keys/registerKeys.ts';
import { registerLinks } from './host/links/registerLinks.ts';
import { createLogChannel } from './host/log/logChannel.ts';
import { registerLookUp } from './host/lookUp/registerLookUp.ts';
import { registerNodeCommands } from './host/nodes/registerNodeCommands.ts';
import { commandsOf, registerOperations } from './host/operations/registerOperations.ts';
import { registerProblems } from './host/settings/registerProblems.ts';
import { createSettings } from './host/settings/settings.ts';
import { registerSidebar } from './host/sidebar/registerSidebar.ts';
import { registerSignIn } from './host/signIn/registerSignIn.ts';
import { registerStatus } from './host/status/registerStatus.ts';
import { registerTools } from './host/tools/registerTools.ts';
import { registerUris } from './host/uris/registerUris.ts';

export function activate(context: ExtensionContext): void {
  const started = performance.now();
  const { extension, extensionPath, globalState, globalStorageUri, secrets, subscriptions, workspaceState } = context;
  const log = createLogChannel();
  const settings = createSettings();
  const keys = createKeys(secrets);
  const abis = createAbis({ settings, log });
  globalState.setKeysForSync(['hexlens.book']);
  const book = createBook({ globalState, log });
  const backend = createBackendHost({ extensionPath, dataFolder: globalStorageUri.fsPath, settings, keys, book, log });
  const contributed = commandsOf(extension.packageJSON);
  const operations = registerOperations({ backend, settings, book, memory: workspaceState, contributed });
  const load = operations.load;
  const lookUp = registerLookUp({ backend, settings, book, memory: workspaceState, operations: load });
  subscriptions.push(
    log,
    settings,
    book,
    backend,
    abis,
    registerProblems({ settings, log }),
    registerCommands({ log, backend, openHere: lookUp.openHere }),
    registerKeys({ keys, configuredOrigins: settings.remoteOrigins }),
    registerHovers({ settings, backend, book, log, abis }),
    registerBook({ book, backend, settings, log }),
    registerSignIn({ backend, settings, log }),
    registerChecksums({ extensionPath, settings, log }),
    registerLinks({ backend, settings }),
    registerStatus({ backend }),
    registerSidebar({ book, backend, settings, keys, log, globalState }),
    operations,
    lookUp,
    registerNodeCommands({ backend, settings }),
    registerTools({ backend, settings }),
    registerUris({ operations: load }),
  );
  performance.measure('hexlens/activate', { start: started, end: performance.now() });
}
