// Saved names behind the addresses of the visible lines. Loaded when the setting is on.
import { InlayHint, type Range, type TextDocument } from 'vscode';
import { BOOK_FILE } from '../../addressBook/bookFile.ts';
import { namesIn } from '../../view/savedNameHints.ts';
import type { Book } from './addressBook.ts';

/** Characters of what is visible that are looked through: a minified file is one line of megabytes. */
const MAX_TEXT = 200_000;

export function inlayHints(document: TextDocument, range: Range, book: Book): InlayHint[] {
  // The book's own file has the names already.
  if (document.uri.path.endsWith(`/${BOOK_FILE}`) || book.entries().length === 0) return [];
  const start = document.offsetAt(range.start);
  const text = document.getText(range).slice(0, MAX_TEXT);
  return namesIn(text, address => book.nameOf(address)).map(({ end, name }) => {
    const hint = new InlayHint(document.positionAt(start + end), name);
    hint.paddingLeft = true;
    return hint;
  });
}
