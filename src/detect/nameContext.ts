// Reads the names around a literal that may be a selector or an address.
import { findAddressWord, findSelectorWord } from './hintWords.ts';
import { findLabelAfter, findLabelsBefore } from './labels.ts';
import type { ScannedLiteral } from './scanLiterals.ts';

/** The word that makes four bytes a selector; `null` when they may be any number. */
export function getSelectorContext(text: string, scanned: ScannedLiteral): string | null {
  return findFirstWord(text, scanned, findSelectorWord);
}

/** The word that makes 20 bytes an address. */
export function getAddressContext(text: string, scanned: ScannedLiteral): string | null {
  return findFirstWord(text, scanned, findAddressWord);
}

function findFirstWord(
  text: string,
  scanned: ScannedLiteral,
  findWord: (words: readonly string[]) => string | null,
): string | null {
  const labels = findLabelsBefore(text, scanned.start, label => findWord(label.words) !== null);
  for (const { words } of labels) {
    const word = findWord(words);
    if (word !== null) return word;
  }
  const note = labels.length === 0 ? findLabelAfter(text, scanned.end) : null;
  return note === null ? null : findWord(note.words);
}
