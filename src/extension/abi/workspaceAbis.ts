// Reads the compiler artifacts of the workspace in small steps and follows their changes.
import { FileSystemError, RelativePattern, Uri, workspace } from 'vscode';
import { systemClock } from '../../base/clock.ts';
import { type Disposable, DisposableStore, disposable } from '../../base/disposable.ts';
import type { Log } from '../../base/log.ts';
import { mapConcurrently } from '../../base/mapConcurrently.ts';
import { yieldToEventLoop } from '../../base/yieldToEventLoop.ts';
import { createAbiRegistry } from '../../decode/abiRegistry.ts';
import {
  isArtifactPath,
  MAX_ARTIFACT_BYTES,
  MAX_ARTIFACTS,
  parseArtifactBytes,
  SKIPPED_FOLDERS_GLOB,
} from '../../decode/artifactFiles.ts';
import {
  type ArtifactOrigin,
  type BuildProject,
  getArtifactOrigin,
  NO_PROJECT_FILES_GLOB,
  PROJECT_FILES_GLOB,
  parseBuildProject,
} from '../../decode/artifactOrigin.ts';
import type { AddressBook } from '../addressBook/addressBook.ts';
import type { SettingsSource } from '../settings/settingsSource.ts';
import { WorkspaceSources } from '../source/workspaceSources.ts';
import { createEntryAbis } from './entryAbis.ts';
import { createVerifiedAbis, type VerifiedAbiFile, type VerifiedAbis } from './verifiedAbis.ts';
import { WorkspaceBuilds } from './workspaceBuilds.ts';

interface ArtifactListener {
  /** A file was created or changed. */
  onChange(uri: Uri): void;
  /** A file or folder was deleted. */
  onDelete(uri: Uri): void;
  readonly log: Log;
}

function watchArtifacts(globs: readonly string[], { onChange, onDelete, log }: ArtifactListener): Disposable {
  const watchers = new DisposableStore();

  /** Creating a folder with files is one event, without events for the files. */
  async function listNewFolder(folder: Uri, glob: string): Promise<void> {
    if (/\.\w+$/.test(folder.path) && !folder.path.endsWith('.sol')) return; // a file
    const files = new RelativePattern(folder, `**/${glob.slice(glob.lastIndexOf('/') + 1)}`);
    for (const uri of await workspace.findFiles(files, SKIPPED_FOLDERS_GLOB, MAX_ARTIFACTS)) onChange(uri);
  }

  for (const folder of workspace.workspaceFolders ?? [])
    for (const glob of globs) {
      const watcher = watchers.add(workspace.createFileSystemWatcher(new RelativePattern(folder, glob)));
      watchers.add(watcher.onDidCreate(onChange));
      watchers.add(watcher.onDidChange(onChange));
      watchers.add(watcher.onDidDelete(onDelete));
      const above = glob.includes('/') ? glob.slice(0, glob.lastIndexOf('/')) : '**';
      const folders = watchers.add(
        workspace.createFileSystemWatcher(new RelativePattern(folder, above), false, true, false),
      );
      watchers.add(folders.onDidDelete(onDelete));
      const failed = (error: unknown) => log.warn(`New artifacts could not be listed: ${String(error)}`);
      watchers.add(folders.onDidCreate(uri => void listNewFolder(uri, glob).catch(failed)));
    }
  return watchers;
}

const MAX_FILES = 50;

class BuildProjects {
  #projects: readonly BuildProject[] = [];

