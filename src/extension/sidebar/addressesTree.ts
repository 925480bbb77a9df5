// The Addresses view: arranges the book, makes nodes as they are looked at, and tells VS Code only of what changed.
import { type Event, EventEmitter, l10n, type TreeItem } from 'vscode';
import { parseInputTexts } from '../../api/wire/inputTexts.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Log } from '../../base/log.ts';
import { type Client, createClient } from '../../client/client.ts';
import { findEventSignatures } from '../../decode/signatures/findSignatures.ts';
import { type Arrangement, arrangeEntries } from '../../view/tree/arrangeEntries.ts';
import { toSectionPage } from '../../view/tree/sectionRows.ts';
import type { TreeRow } from '../../view/tree/treeRow.ts';
import type { AddressBook } from '../addressBook/addressBook.ts';
import type { SettingsSource } from '../settings/settingsSource.ts';
import type { WorkerClient } from '../worker/workerClient.ts';
import { createAddressTreeItem, resolveAddressTreeItem } from './addressTreeItem.ts';
import {
  type AddressTreeNode,
  createExpandedNodes,
  type GroupNode,
  getChainChildren,
  getEntryChildren,
  getFaultChildren,
  getGroupChildren,
  getRowChildren,
  getSectionChildren,
  type NoteNode,
  type SectionContext,
  type SectionNode,
  updateGroup,
} from './addressTreeNodes.ts';
import type { ChainMonitor } from './chainMonitor.ts';
import { createPagedList } from './pagedList.ts';

export interface AddressesTreeDeps {
  readonly book: AddressBook;
  readonly backend: WorkerClient;
  readonly settings: SettingsSource;
  readonly watch: ChainMonitor;
  readonly log: Log;
}

export interface AddressesTree extends Disposable {
  getChildren(node?: AddressTreeNode): Promise<AddressTreeNode[]> | AddressTreeNode[];
  getTreeItem(node: AddressTreeNode): TreeItem;
  getParent(node: AddressTreeNode): AddressTreeNode | null;
  resolveTreeItem(item: TreeItem, node: AddressTreeNode): TreeItem;
  arrangement(): Arrangement;
  setArrangement(change: Partial<Arrangement>): void;
  /** How many entries are shown, and how many there are. */
  counts(): { readonly matched: number; readonly total: number };
  /** Asks again what is open; a section's own list when one is given. */
  refresh(node?: AddressTreeNode): Promise<void>;
  /** Resolves with the first row that was added. */
  loadMore(section: SectionNode): Promise<AddressTreeNode | null>;
  handleExpand(node: AddressTreeNode): void;
  handleCollapse(node: AddressTreeNode): void;
  setVisible(visible: boolean): void;
  readonly onDidChange: Event<AddressTreeNode | AddressTreeNode[] | undefined>;
  readonly onDidChangeArrangement: Event<void>;
}

/** Up to this many entries, groups are open from the start. */
const OPEN_UP_TO = 60;
/** More than any window shows. VS Code draws nothing before it has every child, and thousands take their time. */
const FIRST_ROWS = 200;
/** Time for the first rows to be drawn, after which the rest follows. */
const REST_MS = 50;

