// The tree of the Addresses view: creates nodes when they are expanded and reports only what changed.
import { type Event, EventEmitter, l10n, type TreeItem } from 'vscode';
import { systemClock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { isNodeFault } from '../../base/errors.ts';
import { type Arrangement, arrangeEntries } from '../../view/tree/arrangeEntries.ts';
import type { TreeRow } from '../../view/tree/treeRow.ts';
import { toEntryWatch } from '../activity/watchCommands.ts';
import type { Watcher } from '../activity/watcher.ts';
import { createAddressTreeItem, resolveAddressTreeItem } from './addressTreeItem.ts';
import {
  type AddressTreeNode,
  type ChainNode,
  cancelLists,
  createExpandedNodes,
  type EntryNode,
  forEachNode,
  type GroupNode,
  getChainChildren,
  getEntry,
  getEntryChildren,
  getFaultChildren,
  getGroupChildren,
  getRowChildren,
  getSectionChildren,
  getSectionNodes,
  isHidden,
  type NoteNode,
  type SectionContext,
  type SectionFacts,
  type SectionNode,
  updateGroup,
} from './addressTreeNodes.ts';
import { createPagedList } from './pagedList.ts';
import { createSectionSource, type SectionSourceDeps, unknownFacts } from './sectionSource.ts';

export interface AddressesTreeDeps extends SectionSourceDeps {
  readonly watcher: Pick<Watcher, 'isWatched' | 'onDidChangeWatches'>;
}

export interface AddressesTree extends Disposable {
  getChildren(node?: AddressTreeNode): Promise<AddressTreeNode[]> | AddressTreeNode[];
  getTreeItem(node: AddressTreeNode): TreeItem;
  getParent(node: AddressTreeNode): AddressTreeNode | null;
  resolveTreeItem(item: TreeItem, node: AddressTreeNode): TreeItem;
  arrangement(): Arrangement;
  setArrangement(change: Partial<Arrangement>): void;
  /** Number of entries that match the filter, and of all entries. */
  counts(): { readonly matched: number; readonly total: number };
  /** Refreshes the expanded sections below the node, or all; for a node of a section, that section. */
  refresh(node?: AddressTreeNode): Promise<void>;
  /** Resolves with the first row that was added, `null` when there is none. */
  loadMore(section: SectionNode): Promise<AddressTreeNode | null>;
  handleExpand(node: AddressTreeNode): void;
  handleCollapse(node: AddressTreeNode): void;
  setVisible(visible: boolean): void;
  readonly onDidChange: Event<AddressTreeNode | AddressTreeNode[] | undefined>;
  readonly onDidChangeArrangement: Event<void>;
}

/** With at most so many entries, groups are expanded initially. */
const MAX_EXPANDED_ENTRIES = 60;
/** More than a window shows. VS Code renders nothing before it has all children, so a long group starts with these. */
const FIRST_CHILDREN = 200;
/** A node that takes longer for what a contract is gets the sections of any contract at first. */
const MAX_FACTS_WAIT_MS = 500;
/** Time to render the first children before the others follow. */
const REMAINING_CHILDREN_DELAY_MS = 50;

export function createAddressesTree(deps: AddressesTreeDeps, initial: Arrangement): AddressesTree {
  const { book, chainMonitor, log, watcher } = deps;
  const store = new DisposableStore();
  const changed = store.add(new EventEmitter<AddressTreeNode | AddressTreeNode[] | undefined>());
  const arrangementChanged = store.add(new EventEmitter<void>());
  const source = createSectionSource(deps);
  let arrangement = initial;
  const arrange = () => arrangeEntries(book.entries(), book.folders(), arrangement);
  let arranged = arrange();
  const root: GroupNode = { kind: 'group', id: 'root', parent: null, group: arranged.root, children: null };
  const areGroupsExpanded = () => arranged.matchCount <= MAX_EXPANDED_ENTRIES;
  const expandedNodes = createExpandedNodes(areGroupsExpanded);
  let isVisible = true;

  const fire = (node: AddressTreeNode) => changed.fire(node === root ? undefined : node);

  /** Entries and their chains whose sections were created before it was known what they are. */
  const unknownParents = new WeakSet<AddressTreeNode>();

  const sectionContext: SectionContext = {
    async fetchFacts(parent, chain) {
      const entry = getEntry(parent);
      const known = source.fetchFacts(entry, chain);
      const facts = await Promise.race([known, systemClock.sleep(MAX_FACTS_WAIT_MS).then(() => null)]);
      if (entry.entry.kind !== 'contract' || (facts ?? unknownFacts).traits !== null) unknownParents.delete(parent);
      else unknownParents.add(parent);
      if (facts === null) void known.then(later => applyFacts(parent, later));
      return facts ?? unknownFacts;
    },
    getChains: source.getChains,
    createList: (node, section, chain, entry) =>
      createPagedList({
        clock: systemClock,
        fetchPage: (cursor, signal) => source.fetchPage(section, entry, chain, cursor, signal),
        onDidChange: () => handleListChange(node()),
      }),
  };

  const handleListChange = (node: SectionNode) => {
    const { error, busy } = node.list.state();
    updateWatchedChains();
    if (error !== null) log.debug(`${node.section.request.operation} in the sidebar: ${String(error)}`);
    if (busy === 'first') return; // VS Code itself shows that it waits for the children
    if (node.isOptional) updateHidden(node);
    const before = node.children;
    const moreNode = before?.find(({ kind }) => kind === 'more');
    // Only the Load More node changes while it loads; refreshing the list would race with revealing the new rows.
    if (busy === 'more' && moreNode !== undefined) {
      fire(moreNode);
      return;
    }
    node.children = getSectionChildren(node);
    // Before the first expansion VS Code has no children to refresh.
    if (before !== null) fire(node);
  };

  /** Optional sections that are shown. */
  const shownOptional = new WeakSet<SectionNode>();
  const updateHidden = (node: SectionNode) => {
    if (shownOptional.has(node) === !isHidden(node)) return;
    if (isHidden(node)) shownOptional.delete(node);
    else shownOptional.add(node);
    if (node.parent !== null) fire(node.parent);
  };
  const loadHidden = (parent: AddressTreeNode) => {
    for (const child of parent.children ?? []) if (child.kind === 'section' && isHidden(child)) void child.list.load();
  };

  /** A contract may have been deployed, replaced or removed since its sections were created. */
  const updateSections = async (parent: EntryNode | ChainNode) => {
    const chain = getSectionChain(parent);
    const entry = getEntry(parent);
    if (chain === undefined || entry.entry.kind !== 'contract') return;
    applyFacts(parent, await source.fetchFacts(entry, chain));
  };
  const applyFacts = (parent: EntryNode | ChainNode, { traits, isLocal }: SectionFacts) => {
    const chain = getSectionChain(parent);
    if (chain === undefined || traits === null) return;
    unknownParents.delete(parent);
    const shown = parent.children ?? [];
    const sections: readonly AddressTreeNode[] = getSectionNodes(parent, chain, { traits, isLocal }, sectionContext);
    if (sections.length === shown.length && sections.every((section, index) => section === shown[index])) return;
    for (const before of shown) if (before.kind === 'section' && !sections.includes(before)) before.list.cancel();
    parent.children = sections;
    loadHidden(parent);
    fire(parent);
  };

  const rearrange = () => {
    arranged = arrange();
    const changedNodes: AddressTreeNode[] = [];
    updateGroup(root, arranged.root, changedNodes);
    arrangementChanged.fire();
    if (changedNodes.includes(root)) changed.fire(undefined);
    else if (changedNodes.length > 0) changed.fire(changedNodes);
  };
  store.add(book.onDidChange(rearrange));
  store.add(watcher.onDidChangeWatches(() => changed.fire(undefined)));
  // With other chains all entries have other children.
  store.add(
    chainMonitor.onDidChangeConnections(() => {
      cancelLists(root);
      forEachNode(root, node => {
        if (node.kind === 'entry') node.children = null;
      });
      changed.fire(undefined);
    }),
  );

  const isShown = (node: AddressTreeNode): boolean => {
    for (let at: AddressTreeNode | null = node; at !== null; at = at.parent)
      if (!expandedNodes.isExpanded(at)) return false;
    return true;
  };
  const getExpandedSections = (chain?: string): SectionNode[] => {
    const sections: SectionNode[] = [];
    forEachNode(root, node => {
      if (node.kind !== 'section' || (chain !== undefined && node.chain !== chain)) return;
      if (isHidden(node) ? node.parent !== null && isShown(node.parent) : isShown(node)) sections.push(node);
    });
    return sections;
  };
  /** When each chain last had a new head. */
  const headTimes = new Map<string, number>();
  /** Refreshes shown sections that were read before the newest block, with one request at a time per section. */
  const refreshSectionsBehindHead = (chain?: string) => {
    if (!isVisible) return;
    for (const { list, chain: selector } of getExpandedSections(chain)) {
      const { readAt } = list.state();
      if (readAt !== null && readAt <= (headTimes.get(selector) ?? 0)) void list.refresh();
    }
  };
  store.add(
    chainMonitor.onDidChangeHead(chain => {
      headTimes.set(chain, systemClock.now());
      refreshSectionsBehindHead(chain);
    }),
  );
  const isUnreachable = ({ list }: SectionNode) => isNodeFault(list.state().error);
  // Sections whose node did not respond: they are refreshed when it responds, until then the age of their rows changes.
  store.add(
    chainMonitor.onDidChange(chain => {
      if (!isVisible) return;
      if (chainMonitor.getStatus(chain)?.problem === null)
        forEachNode(root, node => {
          if ((node.kind !== 'entry' && node.kind !== 'chain') || !unknownParents.has(node)) return;
          if (getSectionChain(node) === chain && isShown(node)) void updateSections(node);
        });
      for (const section of getExpandedSections(chain).filter(isUnreachable)) {
        const fault = section.children?.find(({ kind }) => kind === 'fault');
        if (chainMonitor.getStatus(chain)?.problem === null) void section.list.refresh();
        else if (fault !== undefined) fire(fault);
      }
    }),
  );
  const updateWatchedChains = () => {
    const sections = isVisible ? getExpandedSections() : [];
    const getChains = (from: readonly SectionNode[]) => [...new Set(from.map(({ chain }) => chain))];
    chainMonitor.setPolledChains('addresses', {
      shown: getChains(sections),
      unreachable: getChains(sections.filter(isUnreachable)),
    });
  };

  const createChildren = async (node: AddressTreeNode): Promise<readonly AddressTreeNode[]> => {
    switch (node.kind) {
      case 'group':
        return getGroupChildren(node, node.children);
      case 'entry':
        return getEntryChildren(node, sectionContext);
      case 'chain':
        return getChainChildren(node, sectionContext);
      case 'section':
        await node.list.load();
        return getSectionChildren(node);
      case 'row':
        return getRowChildren(node, sectionContext);
      case 'fault':
        return getFaultChildren(node);
      case 'more':
      case 'note':
        return [];
    }
  };

  const createNoMatchNote = (): NoteNode => ({
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
        if (arranged.totalCount > 0 && arranged.matchCount === 0) return [createNoMatchNote()];
      }
      const parent = node ?? root;
      if (parent.children === null) {
        const children = await createChildren(parent);
        // Collapsed before the list was loaded: it is loaded when the section is expanded again.
        if (parent.kind === 'section' && !parent.list.state().loaded && parent.list.state().error === null) return [];
        parent.children ??= children;
        loadHidden(parent);
        if (parent.kind === 'group' && parent.children.length > FIRST_CHILDREN) {
          setTimeout(() => fire(parent), REMAINING_CHILDREN_DELAY_MS);
          return parent.children.slice(0, FIRST_CHILDREN);
        }
      }
      return parent.children.filter(child => !isHidden(child));
    },
    getTreeItem: node =>
      createAddressTreeItem(node, areGroupsExpanded(), entry => watcher.isWatched(toEntryWatch(entry))),
    getParent: node => node.parent,
    resolveTreeItem: resolveAddressTreeItem,
    arrangement: () => arrangement,
    setArrangement(change) {
      arrangement = { ...arrangement, ...change };
      arranged = arrange();
      root.group = arranged.root;
      root.children = getGroupChildren(root, root.children);
      forEachNode(root, node => {
        if (node.kind === 'group' && node !== root && node.children !== null)
          node.children = getGroupChildren(node, node.children);
      });
      arrangementChanged.fire();
      changed.fire(undefined);
    },
    counts: () => ({ matched: arranged.matchCount, total: arranged.totalCount }),
    async refresh(node) {
      const parents: (EntryNode | ChainNode)[] = [];
      forEachNode(node ?? root, below => {
        if ((below.kind === 'entry' || below.kind === 'chain') && isShown(below)) parents.push(below);
      });
      // A node that hangs must not keep lists of other nodes from being refreshed.
      const updated = Promise.all(parents.map(updateSections));
      await Promise.race([updated, systemClock.sleep(MAX_FACTS_WAIT_MS)]);
      const section = node === undefined ? undefined : getSection(node);
      const sections =
        section === undefined
          ? getExpandedSections().filter(expanded => node === undefined || isBelow(expanded, node))
          : [section];
      await Promise.all(sections.map(({ list }) => list.refresh()));
    },
    async loadMore(section) {
      const before = new Set(section.list.state().rows.map(({ key }: TreeRow) => key));
      await section.list.loadMore();
      const { children } = section;
      return children?.find(child => child.kind === 'row' && !before.has(child.row.key)) ?? null;
    },
    handleExpand(node) {
      expandedNodes.markExpanded(node);
      loadHidden(node);
      if (node.kind === 'entry' || node.kind === 'chain') void updateSections(node);
      updateWatchedChains();
      refreshSectionsBehindHead();
    },
    handleCollapse(node) {
      expandedNodes.markCollapsed(node);
      // Requests of hidden sections are cancelled; a section without rows is loaded when it is expanded again.
      forEachNode(node, below => {
        if (below.kind !== 'section') return;
        const { busy, loaded } = below.list.state();
        if (busy === null) return;
        below.list.cancel();
        if (loaded) return;
        below.children = null;
        if (!isHidden(below)) fire(below);
      });
      updateWatchedChains();
    },
    setVisible(visible) {
      isVisible = visible;
      updateWatchedChains();
      refreshSectionsBehindHead();
    },
    onDidChange: changed.event,
    onDidChangeArrangement: arrangementChanged.event,
    dispose() {
      cancelLists(root);
      store.dispose();
    },
  };
}

/** The sections of a node are all of one chain; `undefined` until it has sections. */
const getSectionChain = (parent: EntryNode | ChainNode): string | undefined =>
  parent.children?.find(child => child.kind === 'section')?.chain;

/** The section whose list a node belongs to. */
export function getSection(node: AddressTreeNode): SectionNode | undefined {
  if (node.kind === 'section') return node;
  return node.kind === 'row' || node.kind === 'more' || node.kind === 'fault' ? node.section : undefined;
}

function isBelow(node: AddressTreeNode, above: AddressTreeNode): boolean {
  for (let at: AddressTreeNode | null = node; at !== null; at = at.parent) if (at === above) return true;
  return false;
}
