// Commands of the address book and the names behind addresses, each loaded when somebody first asks for it.
import { commands, l10n, window } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { formatFault, isFault } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import { commandIds } from '../../manifest/commands.ts';
import { registerInlayHints } from '../book/registerInlayHints.ts';
import type { SettingsSource } from '../settings/settingsSource.ts';
import type { WorkerClient } from '../worker/workerClient.ts';
import type { AddressBook } from './addressBook.ts';

export interface RegisterAddressBookDeps {
  readonly book: AddressBook;
  readonly backend: WorkerClient;
  readonly settings: SettingsSource;
  readonly log: Log;
}

export function registerAddressBook(deps: RegisterAddressBookDeps): Disposable {
  const store = new DisposableStore();
  const load = async () => {
    const [part] = await Promise.all([import('./addressBookCommands.ts'), deps.book.ready()]);
    return part.createAddressBookCommands(deps);
  };
  type Names = keyof Awaited<ReturnType<typeof load>>;
  const add = (name: Names & keyof typeof commandIds) =>
    store.add(
      commands.registerCommand(commandIds[name], async (...args: unknown[]) => {
        try {
          return await (await load())[name](...args);
        } catch (error) {
          if (isFault(error, 'cancelled')) return undefined;
          deps.log.warn(`${name}: ${formatFault(error)}`);
          void window.showErrorMessage(l10n.t('HexLens: {0}', formatFault(error)));
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
