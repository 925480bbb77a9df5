// Lists of literals: back over the elements before one to what the list itself is.

import { OPENERS, SEPARATORS, skipBlankLinesBefore } from './lines.ts';
import { findNameStart, findNumberStart, findPhraseStart, skipQuietBefore } from './readBackwards.ts';

export interface ListPosition {
  readonly at: number;
  /** Where the element before the literal begins when it is no literal itself; else `null` and `at` is before the list. */
  readonly argument: number | null;
  readonly quoted: boolean;
}

/** Back over the literals of a list; `at` is behind a comma. */
export function skipListBefore(text: string, at: number, floor: number): ListPosition {
  let place = at;
  for (;;) {
    if (text[place - 1] !== ',') return { at: place, argument: null, quoted: false };
    const end = skipBlankLinesBefore(text, place - 1, floor);
    const inner = skipQuietBefore(text, end, floor);
    const number = findNumberStart(text, inner, floor);
    if (number === inner) {
      const quoted = inner < end && /["'`]/.test(text.slice(inner, end));
      const start = quoted ? findPhraseStart(text, inner, floor, 5) : findNameStart(text, inner, floor);
      return { at: inner, argument: start, quoted };
    }
    const before = skipQuietBefore(text, number, floor);
    place = skipBlankLinesBefore(text, before, floor);
    // What ends the line above is no name of a list that begins on this one.
    const above = place < before && text.slice(place, before).includes('\n');
    if (above && !`${OPENERS}${SEPARATORS},`.includes(text.charAt(place - 1)))
      return { at: place, argument: place, quoted: false };
  }
}
