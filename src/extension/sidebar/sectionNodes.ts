// What stands below an entry: its chains, their sections, and the rows of a list with what is to be said around them.
import { l10n } from 'vscode';
import { toFaultText } from '../../view/tree/faultText.ts';
import type { TreeSection } from '../../view/tree/treeRow.ts';
import { getEntrySections } from '../../view/tree/treeSections.ts';
import type { AddressTreeNode, ChainNode, EntryNode, NoteNode, RowNode, SectionNode } from './addressTreeNodes.ts';
import type { PagedList } from './pagedList.ts';

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
