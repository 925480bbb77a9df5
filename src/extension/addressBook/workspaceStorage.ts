// The committed place of one workspace folder: `.hexlens/addresses.json`, watched, read leniently, edited in place.
import { dirname } from 'node:path/posix';
import { EventEmitter, l10n, RelativePattern, type Uri, type WorkspaceFolder, workspace } from 'vscode';
import { changedShelf, changeTo, isNoChange, type ShelfChange } from '../../addressBook/addressBookState.ts';
import { BOOK_FILE, type BookFile, createBookFileReader } from '../../addressBook/bookFile.ts';
import { editBookFile } from '../../addressBook/editBookFile.ts';
import type { BookPlace, SavedEntry } from '../../addressBook/entry.ts';
import { withIds } from '../../addressBook/entryIds.ts';
import { putBack } from '../../addressBook/revertChange.ts';
import { systemClock } from '../../base/clock.ts';
import { DisposableStore, disposable } from '../../base/disposable.ts';
import { HexLensError } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import type { PlaceOfBook } from '../book/place.ts';
import { type BookText, bookUri, noText, openDocument, readBookText, writeBookText } from './addressBookText.ts';
import { createTurns } from './turns.ts';

export interface WorkspaceDeps {
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

export function createWorkspacePlace({ folder, log, onRead }: WorkspaceDeps): PlaceOfBook {
  const store = new DisposableStore();
  const changed = store.add(new EventEmitter<void>());
  const place: BookPlace = { kind: 'workspace', folder: folder.uri.toString() };
  const uri = bookUri(folder.uri);
  const turns = createTurns();
  let text: BookText = noText;
  const reader = createBookFileReader();
  let file: BookFile = reader.read('');
  let saved: readonly SavedEntry[] = [];

  const take = (now: BookText) => {
    const first = !text.exists && !now.exists;
    if (!first && now.text === text.text && now.exists === text.exists && now.problem === text.problem) return;
    text = now;
    file = now.problem ?? reader.read(now.text);
    saved = withIds(file.shelf.entries, place, saved);
    if (file.locked !== null) log.warn(`Address book of ${folder.name}: ${file.locked}`);
    onRead(uri, now.text, now.exists ? file : null);
    changed.fire();
    if (now.problem === null) void checkChecksums(now);
  };
  /** A few at a time: thousands of hashes would hold up whoever waits for the names, and the whole extension host. */
  const checkChecksums = async (read: BookText) => {
    const goes = () => !store.disposed && text === read;
    let [left, again] = [1, false];
    for (; left > 0; await nextTurn()) {
      if (!goes()) return;
      const checked = reader.check(CHECKED_AT_ONCE);
      left = checked.left;
      again ||= checked.again;
    }
    if (!again || !goes()) return;
    file = reader.read(read.text);
    onRead(uri, read.text, file);
  };
  const read = async () => {
    if (!store.disposed) take(await readBookText(uri));
  };
  const ready = turns.next(read).catch(error => log.warn(`Address book of ${folder.name}: ${String(error)}`));
  const again = () =>
    void turns.next(read).catch(error => log.warn(`Address book of ${folder.name}: ${String(error)}`));

  const write = async (change: ShelfChange) => {
    const after = editBookFile(text.text, change, reader.read);
    await writeBookText(uri, text, after);
    take(await readBookText(uri));
  };
  const writable = () => {
    if (file.locked === null) return;
    throw new HexLensError('bad-input', l10n.t('{0} of {1} was not changed.', BOOK_FILE, folder.name), {
      fix: file.locked,
    });
  };

  // Its folder too: a file that comes or goes together with it is told as one event, of the folder.
  const pattern = new RelativePattern(folder, `{${dirname(BOOK_FILE)},${BOOK_FILE}}`);
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
    place,
    ready,
    shelf: () => file.shelf,
    saved: () => saved,
    change: make =>
      turns.next(async () => {
        await read();
        writable();
        const before = file.shelf;
        const old = text.text;
        const change = make(before, saved);
        if (isNoChange(change)) return async () => {};
        await write(change);
        const [after, now] = [changedShelf(before, change), text.text];
        return () =>
          turns.next(async () => {
            await read();
            writable();
            // Nothing has happened since: the very text from before, comments and all.
            if (text.text === now) await writeBookText(uri, text, old);
            else await write(changeTo(file.shelf, putBack(before, after, file.shelf)));
            await read();
          });
      }),
    onDidChange: changed.event,
    dispose: () => {
      store.dispose();
      if (openDocument(uri) === undefined) onRead(uri, '', null);
    },
  };
}
