// Reads the compiler artifacts of the workspace in small steps and follows their changes.
import { FileSystemError, RelativePattern, Uri, workspace } from 'vscode';
import { systemClock } from '../../base/clock.ts';
import { type Disposable, DisposableStore, disposable } from '../../base/disposable.ts';
import type { Log } from '../../base/log.ts';
import { mapConcurrently } from '../../base/mapConcurrently.ts';
import { yieldToEventLoop } from '../../base/yieldToEventLoop.ts';
import { type AbiRegistry, createAbiRegistry } from '../../decode/abiRegistry.ts';
import {
  isArtifactPath,
  MAX_ARTIFACT_BYTES,
  MAX_ARTIFACTS,
  parseArtifactBytes,
  SKIPPED_FOLDERS_GLOB,
} from '../../decode/artifactFiles.ts';
import type { AddressBook } from '../addressBook/addressBook.ts';
import type { SettingsSource } from '../settings/settingsSource.ts';
import { createEntryAbis } from './entryAbis.ts';
import { createVerifiedAbis, type VerifiedAbiFile, type VerifiedAbis } from './verifiedAbis.ts';
import { createWorkspaceBuilds, type WorkspaceBuilds } from './workspaceBuilds.ts';

export interface WorkspaceAbis extends Disposable {
  readonly registry: AbiRegistry;
  readonly builds: WorkspaceBuilds;
  readonly verifiedAbis: Pick<VerifiedAbis, 'add'>;
  /** Resolves when every file that matched at the start has been read or skipped. Never rejects. */
  readonly ready: Promise<void>;
  /**
   * Looks for changes that no watcher reported, at most once in a while: VS Code watches nothing in the first seconds,
   * in folders of `files.watcherExclude`, and where the system's limit of watches is reached.
   */
  checkForChanges(): void;
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

export function createWorkspaceAbis(
  { settings, book, storageUri, log, now = () => performance.now() }: WorkspaceAbisDeps,
  onChange: () => void,
): WorkspaceAbis {
  const store = new DisposableStore();
  const registry = createAbiRegistry();
  const entryAbis = createEntryAbis({ book, registry, log });
  const verifiedAbis = createVerifiedAbis({ file: createVerifiedAbiFile(storageUri), registry, log });
  const changedFiles = new Map<string, Uri>();
  /** Modification time and size of each file when it was read. */
  const versions = new Map<string, string>();
  let watchers = store.add(new DisposableStore());
  let timer: NodeJS.Timeout | undefined;
  let generation = 0;
  let checking = true;
  let nextCheck = 0;
  store.add(disposable(() => clearTimeout(timer)));

  function forget(id: string): void {
    registry.remove(id);
    versions.delete(id);
  }

  async function read(uri: Uri): Promise<void> {
    const id = uri.toString();
    try {
      const { size } = await workspace.fs.stat(uri);
      if (size > MAX_ARTIFACT_BYTES) return log.warn(`${uri.path} is too large for an artifact and was not read.`);
      // The version comes first: a change during the read is found by the next check.
      const version = await readVersion(uri);
      versions.set(id, version);
      const bytes = await workspace.fs.readFile(uri);
      if (versions.get(id) !== version) return; // a newer read of the file has begun
      const items = parseArtifactBytes(bytes, uri.path);
      if (items.length > 0) registry.set({ id, items });
      else registry.remove(id);
    } catch {
      forget(id); // deleted meanwhile, or not readable
    }
  }

  /** Yields to the event loop between two files, so that the extension host stays responsive. */
  async function readAll(queue: Uri[], started = generation): Promise<void> {
    const readNext = async () => {
      for (let uri = queue.pop(); uri !== undefined && started === generation; uri = queue.pop()) {
        await read(uri);
        await yieldToEventLoop();
      }
    };
    await Promise.all(Array.from({ length: CONCURRENT_READS }, readNext));
  }

  function scheduleRead(uri: Uri): void {
    if (!isArtifact(uri)) return;
    changedFiles.set(uri.toString(), uri);
    clearTimeout(timer);
    timer = setTimeout(() => {
      const queue = [...changedFiles.values()];
      changedFiles.clear();
      void readAll(queue).then(onChange);
    }, BATCH_DELAY_MS);
  }

  /** Deleting a folder is one event, without events for the files below it. */
  function handleDelete(uri: Uri): void {
    for (const id of versions.keys()) if (id === uri.toString() || id.startsWith(`${uri.toString()}/`)) forget(id);
    onChange();
  }

  /** Creating a folder with files is one event, without events for the files. */
  async function readNewFolder(folder: Uri, glob: string): Promise<void> {
    if (/\.\w+$/.test(folder.path) && !folder.path.endsWith('.sol')) return; // a file
    const name = glob.slice(glob.lastIndexOf('/') + 1);
    for (const uri of await workspace.findFiles(
      new RelativePattern(folder, `**/${name}`),
      SKIPPED_FOLDERS_GLOB,
      MAX_ARTIFACTS,
    ))
      scheduleRead(uri);
  }

  /** Artifacts of an untrusted workspace are ignored: they could make a call look like another one. */
  const patterns = () => (workspace.isTrusted ? settings.current().abiFiles : []);

  /** Reads all files whose version is not the one that was read, and returns their number. */
  async function readChanges(): Promise<number> {
    const startGeneration = generation;
    checking = true;
    try {
      const lists = await Promise.all(
        patterns().map(glob => workspace.findFiles(glob, SKIPPED_FOLDERS_GLOB, MAX_ARTIFACTS)),
      );
      const files = new Map([...versions.keys()].map(id => [id, Uri.parse(id)]));
      for (const uri of lists.flat()) if (isArtifact(uri)) files.set(uri.toString(), uri);
      if (files.size >= MAX_ARTIFACTS) log.warn(`Only the first ${MAX_ARTIFACTS} artifacts of the workspace are read.`);
      const changed: Uri[] = [];
      await mapConcurrently([...files], CONCURRENT_READS, async ([id, uri]) => {
        const version = await readVersion(uri).catch(() => undefined);
        if (version !== versions.get(id)) changed.push(uri);
      });
      const count = changed.length;
      await readAll(changed, startGeneration);
      return count + (await entryAbis.read());
    } finally {
      checking = false;
    }
  }

  async function check(): Promise<void> {
    const started = now();
    try {
      if ((await readChanges()) > 0) onChange();
    } catch (error) {
      log.warn(`Changes of artifacts could not be looked for: ${String(error)}`);
    }
    const ended = now();
    nextCheck = ended + Math.max(MIN_CHECK_INTERVAL_MS, (ended - started) * CHECK_INTERVAL_FACTOR);
  }

  async function start(): Promise<void> {
    generation++;
    watchers.dispose();
    watchers = store.add(new DisposableStore());
    for (const id of versions.keys()) forget(id);
    const globs = patterns();
    for (const folder of workspace.workspaceFolders ?? [])
      for (const glob of globs) {
        const watcher = watchers.add(workspace.createFileSystemWatcher(new RelativePattern(folder, glob)));
        watchers.add(watcher.onDidCreate(scheduleRead));
        watchers.add(watcher.onDidChange(scheduleRead));
        watchers.add(watcher.onDidDelete(handleDelete));
        const above = glob.includes('/') ? glob.slice(0, glob.lastIndexOf('/')) : '**';
        const folders = watchers.add(
          workspace.createFileSystemWatcher(new RelativePattern(folder, above), false, true, false),
        );
        watchers.add(folders.onDidDelete(handleDelete));
        const failed = (error: unknown) => log.warn(`New artifacts could not be listed: ${String(error)}`);
        watchers.add(folders.onDidCreate(uri => void readNewFolder(uri, glob).catch(failed)));
      }
    await verifiedAbis.load(settings.current().verifiedSources.map(url => new URL(url).host));
    await readChanges();
    log.info(`Read the ABIs of ${registry.size} artifacts in the workspace.`);
    onChange();
  }

  store.add(
    book.onDidChange(() => {
      entryAbis
        .read()
        .then(count => count > 0 && onChange())
        .catch(error => log.warn(`The ABIs of address books could not be read: ${String(error)}`));
    }),
  );

  const restart = () =>
    start().catch((error: unknown) => log.error(`The ABIs of the workspace could not be read: ${String(error)}`));
  let globs = patterns().join('\n');
  store.add(
    settings.onDidChange(() => {
      const next = patterns().join('\n');
      if (next === globs) return;
      globs = next;
      void restart();
    }),
  );
  store.add(workspace.onDidChangeWorkspaceFolders(() => void restart()));
  return {
    registry,
    builds: createWorkspaceBuilds(versions),
    verifiedAbis,
    ready: isVirtualWorkspace() ? Promise.race([restart(), systemClock.sleep(MAX_VIRTUAL_WAIT_MS)]) : restart(),
    checkForChanges() {
      if (!checking && now() >= nextCheck) void check();
    },
    dispose() {
      generation++;
      store.dispose();
    },
  };
}
