// The nodes of the Addresses view: what each stands for. Their ids are stable, so that VS Code keeps what was open.

import { l10n } from 'vscode';
import type { SavedEntry } from '../../addressBook/entry.ts';
import type { EntryGroup } from '../../view/tree/arrangeEntries.ts';
import { type FaultText, toFaultText } from '../../view/tree/faultText.ts';
import type { TreeRow, TreeSection } from '../../view/tree/treeRow.ts';
import { getEntrySections } from '../../view/tree/treeSections.ts';
import type { PagedList } from './pagedList.ts';

interface Base {
  /** Unique in the tree. */
  readonly id: string;
  readonly parent: AddressTreeNode | null;
  /** What is below it, once somebody looked. */
  children: readonly AddressTreeNode[] | null;
}

export interface GroupNode extends Base {
  readonly kind: 'group';
  group: EntryGroup;
}

export interface EntryNode extends Base {
  readonly kind: 'entry';
  entry: SavedEntry;
}

/** One chain of an entry that is meant for several. */
export interface ChainNode extends Base {
  readonly kind: 'chain';
  readonly chain: string;
  readonly entry: EntryNode;
}

export interface SectionNode extends Base {
  readonly kind: 'section';
  readonly section: TreeSection;
  readonly chain: string;
  readonly entry: EntryNode;
  readonly list: PagedList;
}

export interface RowNode extends Base {
  readonly kind: 'row';
  row: TreeRow;
  readonly section: SectionNode;
}

export interface MoreNode extends Base {
  readonly kind: 'more';
  readonly section: SectionNode;
}

/** A sentence of ours: nothing there, still being indexed. */
export interface NoteNode extends Base {
  readonly kind: 'note';
  readonly text: string;
  readonly icon: string;
}

export interface FaultNode extends Base {
  readonly kind: 'fault';
  readonly fault: FaultText;
  readonly section: SectionNode;
}

export type AddressTreeNode =
  | GroupNode
  | EntryNode
  | ChainNode
  | SectionNode
  | RowNode
  | MoreNode
  | NoteNode
  | FaultNode;

const kinds: readonly AddressTreeNode['kind'][] = [
  'group',
  'entry',
  'chain',
  'section',
  'row',
  'more',
  'note',
  'fault',
];

/** Arguments of commands come from menus, key bindings and other extensions. */
export function isAddressTreeNode(value: unknown): value is AddressTreeNode {
  const { kind, id } = (value ?? {}) as { readonly kind?: unknown; readonly id?: unknown };
  return typeof id === 'string' && kinds.some(known => known === kind);
}

export const isEntryNode = (node: AddressTreeNode): node is EntryNode => node.kind === 'entry';

// Groups and entries as nodes: made when they are looked at, kept while they are the same, so that changes stay small.
const sameList = (a: readonly string[], b: readonly string[]) =>
  a === b || (a.length === b.length && a.every((item, at) => item === b[at]));

/** Whether the tree has nothing new to say of an entry. */
function sameEntry(a: SavedEntry, b: SavedEntry): boolean {
  if (a === b) return true;
  return (
    a.id === b.id &&
    a.name === b.name &&
    a.kind === b.kind &&
    a.folder === b.folder &&
    a.color === b.color &&
    a.mark === b.mark &&
    a.notes === b.notes &&
    sameList(a.tags, b.tags) &&
    sameList(a.chains, b.chains)
  );
}

/** What is below an entry depends on these. */
const sameQuestions = (a: SavedEntry, b: SavedEntry) => a.kind === b.kind && sameList(a.chains, b.chains);

/** The children of a group; nodes of `before` are taken over by id. */
export function getGroupChildren(
  node: GroupNode,
  before: readonly AddressTreeNode[] | null,
): readonly AddressTreeNode[] {
  const known = new Map((before ?? []).map(child => [child.id, child]));
  const { groups, entries, id } = node.group;
  const parent = id === 'root' ? null : node;
  return [
    ...groups.map((group): GroupNode => {
      const old = known.get(group.id);
      if (old?.kind !== 'group') return { kind: 'group', id: group.id, parent, group, children: null };
      old.group = group;
      return old;
    }),
    ...entries.map((entry): EntryNode => {
      const childId = `${id}/${entry.id}`;
      const old = known.get(childId);
      if (old?.kind !== 'entry') return { kind: 'entry', id: childId, parent, entry, children: null };
      if (!sameQuestions(old.entry, entry)) old.children = null;
      old.entry = entry;
      return old;
    }),
  ];
}

/**
 * Brings the nodes that were looked at to a new arrangement. Adds the nodes that must be told of to `changed`: a group
 * whose children or count differ, an entry that reads differently.
 */
