// The address book: both places as one list, indexed by address. Loaded at first need.
import { commands, EventEmitter, l10n, type Memento, window, workspace } from 'vscode';
import { createAddressBookIndex, toBookConfiguration } from '../../addressBook/addressBookIndex.ts';
import { emptyChange, getAllFolders, upsertEntries } from '../../addressBook/addressBookState.ts';
import type { BookStorage, Entry, SavedEntry } from '../../addressBook/entry.ts';
import { getStorageKey } from '../../addressBook/entryIds.ts';
import { isInFolder, moveFolder, normalizeFolder } from '../../addressBook/folders.ts';
import { parseEntry } from '../../addressBook/validateEntry.ts';
import type { AddressBookConfiguration } from '../../api/configuration.ts';
import { DisposableStore } from '../../base/disposable.ts';
import { HexLensError } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import type { AddressBook, OpenBookStorage } from './addressBook.ts';
import { createPersonalStorage, DAMAGED_KEY } from './personalStorage.ts';
import { createWorkspaceStorages } from './workspaceStorage.ts';

export interface OpenAddressBookDeps {
  readonly globalState: Memento;
  readonly log: Log;
}

/** What was put aside is the user's: shown as it is, to be mended or thrown away. */
async function showAside(globalState: Memento): Promise<void> {
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
        const show = l10n.t('Show Them');
        const said = l10n.t(
          'Some of your personal address book could not be read ({0} parts). They were put aside; the rest works.',
          parts,
        );
        void window.showWarningMessage(`HexLens: ${said}`, show).then(choice => {
          if (choice === show) void showAside(globalState);
        });
      },
    }),
  );
  const committed = store.add(createWorkspaceStorages(log));
  /** What a team agreed on counts first, unless nobody has said yet that this workspace can be trusted. */
  const places = (): readonly OpenBookStorage[] =>
    workspace.isTrusted ? [...committed.all(), personal] : [personal, ...committed.all()];
  let index = createAddressBookIndex([]);
  let forService: AddressBookConfiguration = { labels: {}, trust: {} };
  let forServiceText = JSON.stringify(forService);
  const rebuild = () => {
    index = createAddressBookIndex(places().map(place => place.savedEntries()));
    // Names of a stranger's file are shown for what they are; they do not become what the service says.
    const next = toBookConfiguration(workspace.isTrusted ? index.entries : personal.savedEntries());
    const text = JSON.stringify(next);
    if (text !== forServiceText) [forService, forServiceText] = [next, text];
    changed.fire();
  };
  store.add(personal.onDidChange(rebuild));
  store.add(committed.onDidChange(rebuild));
  store.add(workspace.onDidGrantWorkspaceTrust(rebuild));

  const placeOf = (place: BookStorage): OpenBookStorage => {
    const found = places().find(one => getStorageKey(one.storage) === getStorageKey(place));
    if (found === undefined) throw new HexLensError('not-found', l10n.t('This part of the address book is closed.'));
    return found;
  };
  const gone = () => new HexLensError('not-found', l10n.t('This entry is no longer in the address book.'));

  return {
    ready: async () => void (await Promise.all(places().map(({ ready }) => ready))),
    entries: () => index.entries,
    findByAddress: address => index.byAddress(address),
    getName: (address, chain) => index.getName(address, chain),
    async add(entries, place) {
      const judged = entries.map(parseEntry);
      const target = placeOf(place);
      await target.change(shelf => upsertEntries(shelf, judged));
      const added = new Set(judged.map(({ address }) => address));
      return target.savedEntries().filter(({ address }) => added.has(address));
    },
    async addWithUndo(entries, place) {
      const judged = entries.map(parseEntry);
      return { undo: await placeOf(place).change(shelf => upsertEntries(shelf, judged)) };
    },
    async update(id, change) {
      const before = index.byId(id);
      if (before === undefined) throw gone();
      const target = placeOf(before.storage);
      await target.change((_, saved) => {
        const at = saved.findIndex(entry => entry.id === id);
        const now = saved[at];
        if (now === undefined) throw gone();
        return { ...emptyChange, updates: new Map([[at, parseEntry({ ...now, ...change, address: now.address })]]) };
      });
      const after = target.savedEntries().find(entry => entry.id === id);
      if (after === undefined) throw gone();
      return after;
    },
    async remove(ids) {
      const wanted = new Set(ids);
      const undos: (() => Promise<void>)[] = [];
      for (const place of places()) {
        if (!place.savedEntries().some(({ id }) => wanted.has(id))) continue;
        undos.push(
          await place.change((_, saved) => ({
            ...emptyChange,
            removals: new Set(saved.flatMap(({ id }, at) => (wanted.has(id) ? [at] : []))),
          })),
        );
      }
      return {
        async undo() {
          for (const undo of undos.splice(0).reverse()) await undo();
        },
      };
    },
    folders: () => getAllFolders(places().map(place => place.state())),
    async addFolder(folder) {
      const wanted = normalizeFolder(folder);
      if (wanted === '') throw new HexLensError('bad-input', l10n.t('Give the folder a name.'));
      await personal.change(({ folders }) =>
        folders.includes(wanted) ? emptyChange : { ...emptyChange, folders: [...folders, wanted] },
      );
    },
    async moveFolder(from, to) {
      const source = normalizeFolder(from);
      if (source === '') throw new HexLensError('bad-input', l10n.t('Say which folder.'));
      const holds = (place: OpenBookStorage) => place.state().entries.some(({ folder }) => isInFolder(folder, source));
      if (to === null && places().some(holds))
        throw new HexLensError('bad-input', l10n.t('The folder {0} is not empty.', source));
      const target = to === null ? null : normalizeFolder(to);
      if (target !== null && target !== source && isInFolder(target, source))
        throw new HexLensError('bad-input', l10n.t('A folder cannot be moved into itself.'));
      const moved = (folder: string) => (target === null ? folder : moveFolder(folder, source, target));
      for (const place of places())
        await place.change(({ entries, folders }) => {
          const updates = new Map<number, Entry>();
          for (const [at, entry] of entries.entries())
            if (isInFolder(entry.folder, source)) updates.set(at, { ...entry, folder: moved(entry.folder) });
          const kept = target === null ? folders.filter(folder => !isInFolder(folder, source)) : folders.map(moved);
          const next = [...new Set(kept)].filter(folder => folder !== '');
          const same = next.length === folders.length && next.every((folder, at) => folder === folders[at]);
          return { ...emptyChange, updates: target === source ? new Map() : updates, folders: same ? null : next };
        });
    },
    storages: () => [personal.storage, ...committed.all().map(({ storage: place }) => place)],
    configuration: () => forService,
    onDidChange: changed.event,
    dispose: () => store.dispose(),
  } satisfies AddressBook & { entries(): readonly SavedEntry[] };
}
