// Joins all storages to one address book, indexed by address.
import { commands, EventEmitter, l10n, type Memento, window, workspace } from 'vscode';
import { createAddressBookIndex, toAddressBookConfiguration } from '../../addressBook/addressBookIndex.ts';
import {
  emptyChange,
  getAllFolders,
  isEmptyChange,
  isSameEntry,
  upsertEntries,
} from '../../addressBook/addressBookState.ts';
import type { AddressBookStorage, Entry, SavedEntry } from '../../addressBook/entry.ts';
import { getStorageKey } from '../../addressBook/entryIds.ts';
import { isInFolder, moveFolder, normalizeFolder } from '../../addressBook/folders.ts';
import { parseEntry } from '../../addressBook/validateEntry.ts';
import type { AddressBookConfiguration } from '../../api/configuration.ts';
import { DisposableStore } from '../../base/disposable.ts';
import { HexLensError } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import { getWellKnownAddress } from '../../detect/wellKnownAddresses.ts';
import { contextKeys } from '../../manifest/identifiers.ts';
import { showWarningMessage } from '../prompts/messages.ts';
import type { AddressBook, CreateChange, OpenBookStorage, Undoable } from './addressBook.ts';
import { createPersonalStorage, DAMAGED_KEY } from './personalStorage.ts';
import { createWorkspaceStorages } from './workspaceStorage.ts';

export interface OpenAddressBookDeps {
  readonly globalState: Memento;
  readonly log: Log;
}

/** Opens what could not be read as an untitled JSON document, so that the user can recover it. */
async function showDamagedParts(globalState: Memento): Promise<void> {
  const content = JSON.stringify(globalState.get(DAMAGED_KEY), null, 2);
  await commands.executeCommand('workbench.action.files.newUntitledFile', { languageId: 'json' });
  const editor = window.activeTextEditor;
  await editor?.edit(edit => edit.insert(editor.selection.active, content));
}

