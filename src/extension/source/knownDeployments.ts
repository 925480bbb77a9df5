// Addresses that contracts of the workspace may be deployed at: those of the address book, and those that tools record.
import { type Event, EventEmitter, Uri, workspace } from 'vscode';
import { isAptosEntryAddress, type SavedEntry } from '../../addressBook/entry.ts';
import { decodeImportedText, detectImportSource, importFile, isImportCandidate } from '../../addressBook/importFile.ts';
import { Owner } from '../../base/disposable.ts';
import type { Hex } from '../../base/hex.ts';
import { mapConcurrently } from '../../base/mapConcurrently.ts';
import type { AddressBook } from '../addressBook/addressBook.ts';
import { findImportFiles } from '../addressBook/findImportFiles.ts';

/** A contract that may be deployed at an address of some chains; empty: of any. */
export interface KnownDeployment {
  readonly address: Hex;
  readonly name: string;
  readonly chains: readonly string[];
}

/** Larger files are no lists of deployments. */
const MAX_FILE_BYTES = 2_000_000;
const MAX_FILES = 200;
const CONCURRENT_READS = 8;
/** Of tools, with what is in them. */
const DEPLOYMENT_FOLDERS = '**/{deployments,deployments/**,broadcast,broadcast/**}';
/** Begins a word of the name of other JSON files that have addresses of contracts. */
const DEPLOYMENTS_WORD = /^(?:deploy|address|contracts?$)/i;

/** By the path from the folder of the workspace: its own name says nothing. */
function isDeploymentFile(path: string): boolean {
  const source = detectImportSource(path);
  if (source === null || source === 'csv' || !isImportCandidate(path)) return false;
  const words = (path.split('/').at(-1) ?? '').split(/[._-]/);
  return source !== 'json' || words.some(word => DEPLOYMENTS_WORD.test(word));
}

async function readText(uri: Uri): Promise<string | null> {
  try {
    if ((await workspace.fs.stat(uri)).size > MAX_FILE_BYTES) return null;
    return decodeImportedText(await workspace.fs.readFile(uri));
  } catch {
    return null; // deleted meanwhile
  }
}

async function readFile(uri: Uri): Promise<readonly KnownDeployment[]> {
  const text = await readText(uri);
  if (text === null) return [];
  const readSibling = (name: string) => readText(Uri.joinPath(uri, '..', name));
  const { entries } = await importFile({ path: uri.path, text, readSibling });
  return entries.filter(({ address }) => !isAptosEntryAddress(address)).map(toDeployment);
}

const toDeployment = ({ address, name, chains }: Pick<SavedEntry, 'address' | 'name' | 'chains'>): KnownDeployment => ({
  address: address as Hex,
  name,
  chains,
});

export class KnownDeployments extends Owner {
  readonly #book: Pick<AddressBook, 'ready' | 'trustedEntries' | 'onDidChange'>;
  readonly #changed = this.store.add(new EventEmitter<void>());
  /** What the files of tools record, until one of them changes. */
  #recorded: Promise<readonly KnownDeployment[]> | null = null;

  constructor(book: Pick<AddressBook, 'ready' | 'trustedEntries' | 'onDidChange'>) {
    super();
    this.#book = book;
    this.store.add(book.onDidChange(() => this.#changed.fire()));
    const watcher = this.store.add(workspace.createFileSystemWatcher('**/*.json'));
    const forget = (uri: Uri) => {
      if (isDeploymentFile(workspace.asRelativePath(uri, false))) this.#forget();
    };
    for (const event of [watcher.onDidCreate, watcher.onDidChange, watcher.onDidDelete]) this.store.add(event(forget));
    // Where a tool deletes or creates a whole folder, VS Code reports the folder only: as changed where it did both.
    const folders = this.store.add(workspace.createFileSystemWatcher(DEPLOYMENT_FOLDERS));
    for (const event of [folders.onDidCreate, folders.onDidChange, folders.onDidDelete])
      this.store.add(event(() => this.#forget()));
    this.store.add(workspace.onDidChangeWorkspaceFolders(() => this.#forget()));
    this.store.add(workspace.onDidGrantWorkspaceTrust(() => this.#forget()));
  }

  #forget(): void {
    this.#recorded = null;
    this.#changed.fire();
  }

  get onDidChange(): Event<void> {
    return this.#changed.event;
  }

  /** Entries of the address book come first. Without wallets, and only in a workspace that is trusted. */
  async list(): Promise<readonly KnownDeployment[]> {
    if (!workspace.isTrusted) return [];
    this.#recorded ??= this.#readFiles();
    const [recorded] = await Promise.all([this.#recorded, this.#book.ready().catch(() => {})]);
    const saved = this.#book
      .trustedEntries()
      .filter(({ kind, address }) => kind !== 'wallet' && !isAptosEntryAddress(address));
    return [...saved.map(toDeployment), ...recorded];
  }

  async #readFiles(): Promise<readonly KnownDeployment[]> {
    const found = await findImportFiles(['foundry', 'ignition', 'hardhat-deploy', 'json']);
    const uris = found
      .flatMap(each => each.uris)
      .filter(uri => isDeploymentFile(workspace.asRelativePath(uri, false)))
      .slice(0, MAX_FILES);
    return (await mapConcurrently(uris, CONCURRENT_READS, readFile)).flat();
  }
}
