// The tree of the Addresses view: creates nodes when they are expanded and reports only what changed.

import { EventEmitter, l10n, type TreeItem } from 'vscode';
import { systemClock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { isNodeFault } from '../../base/errors.ts';
import { findConfiguredTitle } from '../../view/chainTitle.ts';
import { type ArrangedEntries, type Arrangement, arrangeEntries } from '../../view/tree/arrangeEntries.ts';
import type { TreeRow } from '../../view/tree/treeRow.ts';
import { toEntryWatch } from '../activity/watchCommands.ts';
import type { Watcher } from '../activity/watcher.ts';
import { createAddressTreeItem, resolveAddressTreeItem } from './addressTreeItem.ts';
import {
  type AddressTreeNode,
  type ChainNode,
  cancelLists,
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
import { PagedList } from './pagedList.ts';
import { createSectionSource, type SectionSource, type SectionSourceDeps, unknownFacts } from './sectionSource.ts';

export interface AddressesTreeDeps extends SectionSourceDeps {
  readonly watcher: Pick<Watcher, 'isWatched' | 'onDidChangeWatches'>;
}

/** With at most so many entries, groups are expanded initially. */
const MAX_EXPANDED_ENTRIES = 60;
/** More than a window shows. VS Code renders nothing before it has all children, so a long group starts with these. */
const FIRST_CHILDREN = 200;
/** A node that takes longer for what a contract is gets the sections of any contract at first. */
const MAX_FACTS_WAIT_MS = 500;
/** Time to render the first children before the others follow. */
const REMAINING_CHILDREN_DELAY_MS = 50;

const loadHidden = (parent: AddressTreeNode) => {
  for (const child of parent.children ?? []) if (child.kind === 'section' && isHidden(child)) void child.list.load();
};

const isUnreachable = ({ list }: SectionNode) => isNodeFault(list.state().error);

const createNoMatchNote = (): NoteNode => ({
  kind: 'note',
  id: 'no-match',
  parent: null,
  children: [],
  text: l10n.t('No entry matches the filter.'),
  icon: 'search-stop',
});

export class AddressesTree implements Disposable {
  readonly #deps: AddressesTreeDeps;
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new EventEmitter<AddressTreeNode | AddressTreeNode[] | undefined>());
  readonly #arrangementChanged = this.#store.add(new EventEmitter<void>());
  /** Reads the rows of sections, and what contracts are. */
  readonly #source: SectionSource;
  /** How the sections of this tree are made. */
  readonly #sectionContext: SectionContext;
  /** Grouping, sorting and filter that the user chose. */
  #arrangement: Arrangement;
  /** The entries of the book in that arrangement. */
  #arranged: ArrangedEntries;
  /** All nodes that were ever shown hang on this one. */
  readonly #root: GroupNode;
  /** Whether the node of an id is expanded, as the events of the view say. */
  readonly #expanded = new Map<string, boolean>();
  /** Whether the view is on screen: nothing is refreshed while it is not. */
  #isVisible = true;
  /** Entries and their chains whose sections were created before it was known what they are. */
  readonly #unknownParents = new WeakSet<AddressTreeNode>();
  /** Optional sections that are shown. */
  readonly #shownOptional = new WeakSet<SectionNode>();
  /** When each chain of this machine last had a new head. */
  readonly #headTimes = new Map<string, number>();
  /** The heads of other chains just after the rows of a section were read; `null` until one is known, which was requested. */
  readonly #headsAtRead = new WeakMap<SectionNode, { readonly readAt: number; readonly head: number | null }>();
  readonly resolveTreeItem = resolveAddressTreeItem;
  readonly onDidChange = this.#changed.event;
  readonly onDidChangeArrangement = this.#arrangementChanged.event;

  constructor(deps: AddressesTreeDeps, initial: Arrangement) {
    this.#deps = deps;
    this.#source = createSectionSource(deps);
    this.#arrangement = initial;
    this.#arranged = this.#arrange();
    this.#root = { kind: 'group', id: 'root', parent: null, group: this.#arranged.root, children: null };
    this.#sectionContext = {
      fetchFacts: (parent, chain) => this.#fetchFacts(parent, chain),
      getChains: this.#source.getChains,
      createList: (node, section, chain, entry) =>
        new PagedList({
          clock: systemClock,
          fetchPage: (cursor, signal) => this.#source.fetchPage(section, entry, chain, cursor, signal),
          onDidChange: () => this.#handleListChange(node()),
        }),
    };
    this.#store.add(deps.book.onDidChange(() => this.#rearrange()));
    this.#store.add(deps.watcher.onDidChangeWatches(() => this.#changed.fire(undefined)));
    this.#store.add(deps.worker.onDidChangeChainTitles(() => this.#changed.fire(undefined)));
    this.#store.add(deps.chainMonitor.onDidChangeConnections(() => this.#handleConnections()));
    this.#store.add(
      deps.chainMonitor.onDidChangeHead(chain => {
        if (!this.#isOnLoopback(chain)) return; // its lists are read again on a click only
        this.#headTimes.set(chain, systemClock.now());
        this.#refreshSectionsBehindHead(chain);
      }),
    );
    this.#store.add(deps.chainMonitor.onDidChange(chain => this.#handleStatus(chain)));
  }

  dispose(): void {
    cancelLists(this.#root);
    this.#store.dispose();
  }

  async getChildren(node?: AddressTreeNode): Promise<AddressTreeNode[]> {
    if (node === undefined) {
      await this.#deps.book.ready();
      if (this.#arranged.totalCount > 0 && this.#arranged.matchCount === 0) return [createNoMatchNote()];
    }
    const parent = node ?? this.#root;
    if (parent.children === null) {
      const children = await this.#createChildren(parent);
      // Collapsed before the list was loaded: it is loaded when the section is expanded again.
      if (parent.kind === 'section' && !parent.list.state().loaded && parent.list.state().error === null) return [];
      parent.children ??= children;
      loadHidden(parent);
      if (parent.kind === 'group' && parent.children.length > FIRST_CHILDREN) {
        setTimeout(() => this.#fire(parent), REMAINING_CHILDREN_DELAY_MS);
        return parent.children.slice(0, FIRST_CHILDREN);
      }
    }
    return parent.children.filter(child => !isHidden(child));
  }

  getTreeItem(node: AddressTreeNode): TreeItem {
    const { watcher, worker } = this.#deps;
    return createAddressTreeItem(
      node,
      this.#areGroupsExpanded(),
      entry => watcher.isWatched(toEntryWatch(entry)),
      chain => findConfiguredTitle(worker.chains(), chain),
    );
  }

  getParent(node: AddressTreeNode): AddressTreeNode | null {
    return node.parent;
  }

  arrangement(): Arrangement {
    return this.#arrangement;
  }

  setArrangement(change: Partial<Arrangement>): void {
    this.#arrangement = { ...this.#arrangement, ...change };
    this.#arranged = this.#arrange();
    this.#root.group = this.#arranged.root;
    this.#root.children = getGroupChildren(this.#root, this.#root.children);
    forEachNode(this.#root, node => {
      if (node.kind === 'group' && node !== this.#root && node.children !== null)
        node.children = getGroupChildren(node, node.children);
    });
    this.#arrangementChanged.fire();
    this.#changed.fire(undefined);
  }

  /** Number of entries that match the filter, and of all entries. */
  counts(): { readonly matched: number; readonly total: number } {
    return { matched: this.#arranged.matchCount, total: this.#arranged.totalCount };
  }

  /** Refreshes the expanded sections below the node, or all; for a node of a section, that section. */
  async refresh(node?: AddressTreeNode): Promise<void> {
    const parents: (EntryNode | ChainNode)[] = [];
    forEachNode(node ?? this.#root, below => {
      if ((below.kind === 'entry' || below.kind === 'chain') && this.#isShown(below)) parents.push(below);
    });
    // A node that hangs must not keep lists of other nodes from being refreshed.
    const updated = Promise.all(parents.map(parent => this.#updateSections(parent)));
    await Promise.race([updated, systemClock.sleep(MAX_FACTS_WAIT_MS)]);
    const section = node === undefined ? undefined : getSection(node);
    const sections =
      section === undefined
        ? this.#getExpandedSections().filter(expanded => node === undefined || isBelow(expanded, node))
        : [section];
    await Promise.all(sections.map(({ list }) => list.refresh()));
  }

  /** Resolves with the first row that was added, `null` when there is none. */
  async loadMore(section: SectionNode): Promise<AddressTreeNode | null> {
    const before = new Set(section.list.state().rows.map(({ key }: TreeRow) => key));
    await section.list.loadMore();
    const { children } = section;
    return children?.find(child => child.kind === 'row' && !before.has(child.row.key)) ?? null;
  }

  handleExpand(node: AddressTreeNode): void {
    this.#expanded.set(node.id, true);
    loadHidden(node);
    if (node.kind === 'entry' || node.kind === 'chain') void this.#updateSections(node);
    this.#updateWatchedChains();
    this.#refreshSectionsBehindHead();
  }

  handleCollapse(node: AddressTreeNode): void {
    this.#expanded.set(node.id, false);
    // Requests of hidden sections are cancelled; a section without rows is loaded when it is expanded again.
    forEachNode(node, below => {
      if (below.kind !== 'section') return;
      const { busy, loaded } = below.list.state();
      if (busy === null) return;
      below.list.cancel();
      if (loaded) return;
      below.children = null;
      if (!isHidden(below)) this.#fire(below);
    });
    this.#updateWatchedChains();
  }

  setVisible(visible: boolean): void {
    this.#isVisible = visible;
    this.#updateWatchedChains();
    this.#refreshSectionsBehindHead();
  }

  #arrange(): ArrangedEntries {
    return arrangeEntries(this.#deps.book.entries(), this.#deps.book.folders(), this.#arrangement);
  }

  #areGroupsExpanded(): boolean {
    return this.#arranged.matchCount <= MAX_EXPANDED_ENTRIES;
  }

  #fire(node: AddressTreeNode): void {
    this.#changed.fire(node === this.#root ? undefined : node);
  }

  #handleListChange(node: SectionNode): void {
    const { error, busy } = node.list.state();
    this.#updateWatchedChains();
    this.#handleRead(node);
    if (error !== null) this.#deps.log.debug(`${node.section.request.operation} in the sidebar: ${String(error)}`);
    if (busy === 'first') return; // VS Code itself shows that it waits for the children
    if (node.isOptional) this.#updateHidden(node);
    const before = node.children;
    const moreNode = before?.find(({ kind }) => kind === 'more');
    // Only the Load More node changes while it loads; refreshing the list would race with revealing the new rows.
    if (busy === 'more' && moreNode !== undefined) {
      this.#fire(moreNode);
      return;
    }
    node.children = getSectionChildren(node);
    // Before the first expansion VS Code has no children to refresh.
    if (before !== null) this.#fire(node);
  }

  #updateHidden(node: SectionNode): void {
    if (this.#shownOptional.has(node) === !isHidden(node)) return;
    if (isHidden(node)) this.#shownOptional.delete(node);
    else this.#shownOptional.add(node);
    if (node.parent !== null) this.#fire(node.parent);
  }

  /** With other chains all entries have other children. */
  #handleConnections(): void {
    cancelLists(this.#root);
    forEachNode(this.#root, node => {
      if (node.kind === 'entry') node.children = null;
    });
    this.#changed.fire(undefined);
  }

  /**
   * Refreshes sections whose node did not respond, once it responds, and those that were read before the index was
   * complete, once it is; until a node responds the age of its rows changes.
   */
  #handleStatus(chain: string): void {
    if (!this.#isVisible) return;
    this.#countNewerBlocks(chain);
    const responds = this.#deps.chainMonitor.getStatus(chain)?.problem === null;
    if (responds)
      forEachNode(this.#root, node => {
        if ((node.kind !== 'entry' && node.kind !== 'chain') || !this.#unknownParents.has(node)) return;
        if (getSectionChain(node) === chain && this.#isShown(node)) void this.#updateSections(node);
      });
    const isIndexed = this.#isOnLoopback(chain) && this.#deps.chainMonitor.getProgress(chain).length === 0;
    for (const section of this.#getExpandedSections(chain)) {
      const isBehind = isIndexed && section.list.state().isSyncing;
      if (!isUnreachable(section) && !isBehind) continue;
      const fault = section.children?.find(({ kind }) => kind === 'fault');
      if (responds) void section.list.refresh();
      else if (fault !== undefined) this.#fire(fault);
    }
  }

  #isOnLoopback(chain: string): boolean {
    return this.#deps.worker.chains().some(({ selector, isOnLoopback }) => selector === chain && isOnLoopback);
  }

  /** Rows that were just read are of the present head, which is requested once. */
  #handleRead(node: SectionNode): void {
    const { readAt, busy } = node.list.state();
    if (readAt === null || busy !== null || this.#headsAtRead.get(node)?.readAt === readAt) return;
    node.newerBlocks = 0;
    this.#headsAtRead.set(node, { readAt, head: null });
    if (node.entry.entry.kind !== 'aptos' && !this.#isOnLoopback(node.chain))
      void this.#deps.chainMonitor.refresh([node.chain]);
  }

  #countNewerBlocks(chain: string): void {
    const { status, readAt: statusReadAt } = this.#deps.chainMonitor.getLastRead(chain) ?? {};
    const head = status?.head ?? null;
    if (head === null || statusReadAt === undefined || this.#isOnLoopback(chain)) return;
    for (const section of this.#getExpandedSections(chain)) {
      const { readAt } = section.list.state();
      // An Aptos network may have the name of a chain.
      if (readAt === null || statusReadAt < readAt || section.entry.entry.kind === 'aptos') continue;
      const before = this.#headsAtRead.get(section);
      const headAtRead = (before?.readAt === readAt ? before.head : null) ?? head;
      this.#headsAtRead.set(section, { readAt, head: headAtRead });
      const newerBlocks = Math.max(0, head - headAtRead);
      if (newerBlocks === section.newerBlocks) continue;
      section.newerBlocks = newerBlocks;
      section.children = getSectionChildren(section);
      this.#fire(section);
    }
  }

  async #fetchFacts(parent: EntryNode | ChainNode, chain: string): Promise<SectionFacts> {
    const entry = getEntry(parent);
    const known = this.#source.fetchFacts(entry, chain);
    const facts = await Promise.race([known, systemClock.sleep(MAX_FACTS_WAIT_MS).then(() => null)]);
    if (entry.entry.kind !== 'contract' || (facts ?? unknownFacts).traits !== null) this.#unknownParents.delete(parent);
    else this.#unknownParents.add(parent);
    if (facts === null) void known.then(later => this.#applyFacts(parent, later));
    return facts ?? unknownFacts;
  }

  /** A contract may have been deployed, replaced or removed since its sections were created. */
  async #updateSections(parent: EntryNode | ChainNode): Promise<void> {
    const chain = getSectionChain(parent);
    const entry = getEntry(parent);
    if (chain === undefined || entry.entry.kind !== 'contract') return;
    this.#applyFacts(parent, await this.#source.fetchFacts(entry, chain));
  }

  #applyFacts(parent: EntryNode | ChainNode, { traits, isLocal }: SectionFacts): void {
    const chain = getSectionChain(parent);
    if (chain === undefined || traits === null) return;
    this.#unknownParents.delete(parent);
    const shown = parent.children ?? [];
    const sections: readonly AddressTreeNode[] = getSectionNodes(
      parent,
      chain,
      { traits, isLocal },
      this.#sectionContext,
    );
    if (sections.length === shown.length && sections.every((section, index) => section === shown[index])) return;
    for (const before of shown) if (before.kind === 'section' && !sections.includes(before)) before.list.cancel();
    parent.children = sections;
    loadHidden(parent);
    this.#fire(parent);
  }

  #rearrange(): void {
    this.#arranged = this.#arrange();
    const changedNodes: AddressTreeNode[] = [];
    updateGroup(this.#root, this.#arranged.root, changedNodes);
    this.#arrangementChanged.fire();
    if (changedNodes.includes(this.#root)) this.#changed.fire(undefined);
    else if (changedNodes.length > 0) this.#changed.fire(changedNodes);
  }

  #isShown(node: AddressTreeNode): boolean {
    for (let at: AddressTreeNode | null = node; at !== null; at = at.parent)
      if (!(this.#expanded.get(at.id) ?? (at.kind === 'group' && (at === this.#root || this.#areGroupsExpanded()))))
        return false;
    return true;
  }

  #getExpandedSections(chain?: string): SectionNode[] {
    const sections: SectionNode[] = [];
    forEachNode(this.#root, node => {
      if (node.kind !== 'section' || (chain !== undefined && node.chain !== chain)) return;
      // Whether an optional section is shown depends on its list, which is therefore updated while collapsed.
      if (this.#isShown(node.isOptional && node.parent !== null ? node.parent : node)) sections.push(node);
    });
    return sections;
  }

  /** Refreshes shown sections that were read before the newest block, with one request at a time per section. */
  #refreshSectionsBehindHead(chain?: string): void {
    if (!this.#isVisible) return;
    for (const { list, chain: selector } of this.#getExpandedSections(chain)) {
      const { readAt } = list.state();
      if (readAt !== null && readAt <= (this.#headTimes.get(selector) ?? 0)) void list.refresh();
    }
  }

  #updateWatchedChains(): void {
    const sections = this.#isVisible ? this.#getExpandedSections() : [];
    const getChains = (from: readonly SectionNode[]) => [...new Set(from.map(({ chain }) => chain))];
    this.#deps.chainMonitor.setPolledChains('addresses', {
      shown: getChains(sections),
      unreachable: getChains(sections.filter(isUnreachable)),
      idle: getChains(sections.filter(({ entry }) => entry.entry.kind !== 'aptos')),
    });
  }

  async #createChildren(node: AddressTreeNode): Promise<readonly AddressTreeNode[]> {
    switch (node.kind) {
      case 'group':
        return getGroupChildren(node, node.children);
      case 'entry':
        return getEntryChildren(node, this.#sectionContext);
      case 'chain':
        return getChainChildren(node, this.#sectionContext);
      case 'section':
        await node.list.load();
        return getSectionChildren(node);
      case 'row':
        return getRowChildren(node, this.#sectionContext);
      case 'fault':
        return getFaultChildren(node);
      case 'more':
      case 'note':
        return [];
    }
  }
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
