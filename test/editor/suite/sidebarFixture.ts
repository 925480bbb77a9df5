// The Addresses view's tree as VS Code drives it, over a book in memory and a backend of its own against the test chain.
import * as vscode from 'vscode';
import type { Entry } from '../../../src/addressBook/entry.ts';
import { silentLog } from '../../../src/base/log.ts';
import type { AddressBook } from '../../../src/extension/addressBook/addressBook.ts';
import { openAddressBook } from '../../../src/extension/addressBook/openAddressBook.ts';
import { createApiKeys } from '../../../src/extension/apiKeys/apiKeys.ts';
import { createSettingsSource } from '../../../src/extension/settings/settingsSource.ts';
import { type AddressesTree, createAddressesTree } from '../../../src/extension/sidebar/addressesTree.ts';
import type { AddressTreeNode } from '../../../src/extension/sidebar/addressTreeNodes.ts';
import { type ChainMonitor, createChainMonitor } from '../../../src/extension/sidebar/chainMonitor.ts';
import { handleDrop } from '../../../src/extension/sidebar/dragAndDrop.ts';
import { createWorkerClient } from '../../../src/extension/worker/workerClient.ts';
import type { Arrangement, Grouping } from '../../../src/view/tree/arrangeEntries.ts';
import { hexlens } from './extensionHost.ts';

export interface SidebarFixture {
  readonly book: AddressBook;
  readonly tree: AddressesTree;
  readonly watch: ChainMonitor;
  /** What VS Code was told of, by id; `root` for the whole tree. */
  readonly told: string[];
  /** The child of a node (of the top without one) whose label contains the text. */
  child(parent: AddressTreeNode | undefined, text: string | RegExp): Promise<AddressTreeNode>;
  /** Follows labels from the top. */
  path(...labels: readonly (string | RegExp)[]): Promise<AddressTreeNode>;
  labels(parent?: AddressTreeNode): Promise<readonly string[]>;
  drop(grouping: Grouping, node: AddressTreeNode | undefined, data: vscode.DataTransfer): Promise<void>;
  dispose(): void;
}

/** A state as VS Code keeps it, in memory. */
export function memento(): vscode.Memento & { setKeysForSync(keys: readonly string[]): void } {
  const values = new Map<string, unknown>();
  return {
    keys: () => [...values.keys()],
    get: <T>(key: string, fallback?: T) => (values.has(key) ? (values.get(key) as T) : fallback) as T,
    update: async (key: string, value: unknown) => void values.set(key, value),
    setKeysForSync() {},
  };
}

export const noSecrets = {
  keys: async () => [],
  get: async () => undefined,
  store: async () => {},
  delete: async () => {},
  onDidChange: new vscode.EventEmitter<vscode.SecretStorageChangeEvent>().event,
};

export function entry(name: string, address: string, change: Partial<Entry> = {}): Entry {
  const plain = { kind: 'wallet', chains: [], folder: '', tags: [], notes: '', color: null, mark: null } as const;
  return { ...plain, name, address: address.toLowerCase(), ...change };
}

const textOf = ({ label }: vscode.TreeItem) => (typeof label === 'string' ? label : (label?.label ?? ''));

export async function createSidebarFixture(
  entries: readonly Entry[],
  arrangement: Partial<Arrangement> = {},
): Promise<SidebarFixture> {
  const settings = createSettingsSource();
  const log = silentLog;
  const book = openAddressBook({ globalState: memento(), log });
  await book.ready();
  if (entries.length > 0) await book.add(entries, { kind: 'personal' });
  const backend = createWorkerClient({
    extensionPath: hexlens().extensionPath,
    dataFolder: '',
    settings,
    keys: createApiKeys(noSecrets),
    book,
    log,
  });
  const watch = createChainMonitor(backend);
  const start: Arrangement = { grouping: 'folder', sorting: 'name', filter: '', ...arrangement };
  const tree = createAddressesTree({ book, backend, settings, watch, log }, start);
  const { token } = new vscode.CancellationTokenSource();
  const told: string[] = [];
  tree.onDidChange(nodes => {
    for (const node of Array.isArray(nodes) ? nodes : [nodes]) told.push(node?.id ?? 'root');
  });
  const child = async (parent: AddressTreeNode | undefined, text: string | RegExp) => {
    const children = await tree.getChildren(parent);
    const found = children.find(node => {
      const label = textOf(tree.getTreeItem(node));
      return typeof text === 'string' ? label.includes(text) : text.test(label);
    });
    if (found === undefined)
      throw new Error(`No ${text} among ${children.map(node => textOf(tree.getTreeItem(node))).join(', ')}.`);
    return found;
  };
  return {
    book,
    tree,
    watch,
    told,
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
    labels: async parent => (await tree.getChildren(parent)).map(node => textOf(tree.getTreeItem(node))),
    drop: (grouping, node, data) => handleDrop({ book, backend, settings, grouping }, node, data, token),
    dispose() {
      tree.dispose();
      watch.dispose();
      backend.dispose();
      book.dispose();
      settings.dispose();
    },
  };
}