export function openAddressBook({ globalState, log }: OpenAddressBookDeps): AddressBook {
  const store = new DisposableStore();
  const changed = store.add(new EventEmitter<void>());
  const personal = store.add(
    createPersonalStorage({
      globalState,
      log,
      onDamage: parts => {
        const show = l10n.t('Show');
        const message = l10n.t(
          '{0} parts of your personal address book could not be read. They are stored separately; all other entries are available.',
          parts,
        );
        void showWarningMessage(`HexLens: ${message}`, show).then(choice => {
          if (choice === show) void showDamagedParts(globalState);
        });
      },
    }),
  );
  const workspaceStorages = store.add(createWorkspaceStorages(log));
  /** Entries that a team committed win over personal ones, unless the workspace is not trusted. */
  const getStorages = (): readonly OpenBookStorage[] =>
    workspace.isTrusted ? [...workspaceStorages.all(), personal] : [personal, ...workspaceStorages.all()];
  const createIndex = (storages: readonly (readonly SavedEntry[])[]) =>
    createAddressBookIndex(storages, {
      isWorkspaceTrusted: workspace.isTrusted,
      getWellKnownName: address => getWellKnownAddress(address.slice(2))?.name ?? null,
    });
  let index = createIndex([]);
  let configuration: AddressBookConfiguration = {};
  let configurationText = JSON.stringify(configuration);
  const rebuild = () => {
    index = createIndex(getStorages().map(storage => storage.savedEntries()));
    const next = toAddressBookConfiguration(index.trustedEntries);
    const text = JSON.stringify(next);
    if (text !== configurationText) [configuration, configurationText] = [next, text];
    if (index.entries.length > 0) void commands.executeCommand('setContext', contextKeys.hasSavedAddress, true);
    changed.fire();
  };
  store.add(personal.onDidChange(rebuild));
  store.add(workspaceStorages.onDidChange(rebuild));
  store.add(workspace.onDidGrantWorkspaceTrust(rebuild));

  const findStorage = (wanted: AddressBookStorage): OpenBookStorage => {
    const found = getStorages().find(({ storage }) => getStorageKey(storage) === getStorageKey(wanted));
    if (found === undefined) throw new HexLensError('not-found', l10n.t('This address book is no longer open.'));
    return found;
  };
  const entryNotFound = () => new HexLensError('not-found', l10n.t('This entry is no longer in the address book.'));

  /** The same change in all storages: when one of them cannot be written, none is changed. */
  const changeEach = async (create: CreateChange): Promise<Undoable> => {
    const storages = getStorages();
    for (const storage of storages)
      if (!isEmptyChange(create(storage.state(), storage.savedEntries()))) await storage.ensureWritable();
    const undos: (() => Promise<void>)[] = [];
    const undo = async () => {
      for (const one of undos.splice(0).reverse()) await one();
    };
    try {
      // Each is read again first: another window may have stored in it what is to be changed.
      for (const storage of storages) undos.push(await storage.change(create));
    } catch (error) {
      await undo();
      throw error;
    }
    return { undo };
  };
  const createUpdates =
    (ids: ReadonlySet<string>, change: (entry: SavedEntry) => Partial<Entry>): CreateChange =>
    (_, saved) => ({
      ...emptyChange,
      updates: new Map(
        saved.flatMap((entry, index) => {
          if (!ids.has(entry.id)) return [];
          const updated = parseEntry({ ...entry, ...change(entry), address: entry.address });
          return isSameEntry(entry, updated) ? [] : [[index, updated]];
        }),
      ),
    });

  return {
    ready: async () => void (await Promise.all(getStorages().map(({ ready }) => ready))),
    entries: () => index.entries,
    trustedEntries: () => index.trustedEntries,
    findByAddress: address => index.getByAddress(address),
    getName: (address, chain) => index.getName(address, chain),
    async add(entries, storage) {
      const validEntries = entries.map(parseEntry);
      const target = findStorage(storage);
      await target.change(state => upsertEntries(state, validEntries));
      const added = new Set(validEntries.map(({ address }) => address));
      return target.savedEntries().filter(({ address }) => added.has(address));
    },
    async addWithUndo(entries, storage, replaced) {
      const validEntries = entries.map(parseEntry);
      return { undo: await findStorage(storage).change(state => upsertEntries(state, validEntries, replaced)) };
    },
    async update(id, change) {
      const before = index.getById(id);
      if (before === undefined) throw entryNotFound();
      const target = findStorage(before.storage);
      await target.change(createUpdates(new Set([id]), () => change));
      const after = target.savedEntries().find(entry => entry.id === id);
      if (after === undefined) throw entryNotFound();
      return after;
    },
    updateEach: (ids, change) => changeEach(createUpdates(new Set(ids), change)),
    async remove(ids) {
      const wanted = new Set(ids);
      return changeEach((_, saved) => ({
        ...emptyChange,
        removals: new Set(saved.flatMap(({ id }, index) => (wanted.has(id) ? [index] : []))),
      }));
    },
    folders: () => getAllFolders(getStorages().map(storage => storage.state())),
    async addFolder(folder) {
      const added = normalizeFolder(folder);
      if (added === '') throw new HexLensError('bad-input', l10n.t('Enter a folder name.'));
      await personal.change(({ folders }) =>
        folders.includes(added) ? emptyChange : { ...emptyChange, folders: [...folders, added] },
      );
    },
    async moveFolder(from, to) {
      const source = normalizeFolder(from);
      if (source === '') throw new HexLensError('bad-input', l10n.t('Specify a folder.'));
      const hasEntries = (storage: OpenBookStorage) =>
        storage.state().entries.some(({ folder }) => isInFolder(folder, source));
      if (to === null && getStorages().some(hasEntries))
        throw new HexLensError('bad-input', l10n.t('The folder {0} is not empty.', source));
      const target = to === null ? null : normalizeFolder(to);
      if (target !== null && target !== source && isInFolder(target, source))
        throw new HexLensError('bad-input', l10n.t('A folder cannot be moved into itself.'));
      const toMoved = (folder: string) => (target === null ? folder : moveFolder(folder, source, target));
      await changeEach(({ entries, folders }) => {
        const updates = new Map<number, Entry>();
        for (const [index, entry] of entries.entries())
          if (target !== source && isInFolder(entry.folder, source))
            updates.set(index, { ...entry, folder: toMoved(entry.folder) });
        const remaining =
          target === null ? folders.filter(folder => !isInFolder(folder, source)) : folders.map(toMoved);
        const next = [...new Set(remaining)].filter(folder => folder !== '');
        const isSame = next.length === folders.length && next.every((folder, index) => folder === folders[index]);
        return { ...emptyChange, updates, folders: isSame ? null : next };
      });
    },
    storages: () => [personal.storage, ...workspaceStorages.all().map(({ storage }) => storage)],
    configuration: () => configuration,
    onDidChange: changed.event,
    dispose: () => store.dispose(),
  } satisfies AddressBook & { entries(): readonly SavedEntry[] };
}
