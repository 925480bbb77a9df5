// The nodes of the Addresses view: what each stands for. Their ids are stable, so that VS Code keeps what was open.
import type { SavedEntry } from '../../addressBook/entry.ts';
import type { EntryGroup } from '../../view/tree/arrangeEntries.ts';
import type { FaultText } from '../../view/tree/faultText.ts';
import type { TreeRow, TreeSection } from '../../view/tree/treeRow.ts';
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
