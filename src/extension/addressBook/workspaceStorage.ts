// The storages of the workspace folders: each a watched `.hexlens/addresses.json`, edited in place.
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
import type { AddressBookStorage, SavedEntry } from '../../addressBook/entry.ts';
import { assignEntryIds } from '../../addressBook/entryIds.ts';
import { systemClock } from '../../base/clock.ts';
import { type Disposable, DisposableStore, disposable } from '../../base/disposable.ts';
import { HexLensError } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import { SerialQueue } from '../../base/serialQueue.ts';
import { yieldToEventLoop } from '../../base/yieldToEventLoop.ts';
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

export interface WorkspaceStorageDeps {
  readonly folder: WorkspaceFolder;
  readonly log: Log;
  /** Called whenever the file has been read; `file` is `null` when it does not exist. */
  readonly onRead: (uri: Uri, text: string, file: BookFile | null) => void;
}

/** Pause in typing after which the file is read again. */
const TYPING_PAUSE_MS = 250;
/** A few milliseconds of hashing. */
const CHECKSUMS_PER_STEP = 100;

function createWorkspaceStorage({ folder, log, onRead }: WorkspaceStorageDeps): OpenBookStorage {
  const store = new DisposableStore();
  const changed = store.add(new EventEmitter<void>());
  const storage: AddressBookStorage = { kind: 'workspace', folder: folder.uri.toString() };
  const uri = getAddressBookUri(folder.uri);
  const queue = new SerialQueue();
  let text: AddressBookText = MISSING_FILE;
  const parser = createBookFileParser();
  let file: BookFile = parser.parse('');
  let saved: readonly SavedEntry[] = [];

  const updateText = async (now: AddressBookText) => {
    const isMissing = !text.exists && !now.exists;
    if (!isMissing && now.text === text.text && now.exists === text.exists && now.problem === text.problem) return;
    const parsed = now.problem ?? (await parser.parseInSlices(now.text, yieldToEventLoop));
    if (store.disposed) return;
    [text, file] = [now, parsed];
    saved = assignEntryIds(file.state.entries, storage, saved);
    if (file.readOnlyReason !== null) log.warn(`Address book of ${folder.name}: ${file.readOnlyReason}`);
    onRead(uri, now.text, now.exists ? file : null);
    changed.fire();
    if (now.problem === null) void checkChecksums(now);
  };
  /** In small steps: thousands of hashes at once would block the extension host. */
  const checkChecksums = async (checkedText: AddressBookText) => {
    const isCurrent = () => !store.disposed && text === checkedText;
    let [left, foundWrong] = [1, false];
    for (; left > 0; await yieldToEventLoop()) {
      if (!isCurrent()) return;
      const checked = parser.verifyChecksums(CHECKSUMS_PER_STEP);
      left = checked.left;
      foundWrong ||= checked.again;
    }
    if (!foundWrong || !isCurrent()) return;
    const parsed = await parser.parseInSlices(checkedText.text, yieldToEventLoop);
    if (!isCurrent()) return;
    file = parsed;
    onRead(uri, checkedText.text, file);
  };
  const read = async () => {
    if (!store.disposed) await updateText(await readAddressBookText(uri));
  };
  const readInTurn = () => queue.run(read).catch(error => log.warn(`Address book of ${folder.name}: ${String(error)}`));
  const ready = readInTurn();
  const reread = () => void readInTurn();

  const write = async (change: AddressBookChange) => {
    const after = editBookFile(text.text, change, parser.parse);
    await writeAddressBookText(uri, text, after);
    await updateText(await readAddressBookText(uri));
  };
  const ensureWritable = () => {
    if (file.readOnlyReason === null) return;
    throw new HexLensError('bad-input', l10n.t('{0} of {1} was not changed.', BOOK_FILE_PATH, folder.name), {
      fix: file.readOnlyReason,
    });
  };

  // The folder too: creating or deleting it together with the file is one event, of the folder.
  const pattern = new RelativePattern(
    folder,
    `{${BOOK_FILE_PATH.slice(0, BOOK_FILE_PATH.lastIndexOf('/'))},${BOOK_FILE_PATH}}`,
  );
  const watcher = store.add(workspace.createFileSystemWatcher(pattern));
  for (const event of [watcher.onDidChange, watcher.onDidCreate, watcher.onDidDelete]) store.add(event(reread));
  const isThisFile = (other: Uri) => other.toString() === uri.toString();
  let typing = new AbortController();
  store.add(disposable(() => typing.abort()));
  store.add(
    workspace.onDidChangeTextDocument(({ document }) => {
      if (!isThisFile(document.uri)) return;
      typing.abort();
      typing = new AbortController();
      systemClock.sleep(TYPING_PAUSE_MS, typing.signal).then(reread, () => {});
    }),
  );
  // Closing the editor discards unsaved changes.
  store.add(workspace.onDidCloseTextDocument(document => isThisFile(document.uri) && reread()));

  return {
    storage,
    ready,
    state: () => file.state,
    savedEntries: () => saved,
    change: create =>
      queue.run(async () => {
        await read();
        const before = file.state;
        const textBefore = text.text;
        const change = create(before, saved);
        if (isEmptyChange(change)) return async () => {};
        ensureWritable();
        await write(change);
        const [after, textAfter] = [applyChange(before, change), text.text];
        return () =>
          queue.run(async () => {
            await read();
            ensureWritable();
            // Unchanged since: restores the exact text from before, comments included.
            if (text.text === textAfter) await writeAddressBookText(uri, text, textBefore);
            else await write(diffStates(file.state, revertChange(before, after, file.state)));
            await read();
          });
      }),
    ensureWritable: () =>
      queue.run(async () => {
        await read();
        ensureWritable();
      }),
    onDidChange: changed.event,
    dispose: () => {
      store.dispose();
      if (findOpenDocument(uri) === undefined) onRead(uri, '', null);
    },
  };
}

/** One storage per workspace folder, opened and closed with it. */
export interface WorkspaceStorages extends Disposable {
  /** In the order of the folders. */
  all(): readonly OpenBookStorage[];
  readonly onDidChange: Event<void>;
}

export function createWorkspaceStorages(log: Log): WorkspaceStorages {
  const store = new DisposableStore();
  const changed = store.add(new EventEmitter<void>());
  const diagnostics = store.add(createAddressBookDiagnostics());
  let storages = new Map<string, OpenBookStorage>();
  const update = () => {
    const next = new Map<string, OpenBookStorage>();
    for (const folder of workspace.workspaceFolders ?? []) {
      const key = folder.uri.toString();
      const existing = storages.get(key);
      if (existing !== undefined) next.set(key, existing);
      else {
        const storage = createWorkspaceStorage({ folder, log, onRead: diagnostics.report });
        storage.onDidChange(() => changed.fire());
        next.set(key, storage);
      }
    }
    for (const [key, storage] of storages) if (!next.has(key)) storage.dispose();
    storages = next;
  };
  update();
  store.add(
    workspace.onDidChangeWorkspaceFolders(() => {
      update();
      changed.fire();
    }),
  );
  return {
    all: () => [...storages.values()],
    onDidChange: changed.event,
    dispose() {
      for (const storage of storages.values()) storage.dispose();
      store.dispose();
    },
  };
}
