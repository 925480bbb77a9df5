import { commands, type ExtensionContext } from 'vscode';
import { type Disposable, DisposableStore, disposable } from '../base/disposable.ts';
import { createCancelledFault } from '../base/errors.ts';
import { lazy } from '../base/lazy.ts';
import { commandIds } from '../manifest/commands.ts';
import { contextKeys } from '../manifest/identifiers.ts';
import { registerAddressBook } from './addressBook/registerAddressBook.ts';
import { registerApiKeys } from './apiKeys/registerApiKeys.ts';
import type { BackgroundFeaturesDeps } from './backgroundFeatures.ts';
import { registerChecksums } from './checksums/registerChecksums.ts';
import { registerCommands } from './commands/registerCommands.ts';
import { registerDebug } from './debug/registerDebug.ts';
import { registerDefinitions } from './definitions/registerDefinitions.ts';
import type { FeatureDeps } from './featureDeps.ts';
import { registerHovers } from './hover/registerHovers.ts';
import { registerHttpService } from './http/registerHttpService.ts';
import { registerInspector } from './inspector/registerInspector.ts';
import { registerLinks } from './links/registerLinks.ts';
import type { LogChannel } from './logChannel.ts';
import { registerLookUp } from './lookUp/registerLookUp.ts';
import { registerMcpServer } from './mcp/registerMcpServer.ts';
import { registerNodeCommands } from './nodes/registerNodeCommands.ts';
import { getContributedCommands, registerOperations } from './operations/registerOperations.ts';
import { registerSample } from './sample/registerSample.ts';
import { registerSidebar } from './sidebar/registerSidebar.ts';
import { registerSiwe } from './siwe/registerSiwe.ts';
import { registerSource } from './source/registerSource.ts';
import { registerIndexingProgress } from './status/registerIndexingProgress.ts';
import { registerLanguageModelTools } from './tools/registerLanguageModelTools.ts';
import { registerUriHandler } from './uris/registerUriHandler.ts';

/** Also because the first request starts the worker, which would slow down the start of the window. */
const LOAD_DELAY_MS = 1_000;

function registerBackgroundFeatures(deps: BackgroundFeaturesDeps): Disposable {
  const store = new DisposableStore();
  const load = lazy(async () => {
    const { createBackgroundFeatures } = await import('./backgroundFeatures.ts');
    if (store.disposed) throw createCancelledFault();
    return store.add(createBackgroundFeatures(deps));
  });
  const timer = setTimeout(
    () =>
      load().catch(error => !store.disposed && deps.log.error(`The status bar could not be loaded: ${String(error)}`)),
    LOAD_DELAY_MS,
  );
  store.add(disposable(() => clearTimeout(timer)));
  for (const name of ['showStatus', 'storeUrlSecret'] as const)
    store.add(commands.registerCommand(commandIds[name], async (...args: unknown[]) => (await load())[name](...args)));
  return store;
}

export interface RegisterFeaturesDeps extends Omit<FeatureDeps, 'log' | 'globalState' | 'workspaceState'> {
  readonly context: ExtensionContext;
  readonly log: LogChannel;
}

const toFeatureDeps = ({ context, ...parts }: RegisterFeaturesDeps) => {
  const { globalState, workspaceState } = context;
  return { ...parts, globalState, workspaceState };
};

/** What is reached by commands, by links and by other programs, and what works in the background. */
function registerCommandFeatures(parts: RegisterFeaturesDeps): Disposable {
  const { context, platform } = parts;
  const { extension } = context;
  const { isBrowser } = platform;
  const deps = toFeatureDeps(parts);
  const store = new DisposableStore();
  if (isBrowser) void commands.executeCommand('setContext', contextKeys.inBrowser, true);
  const contributed = getContributedCommands(extension.packageJSON);
  const { load } = store.add(registerOperations({ ...deps, contributed }));
  store.add(registerLookUp({ ...deps, operations: load }));
  store.add(registerCommands({ ...deps, extension }));
  store.add(registerApiKeys(deps));
  store.add(registerSample(context, deps.log));
  store.add(registerNodeCommands(deps));
  store.add(registerLanguageModelTools(deps));
  if (!isBrowser) store.add(registerMcpServer({ ...deps, context }));
  store.add(registerUriHandler({ operations: load }));
  store.add(registerHttpService({ ...deps, secrets: context.secrets }));
  store.add(registerIndexingProgress(deps));
  store.add(registerBackgroundFeatures(deps));
  return store;
}

/** What else is in editors, views and pages. */
function registerEditorFeatures(parts: RegisterFeaturesDeps): Disposable {
  const { extension, extensionUri } = parts.context;
  const deps = toFeatureDeps(parts);
  const store = new DisposableStore();
  store.add(registerDefinitions(deps));
  store.add(registerSource(deps));
  store.add(registerDebug(deps));
  store.add(registerAddressBook(deps));
  store.add(registerSiwe(deps));
  store.add(registerChecksums(deps));
  store.add(registerLinks(deps));
  store.add(registerSidebar(deps));
  store.add(registerInspector({ ...deps, extensionUri, extensionId: extension.id }));
  return store;
}

/** Registered one after the other, each in a turn of the event loop of its own. Hovers parse the nodes of the settings. */
export const featureGroups: readonly ((parts: RegisterFeaturesDeps) => Disposable)[] = [
  registerCommandFeatures,
  parts => registerHovers(toFeatureDeps(parts)),
  registerEditorFeatures,
];
