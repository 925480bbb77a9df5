// Registers hover providers for all documents: one for the literal itself, one per chain and Aptos network.
import { commands, type Hover, type HoverProvider, l10n, languages, window } from 'vscode';
import { type Disposable, DisposableStore, disposable } from '../../base/disposable.ts';
import { lazy } from '../../base/lazy.ts';
import { commandIds } from '../../manifest/commands.ts';
import type { FeatureDeps } from '../featureDeps.ts';
import { showInformationMessage } from '../prompts/showMessage.ts';
import { registerMissingCode } from '../source/registerMissingCode.ts';
import { registerSourceDeployments } from '../source/registerSourceDeployments.ts';
import type { Hovers } from './hovers.ts';
import { createLookupPermissions } from './lookupPermissions.ts';

export type RegisterHoversDeps = Pick<
  FeatureDeps,
  'settings' | 'worker' | 'book' | 'log' | 'abis' | 'workspaceState' | 'records'
>;

/** Every language and scheme. */
const ALL_DOCUMENTS = '*';

export function registerHovers(deps: RegisterHoversDeps): Disposable {
  const { settings, worker, book, log, abis } = deps;
  const store = new DisposableStore();
  const permissions = createLookupPermissions();
  store.add(registerSourceDeployments({ settings, worker, book, log, abis, permissions }));
  store.add(registerMissingCode({ settings, worker, log, permissions }));
  let providers = new DisposableStore();
  store.add(disposable(() => providers.dispose()));

  const getChains = () => {
    const enabled = settings.current().hover.chains;
    return worker.chains().filter(({ selector }) => enabled === null || enabled.includes(selector));
  };
  // Literal detection, signatures and keccak are a bundle of their own, which a window without hovers never loads.
  const getHovers = lazy(async () => {
    const { Hovers } = await import('./hovers.ts');
    return new Hovers({ ...deps, permissions, getChains });
  });
  const local: HoverProvider = {
    async provideHover(document, position) {
      const [hovers] = await Promise.all([getHovers(), book.ready().catch(() => {})]);
      return hovers.provideLocal(document, position);
    },
  };

  type Provide = (hovers: Hovers, ...at: Parameters<HoverProvider['provideHover']>) => Promise<Hover | null>;
  const createProvider = (provide: Provide): HoverProvider => ({
    provideHover: async (...at) => provide(await getHovers(), ...at),
  });
  // One provider per chain: VS Code shows each result when it arrives, so a slow chain delays no other.
  const createProviders = (): readonly HoverProvider[] => {
    const chains = getChains();
    return [
      local,
      // The second says that the node is slow, while the first still waits for it; the third runs a transaction again.
      ...chains.flatMap(chain =>
        (['provideForChain', 'provideSlow', 'provideStack'] as const).map(method =>
          createProvider((hovers, ...at) => hovers[method](chain, ...at)),
        ),
      ),
      createProvider((hovers, ...at) => hovers.provideNotFound(...at)),
      createProvider((hovers, document, position) => hovers.provideAptosLinks(document, position)),
      ...worker
        .aptosNetworks()
        .flatMap(network =>
          (['summary', 'activity', 'slow'] as const).map(part =>
            createProvider((hovers, ...at) => hovers.provideForAptos(network, part, ...at)),
          ),
        ),
    ];
  };
  const registerProviders = () => {
    providers.dispose();
    providers = new DisposableStore();
    // VS Code shows the provider that was registered last first.
    for (const provider of [...createProviders()].reverse())
      providers.add(languages.registerHoverProvider(ALL_DOCUMENTS, provider));
  };
  registerProviders();
  store.add(settings.onDidChange(registerProviders));

  const allowLookUp = (chain: unknown, text: unknown) => {
    if (typeof chain !== 'string' || typeof text !== 'string') return;
    permissions.allow(chain, text);
    void commands.executeCommand('editor.action.showHover', { focus: 'noAutoFocus' });
  };
  store.add(commands.registerCommand(commandIds.lookUpHash, allowLookUp));
  store.add(commands.registerCommand(commandIds.lookUpAddress, allowLookUp));
  store.add(
    commands.registerCommand(commandIds.cancelHover, async (key: unknown) => (await getHovers()).cancel(String(key))),
  );
  store.add(
    commands.registerCommand(commandIds.copyChecksummedAddress, async () => {
      const editor = window.activeTextEditor;
      const address = editor && (await getHovers()).getChecksummedAddress(editor.document, editor.selection.active);
      if (address) await commands.executeCommand(commandIds.copyText, address);
      else void showInformationMessage(l10n.t('Put the cursor on an address first: 0x and 40 hex digits.'));
    }),
  );
  return store;
}
