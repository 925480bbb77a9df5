// Commands of the address book, and saved names as inlay hints behind addresses.
import { commands, EventEmitter, l10n, languages } from 'vscode';
import { type Disposable, DisposableStore, disposable } from '../../base/disposable.ts';
import { formatFault, isFault } from '../../base/errors.ts';
import { commandIds } from '../../manifest/commands.ts';
import type { FeatureDeps } from '../featureDeps.ts';
import { showErrorMessage } from '../prompts/showMessage.ts';
import type { AddressBookCommands } from './addressBookCommands.ts';

export type RegisterAddressBookDeps = Pick<FeatureDeps, 'book' | 'worker' | 'settings' | 'abis' | 'log'>;

/** Nothing is registered or loaded while the setting is off. */
function registerInlayHints({ book, settings, worker }: RegisterAddressBookDeps): Disposable {
  const store = new DisposableStore();
  let provider = new DisposableStore();
  const register = () => {
    provider.dispose();
    provider = new DisposableStore();
    if (!settings.current().inlayHints.enabled) return;
    const changed = provider.add(new EventEmitter<void>());
    provider.add(book.onDidChange(() => changed.fire()));
    provider.add(worker.onDidChangeEnsNames(() => changed.fire()));
    provider.add(
      languages.registerInlayHintsProvider('*', {
        onDidChangeInlayHints: changed.event,
        async provideInlayHints(document, range, token) {
          const [{ createInlayHints }] = await Promise.all([import('./inlayHints.ts'), book.ready()]);
          return token.isCancellationRequested ? [] : createInlayHints(document, range, book, worker.ensNames);
        },
      }),
    );
  };
  register();
  store.add(settings.onDidChange(register));
  store.add(disposable(() => provider.dispose()));
  return store;
}

export function registerAddressBook(deps: RegisterAddressBookDeps): Disposable {
  const store = new DisposableStore();
  const load = async () => {
    const [{ AddressBookCommands }] = await Promise.all([import('./addressBookCommands.ts'), deps.book.ready()]);
    return new AddressBookCommands(deps);
  };
  const add = (name: keyof AddressBookCommands & keyof typeof commandIds) =>
    store.add(
      commands.registerCommand(commandIds[name], async (...args: unknown[]) => {
        try {
          return await (await load())[name](...args);
        } catch (error) {
          if (isFault(error, 'cancelled')) return undefined;
          deps.log.warn(`${name}: ${formatFault(error)}`);
          void showErrorMessage(l10n.t('HexLens: {0}', formatFault(error)));
          return undefined;
        }
      }),
    );
  add('saveAddress');
  add('saveAddressUnderCursor');
  add('editAddress');
  add('removeAddresses');
  add('importAddresses');
  add('importFolder');
  add('exportAddresses');
  store.add(registerInlayHints(deps));
  return store;
}
