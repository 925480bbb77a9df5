// Hovers in every language and scheme: one provider for what a literal says by itself, one per chain.
import { commands, type HoverProvider, l10n, languages, window } from 'vscode';
import { type Disposable, DisposableStore, disposable } from '../../base/disposable.ts';
import type { Log } from '../../base/log.ts';
import { commandIds } from '../../manifest/commands.ts';
import type { AbiProvider } from '../abi/abiProvider.ts';
import type { AddressBook } from '../addressBook/addressBook.ts';
import type { SettingsSource } from '../settings/settingsSource.ts';
import type { WorkerClient } from '../worker/workerClient.ts';
import type { Hovers } from './hovers.ts';
import { createLookupPermissions } from './lookupPermissions.ts';

export interface RegisterHoversDeps {
  readonly settings: SettingsSource;
  readonly backend: WorkerClient;
  readonly book: AddressBook;
  readonly log: Log;
  readonly abis: AbiProvider;
}

/** Every language, every scheme: the plain string form of a selector asks for nothing else. */
const EVERYWHERE = '*';

export function registerHovers({ settings, backend, book, log, abis }: RegisterHoversDeps): Disposable {
  const store = new DisposableStore();
  const permissions = createLookupPermissions();
  let providers = new DisposableStore();
  store.add(disposable(() => providers.dispose()));

  // The classifier, the signatures and keccak are a bundle of their own: a window without a hover never loads it.
  let loading: Promise<Hovers> | undefined;
  const load = (): Promise<Hovers> => {
    loading ??= import('./hovers.ts').then(({ createHovers }) =>
      createHovers({ settings, backend, book, log, permissions, abis }),
    );
    return loading;
  };
  const local: HoverProvider = {
    async provideHover(document, position) {
      const [hovers] = await Promise.all([load(), book.ready().catch(() => {})]);
      return hovers.provideLocal(document, position);
    },
  };

  // One provider per chain: VS Code shows each answer when it arrives, and a slow chain keeps no other back.
  const inTheirOrder = (): readonly HoverProvider[] => {
    const wanted = settings.current().hover.chains;
    const chains = backend.chains().filter(({ selector }) => wanted === null || wanted.includes(selector));
    return [
      local,
      ...chains.map(
        (chain): HoverProvider => ({
          provideHover: async (document, position, token) =>
            (await load()).provideForChain(chain, document, position, token),
        }),
      ),
      ...backend.aptosNetworks().flatMap(network =>
        (['summary', 'activity'] as const).map(
          (part): HoverProvider => ({
            provideHover: async (document, position, token) =>
              (await load()).provideForAptos(network, part, document, position, token),
          }),
        ),
      ),
    ];
  };
  const registerProviders = () => {
    providers.dispose();
    providers = new DisposableStore();
    // VS Code shows the one that was registered last first.
    for (const provider of [...inTheirOrder()].reverse())
      providers.add(languages.registerHoverProvider(EVERYWHERE, provider));
  };
  registerProviders();
  store.add(settings.onDidChange(registerProviders));

  const lookUp = (chain: unknown, text: unknown) => {
    if (typeof chain !== 'string' || typeof text !== 'string') return;
    permissions.allow(chain, text);
    void commands.executeCommand('editor.action.showHover', { focus: 'noAutoFocus' });
  };
  store.add(commands.registerCommand(commandIds.lookUpHash, lookUp));
  store.add(commands.registerCommand(commandIds.lookUpAddress, lookUp));
  store.add(
    commands.registerCommand(commandIds.copyChecksummedAddress, async () => {
      const editor = window.activeTextEditor;
      const address = editor && (await load()).getChecksummedAddress(editor.document, editor.selection.active);
      if (address) await commands.executeCommand(commandIds.copyText, address);
      else void window.showInformationMessage(l10n.t('Put the cursor on an address first: 0x and 40 hex digits.'));
    }),
  );
  return store;
}
