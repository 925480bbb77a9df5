// The committed place of one workspace folder: `.hexlens/addresses.json`, watched, read leniently, edited in place.

import { dirname } from 'node:path/posix';
import { type Event, EventEmitter, l10n, RelativePattern, type Uri, type WorkspaceFolder, workspace } from 'vscode';
import {
  type AddressBookChange,
  applyChange,
  diffStates,
  isEmptyChange,
  revertChange,
} from '../../addressBook/addressBookState.ts';
import { BOOK_FILE_PATH, type BookFile, createBookFileParser } from '../../addressBook/bookFile.ts';
import { editBookFile } from '../../addressBook/editBookFile.ts';
import type { BookStorage, SavedEntry } from '../../addressBook/entry.ts';
import { assignEntryIds } from '../../addressBook/entryIds.ts';
import { systemClock } from '../../base/clock.ts';
import { type Disposable, DisposableStore, disposable } from '../../base/disposable.ts';
import { HexLensError } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import type { OpenBookStorage } from './addressBook.ts';
import { createAddressBookDiagnostics } from './addressBookDiagnostics.ts';
import {
  type AddressBookText,
  findOpenDocument,
  getAddressBookUri,
  MISSING_FILE,
  readAddressBookText,
  writeAddressBookText,
} from './addressBookText.ts';
import { createTurns } from './turns.ts';

export interface WorkspaceStorageDeps {
  readonly folder: WorkspaceFolder;
  readonly log: Log;
  /** Told whenever the file was read: what is wrong with it, `null` when there is none. */
  readonly onRead: (uri: Uri, text: string, file: BookFile | null) => void;
}

/** While somebody types in the file, it is read when the keys rest. */
const TYPING_MS = 250;
/** Checksums; a few milliseconds of hashing. */
const CHECKED_AT_ONCE = 100;
const nextTurn = () => new Promise(resolve => setImmediate(resolve));

export function createWorkspaceStorage({ folder, log, onRead }: WorkspaceStorageDeps): OpenBookStorage {
  const store = new DisposableStore();
  const changed = store.add(new EventEmitter<void>());
  const place: BookStorage = { kind: 'workspace', folder: folder.uri.toString() };
  const uri = getAddressBookUri(folder.uri);
  const turns = createTurns();
  let text: AddressBookText = MISSING_FILE;
  const reader = createBookFileParser();
  let file: BookFile = reader.parse('');
  let saved: readonly SavedEntry[] = [];

  const take = (now: AddressBookText) => {
    const first = !text.exists && !now.exists;
    if (!first && now.text === text.text && now.exists === text.exists && now.problem === text.problem) return;
    text = now;
    file = now.problem ?? reader.parse(now.text);
    saved = assignEntryIds(file.state.entries, place, saved);
    if (file.readOnlyReason !== null) log.warn(`Address book of ${folder.name}: ${file.readOnlyReason}`);
    onRead(uri, now.text, now.exists ? file : null);
    changed.fire();
    if (now.problem === null) void checkChecksums(now);
  };
  /** A few at a time: thousands of hashes would hold up whoever waits for the names, and the whole extension host. */
  const checkChecksums = async (read: AddressBookText) => {
    const goes = () => !store.disposed && text === read;
    let [left, again] = [1, false];
    for (; left > 0; await nextTurn()) {
      if (!goes()) return;
      const checked = reader.verifyChecksums(CHECKED_AT_ONCE);
      left = checked.left;
      again ||= checked.again;
    }
    if (!again || !goes()) return;
    file = reader.parse(read.text);
    onRead(uri, read.text, file);
  };
  const read = async () => {
    if (!store.disposed) take(await readAddressBookText(uri));
  };
  const ready = turns.next(read).catch(error => log.warn(`Address book of ${folder.name}: ${String(error)}`));
  const again = () =>
    void turns.next(read).catch(error => log.warn(`Address book of ${folder.name}: ${String(error)}`));

  const write = async (change: AddressBookChange) => {
    const after = editBookFile(text.text, change, reader.parse);
    await writeAddressBookText(uri, text, after);
    take(await readAddressBookText(uri));
  };
  const writable = () => {
    if (file.readOnlyReason === null) return;
    throw new HexLensError('bad-input', l10n.t('{0} of {1} was not changed.', BOOK_FILE_PATH, folder.name), {
      fix: file.readOnlyReason,
    });
  };

  // Its folder too: a file that comes or goes together with it is told as one event, of the folder.
  const pattern = new RelativePattern(folder, `{${dirname(BOOK_FILE_PATH)},${BOOK_FILE_PATH}}`);
  const watcher = store.add(workspace.createFileSystemWatcher(pattern));
  for (const event of [watcher.onDidChange, watcher.onDidCreate, watcher.onDidDelete]) store.add(event(again));
  const here = (other: Uri) => other.toString() === uri.toString();
  let typing = new AbortController();
  store.add(disposable(() => typing.abort()));
  store.add(
    workspace.onDidChangeTextDocument(({ document }) => {
      if (!here(document.uri)) return;
      typing.abort();
      typing = new AbortController();
      systemClock.sleep(TYPING_MS, typing.signal).then(again, () => {});
    }),
  );
  // What was typed and not saved is gone with the editor.
  store.add(workspace.onDidCloseTextDocument(document => here(document.uri) && again()));

  return {
    storage: place,
    ready,
    state: () => file.state,
    savedEntries: () => saved,
    change: make =>
      turns.next(async () => {
        await read();
        writable();
        const before = file.state;
        const old = text.text;
        const change = make(before, saved);
        if (isEmptyChange(change)) return async () => {};
        await write(change);
        const [after, now] = [applyChange(before, change), text.text];
        return () =>
          turns.next(async () => {
            await read();
            writable();
            // Nothing has happened since: the very text from before, comments and all.
            if (text.text === now) await writeAddressBookText(uri, text, old);
            else await write(diffStates(file.state, revertChange(before, after, file.state)));
            await read();
          });
      }),
    onDidChange: changed.event,
    dispose: () => {
      store.dispose();
      if (findOpenDocument(uri) === undefined) onRead(uri, '', null);
    },
  };
}

// The committed places: one for each workspace folder, coming and going with them.
export interface WorkspaceStorages extends Disposable {
  /** In the order of the folders. */
  all(): readonly OpenBookStorage[];
  readonly onDidChange: Event<void>;
}

export function createWorkspaceStorages(log: Log): WorkspaceStorages {
  const store = new DisposableStore();
  const changed = store.add(new EventEmitter<void>());
  const problems = store.add(createAddressBookDiagnostics());
  let places = new Map<string, OpenBookStorage>();
  const update = () => {
    const next = new Map<string, OpenBookStorage>();
    for (const folder of workspace.workspaceFolders ?? []) {
      const key = folder.uri.toString();
      const known = places.get(key);
      if (known !== undefined) next.set(key, known);
      else {
        const onRead = problems.report;
        const place = createWorkspaceStorage({ folder, log, onRead });
        place.onDidChange(() => changed.fire());
        next.set(key, place);
      }
    }
    for (const [key, place] of places) if (!next.has(key)) place.dispose();
    places = next;
  };
  update();
  store.add(
    workspace.onDidChangeWorkspaceFolders(() => {
      update();
      changed.fire();
    }),
  );
  return {
    all: () => [...places.values()],
    onDidChange: changed.event,
    dispose() {
      for (const place of places.values()) place.dispose();
      store.dispose();
    },
  };
}
