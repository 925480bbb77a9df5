// Hashes that files of deployment tools in the workspace record, read when a hash is first looked for.
import { Uri, workspace } from 'vscode';
import { decodeImportedText } from '../../addressBook/importFile.ts';
import { RECORD_FOLDERS, type RecordedHash, readRecordedHashes } from '../../addressBook/recordedHashes.ts';
import { Owner } from '../../base/disposable.ts';
import { type Hex, toLowerHex } from '../../base/hex.ts';
import { mapConcurrently } from '../../base/mapConcurrently.ts';
import { findRecordFiles } from '../addressBook/findImportFiles.ts';

/** A hash with the file that records it. */
export interface FoundHash extends RecordedHash {
  readonly uri: Uri;
}

interface RecordFile {
  readonly uri: Uri;
  readonly mtime: number;
  readonly size: number;
  readonly hashes: readonly RecordedHash[];
}

/** Larger files, and those after the first ones, are not read. */
const MAX_FILE_BYTES = 4_000_000;
const MAX_FILES = 1_000;
const MAX_BYTES = 64_000_000;
const CONCURRENT_READS = 8;

type Hashes = ReadonlyMap<Hex, FoundHash>;

async function readText(uri: Uri): Promise<string | null> {
  try {
    return decodeImportedText(await workspace.fs.readFile(uri));
  } catch {
    return null; // it does not exist, or was deleted meanwhile
  }
}

export class RecordedHashes extends Owner {
  /** What was read of each file, by URI: read again when it has another time or size. */
  #files: ReadonlyMap<string, RecordFile> = new Map();
  /** All hashes, until a file changes. */
  #reading: Promise<Hashes> | null = null;
  /** What `#reading` has resolved with. */
  #read: Hashes | null = null;

  constructor() {
    super();
    // Where a tool deletes or creates a whole folder, VS Code reports the folder only.
    const watcher = this.store.add(workspace.createFileSystemWatcher(RECORD_FOLDERS));
    const forget = () => this.#forget();
    for (const event of [watcher.onDidCreate, watcher.onDidChange, watcher.onDidDelete]) this.store.add(event(forget));
    this.store.add(workspace.onDidChangeWorkspaceFolders(forget));
  }

  /** The hash as a tool has recorded it; `null` where none has, and in a workspace that is not trusted. */
  async find(hash: Hex): Promise<FoundHash | null> {
    return workspace.isTrusted ? ((await this.#readAll()).get(toLowerHex(hash)) ?? null) : null;
  }

  /** Resolves when the files are read. */
  async read(): Promise<void> {
    if (workspace.isTrusted) await this.#readAll();
  }

  /** As `find`, without waiting: `null` also until the files are read. */
  peek(hash: Hex): FoundHash | null {
    return (workspace.isTrusted && this.#read?.get(toLowerHex(hash))) || null;
  }

  #forget(): void {
    this.#reading = null;
    this.#read = null;
  }

  #readAll(): Promise<Hashes> {
    if (this.#reading !== null) return this.#reading;
    const reading = this.#readFiles().then(
      hashes => {
        if (this.#reading === reading) this.#read = hashes;
        return hashes;
      },
      error => {
        if (this.#reading === reading) this.#forget(); // the next hover tries it again
        throw error;
      },
    );
    this.#reading = reading;
    return reading;
  }

  async #readFiles(): Promise<Hashes> {
    const uris = await findRecordFiles(MAX_FILES);
    let bytes = 0;
    const readFile = async (uri: Uri): Promise<RecordFile | null> => {
      const { mtime, size } = await workspace.fs.stat(uri);
      if (size > MAX_FILE_BYTES || bytes + size > MAX_BYTES) return null;
      bytes += size;
      const known = this.#files.get(uri.toString());
      if (known?.mtime === mtime && known.size === size) return known;
      const text = await readText(uri);
      if (text === null) return null;
      const readSibling = (name: string) => readText(Uri.joinPath(uri, '..', name));
      const path = workspace.asRelativePath(uri);
      return { uri, mtime, size, hashes: await readRecordedHashes({ path, text, readSibling }) };
    };
    // One that is deleted meanwhile has no time.
    const files = await mapConcurrently(uris, CONCURRENT_READS, uri => readFile(uri).catch(() => null));
    const read = files.filter(file => file !== null);
    this.#files = new Map(read.map(file => [file.uri.toString(), file]));
    const found = new Map<Hex, FoundHash>();
    // The first file that has it, which is the latest, and the first field, which tells what the transaction did.
    for (const { uri, hashes } of read)
      for (const recorded of hashes) if (!found.has(recorded.hash)) found.set(recorded.hash, { ...recorded, uri });
    return found;
  }
}
