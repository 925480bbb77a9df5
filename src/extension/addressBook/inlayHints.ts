// Saved and ENS names as inlay hints behind the addresses of the visible lines.
import { InlayHint, type Range, type TextDocument } from 'vscode';
import { BOOK_FILE_PATH } from '../../addressBook/bookFile.ts';
import { findSavedNameHints } from '../../view/savedNameHints.ts';
import type { WorkerClient } from '../worker/workerClient.ts';
import type { AddressBook } from './addressBook.ts';

/** Characters that are searched; a minified file may be one line of megabytes. */
const MAX_TEXT_LENGTH = 200_000;

/** No name is looked up for a hint: an ENS name appears once a hover or the inspector has shown it. */
export function createInlayHints(
  document: TextDocument,
  range: Range,
  book: AddressBook,
  ensNames: WorkerClient['ensNames'],
): InlayHint[] {
  // The address book's own file shows the names already.
  if (document.uri.path.endsWith(`/${BOOK_FILE_PATH}`)) return [];
  if (book.trustedEntries().length === 0 && ensNames.size === 0) return [];
  const start = document.offsetAt(range.start);
  const text = document.getText(range).slice(0, MAX_TEXT_LENGTH);
  const getName = (address: string, chain?: string) => book.getName(address, chain) ?? ensNames.get(address);
  return findSavedNameHints(text, getName).map(({ offset, name }) => {
    const hint = new InlayHint(document.positionAt(start + offset), name);
    hint.paddingLeft = true;
    return hint;
  });
}
