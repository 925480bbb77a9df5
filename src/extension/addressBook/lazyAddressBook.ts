// An address book that is empty until its code is loaded and its storages are read.
import { EventEmitter } from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import { createCancelledFault } from '../../base/errors.ts';
import { lazy } from '../../base/lazy.ts';
import type { FeatureDeps } from '../featureDeps.ts';
import type { AddressBook } from './addressBook.ts';

const emptyConfiguration = {};

export type LazyAddressBookDeps = Pick<FeatureDeps, 'globalState' | 'log'>;

export function createLazyAddressBook(deps: LazyAddressBookDeps): AddressBook {
  const store = new DisposableStore();
  const changed = store.add(new EventEmitter<void>());
  let open: AddressBook | undefined;
  const load = lazy(async (): Promise<AddressBook> => {
    const { OpenAddressBook } = await import('./openAddressBook.ts');
    const book = store.add(new OpenAddressBook(deps));
    if (store.disposed) throw createCancelledFault();
    store.add(book.onDidChange(() => changed.fire()));
    await book.ready();
    open = book;
    changed.fire();
    return book;
  });
  return {
    ready: async () => (await load()).ready(),
    entries: () => open?.entries() ?? [],
    trustedEntries: () => open?.trustedEntries() ?? [],
    findByAddress: address => open?.findByAddress(address) ?? [],
    getName: (address, chain) => open?.getName(address, chain) ?? null,
    add: async (entries, storage) => (await load()).add(entries, storage),
    addWithUndo: async (...args) => (await load()).addWithUndo(...args),
    update: async (id, change) => (await load()).update(id, change),
    updateEach: async (ids, change) => (await load()).updateEach(ids, change),
    remove: async ids => (await load()).remove(ids),
    folders: () => open?.folders() ?? [],
    addFolder: async folder => (await load()).addFolder(folder),
    moveFolder: async (from, to) => (await load()).moveFolder(from, to),
    storages: () => open?.storages() ?? [{ kind: 'personal' }],
    configuration: () => open?.configuration() ?? emptyConfiguration,
    onDidChange: changed.event,
    dispose: () => store.dispose(),
  };
}
