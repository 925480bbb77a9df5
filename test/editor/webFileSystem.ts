// An extension for the web extension host: a folder in memory, under the scheme that GitHub Repositories uses.
import {
  type Disposable,
  EventEmitter,
  type ExtensionContext,
  type FileChangeEvent,
  FileChangeType,
  FileSystemError,
  type FileSystemProvider,
  FileType,
  Uri,
  workspace,
} from 'vscode';

/** The files of the folder by path, such as `/sample/notes.txt`. Defined by webWorkbench.ts. */
declare const FILES: Readonly<Record<string, string>>;

class MemoryFileSystem implements FileSystemProvider {
  readonly #files = new Map<string, Uint8Array>();
  readonly #folders = new Set<string>(['/']);
  readonly #changed = new EventEmitter<FileChangeEvent[]>();
  readonly onDidChangeFile = this.#changed.event;

  constructor(files: Readonly<Record<string, string>>) {
    for (const [path, text] of Object.entries(files)) {
      this.#addFolders(path);
      this.#files.set(path, new TextEncoder().encode(text));
    }
  }

  watch(): Disposable {
    return { dispose() {} };
  }

  stat(uri: Uri) {
    const file = this.#files.get(uri.path);
    if (file !== undefined) return { type: FileType.File, ctime: 0, mtime: Date.now(), size: file.length };
    if (this.#folders.has(uri.path)) return { type: FileType.Directory, ctime: 0, mtime: 0, size: 0 };
    throw FileSystemError.FileNotFound(uri);
  }

  readDirectory({ path }: Uri): [string, FileType][] {
    const list = (paths: Iterable<string>, type: FileType) =>
      [...paths]
        .filter(child => child !== path && Uri.joinPath(Uri.file(child), '..').path === path)
        .map((child): [string, FileType] => [child.slice(child.lastIndexOf('/') + 1), type]);
    return [...list(this.#folders, FileType.Directory), ...list(this.#files.keys(), FileType.File)];
  }

  readFile(uri: Uri): Uint8Array {
    const file = this.#files.get(uri.path);
    if (file === undefined) throw FileSystemError.FileNotFound(uri);
    return file;
  }

  writeFile(uri: Uri, content: Uint8Array): void {
    const type = this.#files.has(uri.path) ? FileChangeType.Changed : FileChangeType.Created;
    this.#addFolders(uri.path);
    this.#files.set(uri.path, content);
    this.#changed.fire([{ type, uri }]);
  }

  createDirectory(uri: Uri): void {
    this.#addFolders(`${uri.path}/`);
    this.#changed.fire([{ type: FileChangeType.Created, uri }]);
  }

  delete(uri: Uri): void {
    this.#files.delete(uri.path);
    this.#folders.delete(uri.path);
    this.#changed.fire([{ type: FileChangeType.Deleted, uri }]);
  }

  rename(from: Uri, to: Uri): void {
    this.writeFile(to, this.readFile(from));
    this.delete(from);
  }

  #addFolders(path: string): void {
    for (let end = path.indexOf('/', 1); end > 0; end = path.indexOf('/', end + 1))
      this.#folders.add(path.slice(0, end));
  }
}

export function activate({ subscriptions }: ExtensionContext): void {
  subscriptions.push(
    workspace.registerFileSystemProvider('vscode-vfs', new MemoryFileSystem(FILES), { isCaseSensitive: true }),
  );
}
