// Lists of literals: back over the elements before one to what the list itself is.

import { OPENERS, overBlankLines, SEPARATORS } from './lines.ts';
import { nameStart, numberStart, overQuiet, phraseStart } from './readBackwards.ts';

export interface ListPlace {
  readonly at: number;
  /** Where the element before the literal begins when it is no literal itself; else `null` and `at` is before the list. */
  readonly argument: number | null;
  readonly quoted: boolean;
}

/** Back over the literals of a list; `at` is behind a comma. */
export function overList(text: string, at: number, floor: number): ListPlace {
  let place = at;
  for (;;) {
    if (text[place - 1] !== ',') return { at: place, argument: null, quoted: false };
    const end = overBlankLines(text, place - 1, floor);
    const inner = overQuiet(text, end, floor);
    const number = numberStart(text, inner, floor);
    if (number === inner) {
      const quoted = inner < end && /["'`]/.test(text.slice(inner, end));
      const start = quoted ? phraseStart(text, inner, floor, 5) : nameStart(text, inner, floor);
      return { at: inner, argument: start, quoted };
    }
    const before = overQuiet(text, number, floor);
    place = overBlankLines(text, before, floor);
    // What ends the line above is no name of a list that begins on this one.
    const above = place < before && text.slice(place, before).includes('\n');
    if (above && !`${OPENERS}${SEPARATORS},`.includes(text.charAt(place - 1)))
      return { at: place, argument: place, quoted: false };
  }
}
