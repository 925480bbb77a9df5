// The nodes of the Addresses view: what each stands for. Their ids are stable, so that VS Code keeps what was open.
import type { SavedEntry } from '../../addressBook/entry.ts';
import type { Group } from '../../view/tree/arrangeEntries.ts';
import type { FaultText } from '../../view/tree/faultText.ts';
import type { Row, Section } from '../../view/tree/treeRow.ts';
import type { List } from './pagedList.ts';

interface Base {
  /** Unique in the tree. */
  readonly id: string;
  readonly parent: AddressNode | null;
  /** What is below it, once somebody looked. */
  children: readonly AddressNode[] | null;
}

export interface GroupNode extends Base {
  readonly kind: 'group';
  group: Group;
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
  readonly section: Section;
  readonly chain: string;
  readonly entry: EntryNode;
  readonly list: List;
}

export interface RowNode extends Base {
  readonly kind: 'row';
  row: Row;
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

export type AddressNode = GroupNode | EntryNode | ChainNode | SectionNode | RowNode | MoreNode | NoteNode | FaultNode;

const kinds: readonly AddressNode['kind'][] = ['group', 'entry', 'chain', 'section', 'row', 'more', 'note', 'fault'];

/** Arguments of commands come from menus, key bindings and other extensions. */
export function isAddressNode(value: unknown): value is AddressNode {
  const { kind, id } = (value ?? {}) as { readonly kind?: unknown; readonly id?: unknown };
  return typeof id === 'string' && kinds.some(known => known === kind);
}

export const isEntryNode = (node: AddressNode): node is EntryNode => node.kind === 'entry';
