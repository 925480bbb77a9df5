// The storages of the workspace folders: each a watched `.hexlens/addresses.json`, edited in place.
import {
  DiagnosticSeverity,
  type Event,
  EventEmitter,
  extensions,
  l10n,
  languages,
  Range,
  RelativePattern,
  type Uri,
  type WorkspaceFolder,
  window,
  workspace,
} from 'vscode';
import {
  type AddressBookChange,
  type AddressBookState,
  applyChange,
  diffStates,
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
import { createPositionLookup } from '../../base/textDiff.ts';
import { yieldToEventLoop } from '../../base/yieldToEventLoop.ts';
import { toDiagnostic } from '../editor/documentProblems.ts';
import { hasOpenTab } from '../editor/hasOpenTab.ts';
import {
  type AddressBookText,
  findOpenDocument,
  getAddressBookUri,
  MISSING_FILE,
  readAddressBookText,
  writeAddressBookText,
} from './addressBookText.ts';
import { QueuedStorage } from './queuedStorage.ts';

interface ReportedFile {
  readonly uri: Uri;
  readonly text: string;
  readonly file: BookFile;
}

/** VS Code's JSON support reports what the schema says, but only for open files. */
const isSchemaReported = (uri: Uri): boolean =>
  hasOpenTab(uri) && extensions.getExtension('vscode.json-language-features')?.isActive === true;

function createAddressBookDiagnostics() {
  const store = new DisposableStore();
  const collection = store.add(languages.createDiagnosticCollection('hexlens.book'));
  const files = new Map<string, ReportedFile>();

  const publish = ({ uri, text, file }: ReportedFile) => {
    const skipSchemaIssues = isSchemaReported(uri);
    const positionAt = createPositionLookup(text);
    const diagnostics = file.issues
      .filter(({ isInSchema }) => !(isInSchema && skipSchemaIssues))
      .map(({ offset, length, message, severity }) => {
        const [start, end] = [positionAt(offset), positionAt(offset + length)];
        const range = new Range(start.line, start.character, end.line, end.character);
        const level = severity === 'error' ? DiagnosticSeverity.Error : DiagnosticSeverity.Warning;
        return toDiagnostic({ range, message, severity: level });
      });
    collection.set(uri, diagnostics);
  };
  store.add(
    window.tabGroups.onDidChangeTabs(({ opened, closed }) => {
      if (opened.length + closed.length > 0) for (const reported of files.values()) publish(reported);
    }),
  );

  return {
    /** `file` is `null` when the file does not exist any more. */
    report(uri: Uri, text: string, file: BookFile | null) {
      if (file === null) {
        files.delete(uri.toString());
        collection.delete(uri);
        return;
      }
      const reported = { uri, text, file };
      files.set(uri.toString(), reported);
      publish(reported);
    },
    dispose: () => store.dispose(),
  };
}

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

class WorkspaceStorage extends QueuedStorage {
  readonly #deps: WorkspaceStorageDeps;
  readonly #uri: Uri;
  readonly #parser = createBookFileParser();
  /** The file as it was read last. */
  #text: AddressBookText = MISSING_FILE;
  /** What is in it. */
  #file: BookFile = this.#parser.parse('');
  /** The entries of `#file` with their ids. */
  #saved: readonly SavedEntry[] = [];
  /** Aborts the pause in typing. */
  #typing = new AbortController();
  readonly storage: AddressBookStorage;
  readonly ready: Promise<void>;

  constructor(deps: WorkspaceStorageDeps) {
    super();
    this.#deps = deps;
    const { uri } = deps.folder;
    this.storage = { kind: 'workspace', folder: uri.toString() };
    this.#uri = getAddressBookUri(uri);
    this.ready = this.readInTurn();
    this.#watch();
  }

  state(): AddressBookState {
    return this.#file.state;
  }

  savedEntries(): readonly SavedEntry[] {
    return this.#saved;
  }

  override dispose(): void {
    super.dispose();
    if (findOpenDocument(this.#uri) === undefined) this.#deps.onRead(this.#uri, '', null);
  }

  protected async read(): Promise<void> {
    if (!this.store.disposed) await this.#updateText(await readAddressBookText(this.#uri));
  }

  protected async write(before: AddressBookState, change: AddressBookChange): Promise<() => Promise<void>> {
    const textBefore = this.#text.text;
    await this.#edit(change);
    const [after, textAfter] = [applyChange(before, change), this.#text.text];
    return async () => {
      // Unchanged since: restores the exact text from before, comments included.
      if (this.#text.text === textAfter) await writeAddressBookText(this.#uri, this.#text, textBefore);
      else await this.#edit(diffStates(this.state(), revertChange(before, after, this.state())));
      await this.read();
    };
  }

  protected checkWritable(): void {
    if (this.#file.readOnlyReason === null) return;
    const { name } = this.#deps.folder;
    throw new HexLensError('bad-input', l10n.t('{0} of {1} was not changed.', BOOK_FILE_PATH, name), {
      fix: this.#file.readOnlyReason,
    });
  }

  protected handleReadFault(error: unknown): void {
    this.#warn(String(error));
  }

  #warn(reason: string): void {
    this.#deps.log.warn(`Address book of ${this.#deps.folder.name}: ${reason}`);
  }

  #watch(): void {
    const reread = () => void this.readInTurn();
    // The folder too: creating or deleting it together with the file is one event, of the folder.
    const bookFolder = BOOK_FILE_PATH.slice(0, BOOK_FILE_PATH.lastIndexOf('/'));
    const pattern = new RelativePattern(this.#deps.folder, `{${bookFolder},${BOOK_FILE_PATH}}`);
    const watcher = this.store.add(workspace.createFileSystemWatcher(pattern));
    for (const event of [watcher.onDidChange, watcher.onDidCreate, watcher.onDidDelete]) this.store.add(event(reread));
    const isThisFile = (other: Uri) => other.toString() === this.#uri.toString();
    this.store.add(disposable(() => this.#typing.abort()));
    this.store.add(
      workspace.onDidChangeTextDocument(({ document }) => {
        if (!isThisFile(document.uri)) return;
        this.#typing.abort();
        this.#typing = new AbortController();
        systemClock.sleep(TYPING_PAUSE_MS, this.#typing.signal).then(reread, () => {});
      }),
    );
    // Closing the editor discards unsaved changes.
    this.store.add(workspace.onDidCloseTextDocument(document => isThisFile(document.uri) && reread()));
  }

  async #edit(change: AddressBookChange): Promise<void> {
    const after = editBookFile(this.#text.text, change, this.#parser.parse);
    await writeAddressBookText(this.#uri, this.#text, after);
    await this.#updateText(await readAddressBookText(this.#uri));
  }

  async #updateText(now: AddressBookText): Promise<void> {
    const { exists, text, problem } = this.#text;
    const isMissing = !exists && !now.exists;
    if (!isMissing && now.text === text && now.exists === exists && now.problem === problem) return;
    const parsed = now.problem ?? (await this.#parser.parseInSlices(now.text, yieldToEventLoop));
    if (this.store.disposed) return;
    [this.#text, this.#file] = [now, parsed];
    this.#saved = assignEntryIds(parsed.state.entries, this.storage, this.#saved);
    if (parsed.readOnlyReason !== null) this.#warn(parsed.readOnlyReason);
    this.#deps.onRead(this.#uri, now.text, now.exists ? parsed : null);
    this.changed.fire();
    if (now.problem === null) void this.#checkChecksums(now);
  }

  /** In small steps: thousands of hashes at once would block the extension host. */
  async #checkChecksums(checkedText: AddressBookText): Promise<void> {
    const isCurrent = () => !this.store.disposed && this.#text === checkedText;
    let [left, foundWrong] = [1, false];
    for (; left > 0; await yieldToEventLoop()) {
      if (!isCurrent()) return;
      const checked = this.#parser.verifyChecksums(CHECKSUMS_PER_STEP);
      left = checked.left;
      foundWrong ||= checked.again;
    }
    if (!foundWrong || !isCurrent()) return;
    const parsed = await this.#parser.parseInSlices(checkedText.text, yieldToEventLoop);
    if (!isCurrent()) return;
    this.#file = parsed;
    this.#deps.onRead(this.#uri, checkedText.text, parsed);
  }
}

/** One storage per workspace folder, opened and closed with it. */
export interface WorkspaceStorages extends Disposable {
  /** In the order of the folders. */
  all(): readonly QueuedStorage[];
  readonly onDidChange: Event<void>;
}

export function createWorkspaceStorages(log: Log): WorkspaceStorages {
  const store = new DisposableStore();
  const changed = store.add(new EventEmitter<void>());
  const diagnostics = store.add(createAddressBookDiagnostics());
  let storages = new Map<string, QueuedStorage>();
  const update = () => {
    const next = new Map<string, QueuedStorage>();
    for (const folder of workspace.workspaceFolders ?? []) {
      const key = folder.uri.toString();
      const existing = storages.get(key);
      if (existing !== undefined) next.set(key, existing);
      else {
        const storage = new WorkspaceStorage({ folder, log, onRead: diagnostics.report });
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
