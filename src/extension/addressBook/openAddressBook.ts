// The address book: both places as one list, indexed by address. Loaded at first need.
import { commands, EventEmitter, l10n, type Memento, window, workspace } from 'vscode';
import { createBookIndex } from '../../addressBook/addressBookIndex.ts';
import { allFolders, noChange, putEntries } from '../../addressBook/addressBookState.ts';
import { bookConfiguration } from '../../addressBook/bookConfiguration.ts';
import type { BookPlace, Entry, SavedEntry } from '../../addressBook/entry.ts';
import { placeKey } from '../../addressBook/entryIds.ts';
import { folderOf, isWithin, movedFolder } from '../../addressBook/folders.ts';
import { entryOf } from '../../addressBook/validateEntry.ts';
import type { BookConfiguration } from '../../api/configuration.ts';
import { DisposableStore } from '../../base/disposable.ts';
import { HexLensError } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import type { PlaceOfBook } from '../book/place.ts';
import { createWorkspacePlaces } from '../book/workspacePlaces.ts';
import type { Book } from './addressBook.ts';
import { ASIDE_KEY, createPersonalPlace } from './personalStorage.ts';

export interface OpenBookDeps {
  readonly globalState: Memento;
  readonly log: Log;
}

/** What was put aside is the user's: shown as it is, to be mended or thrown away. */
async function showAside(globalState: Memento): Promise<void> {
  const content = JSON.stringify(globalState.get(ASIDE_KEY), null, 2);
  await commands.executeCommand('workbench.action.files.newUntitledFile', { languageId: 'json' });
  const editor = window.activeTextEditor;
  await editor?.edit(edit => edit.insert(editor.selection.active, content));
}

export function openBook({ globalState, log }: OpenBookDeps): Book {
  const store = new DisposableStore();
  const changed = store.add(new EventEmitter<void>());
  const personal = store.add(
    createPersonalPlace({
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
  const committed = store.add(createWorkspacePlaces(log));
  /** What a team agreed on counts first, unless nobody has said yet that this workspace can be trusted. */
  const places = (): readonly PlaceOfBook[] =>
    workspace.isTrusted ? [...committed.all(), personal] : [personal, ...committed.all()];
  let index = createBookIndex([]);
  let forService: BookConfiguration = { labels: {}, marks: {} };
  let forServiceText = JSON.stringify(forService);
  const rebuild = () => {
    index = createBookIndex(places().map(place => place.saved()));
    // Names of a stranger's file are shown for what they are; they do not become what the service says.
    const next = bookConfiguration(workspace.isTrusted ? index.entries : personal.saved());
    const text = JSON.stringify(next);
    if (text !== forServiceText) [forService, forServiceText] = [next, text];
    changed.fire();
  };
  store.add(personal.onDidChange(rebuild));
  store.add(committed.onDidChange(rebuild));
  store.add(workspace.onDidGrantWorkspaceTrust(rebuild));

  const placeOf = (place: BookPlace): PlaceOfBook => {
    const found = places().find(one => placeKey(one.place) === placeKey(place));
    if (found === undefined) throw new HexLensError('not-found', l10n.t('This part of the address book is closed.'));
    return found;
  };
  const gone = () => new HexLensError('not-found', l10n.t('This entry is no longer in the address book.'));

  return {
    ready: async () => void (await Promise.all(places().map(({ ready }) => ready))),
    entries: () => index.entries,
    byAddress: address => index.byAddress(address),
    nameOf: (address, chain) => index.nameOf(address, chain),
    async add(entries, place) {
      const judged = entries.map(entryOf);
      const target = placeOf(place);
      await target.change(shelf => putEntries(shelf, judged));
      const added = new Set(judged.map(({ address }) => address));
      return target.saved().filter(({ address }) => added.has(address));
    },
    async put(entries, place) {
      const judged = entries.map(entryOf);
      return { undo: await placeOf(place).change(shelf => putEntries(shelf, judged)) };
    },
    async update(id, change) {
      const before = index.byId(id);
      if (before === undefined) throw gone();
      const target = placeOf(before.place);
      await target.change((_, saved) => {
        const at = saved.findIndex(entry => entry.id === id);
        const now = saved[at];
        if (now === undefined) throw gone();
        return { ...noChange, updates: new Map([[at, entryOf({ ...now, ...change, address: now.address })]]) };
      });
      const after = target.saved().find(entry => entry.id === id);
      if (after === undefined) throw gone();
      return after;
    },
    async remove(ids) {
      const wanted = new Set(ids);
      const undos: (() => Promise<void>)[] = [];
      for (const place of places()) {
        if (!place.saved().some(({ id }) => wanted.has(id))) continue;
        undos.push(
          await place.change((_, saved) => ({
            ...noChange,
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
    folders: () => allFolders(places().map(place => place.shelf())),
    async addFolder(folder) {
      const wanted = folderOf(folder);
      if (wanted === '') throw new HexLensError('bad-input', l10n.t('Give the folder a name.'));
      await personal.change(({ folders }) =>
        folders.includes(wanted) ? noChange : { ...noChange, folders: [...folders, wanted] },
      );
    },
    async moveFolder(from, to) {
      const source = folderOf(from);
      if (source === '') throw new HexLensError('bad-input', l10n.t('Say which folder.'));
      const holds = (place: PlaceOfBook) => place.shelf().entries.some(({ folder }) => isWithin(folder, source));
      if (to === null && places().some(holds))
        throw new HexLensError('bad-input', l10n.t('The folder {0} is not empty.', source));
      const target = to === null ? null : folderOf(to);
      if (target !== null && target !== source && isWithin(target, source))
        throw new HexLensError('bad-input', l10n.t('A folder cannot be moved into itself.'));
      const moved = (folder: string) => (target === null ? folder : movedFolder(folder, source, target));
      for (const place of places())
        await place.change(({ entries, folders }) => {
          const updates = new Map<number, Entry>();
          for (const [at, entry] of entries.entries())
            if (isWithin(entry.folder, source)) updates.set(at, { ...entry, folder: moved(entry.folder) });
          const kept = target === null ? folders.filter(folder => !isWithin(folder, source)) : folders.map(moved);
          const next = [...new Set(kept)].filter(folder => folder !== '');
          const same = next.length === folders.length && next.every((folder, at) => folder === folders[at]);
          return { ...noChange, updates: target === source ? new Map() : updates, folders: same ? null : next };
        });
    },
    places: () => [personal.place, ...committed.all().map(({ place }) => place)],
    configuration: () => forService,
    onDidChange: changed.event,
    dispose: () => store.dispose(),
  } satisfies Book & { entries(): readonly SavedEntry[] };
}
