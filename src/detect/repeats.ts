// Finds the other places of a text in which the same 32 bytes are written: what one of them tells is so of all.
import { getOrInsert } from '../base/getOrInsert.ts';
import type { ScannedLiteral } from './scanLiterals.ts';
import { TextCache } from './textCache.ts';

/** Longer texts are read in parts of this length. */
const PART_LENGTH = 50_000;
/** A value that is written more often is an example. */
const MAX_PLACES = 4;
const LITERAL = /(?<![0-9a-zA-Z])(?:0[xX])?([0-9a-fA-F]{64})(?![0-9a-zA-Z])/g;

/** The places of each value in a part of a text. */
const repeats = new TextCache(PART_LENGTH, (text, from) => {
  const places = new Map<string, ScannedLiteral[]>();
  LITERAL.lastIndex = from;
  for (let found = LITERAL.exec(text); found !== null; found = LITERAL.exec(text)) {
    const [written, digits = ''] = found;
    const start = found.index;
    if (start >= from + PART_LENGTH) break;
    const literal: ScannedLiteral = {
      shape: written.length > digits.length ? 'bytes32' : 'bare32',
      start,
      end: start + written.length,
      text: written,
    };
    getOrInsert(places, digits.toLowerCase(), () => []).push(literal);
  }
  return places;
});

/** The other places of the value of a literal near it; none where it is written very often. */
export function findRepeats(text: string, { start, text: own }: ScannedLiteral): readonly ScannedLiteral[] {
  const digits = own.replace(/^0x/i, '').toLowerCase();
  const places = repeats.get(text, start).get(digits) ?? [];
  return places.length > MAX_PLACES ? [] : places.filter(place => place.start !== start);
}
