// Reads the artifacts that the workspace's compilers left, in small steps, and follows their changes.
import { setImmediate } from 'node:timers/promises';
import { RelativePattern, type Uri, workspace } from 'vscode';
import { type Disposable, DisposableStore, disposable } from '../../base/disposable.ts';
import type { Log } from '../../base/log.ts';
import { type AbiRegistry, createAbiRegistry } from '../../decode/abiRegistry.ts';
import { parseArtifact } from '../../decode/parseArtifact.ts';
import type { SettingsSource } from '../settings/settingsSource.ts';

export interface WorkspaceAbis extends Disposable {
  readonly book: AbiRegistry;
  /** Resolves when every file that matched at the start was read or refused. Never rejects. */
  readonly ready: Promise<void>;
}

export interface WorkspaceAbisDeps {
  readonly settings: SettingsSource;
  readonly log: Log;
  onChange(): void;
}

/** Debug files, compiler input and output, and packages: no artifact of the workspace's own contracts. */
const EXCLUDED = '**/{node_modules,build-info,cache,.git}/**';
const NO_ARTIFACT = /\.dbg\.json$|[/\\](?:node_modules|build-info)[/\\]/;
const MAX_FILES = 20_000;
const MAX_BYTES = 64 * 1024 * 1024;
/** The ABI stands at the front of an artifact; the bytecode behind it need not become text. */
const FRONT_BYTES = 256 * 1024;
/** Files under way at once. */
const LANES = 4;
/** A compiler writes hundreds of files in a moment: they are read when it pauses. */
const SETTLE_MS = 200;

export function readWorkspaceAbis({ settings, log, onChange }: WorkspaceAbisDeps): WorkspaceAbis {
  const store = new DisposableStore();
  const book = createAbiRegistry();
  const waiting = new Map<string, Uri>();
  let watching = store.add(new DisposableStore());
  let timer: NodeJS.Timeout | undefined;
  let generation = 0;
  store.add(disposable(() => clearTimeout(timer)));

  async function read(uri: Uri): Promise<void> {
    const id = uri.toString();
    try {
      const bytes = await workspace.fs.readFile(uri);
      if (bytes.byteLength > MAX_BYTES) return log.warn(`${uri.path} is too large for an artifact and was not read.`);
      const text = (end?: number) => new TextDecoder().decode(bytes.subarray(0, end));
      const items = parseArtifact(text(FRONT_BYTES), uri.path) ?? parseArtifact(text(), uri.path) ?? [];
      if (items.length > 0) book.set({ id, items });
      else book.remove(id);
    } catch {
      book.remove(id); // gone again, or not ours to read
    }
  }

  /** Every file of the queue, a few at a time; the editor breathes between two files. */
  async function readAll(queue: Uri[]): Promise<void> {
    const mine = generation;
    const lane = async () => {
      for (let uri = queue.pop(); uri !== undefined && mine === generation; uri = queue.pop()) {
        await read(uri);
        await setImmediate();
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));
  }

  function later(uri: Uri): void {
    if (NO_ARTIFACT.test(uri.path)) return;
    waiting.set(uri.toString(), uri);
    clearTimeout(timer);
    timer = setTimeout(() => {
      const queue = [...waiting.values()];
      waiting.clear();
      void readAll(queue).then(onChange);
    }, SETTLE_MS);
  }

  /** A folder that is removed is one event: everything below it is gone. */
  function removed(uri: Uri): void {
    for (const id of book.ids()) if (id === uri.toString() || id.startsWith(`${uri.toString()}/`)) book.remove(id);
    onChange();
  }

  /** Files that come with their folder are told as one event, of the folder. */
  async function came(folder: Uri, glob: string): Promise<void> {
    if (/\.\w+$/.test(folder.path) && !folder.path.endsWith('.sol')) return; // a file
    const name = glob.slice(glob.lastIndexOf('/') + 1);
    for (const uri of await workspace.findFiles(new RelativePattern(folder, `**/${name}`), EXCLUDED, MAX_FILES))
      later(uri);
  }

  /** A workspace that is not trusted gives nothing its names: a call could be made to look like another one. */
  const patterns = () => (workspace.isTrusted ? settings.current().abiFiles : []);

  async function start(): Promise<void> {
    generation++;
    watching.dispose();
    watching = store.add(new DisposableStore());
    for (const id of book.ids()) book.remove(id);
    const globs = patterns();
    for (const folder of workspace.workspaceFolders ?? [])
      for (const glob of globs) {
        const watcher = watching.add(workspace.createFileSystemWatcher(new RelativePattern(folder, glob)));
        watching.add(watcher.onDidCreate(later));
        watching.add(watcher.onDidChange(later));
        watching.add(watcher.onDidDelete(removed));
        const above = glob.includes('/') ? glob.slice(0, glob.lastIndexOf('/')) : '**';
        const folders = watching.add(
          workspace.createFileSystemWatcher(new RelativePattern(folder, above), false, true, false),
        );
        watching.add(folders.onDidDelete(removed));
        const failed = (error: unknown) => log.warn(`New artifacts could not be listed: ${String(error)}`);
        watching.add(folders.onDidCreate(uri => void came(uri, glob).catch(failed)));
      }
    const lists = await Promise.all(globs.map(glob => workspace.findFiles(glob, EXCLUDED, MAX_FILES)));
    const files = new Map(
      lists
        .flat()
        .filter(({ path }) => !NO_ARTIFACT.test(path))
        .map(uri => [uri.toString(), uri]),
    );
    if (files.size >= MAX_FILES) log.warn(`Only the first ${MAX_FILES} artifacts of the workspace are read.`);
    await readAll([...files.values()]);
    log.info(`ABIs of ${book.size} artifacts in the workspace are known.`);
    onChange();
  }

  const begin = () =>
    start().catch((error: unknown) => log.error(`The ABIs of the workspace could not be read: ${String(error)}`));
  let globs = patterns().join('\n');
  store.add(
    settings.onDidChange(() => {
      const now = patterns().join('\n');
      if (now === globs) return;
      globs = now;
      void begin();
    }),
  );
  store.add(workspace.onDidChangeWorkspaceFolders(() => void begin()));
  return {
    book,
    ready: begin(),
    dispose() {
      generation++;
      store.dispose();
    },
  };
}