export function createAddressesTree(deps: AddressesTreeDeps, initial: Arrangement): AddressesTree {
  const { book, backend, settings, watch, log } = deps;
  const store = new DisposableStore();
  const changed = store.add(new EventEmitter<AddressTreeNode | AddressTreeNode[] | undefined>());
  const arranged = store.add(new EventEmitter<void>());
  const client: Client = createClient(backend.transport);
  let arrangement = initial;
  const arrangeNow = () => arrangeEntries(book.entries(), book.folders(), arrangement);
  let now = arrangeNow();
  const root: GroupNode = { kind: 'group', id: 'root', parent: null, group: now.root, children: null };
  const groupsOpen = () => now.matchCount <= OPEN_UP_TO;
  const open = createExpandedNodes(groupsOpen);
  let visible = true;

  const fire = (node: AddressTreeNode) => changed.fire(node === root ? undefined : node);

  const contextOf = (chain: string, own: string) => {
    const { coin, decimals } = watch.getChain(chain);
    return {
      now: Date.now(),
      chain,
      coin,
      decimals,
      own,
      nameOf: (address: string) => book.getName(address, chain),
      eventOf: (topic: string) => findEventSignatures(topic)[0]?.canonical ?? null,
    };
  };

  const networks = () => Object.keys(settings.configuration().aptos ?? {});
  const making: SectionContext = {
    getChains({ entry }) {
      if (entry.chains.length > 0) return entry.chains;
      // Without a network of its own the service answers for the first that is configured.
      if (entry.kind === 'aptos') return networks().length === 0 ? [''] : networks();
      return backend.chains().map(({ selector }) => selector);
    },
    createList: (node, section, chain, entry) =>
      createPagedList({
        async fetchPage(cursor, signal) {
          const { operation, parameters } = section.request;
          const texts = cursor === null ? parameters : { ...parameters, cursor };
          const output = await client.call(operation, parseInputTexts(operation, texts), { signal });
          return toSectionPage(section, output, contextOf(chain, entry.entry.address));
        },
        onDidChange: () => sectionChanged(node()),
      }),
  };

  const sectionChanged = (node: SectionNode) => {
    const { error, busy } = node.list.state();
    if (error !== null) log.debug(`${node.section.request.operation} in the sidebar: ${String(error)}`);
    if (busy === 'first') return; // VS Code shows by itself that it waits for the children
    const before = node.children;
    const button = before?.find(({ kind }) => kind === 'more');
    // Only the button says that it is at work: drawing the whole list twice would race with what is revealed after it.
    if (busy === 'more' && button !== undefined) {
      fire(button);
      return;
    }
    node.children = getSectionChildren(node);
    // Nothing is to be drawn before the section was opened for the first time: its own answer brings the rows.
    if (before !== null) fire(node);
  };

  const rearrange = () => {
    now = arrangeNow();
    const told: AddressTreeNode[] = [];
    updateGroup(root, now.root, told);
    arranged.fire();
    if (told.includes(root)) changed.fire(undefined);
    else if (told.length > 0) changed.fire(told);
  };
  store.add(book.onDidChange(rearrange));
  // Other chains: what stands below every entry is another.
  store.add(
    watch.onDidChangeConnections(() => {
      forEachNode(root, node => {
        if (node.kind === 'section') node.list.cancel();
        if (node.kind === 'entry') node.children = null;
      });
      changed.fire(undefined);
    }),
  );

  const isOpen = (node: AddressTreeNode): boolean => {
    for (let at: AddressTreeNode | null = node; at !== null; at = at.parent) if (!open.isExpanded(at)) return false;
    return true;
  };
  const openSections = (chain?: string): SectionNode[] => {
    const found: SectionNode[] = [];
    forEachNode(root, node => {
      if (node.kind === 'section' && (chain === undefined || node.chain === chain) && isOpen(node)) found.push(node);
    });
    return found;
  };
  // A new block: what is open and on the screen is asked again, one request at a time per section.
  store.add(
    watch.onDidChangeHead(chain => {
      if (visible) for (const { list } of openSections(chain)) if (list.state().loaded) void list.refresh();
    }),
  );
  const tellWatch = () => watch.setWatched('addresses', visible ? openSections().map(({ chain }) => chain) : []);

  const childrenOf = async (node: AddressTreeNode): Promise<readonly AddressTreeNode[]> => {
    switch (node.kind) {
      case 'group':
        return getGroupChildren(node, node.children);
      case 'entry':
        return getEntryChildren(node, making);
      case 'chain':
        return getChainChildren(node, making);
      case 'section':
        await node.list.load();
        return getSectionChildren(node);
      case 'row':
        return getRowChildren(node, making);
      case 'fault':
        return getFaultChildren(node);
      case 'more':
      case 'note':
        return [];
    }
  };

  const nothingMatches = (): NoteNode => ({
    kind: 'note',
    id: 'no-match',
    parent: null,
    children: [],
    text: l10n.t('No entry matches the filter.'),
    icon: 'search-stop',
  });

  return {
    async getChildren(node) {
      if (node === undefined) {
        await book.ready();
        if (now.totalCount > 0 && now.matchCount === 0) return [nothingMatches()];
      }
      const at = node ?? root;
      if (at.children === null) {
        const children = await childrenOf(at);
        // Closed before the answer came: it is asked again when it is opened again.
        if (at.kind === 'section' && !at.list.state().loaded && at.list.state().error === null) return [];
        at.children ??= children;
        // The first look at a long group: VS Code asks again, and knows the nodes it has by their ids.
        if (at.kind === 'group' && at.children.length > FIRST_ROWS) {
          setTimeout(() => fire(at), REST_MS);
          return at.children.slice(0, FIRST_ROWS);
        }
      }
      return [...at.children];
    },
    getTreeItem: node => createAddressTreeItem(node, groupsOpen()),
    getParent: node => node.parent,
    resolveTreeItem: resolveAddressTreeItem,
    arrangement: () => arrangement,
    setArrangement(change) {
      arrangement = { ...arrangement, ...change };
      now = arrangeNow();
      root.group = now.root;
      root.children = getGroupChildren(root, root.children);
      forEachNode(root, node => {
        if (node.kind === 'group' && node !== root && node.children !== null)
          node.children = getGroupChildren(node, node.children);
      });
      arranged.fire();
      changed.fire(undefined);
    },
    counts: () => ({ matched: now.matchCount, total: now.totalCount }),
    async refresh(node) {
      const section = node === undefined ? undefined : getSection(node);
      const sections =
        section === undefined ? openSections().filter(one => node === undefined || isBelow(one, node)) : [section];
      await Promise.all(sections.map(({ list }) => list.refresh()));
    },
    async loadMore(section) {
      const before = new Set(section.list.state().rows.map(({ key }: TreeRow) => key));
      await section.list.loadMore();
      const { children } = section;
      return children?.find(child => child.kind === 'row' && !before.has(child.row.key)) ?? null;
    },
    handleExpand(node) {
      open.markExpanded(node);
      tellWatch();
    },
    handleCollapse(node) {
      open.markCollapsed(node);
      // What nobody sees is not waited for; a section that has nothing yet is asked again when it is opened again.
      forEachNode(node, below => {
        if (below.kind !== 'section') return;
        const { busy, loaded } = below.list.state();
        if (busy === null) return;
        below.list.cancel();
        if (loaded) return;
        below.children = null;
        fire(below);
      });
      tellWatch();
    },
    setVisible(next) {
      visible = next;
      tellWatch();
    },
    onDidChange: changed.event,
    onDidChangeArrangement: arranged.event,
    dispose() {
      forEachNode(root, node => node.kind === 'section' && node.list.cancel());
      store.dispose();
    },
  };
}

/** Every node that was made, from the top. */
function forEachNode(node: AddressTreeNode, visit: (node: AddressTreeNode) => unknown): void {
  visit(node);
  for (const child of node.children ?? []) forEachNode(child, visit);
}

/** The section whose list a node belongs to. */
export function getSection(node: AddressTreeNode): SectionNode | undefined {
  if (node.kind === 'section') return node;
  return node.kind === 'row' || node.kind === 'more' || node.kind === 'fault' ? node.section : undefined;
}

function isBelow(node: AddressTreeNode, above: AddressTreeNode): boolean {
  for (let at: AddressTreeNode | null = node; at !== null; at = at.parent) if (at === above) return true;
  return false;
}
