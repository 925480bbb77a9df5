// The address book before its first need: empty, a few hundred bytes, and ready to be read.
import { EventEmitter, type Memento, Uri, workspace } from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import { cancelledFault } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import type { AddressBook } from './addressBook.ts';

const nothing = { labels: {}, marks: {} };

export interface LazyAddressBookDeps {
  readonly globalState: Memento;
  readonly log: Log;
}

export function createLazyAddressBook(deps: LazyAddressBookDeps): AddressBook {
  const store = new DisposableStore();
  const changed = store.add(new EventEmitter<void>());
  let open: AddressBook | undefined;
  let opening: Promise<AddressBook> | undefined;
  const load = (): Promise<AddressBook> => {
    opening ??= import('./openAddressBook.ts').then(async ({ openBook: openAddressBook }) => {
      const book = store.add(openAddressBook(deps));
      if (store.disposed) throw cancelledFault();
      store.add(book.onDidChange(() => changed.fire()));
      await book.ready();
      open = book;
      changed.fire();
      return book;
    });
    return opening;
  };
  // A committed book is read as soon as it is there: what is wrong with it belongs into Problems, and names into hovers.
  const watcher = store.add(
    workspace.createFileSystemWatcher('**/{.hexlens,.hexlens/addresses.json}', false, true, true),
  );
  store.add(watcher.onDidCreate(() => void load()));
  for (const { uri } of workspace.workspaceFolders ?? [])
    workspace.fs.stat(Uri.joinPath(uri, '.hexlens', 'addresses.json')).then(
      () => void load(),
      () => {}, // there is none
    );
  return {
    ready: async () => (await load()).ready(),
    entries: () => open?.entries() ?? [],
    findByAddress: address => open?.findByAddress(address) ?? [],
    getName: (address, chain) => open?.getName(address, chain) ?? null,
    add: async (entries, place) => (await load()).add(entries, place),
    addWithUndo: async (entries, place) => (await load()).addWithUndo(entries, place),
    update: async (id, change) => (await load()).update(id, change),
    remove: async ids => (await load()).remove(ids),
    folders: () => open?.folders() ?? [],
    addFolder: async folder => (await load()).addFolder(folder),
    moveFolder: async (from, to) => (await load()).moveFolder(from, to),
    storages: () => open?.storages() ?? [{ kind: 'personal' }],
    configuration: () => open?.configuration() ?? nothing,
    onDidChange: changed.event,
    dispose: () => store.dispose(),
  };
}
