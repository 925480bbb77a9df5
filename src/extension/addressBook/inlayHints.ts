// Saved names behind the addresses of the visible lines. Loaded when the setting is on.
import { InlayHint, type Range, type TextDocument } from 'vscode';
import { BOOK_FILE_PATH } from '../../addressBook/bookFile.ts';
import { findSavedNameHints } from '../../view/savedNameHints.ts';
import type { AddressBook } from './addressBook.ts';

/** Characters of what is visible that are looked through: a minified file is one line of megabytes. */
const MAX_TEXT = 200_000;

export function createInlayHints(document: TextDocument, range: Range, book: AddressBook): InlayHint[] {
  // The book's own file has the names already.
  if (document.uri.path.endsWith(`/${BOOK_FILE_PATH}`) || book.entries().length === 0) return [];
  const start = document.offsetAt(range.start);
  const text = document.getText(range).slice(0, MAX_TEXT);
  return findSavedNameHints(text, address => book.getName(address)).map(({ offset: end, name }) => {
    const hint = new InlayHint(document.positionAt(start + end), name);
    hint.paddingLeft = true;
    return hint;
  });
}
