// The tree of the Addresses view with an in-memory address book and a worker of its own.
import { tmpdir } from 'node:os';
import * as vscode from 'vscode';
import type { Entry } from '../../../src/addressBook/entry.ts';
import { silentLog } from '../../../src/base/log.ts';
import { type AbiProvider, createAbiProvider } from '../../../src/extension/abi/abiProvider.ts';
import type { AddressBook } from '../../../src/extension/addressBook/addressBook.ts';
import { OpenAddressBook } from '../../../src/extension/addressBook/openAddressBook.ts';
import { createApiKeys } from '../../../src/extension/apiKeys/apiKeys.ts';
import { createUrlSecrets } from '../../../src/extension/apiKeys/urlSecrets.ts';
import { createSettingsSource, type SettingsSource } from '../../../src/extension/settings/settingsSource.ts';
import { AddressesTree } from '../../../src/extension/sidebar/addressesTree.ts';
import type { AddressTreeNode } from '../../../src/extension/sidebar/addressTreeNodes.ts';
import { ChainMonitor } from '../../../src/extension/sidebar/chainMonitor.ts';
import { handleDrop } from '../../../src/extension/sidebar/handleDrop.ts';
import { WorkerClient } from '../../../src/extension/worker/workerClient.ts';
import type { Arrangement, Grouping } from '../../../src/view/tree/arrangeEntries.ts';
import { createTestPlatform } from './extensionHost.ts';

export interface SidebarFixture {
  readonly book: AddressBook;
  readonly tree: AddressesTree;
  readonly chainMonitor: ChainMonitor;
  /** Ids of the nodes that VS Code was asked to refresh; `root` for the whole tree. */
  readonly refreshedIds: string[];
  /** The child of a node, or of the top level, whose label contains the text. */
  child(parent: AddressTreeNode | undefined, text: string | RegExp): Promise<AddressTreeNode>;
  /** Expands the nodes with these labels from the top level on and returns the last. */
  path(...labels: readonly (string | RegExp)[]): Promise<AddressTreeNode>;
  labels(parent?: AddressTreeNode): Promise<readonly string[]>;
  drop(grouping: Grouping, node: AddressTreeNode | undefined, data: vscode.DataTransfer): Promise<void>;
  dispose(): void;
}

/** An in-memory memento. */
export function createMemento(): vscode.Memento & { setKeysForSync(keys: readonly string[]): void } {
  const values = new Map<string, unknown>();
  return {
    keys: () => [...values.keys()],
    get: <T>(key: string, fallback?: T) => (values.has(key) ? (values.get(key) as T) : fallback) as T,
    update: async (key: string, value: unknown) => void values.set(key, value),
    setKeysForSync() {},
  };
}

export const noSecrets = {
  names: async () => [],
  get: async () => undefined,
  store: async () => {},
  delete: async () => {},
  onDidChange: new vscode.EventEmitter<vscode.SecretStorageChangeEvent>().event,
};

export function createEntry(name: string, address: string, change: Partial<Entry> = {}): Entry {
  const plain = { kind: 'wallet', chains: [], folder: '', tags: [], notes: '', color: null, trust: null } as const;
  return { ...plain, name, address: address.toLowerCase(), ...change };
}

const getLabel = ({ label }: vscode.TreeItem) => (typeof label === 'string' ? label : (label?.label ?? ''));

/** An address book in memory, and a worker: what several trees may share, because a worker takes time to start and to read a chain. */
export interface SidebarBackend {
  readonly settings: SettingsSource;
  readonly book: AddressBook;
  readonly worker: WorkerClient;
  readonly abis: AbiProvider;
  dispose(): void;
}

export async function createSidebarBackend(entries: readonly Entry[]): Promise<SidebarBackend> {
  const settings = createSettingsSource();
  const log = silentLog;
  const book = new OpenAddressBook({ globalState: createMemento(), log });
  await book.ready();
  if (entries.length > 0) await book.add(entries, { kind: 'personal' });
  const worker = new WorkerClient({
    platform: createTestPlatform(),
    settings,
    keys: createApiKeys(noSecrets),
    secrets: createUrlSecrets(noSecrets),
    book,
    log,
  });
  const abis = createAbiProvider({ settings, book, storageUri: vscode.Uri.file(tmpdir()), log });
  const dispose = () => {
    for (const part of [abis, worker, book, settings]) part.dispose();
  };
  return { settings, book, worker, abis, dispose };
}

/** A tree with a backend of its own. */
export async function createSidebarFixture(entries: readonly Entry[]): Promise<SidebarFixture> {
  const backend = await createSidebarBackend(entries);
  const fixture = createTreeFixture(backend);
  const dispose = () => {
    fixture.dispose();
    backend.dispose();
  };
  return { ...fixture, dispose };
}

export function createTreeFixture({ settings, book, worker, abis }: SidebarBackend): SidebarFixture {
  const chainMonitor = new ChainMonitor(worker);
  const start: Arrangement = { grouping: 'folder', sorting: 'name', filter: '' };
  const watcher = { isWatched: () => false, onDidChangeWatches: new vscode.EventEmitter<void>().event };
  const tree = new AddressesTree({ book, worker, settings, chainMonitor, abis, log: silentLog, watcher }, start);
  const { token } = new vscode.CancellationTokenSource();
  const refreshedIds: string[] = [];
  tree.onDidChange(nodes => {
    for (const node of Array.isArray(nodes) ? nodes : [nodes]) refreshedIds.push(node?.id ?? 'root');
  });
  const child = async (parent: AddressTreeNode | undefined, text: string | RegExp) => {
    const children = await tree.getChildren(parent);
    const found = children.find(node => {
      const label = getLabel(tree.getTreeItem(node));
      return typeof text === 'string' ? label.includes(text) : text.test(label);
    });
    if (found === undefined)
      throw new Error(`No ${text} among ${children.map(node => getLabel(tree.getTreeItem(node))).join(', ')}.`);
    return found;
  };
  return {
    book,
    tree,
    chainMonitor,
    refreshedIds,
    child,
    async path(...labels) {
      let at: AddressTreeNode | undefined;
      for (const label of labels) {
        at = await child(at, label);
        tree.handleExpand(at);
      }
      if (at === undefined) throw new Error('An empty path.');
      return at;
    },
    labels: async parent => (await tree.getChildren(parent)).map(node => getLabel(tree.getTreeItem(node))),
    drop: (grouping, node, data) => handleDrop({ book, worker, settings, abis, grouping }, node, data, token),
    dispose() {
      tree.dispose();
      chainMonitor.dispose();
    },
  };
}