  /** Reads the files again, and resolves with whether one of them names another folder. */
  async read(): Promise<boolean> {
    const uris = await workspace.findFiles(PROJECT_FILES_GLOB, NO_PROJECT_FILES_GLOB, MAX_FILES);
    const projects = await Promise.all(uris.map(readProject));
    const earlier = JSON.stringify(this.#projects);
    this.#projects = projects.flatMap(project => project ?? []);
    return JSON.stringify(this.#projects) !== earlier;
  }

  getOrigin(artifact: Uri): ArtifactOrigin {
    return getArtifactOrigin(artifact.path, this.#projects);
  }
}

async function readProject(uri: Uri): Promise<BuildProject | null> {
  try {
    return parseBuildProject(uri.path, new TextDecoder().decode(await workspace.fs.readFile(uri)));
  } catch {
    return null; // deleted meanwhile
  }
}

export interface WorkspaceAbisDeps {
  readonly settings: SettingsSource;
  readonly book: Pick<AddressBook, 'ready' | 'trustedEntries' | 'onDidChange'>;
  /** Folder of the extension, for what outlives a session. */
  readonly storageUri: Uri;
  readonly log: Log;
  /** Milliseconds of a clock that is never set back. */
  readonly now?: () => number;
}

const CONCURRENT_READS = 4;
/** A compiler writes hundreds of files at once: they are read when it pauses. */
const BATCH_DELAY_MS = 200;
/** A check lists and stats all artifacts: in a huge workspace it may take a fifth of the time. */
const MIN_CHECK_INTERVAL_MS = 3_000;
const CHECK_INTERVAL_FACTOR = 4;

const isArtifact = (uri: Uri) => isArtifactPath(workspace.asRelativePath(uri, false));

async function readVersion(uri: Uri): Promise<string> {
  const { mtime, size } = await workspace.fs.stat(uri);
  return `${mtime} ${size}`;
}

/** Whether an extension provides the folders, as in a browser. It may have no search: then a search never ends. */
const isVirtualWorkspace = () =>
  workspace.workspaceFolders?.some(({ uri }) => uri.scheme !== 'file' && uri.scheme !== 'vscode-remote') === true;
/** Artifacts that are found later are used as soon as they are found. */
const MAX_VIRTUAL_WAIT_MS = 2_000;

/** Written as a whole, so that another window never reads a part. */
const createVerifiedAbiFile = (folder: Uri): VerifiedAbiFile => {
  const uri = Uri.joinPath(folder, 'verifiedAbis.json');
  return {
    async read() {
      try {
        return new TextDecoder().decode(await workspace.fs.readFile(uri));
      } catch (error) {
        if (error instanceof FileSystemError && error.code === 'FileNotFound') return null;
        throw error;
      }
    },
    async write(text) {
      const temporary = Uri.joinPath(folder, `verifiedAbis-${crypto.randomUUID()}.json`);
      try {
        await workspace.fs.writeFile(temporary, new TextEncoder().encode(text));
        await workspace.fs.rename(temporary, uri, { overwrite: true });
      } catch (error) {
        await workspace.fs.delete(temporary).then(undefined, () => {}); // it may not have been created
        throw error;
      }
    },
  };
};

export class WorkspaceAbis implements Disposable {
  readonly registry = createAbiRegistry();
  readonly builds: WorkspaceBuilds;
  readonly sources: WorkspaceSources;
  readonly verifiedAbis: VerifiedAbis;
  /** Resolves when every file that matched at the start has been read or skipped. Never rejects. */
  readonly ready: Promise<void>;

  readonly #deps: WorkspaceAbisDeps;
  readonly #onChange: () => void;
  readonly #now: () => number;
  readonly #store = new DisposableStore();
  readonly #entryAbis: ReturnType<typeof createEntryAbis>;
  readonly #projects = new BuildProjects();
  /** Modification time and size of each file when it was read. */
  readonly #versions = new Map<string, string>();
  /** Files that were reported as changed and are read when the compiler pauses. */
  readonly #changedFiles = new Map<string, Uri>();
  #timer: NodeJS.Timeout | undefined;
  /** Watches the patterns of the settings. */
  #watchers: Disposable;
  /** Number of starts: a read of an earlier start ends. */
  #generation = 0;
  #isChecking = true;
  /** Not before this moment of `now` changes are looked for again. */
  #nextCheck = 0;

  constructor(deps: WorkspaceAbisDeps, onChange: () => void) {
    this.#deps = deps;
    this.#onChange = onChange;
    this.#now = deps.now ?? (() => performance.now());
    const { settings, book, storageUri, log } = deps;
    const { registry } = this;
    this.#entryAbis = createEntryAbis({ book, registry, log });
    this.verifiedAbis = createVerifiedAbis({ file: createVerifiedAbiFile(storageUri), registry, log });
    this.sources = this.#store.add(new WorkspaceSources(this.#versions, storageUri));
    this.builds = new WorkspaceBuilds({
      versions: this.#versions,
      getOrigin: artifact => this.#projects.getOrigin(artifact),
    });
    this.#watchers = this.#store.add(new DisposableStore());
    this.#store.add(disposable(() => clearTimeout(this.#timer)));
    this.#store.add(book.onDidChange(() => this.#readEntries()));
    this.#store.add(workspace.onDidChangeWorkspaceFolders(() => void this.#restart()));
    let globs = this.#getPatterns().join('\n');
    this.#store.add(
      settings.onDidChange(() => {
        const next = this.#getPatterns().join('\n');
        if (next === globs) return;
        globs = next;
        void this.#restart();
      }),
    );
    const started = this.#restart();
    this.ready = isVirtualWorkspace() ? Promise.race([started, systemClock.sleep(MAX_VIRTUAL_WAIT_MS)]) : started;
  }

  /**
   * Looks for changes that no watcher reported, at most once in a while: VS Code watches nothing in the first seconds,
   * in folders of `files.watcherExclude`, and where the system's limit of watches is reached.
   */
  checkForChanges(): void {
    if (!this.#isChecking && this.#now() >= this.#nextCheck) void this.#check();
  }

  dispose(): void {
    this.#generation++;
    this.#store.dispose();
  }

  /** Artifacts of an untrusted workspace are ignored: they could make a call look like another one. */
  #getPatterns(): readonly string[] {
    return workspace.isTrusted ? this.#deps.settings.current().abiFiles : [];
  }

  #restart(): Promise<void> {
    return this.#start().catch((error: unknown) =>
      this.#deps.log.error(`The ABIs of the workspace could not be read: ${String(error)}`),
    );
  }