export function updateGroup(node: GroupNode, next: EntryGroup, changed: AddressTreeNode[]): void {
  const before = node.group;
  const children = node.children;
  const entriesBefore = new Map<string, SavedEntry>();
  for (const child of children ?? []) if (child.kind === 'entry') entriesBefore.set(child.id, child.entry);
  const groupsBefore = new Map(
    (children ?? []).flatMap(child => (child.kind === 'group' ? [[child.id, child.group] as const] : [])),
  );
  node.group = next;
  if (children === null) {
    if (before.count !== next.count || before.label !== next.label) changed.push(node);
    return;
  }
  const after = getGroupChildren(node, children);
  const sameOrder = after.length === children.length && after.every((child, at) => child === children[at]);
  node.children = sameOrder ? children : after;
  // A group that is told of is drawn with all that is below it: no need to name its children too.
  const reads = node.id === 'root' || (before.count === next.count && before.label === next.label);
  const whole = !sameOrder || !reads;
  if (whole) changed.push(node);
  for (const child of after) {
    if (child.kind === 'group') {
      const old = groupsBefore.get(child.id);
      const now = child.group;
      if (old === undefined) continue;
      child.group = old;
      updateGroup(child, now, whole ? [] : changed);
    } else if (child.kind === 'entry' && !whole) {
      const old = entriesBefore.get(child.id);
      if (old !== undefined && !sameEntry(old, child.entry)) changed.push(child);
    }
  }
}

// What stands below an entry: its chains, their sections, and the rows of a list with what is to be said around them.
export interface SectionContext {
  /** Chains that are configured, for entries that are meant for all of them; networks of Aptos for those of Aptos. */
  getChains(entry: EntryNode): readonly string[];
  createList(node: () => SectionNode, section: TreeSection, chain: string, entry: EntryNode): PagedList;
}

function sectionNode(
  parent: AddressTreeNode,
  entry: EntryNode,
  chain: string,
  section: TreeSection,
  { createList: listOf }: SectionContext,
): SectionNode {
  const node: SectionNode = {
    kind: 'section',
    id: `${parent.id}/${section.key}`,
    parent,
    children: null,
    section,
    chain,
    entry,
    list: listOf(() => node, section, chain, entry),
  };
  return node;
}

const sectionNodes = (parent: AddressTreeNode, entry: EntryNode, chain: string, making: SectionContext) =>
  getEntrySections(entry.entry, chain).map(section => sectionNode(parent, entry, chain, section, making));

const note = (parent: AddressTreeNode, key: string, text: string, icon: string): NoteNode => ({
  kind: 'note',
  id: `${parent.id}/${key}`,
  parent,
  children: [],
  text,
  icon,
});

/** Sections at once where there is one chain, else one node per chain. */
export function getEntryChildren(entry: EntryNode, making: SectionContext): readonly AddressTreeNode[] {
  const chains = making.getChains(entry);
  const [only] = chains;
  if (only === undefined) {
    const none =
      entry.entry.kind === 'aptos' ? l10n.t('No network of Aptos is configured.') : l10n.t('No chain is configured.');
    return [note(entry, 'none', none, 'info')];
  }
  if (chains.length === 1) return sectionNodes(entry, entry, only, making);
  return chains.map(
    (chain): ChainNode => ({ kind: 'chain', id: `${entry.id}/${chain}`, parent: entry, children: null, chain, entry }),
  );
}

export const getChainChildren = (node: ChainNode, making: SectionContext): readonly AddressTreeNode[] =>
  sectionNodes(node, node.entry, node.chain, making);

export const getRowChildren = (node: RowNode, making: SectionContext): readonly AddressTreeNode[] =>
  node.row.sections.map(section => sectionNode(node, node.section.entry, node.section.chain, section, making));

/** The rows of a list, then what goes on with it. Row nodes are taken over by key. */
export function getSectionChildren(node: SectionNode): readonly AddressTreeNode[] {
  const { rows, cursor, error, syncing, loaded, busy } = node.list.state();
  const known = new Map((node.children ?? []).map(child => [child.id, child]));
  const children: AddressTreeNode[] = [];
  if (syncing) children.push(note(node, 'syncing', l10n.t('Still being indexed: more may appear.'), 'sync'));
  for (const row of rows) {
    const id = `${node.id}/=${row.key}`;
    const old = known.get(id);
    if (old?.kind === 'row') {
      old.row = row;
      children.push(old);
    } else children.push({ kind: 'row', id, parent: node, children: null, row, section: node });
  }
  if (error !== null)
    children.push({
      kind: 'fault',
      id: `${node.id}/fault`,
      parent: node,
      children: null,
      fault: toFaultText(error),
      section: node,
    });
  else if (loaded && rows.length === 0 && cursor === null)
    children.push(note(node, 'nothing', l10n.t('Nothing here.'), 'dash'));
  // A node of its own for each length of the list: the one that was clicked does not wander down with the focus on it.
  if (cursor !== null && (error === null || busy === 'more'))
    children.push({ kind: 'more', id: `${node.id}/more${rows.length}`, parent: node, children: [], section: node });
  return children;
}

export const getFaultChildren = (node: AddressTreeNode & { kind: 'fault' }): readonly AddressTreeNode[] =>
  node.fault.fix === '' ? [] : [note(node, 'fix', node.fault.fix, 'lightbulb')];

// Which nodes are open: VS Code says when one is opened or closed, and draws groups open or closed at first.
export interface ExpandedNodes {
  isExpanded(node: AddressTreeNode): boolean;
  markExpanded(node: AddressTreeNode): void;
  markCollapsed(node: AddressTreeNode): void;
}

export function createExpandedNodes(groupsOpen: () => boolean): ExpandedNodes {
  const said = new Map<string, boolean>();
  return {
    isExpanded: ({ id, kind }) => said.get(id) ?? (kind === 'group' && (id === 'root' || groupsOpen())),
    markExpanded: ({ id }) => void said.set(id, true),
    markCollapsed: ({ id }) => void said.set(id, false),
  };
}
