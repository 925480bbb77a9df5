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
import { Owner } from '../../base/disposable.ts';
import { HexLensError } from '../../base/errors.ts';
import { getWellKnownAddress } from '../../detect/wellKnownAddresses.ts';
import { contextKeys } from '../../manifest/identifiers.ts';
import { showWarningMessage } from '../prompts/showMessage.ts';
import type { Undoable } from './offerUndo.ts';
import { DAMAGED_KEY, PersonalStorage, type PersonalStorageDeps } from './personalStorage.ts';
import type { CreateChange, QueuedStorage } from './queuedStorage.ts';
import { createWorkspaceStorages, type WorkspaceStorages } from './workspaceStorage.ts';

export type OpenAddressBookDeps = Pick<PersonalStorageDeps, 'globalState' | 'log'>;

/** Opens what could not be read as an untitled JSON document, so that the user can recover it. */
async function showDamagedParts(globalState: Memento): Promise<void> {
  const content = JSON.stringify(globalState.get(DAMAGED_KEY), null, 2);
  await commands.executeCommand('workbench.action.files.newUntitledFile', { languageId: 'json' });
  const editor = window.activeTextEditor;
  await editor?.edit(edit => edit.insert(editor.selection.active, content));
}

const createIndex = (storages: readonly (readonly SavedEntry[])[]) =>
  createAddressBookIndex(storages, {
    isWorkspaceTrusted: workspace.isTrusted,
    getWellKnownName: address => getWellKnownAddress(address.slice(2))?.name ?? null,
  });

const entryNotFound = () => new HexLensError('not-found', l10n.t('This entry is no longer in the address book.'));

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

/** Moves the entries and empty folders of a folder; `target` is `null` for an empty one that is removed. */
const createFolderMove =
  (source: string, target: string | null): CreateChange =>
  ({ entries, folders }) => {
    const toMoved = (folder: string) => (target === null ? folder : moveFolder(folder, source, target));
    const updates = new Map<number, Entry>();
    for (const [index, entry] of entries.entries())
      if (target !== source && isInFolder(entry.folder, source))
        updates.set(index, { ...entry, folder: toMoved(entry.folder) });
    const remaining = target === null ? folders.filter(folder => !isInFolder(folder, source)) : folders.map(toMoved);
    const next = [...new Set(remaining)].filter(folder => folder !== '');
    const isSame = next.length === folders.length && next.every((folder, index) => folder === folders[index]);
    return { ...emptyChange, updates, folders: isSame ? null : next };
  };

function reportDamage(parts: number, globalState: Memento): void {
  const show = l10n.t('Show');
  const message = l10n.t(
    '{0} parts of your personal address book could not be read. They are stored separately; all other entries are available.',
    parts,
  );
  void showWarningMessage(`HexLens: ${message}`, show).then(choice => {
    if (choice === show) void showDamagedParts(globalState);
  });
}

export class OpenAddressBook extends Owner {
  readonly #changed = this.store.add(new EventEmitter<void>());
  readonly #personal: QueuedStorage;
  /** One of each folder of the workspace. */
  readonly #workspaceStorages: WorkspaceStorages;
  /** The entries of all storages, by address. */
  #index = createIndex([]);
  /** The same object until something in it changes, which its JSON tells. */
  #configuration: AddressBookConfiguration = {};
  #configurationText = JSON.stringify(this.#configuration);
  readonly onDidChange = this.#changed.event;

