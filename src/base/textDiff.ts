// The smallest stretch in which two texts differ, so that an editor keeps cursors and folds everywhere else.

import { findLastAtMost } from './findLastAtMost.ts';

export interface TextDiff {
  /** UTF-16 offsets into the old text; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
  readonly content: string;
}

export function diffText(before: string, after: string): TextDiff {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before.charCodeAt(start) === after.charCodeAt(start)) start++;
  let tail = 0;
  while (
    tail < shorter - start &&
    before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail)
  )
    tail++;
  return { start, end: before.length - tail, content: after.slice(start, after.length - tail) };
}

/** Turns offsets of a text into lines and columns, both from zero. */
export function createPositionLookup(
  text: string,
): (offset: number) => { readonly line: number; readonly character: number } {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return offset => {
    const line = findLastAtMost(starts, offset);
    return { line, character: offset - (starts[line] ?? 0) };
  };
}
