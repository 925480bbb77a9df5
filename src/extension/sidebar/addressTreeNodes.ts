// The nodes of the Addresses view and how they are created and updated. Stable ids let VS Code keep the expansion state.
import { l10n } from 'vscode';
import type { SavedEntry } from '../../addressBook/entry.ts';
import type { AddressTraits } from '../../api/operations/addressScope.ts';
import { MAX_NOTE_LENGTH } from '../../api/wire/replyNotes.ts';
import { sanitizeText } from '../../base/displayText.ts';
import { isNodeFault } from '../../base/errors.ts';
import { formatInteger } from '../../base/formatUnits.ts';
import type { EntryGroup } from '../../view/tree/arrangeEntries.ts';
import { type FaultText, toFaultText } from '../../view/tree/faultText.ts';
import type { TreeRow, TreeSection } from '../../view/tree/treeRow.ts';
import { getEntrySections } from '../../view/tree/treeSections.ts';
import type { PagedList } from './pagedList.ts';

interface Base {
  /** Unique in the tree. */
  readonly id: string;
  readonly parent: AddressTreeNode | null;
  /** `null` until the node is expanded for the first time. */
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

/** One of several chains of an entry. */
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
  /** Since its rows were read, where they are not read again at each block. */
  newerBlocks: number;
  /** Not shown while its list is empty: it is loaded to find that out. */
  readonly isOptional: boolean;
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

/** A message, such as that a list is empty or still being indexed. */
export interface NoteNode extends Base {
  readonly kind: 'note';
  readonly text: string;
  readonly icon: string;
  /** The section that a click on the note reads again. */
  readonly refreshes?: SectionNode;
}

export interface FaultNode extends Base {
  readonly kind: 'fault';
  readonly fault: FaultText;
  /** When the rows that are still shown were read; `null` when there are none. */
  readonly readAt: number | null;
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

/** Validates a command argument, which may come from a menu, a key binding or another extension. */
export function isAddressTreeNode(value: unknown): value is AddressTreeNode {
  const { kind, id } = (value ?? {}) as { readonly kind?: unknown; readonly id?: unknown };
  return typeof id === 'string' && kinds.some(known => known === kind);
}

export const isEntryNode = (node: AddressTreeNode): node is EntryNode => node.kind === 'entry';

const isSameList = (a: readonly string[], b: readonly string[]) =>
  a === b || (a.length === b.length && a.every((item, index) => item === b[index]));

/** Whether the tree shows both entries in the same way. */
function isSameEntry(a: SavedEntry, b: SavedEntry): boolean {
  if (a === b) return true;
  return (
    a.id === b.id &&
    a.name === b.name &&
    a.kind === b.kind &&
    a.folder === b.folder &&
    a.color === b.color &&
    a.trust === b.trust &&
    a.notes === b.notes &&
    isSameList(a.tags, b.tags) &&
    isSameList(a.chains, b.chains)
  );
}

/** Whether both entries have the same child nodes. */
const hasSameChildren = (a: SavedEntry, b: SavedEntry) => a.kind === b.kind && isSameList(a.chains, b.chains);

/** Visits a node and all nodes created below it. */
export function forEachNode(node: AddressTreeNode, visit: (node: AddressTreeNode) => unknown): void {
  visit(node);
  for (const child of node.children ?? []) forEachNode(child, visit);
}

/** Cancels the requests of the lists below a node, which is not shown any more. */
export const cancelLists = (node: AddressTreeNode): void =>
  forEachNode(node, below => below.kind === 'section' && below.list.cancel());

/** The children of a group; reuses nodes of `before` with the same id. */
export function getGroupChildren(
  node: GroupNode,
  before: readonly AddressTreeNode[] | null,
): readonly AddressTreeNode[] {
  const existing = new Map((before ?? []).map(child => [child.id, child]));
  const { groups, entries, id } = node.group;
  const parent = id === 'root' ? null : node;
  const after = [
    ...groups.map((group): GroupNode => {
      const child = existing.get(group.id);
      if (child?.kind !== 'group') return { kind: 'group', id: group.id, parent, group, children: null };
      child.group = group;
      return child;
    }),
    ...entries.map((entry): EntryNode => {
      const childId = `${id}/${entry.id}`;
      const child = existing.get(childId);
      if (child?.kind !== 'entry') return { kind: 'entry', id: childId, parent, entry, children: null };
      if (!hasSameChildren(child.entry, entry)) {
        cancelLists(child);
        child.children = null;
      }
      child.entry = entry;
      return child;
    }),
  ];
  const ids = new Set(after.map(child => child.id));
  for (const child of before ?? []) if (!ids.has(child.id)) cancelLists(child);
  return after;
}

/**
 * Applies a new arrangement to a group and the nodes created below it. Adds to `changed` the nodes that VS Code must
 * refresh: groups whose children, count or label differ, and entries that are shown differently.
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
  const hasSameOrder = after.length === children.length && after.every((child, index) => child === children[index]);
  node.children = hasSameOrder ? children : after;
  const hasSameText = node.id === 'root' || (before.count === next.count && before.label === next.label);
  // VS Code refreshes a changed group with everything below it, so its children need not be added.
  const isChanged = !hasSameOrder || !hasSameText;
  if (isChanged) changed.push(node);
  for (const child of after) {
    if (child.kind === 'group') {
      const groupBefore = groupsBefore.get(child.id);
      const groupAfter = child.group;
      if (groupBefore === undefined) continue;
      child.group = groupBefore;
      updateGroup(child, groupAfter, isChanged ? [] : changed);
    } else if (child.kind === 'entry' && !isChanged) {
      const entryBefore = entriesBefore.get(child.id);
      if (entryBefore !== undefined && !isSameEntry(entryBefore, child.entry)) changed.push(child);
    }
  }
}

/** A section without rows that is shown only with rows. */
export function isHidden(node: AddressTreeNode): boolean {
  if (node.kind !== 'section' || !node.isOptional) return false;
  const { loaded, rows, cursor, isSyncing, error } = node.list.state();
  return error === null && (!loaded || (rows.length === 0 && cursor === null && !isSyncing));
}

/** What an entry's sections on a chain depend on. */
export interface SectionFacts {
  /** What a contract is there; `null` while that is unknown. */
  readonly traits: AddressTraits | null;
  /** Only this machine knows the chain, so that loading a list costs nothing. */
  readonly isLocal: boolean;
}

/** Creates what is below entries. */
export interface SectionContext {
  /** Never rejects, and never waits long: `parent` gets other sections where the facts are known later. */
  fetchFacts(parent: EntryNode | ChainNode, chain: string): Promise<SectionFacts>;
  /** The entry's own chains, else all configured chains or Aptos networks. */
  getChains(entry: EntryNode): readonly string[];
  createList(node: () => SectionNode, section: TreeSection, chain: string, entry: EntryNode): PagedList;
}

function createSectionNode(
  parent: AddressTreeNode,
  entry: EntryNode,
  chain: string,
  section: TreeSection,
  isLocal: boolean,
  { createList }: SectionContext,
): SectionNode {
  const node: SectionNode = {
    kind: 'section',
    id: `${parent.id}/${section.key}`,
    parent,
    children: null,
    section,
    chain,
    entry,
    list: createList(() => node, section, chain, entry),
    newerBlocks: 0,
    isOptional: isLocal && section.omittedIfEmpty,
  };
  return node;
}

export const getEntry = (parent: EntryNode | ChainNode): EntryNode => (parent.kind === 'entry' ? parent : parent.entry);

/** The sections of an entry on a chain, below a note where a saved contract has no code; reuses nodes of before with the same id, whose lists may be loaded or loading. */
export function getSectionNodes(
  parent: EntryNode | ChainNode,
  chain: string,
  { traits, isLocal }: SectionFacts,
  context: SectionContext,
): readonly (SectionNode | NoteNode)[] {
  const entry = getEntry(parent);
  const existing = new Map((parent.children ?? []).map(child => [child.id, child]));
  // An entry for all of several chains may be a contract of one of them only.
  const isSavedHere = parent.kind === 'entry' || entry.entry.chains.length > 0;
  const isMissing = isSavedHere && entry.entry.kind === 'contract' && traits?.codeSize === 0;
  const sections = getEntrySections(entry.entry, chain, traits).map(section => {
    const node = existing.get(`${parent.id}/${section.key}`);
    return node?.kind === 'section' && node.isOptional === (isLocal && section.omittedIfEmpty)
      ? node
      : createSectionNode(parent, entry, chain, section, isLocal, context);
  });
  if (!isMissing) return sections;
  const text = l10n.t('Saved as a contract, no code here: redeployed?');
  const note = createNote(parent, 'redeployed', text, 'warning');
  const shown = existing.get(note.id);
  return [shown?.kind === 'note' ? shown : note, ...sections];
}

const createNote = (parent: AddressTreeNode, key: string, text: string, icon: string): NoteNode => ({
  kind: 'note',
  id: `${parent.id}/${key}`,
  parent,
  children: [],
  text,
  icon,
});

/** The sections if there is only one chain, else one node per chain. */
export async function getEntryChildren(entry: EntryNode, context: SectionContext): Promise<readonly AddressTreeNode[]> {
  const chains = context.getChains(entry);
  const [only] = chains;
  if (only === undefined) {
    const none =
      entry.entry.kind === 'aptos' ? l10n.t('No Aptos network is configured.') : l10n.t('No chain is configured.');
    return [createNote(entry, 'none', none, 'info')];
  }
  if (chains.length === 1) return getSectionNodes(entry, only, await context.fetchFacts(entry, only), context);
  return chains.map(
    (chain): ChainNode => ({ kind: 'chain', id: `${entry.id}/${chain}`, parent: entry, children: null, chain, entry }),
  );
}

export const getChainChildren = async (node: ChainNode, context: SectionContext): Promise<readonly AddressTreeNode[]> =>
  getSectionNodes(node, node.chain, await context.fetchFacts(node, node.chain), context);

export const getRowChildren = (node: RowNode, context: SectionContext): readonly AddressTreeNode[] =>
  (node.row.sections ?? []).map(section =>
    createSectionNode(node, node.section.entry, node.section.chain, section, false, context),
  );

/** The rows of a list with notes, faults and the Load More node. Reuses row nodes with the same key. */
export function getSectionChildren(node: SectionNode): readonly AddressTreeNode[] {
  const { rows, cursor, error, isSyncing, notes, loaded, busy, readAt } = node.list.state();
  const existing = new Map((node.children ?? []).map(child => [child.id, child]));
  const children: AddressTreeNode[] = [];
  const isStale = loaded && isNodeFault(error);
  const createFaultNode = (): FaultNode => ({
    kind: 'fault',
    id: `${node.id}/fault`,
    parent: node,
    children: null,
    fault: toFaultText(error),
    readAt: isStale ? readAt : null,
    section: node,
  });
  if (isStale) children.push(createFaultNode());
  if (node.newerBlocks > 0) {
    const text =
      node.newerBlocks === 1
        ? l10n.t('1 newer block: Refresh')
        : l10n.t('{0} newer blocks: Refresh', formatInteger(node.newerBlocks));
    children.push({ ...createNote(node, `newer${node.newerBlocks}`, text, 'refresh'), refreshes: node });
  }
  if (isSyncing)
    children.push(createNote(node, 'syncing', l10n.t('Indexing is in progress: more may appear.'), 'sync'));
  for (const [header, note] of Object.entries(notes))
    children.push(createNote(node, header, sanitizeText(note, MAX_NOTE_LENGTH), 'info'));
  // Clauses of one transaction (VeChain) may have equal logs, and every node of a tree has an id of its own.
  const repetitions = new Map<string, number>();
  for (const row of rows) {
    const repetition = repetitions.get(row.key) ?? 0;
    repetitions.set(row.key, repetition + 1);
    const id = `${node.id}/=${row.key}${repetition === 0 ? '' : ` ${repetition}`}`;
    const rowNode = existing.get(id);
    if (rowNode?.kind === 'row') {
      rowNode.row = row;
      children.push(rowNode);
    } else children.push({ kind: 'row', id, parent: node, children: null, row, section: node });
  }
  if (error !== null && !isStale) children.push(createFaultNode());
  else if (loaded && rows.length === 0 && cursor === null)
    children.push(createNote(node, 'nothing', l10n.t('Nothing here.'), 'dash'));
  // The id depends on the length of the list, so that the focus does not move down with the node that was clicked.
  if (cursor !== null && (error === null || busy === 'more'))
    children.push({ kind: 'more', id: `${node.id}/more${rows.length}`, parent: node, children: [], section: node });
  return children;
}

export const getFaultChildren = (node: AddressTreeNode & { kind: 'fault' }): readonly AddressTreeNode[] =>
  node.fault.fix === '' ? [] : [createNote(node, 'fix', node.fault.fix, 'lightbulb')];
