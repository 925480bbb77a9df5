// ABI files that entries of committed address books name, in the registry of the workspace's ABIs.
import { Uri, workspace } from 'vscode';
import type { SavedEntry } from '../../addressBook/entry.ts';
import type { Log } from '../../base/log.ts';
import { SerialQueue } from '../../base/serialQueue.ts';
import { yieldToEventLoop } from '../../base/yieldToEventLoop.ts';
import type { AbiContract, AbiRegistry } from '../../decode/abiRegistry.ts';
import { parseArtifactBytes } from '../../decode/artifactFiles.ts';
import type { AddressBook } from '../addressBook/addressBook.ts';
import { readFileVersion } from './readFileVersion.ts';

export interface EntryAbisDeps {
  readonly book: Pick<AddressBook, 'ready' | 'trustedEntries'>;
  readonly registry: AbiRegistry;
  readonly log: Log;
}

const MAX_FILES = 1_000;

interface NamedFile {
  readonly folder: Uri;
  readonly path: string;
  readonly contracts: AbiContract[];
}

/** By the id in the registry: the same file may be a compiler's artifact too. */
function getNamedFiles(entries: readonly SavedEntry[]): ReadonlyMap<string, NamedFile> {
  const files = new Map<string, NamedFile>();
  for (const { abi, address, chains, storage } of entries) {
    if (abi === undefined || storage.kind === 'personal') continue;
    const id = `entry ${storage.folder} ${abi}`;
    const file = files.get(id) ?? { folder: Uri.parse(storage.folder), path: abi, contracts: [] };
    if (!files.has(id) && files.size >= MAX_FILES) continue;
    files.set(id, file);
    file.contracts.push({ address, chains });
  }
  return files;
}

export function createEntryAbis({ book, registry, log }: EntryAbisDeps) {
  const queue = new SerialQueue();
  /** Of each file in the registry: its version and the contracts that have it. */
  const shown = new Map<string, string>();
  /** Why files were not read: logged once. */
  const problems = new Map<string, string>();

  async function readFile(id: string, file: NamedFile): Promise<boolean> {
    const version = `${await readFileVersion(file.folder, file.path)} ${JSON.stringify(file.contracts)}`;
    if (shown.get(id) === version) return false;
    const bytes = await workspace.fs.readFile(Uri.joinPath(file.folder, file.path));
    const items = parseArtifactBytes(bytes, file.path);
    if (items.length === 0) throw new Error('it has no ABI');
    registry.set({ id, items, contracts: file.contracts });
    shown.set(id, version);
    return true;
  }

  async function read(): Promise<number> {
    await book.ready();
    // Those of an untrusted workspace are ignored: they could make a call look like another one.
    const files = getNamedFiles(workspace.isTrusted ? book.trustedEntries() : []);
    let changes = 0;
    const forget = (id: string) => {
      if (shown.delete(id)) changes++;
      registry.remove(id);
    };
    for (const id of shown.keys()) if (!files.has(id)) forget(id);
    for (const id of problems.keys()) if (!files.has(id)) problems.delete(id);
    for (const [id, file] of files) {
      try {
        if (await readFile(id, file)) changes++;
        problems.delete(id);
      } catch (error) {
        const problem = String(error);
        if (problems.get(id) !== problem) log.warn(`The ABI ${file.path} of the address book was not read: ${problem}`);
        problems.set(id, problem);
        forget(id);
      }
      await yieldToEventLoop();
    }
    return changes;
  }

  return {
    /** Reads what was added, changed or removed, and returns the number of these files. */
    read: () => queue.run(read),
  };
}
