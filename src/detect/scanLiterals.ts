// Finds every hex literal of a whole document in one pass whose cost grows with its length and nothing else.
import { HEX_BYTES, isHexDigit } from './characters.ts';
import {
  MAX_DIGITS,
  readBareLiteralAt,
  readBlockNumberAt,
  readLiteralAt,
  type ScannedLiteral,
} from './scannedLiteral.ts';

export interface ScanOptions {
  /**
   * `literals`: only what is written with `0x` and is at most 66 digits long, or truncated; several times faster, enough
   * for links and decorations. `all` (the default) adds data, bare words and block numbers of explorer links.
   */
  readonly only?: 'all' | 'literals';
}

/** Everything in `text` that has the shape of a subject, by position; nothing overlaps. See `classify` for meaning. */
export function scanLiterals(text: string, options: ScanOptions = {}): ScannedLiteral[] {
  const all = options.only !== 'literals';
  const found = findPrefixed(text, all ? MAX_DIGITS : SHORT_DIGITS);
  if (!all) return found;
  return merge(merge(found, findBare(text, found)), findBlockNumbers(text));
}

/** Two lists by position as one; where they overlap, `first` wins. */
function merge(first: ScannedLiteral[], second: ScannedLiteral[]): ScannedLiteral[] {
  if (second.length === 0) return first;
  const merged: ScannedLiteral[] = [];
  let next = 0;
  let end = 0;
  for (const found of first) {
    for (let other = second[next]; other !== undefined && other.start < found.start; other = second[++next]) {
      if (other.start >= end && other.end <= found.start) merged.push(other);
    }
    merged.push(found);
    end = found.end;
  }
  for (const other of second.slice(next)) if (other.start >= end) merged.push(other);
  return merged;
}

/** Enough to know that a run is longer than any `odd` literal. */
const SHORT_DIGITS = 68;
/** Literals closer than this make a text dense. */
const DENSE_GAP = 256;
const MISSES = 8;

/**
 * Looks for `x` or for `0x`. Both are one call into the engine per stop: `0x` stops less often, but pays for every `0` in
 * between, so `x` is better among hex digits and `0x` in everything else.
 */
function findPrefixed(text: string, limit: number): ScannedLiteral[] {
  const found: ScannedLiteral[] = [];
  const runEnd = createRunReader(text, limit);
  let upper = text.indexOf('X');
  let from = 0;
  let dense = false;
  let misses = 0;
  let lastEnd = -DENSE_GAP;
  let lower = -2; // not looked up yet
  for (;;) {
    if (lower === -2) {
      if (dense) {
        lower = text.indexOf('x', from);
      } else {
        const zero = text.indexOf('0x', from);
        lower = zero < 0 ? -1 : zero + 1;
      }
    }
    if (lower < 0 && upper < 0) return found;
    const takeUpper = lower < 0 || (upper >= 0 && upper < lower);
    const x = takeUpper ? upper : lower;
    if (takeUpper) upper = text.indexOf('X', x + 1);
    else lower = -2;
    if (x < from) continue;
    from = x + 1;
    if (text.charCodeAt(x - 1) !== 48) {
      if (!takeUpper && ++misses > MISSES) dense = false;
      continue;
    }
    const end = runEnd(x + 1);
    from = end;
    if (end - x > limit) {
      dense = true;
      misses = 0;
      continue;
    }
    const literal = readLiteralAt(text, x, end);
    if (literal === null) continue;
    if (literal.start - lastEnd < DENSE_GAP) {
      dense = true;
      misses = 0;
    }
    found.push(literal);
    from = literal.end;
    lastEnd = from;
  }
}

const WINDOW = 4096;

/**
 * Where the run of hex digits that begins at `from` ends, at most `limit` further. Reading a string's characters one by
 * one costs more than copying a window of them into bytes and reading those.
 */
function createRunReader(text: string, limit: number): (from: number) => number {
  const encoder = new TextEncoder();
  const bytes = new Uint8Array(WINDOW);
  let windowStart = 0;
  let windowEnd = 0;
  let ascii = false;
  return from => {
    const stop = Math.min(text.length, from + limit);
    let end = from;
    if (from < windowStart || from >= windowEnd) {
      // Most `0x` are short numbers: not worth a window.
      const first = Math.min(stop, from + 8);
      while (end < first && isHexDigit(text.charCodeAt(end))) end++;
      if (end < first) return end;
    }
    while (end < stop) {
      if (end < windowStart || end >= windowEnd) {
        windowStart = end;
        windowEnd = Math.min(text.length, end + WINDOW);
        const { read, written } = encoder.encodeInto(text.slice(windowStart, windowEnd), bytes);
        ascii = read === written && read === windowEnd - windowStart;
      }
      const last = Math.min(stop, windowEnd);
      if (ascii) {
        let at = end - windowStart;
        const lastAt = last - windowStart;
        while (at < lastAt && HEX_BYTES[bytes[at] as number] === 1) at++; // in range: at < windowEnd - windowStart
        end = at + windowStart;
      } else {
        while (end < last && isHexDigit(text.charCodeAt(end))) end++;
      }
      if (end < last) return end;
    }
    return end;
  };
}

/** A run of 40 digits covers every 40th character at least once, so only those are looked at; `known` is passed over. */
function findBare(text: string, known: readonly ScannedLiteral[]): ScannedLiteral[] {
  const found: ScannedLiteral[] = [];
  let floor = 0;
  let next = 0;
  for (let at = 39; at < text.length; ) {
    let literal = known[next];
    while (literal !== undefined && literal.end <= at) literal = known[++next];
    if (literal !== undefined && literal.start <= at) {
      at = literal.end + 40;
      continue;
    }
    if (!isHexDigit(text.charCodeAt(at))) {
      at += 40;
      continue;
    }
    let start = at;
    while (start > floor && isHexDigit(text.charCodeAt(start - 1))) start--;
    let end = at + 1;
    while (end - start <= 64 && isHexDigit(text.charCodeAt(end))) end++;
    const bare = readBareLiteralAt(text, start, end);
    if (bare !== null) found.push(bare);
    floor = end;
    at = end + (end - start > 64 ? 39 : 40);
  }
  return found;
}

function findBlockNumbers(text: string): ScannedLiteral[] {
  const found: ScannedLiteral[] = [];
  for (let at = text.indexOf('/block'); at >= 0; at = text.indexOf('/block', at + 6)) {
    const path = /^\/blocks?\\?\/(?:countdown\\?\/)?(?=\d)/.exec(text.slice(at, at + 24));
    if (path === null) continue;
    const number = readBlockNumberAt(text, at + path[0].length);
    if (number !== null) found.push(number);
  }
  return found;
}