  constructor({ globalState, log }: OpenAddressBookDeps) {
    super();
    const onDamage = (parts: number) => reportDamage(parts, globalState);
    this.#personal = this.store.add(new PersonalStorage({ globalState, log, onDamage }));
    this.#workspaceStorages = this.store.add(createWorkspaceStorages(log));
    this.store.add(this.#personal.onDidChange(() => this.#rebuild()));
    this.store.add(this.#workspaceStorages.onDidChange(() => this.#rebuild()));
    this.store.add(workspace.onDidGrantWorkspaceTrust(() => this.#rebuild()));
  }

  /**
   * Resolves when all storages have been read; until then the book is empty. Reading starts at first need: await this
   * before using entries, or listen to `onDidChange` when rendering.
   */
  readonly ready = async (): Promise<void> => void (await Promise.all(this.#getStorages().map(({ ready }) => ready)));
  /** Of all storages, in the order in which they were saved; the same array until something changes. */
  readonly entries = (): readonly SavedEntry[] => this.#index.entries;
  /** Those whose names may be shown without saying where they are stored: without the ones of a workspace that is not trusted. */
  readonly trustedEntries = (): readonly SavedEntry[] => this.#index.trustedEntries;
  /** Accepts upper and lower case and, for Aptos, short addresses. Entries of a trusted workspace come first. */
  readonly findByAddress = (address: string): readonly SavedEntry[] => this.#index.getByAddress(address);
  /**
   * The name to show for an address on a chain (canonical selector; any chain when absent); `null` when no trusted entry has
   * one. A name of the workspace is shown behind the well-known name, if there is one.
   */
  readonly getName = (address: string, chain?: string): string | null => this.#index.getName(address, chain);
  /** Includes empty folders that the user created. */
  readonly folders = (): readonly string[] => getAllFolders(this.#getStorages().map(storage => storage.state()));
  /** Where new entries can be stored: personal, then each workspace folder. */
  readonly storages = (): readonly AddressBookStorage[] =>
    [this.#personal, ...this.#workspaceStorages.all()].map(({ storage }) => storage);
  /** Labels and trust for the service; only of the personal storage in an untrusted workspace. The same object until it changes. */
  readonly configuration = (): AddressBookConfiguration => this.#configuration;

  /**
   * An entry of that storage with the same address is updated when both share a chain (no chains means all); otherwise
   * a second entry is added. Resolves with the saved entries; rejects with `bad-input` naming the invalid field.
   */
  async add(entries: readonly Entry[], storage: AddressBookStorage): Promise<readonly SavedEntry[]> {
    const validEntries = entries.map(parseEntry);
    const target = this.#findStorage(storage);
    await target.change(state => upsertEntries(state, validEntries));
    const added = new Set(validEntries.map(({ address }) => address));
    return target.savedEntries().filter(({ address }) => added.has(address));
  }

  /** Each in place of the entry of `replaced` at the same position, where there is one. */
  async addWithUndo(
    entries: readonly Entry[],
    storage: AddressBookStorage,
    replaced?: readonly (Entry | null)[],
  ): Promise<Undoable> {
    const validEntries = entries.map(parseEntry);
    return { undo: await this.#findStorage(storage).change(state => upsertEntries(state, validEntries, replaced)) };
  }

  async update(id: string, change: Partial<Omit<Entry, 'address'>>): Promise<SavedEntry> {
    const before = this.#index.getById(id);
    if (before === undefined) throw entryNotFound();
    const target = this.#findStorage(before.storage);
    await target.change(createUpdates(new Set([id]), () => change));
    const after = target.savedEntries().find(entry => entry.id === id);
    if (after === undefined) throw entryNotFound();
    return after;
  }

  /** Changes the entries with these ids, and no others of the same address; nothing when one of them cannot be changed. */
  updateEach(
    ids: readonly string[],
    change: (entry: SavedEntry) => Partial<Omit<Entry, 'address'>>,
  ): Promise<Undoable> {
    return this.#changeEach(createUpdates(new Set(ids), change));
  }

  /** Removes nothing when one of the entries cannot be removed. */
  async remove(ids: readonly string[]): Promise<Undoable> {
    const wanted = new Set(ids);
    return this.#changeEach((_, saved) => ({
      ...emptyChange,
      removals: new Set(saved.flatMap(({ id }, index) => (wanted.has(id) ? [index] : []))),
    }));
  }

  async addFolder(folder: string): Promise<void> {
    const added = normalizeFolder(folder);
    if (added === '') throw new HexLensError('bad-input', l10n.t('Enter a folder name.'));
    await this.#personal.change(({ folders }) =>
      folders.includes(added) ? emptyChange : { ...emptyChange, folders: [...folders, added] },
    );
  }

  /** Renames or moves a folder with its contents; removes an empty one when `to` is `null`. */
  async moveFolder(from: string, to: string | null): Promise<void> {
    const source = normalizeFolder(from);
    if (source === '') throw new HexLensError('bad-input', l10n.t('Specify a folder.'));
    const hasEntries = (storage: QueuedStorage) =>
      storage.state().entries.some(({ folder }) => isInFolder(folder, source));
    if (to === null && this.#getStorages().some(hasEntries))
      throw new HexLensError('bad-input', l10n.t('The folder {0} is not empty.', source));
    const target = to === null ? null : normalizeFolder(to);
    if (target !== null && target !== source && isInFolder(target, source))
      throw new HexLensError('bad-input', l10n.t('A folder cannot be moved into itself.'));
    await this.#changeEach(createFolderMove(source, target));
  }

  /** Entries that a team committed win over personal ones, unless the workspace is not trusted. */
  #getStorages(): readonly QueuedStorage[] {
    return workspace.isTrusted
      ? [...this.#workspaceStorages.all(), this.#personal]
      : [this.#personal, ...this.#workspaceStorages.all()];
  }

  #rebuild(): void {
    this.#index = createIndex(this.#getStorages().map(storage => storage.savedEntries()));
    const next = toAddressBookConfiguration(this.#index.trustedEntries);
    const text = JSON.stringify(next);
    if (text !== this.#configurationText) [this.#configuration, this.#configurationText] = [next, text];
    if (this.#index.entries.length > 0) void commands.executeCommand('setContext', contextKeys.hasSavedAddress, true);
    this.#changed.fire();
  }

  #findStorage(wanted: AddressBookStorage): QueuedStorage {
    const found = this.#getStorages().find(({ storage }) => getStorageKey(storage) === getStorageKey(wanted));
    if (found === undefined) throw new HexLensError('not-found', l10n.t('This address book is no longer open.'));
    return found;
  }

  /** The same change in all storages: when one of them cannot be written, none is changed. */
  async #changeEach(create: CreateChange): Promise<Undoable> {
    const storages = this.#getStorages();
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
  }
}