  async #start(): Promise<void> {
    const { settings, log } = this.#deps;
    this.#generation++;
    this.#watchers.dispose();
    for (const id of this.#versions.keys()) this.#forget(id);
    this.#watchers = this.#store.add(
      watchArtifacts(this.#getPatterns(), {
        onChange: uri => this.#scheduleRead(uri),
        onDelete: uri => this.#handleDelete(uri),
        log,
      }),
    );
    await this.verifiedAbis.load(settings.current().verifiedSources.map(url => new URL(url).host));
    await this.#readChanges();
    log.info(`Read the ABIs of ${this.registry.size} artifacts in the workspace.`);
    this.#onChange();
  }

  #readEntries(): void {
    this.#entryAbis
      .read()
      .then(count => count > 0 && this.#onChange())
      .catch(error => this.#deps.log.warn(`The ABIs of address books could not be read: ${String(error)}`));
  }

  async #check(): Promise<void> {
    const started = this.#now();
    try {
      if ((await this.#readChanges()) > 0) this.#onChange();
    } catch (error) {
      this.#deps.log.warn(`Changes of artifacts could not be looked for: ${String(error)}`);
    }
    const ended = this.#now();
    this.#nextCheck = ended + Math.max(MIN_CHECK_INTERVAL_MS, (ended - started) * CHECK_INTERVAL_FACTOR);
  }

  /** Reads all files whose version is not the one that was read, and returns the number of changes. */
  async #readChanges(): Promise<number> {
    const generation = this.#generation;
    this.#isChecking = true;
    try {
      const patterns = this.#getPatterns();
      const isMoved = patterns.length > 0 && (await this.#projects.read());
      const lists = await Promise.all(
        patterns.map(glob => workspace.findFiles(glob, SKIPPED_FOLDERS_GLOB, MAX_ARTIFACTS)),
      );
      const files = new Map([...this.#versions.keys()].map(id => [id, Uri.parse(id)]));
      for (const uri of lists.flat()) if (isArtifact(uri)) files.set(uri.toString(), uri);
      if (files.size >= MAX_ARTIFACTS)
        this.#deps.log.warn(`Only the first ${MAX_ARTIFACTS} artifacts of the workspace are read.`);
      const changed: Uri[] = [];
      await mapConcurrently([...files], CONCURRENT_READS, async ([id, uri]) => {
        const version = await readVersion(uri).catch(() => undefined);
        if (version !== this.#versions.get(id)) changed.push(uri);
      });
      const count = changed.length;
      await this.#readAll(changed, generation);
      await this.#readEnums(generation);
      return count + Number(isMoved) + (await this.#entryAbis.read());
    } finally {
      this.#isChecking = false;
    }
  }

  #scheduleRead(uri: Uri): void {
    if (!isArtifact(uri)) return;
    this.#changedFiles.set(uri.toString(), uri);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      const queue = [...this.#changedFiles.values()];
      this.#changedFiles.clear();
      const generation = this.#generation;
      void this.#readAll(queue, generation)
        .then(() => this.#readEnums(generation))
        .then(this.#onChange);
    }, BATCH_DELAY_MS);
  }

  /** Yields to the event loop between two files, so that the extension host stays responsive. */
  async #readAll(queue: Uri[], generation: number): Promise<void> {
    const readNext = async () => {
      for (let uri = queue.pop(); uri !== undefined && generation === this.#generation; uri = queue.pop()) {
        await this.#read(uri);
        await yieldToEventLoop();
      }
    };
    await Promise.all(Array.from({ length: CONCURRENT_READS }, readNext));
  }

  /** Members of enums are not in ABIs, but in the sources of builds, which are large: only of contracts that have them. */
  async #readEnums(generation: number): Promise<void> {
    for (const id of this.registry.idsWithoutEnums()) {
      if (generation !== this.#generation) return;
      this.registry.setEnums(id, await this.sources.readEnums(Uri.parse(id)));
      await yieldToEventLoop();
    }
  }

  async #read(uri: Uri): Promise<void> {
    const id = uri.toString();
    try {
      const { size } = await workspace.fs.stat(uri);
      if (size > MAX_ARTIFACT_BYTES)
        return this.#deps.log.warn(`${uri.path} is too large for an artifact and was not read.`);
      // The version comes first: a change during the read is found by the next check.
      const version = await readVersion(uri);
      this.#versions.set(id, version);
      const bytes = await workspace.fs.readFile(uri);
      if (this.#versions.get(id) !== version) return; // a newer read of the file has begun
      const items = parseArtifactBytes(bytes, uri.path);
      if (items.length > 0) this.registry.set({ id, items });
      else this.registry.remove(id);
    } catch {
      this.#forget(id); // deleted meanwhile, or not readable
    }
  }

  /** Deleting a folder is one event, without events for the files below it. */
  #handleDelete(uri: Uri): void {
    const deleted = uri.toString();
    for (const id of this.#versions.keys()) if (id === deleted || id.startsWith(`${deleted}/`)) this.#forget(id);
    this.#onChange();
  }

  #forget(id: string): void {
    this.registry.remove(id);
    this.#versions.delete(id);
  }
}
