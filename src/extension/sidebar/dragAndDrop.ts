// What a drag in the Addresses view carries, and the move of entries to a folder.

import { type DataTransfer, DataTransferItem } from 'vscode';
import { toDisplayAddress } from '../../base/displayAddress.ts';
import type { AddressBook } from '../addressBook/addressBook.ts';
import type { AddressTreeNode } from './addressTreeNodes.ts';

/** VS Code's MIME type for what is dragged inside the view. */
export const TREE_MIME_TYPE = 'application/vnd.code.tree.hexlens.addresses';

/** Ids of entries and paths of folders. */
export interface DraggedNodes {
  readonly entries: readonly string[];
  readonly folders: readonly string[];
}

export function handleDrag(nodes: readonly AddressTreeNode[], data: DataTransfer): void {
  const entries = nodes.flatMap(node => (node.kind === 'entry' ? [node.entry] : []));
  const folders = nodes.flatMap(node =>
    node.kind === 'group' && node.group.grouping === 'folder' && node.group.value !== null ? [node.group.value] : [],
  );
  if (entries.length > 0 || folders.length > 0)
    data.set(
      TREE_MIME_TYPE,
      new DataTransferItem({ entries: entries.map(({ id }) => id), folders } satisfies DraggedNodes),
    );
  const texts = nodes.flatMap(node => (node.kind === 'row' ? [node.row.copyText] : []));
  const text = [...entries.map(({ address }) => toDisplayAddress(address)), ...texts].join('\n');
  if (text !== '') data.set('text/plain', new DataTransferItem(text));
}

/** Resolves with the number of moved entries. */
export async function moveEntries(book: AddressBook, ids: readonly string[], folder: string): Promise<number> {
  const wanted = new Set(ids);
  const moving = book.entries().filter(entry => wanted.has(entry.id) && entry.folder !== folder);
  await book.updateEach(
    moving.map(({ id }) => id),
    () => ({ folder }),
  );
  return moving.length;
}
