// What stands below an entry: its chains, their sections, and the rows of a list with what is to be said around them.
import { l10n } from 'vscode';
import { faultOf } from '../../view/tree/faultText.ts';
import type { Section } from '../../view/tree/treeRow.ts';
import { sectionsOf } from '../../view/tree/treeSections.ts';
import type { AddressNode, ChainNode, EntryNode, NoteNode, RowNode, SectionNode } from './addressTreeNodes.ts';
import type { List } from './pagedList.ts';

export interface SectionMaking {
  /** Chains that are configured, for entries that are meant for all of them; networks of Aptos for those of Aptos. */
  chainsOf(entry: EntryNode): readonly string[];
  listOf(node: () => SectionNode, section: Section, chain: string, entry: EntryNode): List;
}

function sectionNode(
  parent: AddressNode,
  entry: EntryNode,
  chain: string,
  section: Section,
  { listOf }: SectionMaking,
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

const sectionNodes = (parent: AddressNode, entry: EntryNode, chain: string, making: SectionMaking) =>
  sectionsOf(entry.entry, chain).map(section => sectionNode(parent, entry, chain, section, making));

const note = (parent: AddressNode, key: string, text: string, icon: string): NoteNode => ({
  kind: 'note',
  id: `${parent.id}/${key}`,
  parent,
  children: [],
  text,
  icon,
});

/** Sections at once where there is one chain, else one node per chain. */
export function childrenOfEntry(entry: EntryNode, making: SectionMaking): readonly AddressNode[] {
  const chains = making.chainsOf(entry);
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

export const childrenOfChain = (node: ChainNode, making: SectionMaking): readonly AddressNode[] =>
  sectionNodes(node, node.entry, node.chain, making);

export const childrenOfRow = (node: RowNode, making: SectionMaking): readonly AddressNode[] =>
  node.row.sections.map(section => sectionNode(node, node.section.entry, node.section.chain, section, making));

/** The rows of a list, then what goes on with it. Row nodes are taken over by key. */
export function childrenOfSection(node: SectionNode): readonly AddressNode[] {
  const { rows, cursor, error, syncing, loaded, busy } = node.list.state();
  const known = new Map((node.children ?? []).map(child => [child.id, child]));
  const children: AddressNode[] = [];
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
      fault: faultOf(error),
      section: node,
    });
  else if (loaded && rows.length === 0 && cursor === null)
    children.push(note(node, 'nothing', l10n.t('Nothing here.'), 'dash'));
  // A node of its own for each length of the list: the one that was clicked does not wander down with the focus on it.
  if (cursor !== null && (error === null || busy === 'more'))
    children.push({ kind: 'more', id: `${node.id}/more${rows.length}`, parent: node, children: [], section: node });
  return children;
}

export const childrenOfFault = (node: AddressNode & { kind: 'fault' }): readonly AddressNode[] =>
  node.fault.fix === '' ? [] : [note(node, 'fix', node.fault.fix, 'lightbulb')];
