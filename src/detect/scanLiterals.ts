// Scans text for hex literals by shape: all in a document in linear time, or the one at an offset.

import { canLiteralEnd, canLiteralStart, HEX_BYTES, isEmphasized, isHexDigit } from './literalBoundaries.ts';

/**
 * What the digits alone tell. `bytes4`, `bytes20`, `bytes32`: `0x` and 8, 40, 64 digits. `data`: longer, or 22 to 30, whole
 * bytes. `odd`: one or two digits off an address or a hash. `truncated`: shortened in the text (`0x12…ab`, `0x12****`).
 * `bare20`, `bare32`: 40 or 64 digits without `0x`. `blockNumber`: decimal digits after `/block/`.
 */
export type LiteralShape =
  | 'bytes4'
  | 'bytes20'
  | 'bytes32'
  | 'data'
  | 'odd'
  | 'truncated'
  | 'bare20'
  | 'bare32'
  | 'blockNumber';

/** `text` is the source text from `start` to `end` (UTF-16 offsets, `end` exclusive), quotes not included. */
export interface ScannedLiteral {
  readonly shape: LiteralShape;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Longest run of digits that is read: 128 KiB of data, the largest transaction that nodes accept. */
const MAX_DIGITS = 1 << 18;

/** Longest run of digits after the ellipsis of a truncated literal. */
const MAX_TAIL_DIGITS = 64;

/** The shape of a prefixed literal with that many digits; `null` when nothing on a chain has that length. */
function getLiteralShape(digits: number): LiteralShape | null {
  if (digits === 40) return 'bytes20';
  if (digits === 64) return 'bytes32';
  if (digits < 38) return digits === 8 ? 'bytes4' : null;
  if (digits <= 42) return 'odd';
  if (digits >= 62 && digits <= 66) return 'odd';
  return digits >= 44 && digits % 2 === 0 && digits < MAX_DIGITS ? 'data' : null;
}

/** The literal whose `x` is at `x` and whose digits end before `end`; `null` when there is none. */
function readLiteralAt(text: string, x: number, end: number): ScannedLiteral | null {
  const start = x - 1;
  const digits = end - x - 1;
  const after = text.charCodeAt(end);
  if (isEllipsisStart(after)) {
    const cut = truncatedEnd(text, start, end, digits);
    if (cut > 0)
      return canLiteralStart(text, start)
        ? { shape: 'truncated', start, end: cut, text: text.slice(start, cut) }
        : null;
  }
  const shape = getLiteralShape(digits);
  if (shape === null) return null;
  const isAlone = canLiteralEnd(text, end) && canLiteralStart(text, start);
  if (!isAlone && !((shape === 'bytes20' || shape === 'bytes32') && isEmphasized(text, start, end))) return null;
  return { shape, start, end, text: text.slice(start, end) };
}

/** First characters of ellipses: `…` `...` `***` `•••` `[...]`. */
function isEllipsisStart(code: number): boolean {
  return code === 0x2e || code === 0x2a || code === 0x5b || code === 0x28 || isRoundMark(code);
}

function isRoundMark(code: number): boolean {
  return code === 0x2026 || code === 0x2022 || code === 0x22ef || code === 0x2025 || code === 0xb7 || code === 0x25cf;
}

const CUT = /^(?:[…⋯‥]{1,3}|\.{2,6}|\*{2,64}|[•·●]{2,64}|\[(?:…|\.{2,3})\]|\((?:…|\.{2,3})\))/;

/** Characters between the two halves of a truncated literal. */
function isEllipsisPart(code: number): boolean {
  return isEllipsisStart(code) || code === 0x5d || code === 0x29;
}

const MAX_ELLIPSIS_LENGTH = 64;

/** End of a truncated literal, or -1 when the digits are not followed by an ellipsis but by a full stop, bold text, a range. */
function truncatedEnd(text: string, start: number, end: number, digits: number): number {
  const mark = CUT.exec(text.slice(end, end + MAX_ELLIPSIS_LENGTH))?.[0];
  if (mark === undefined) return -1;
  const isFullLength = digits === 40 || digits === 64;
  if (mark.startsWith('*') && (isFullLength || text.charCodeAt(start - 1) === 0x2a)) return -1; // **0x…** is bold
  const tail = end + mark.length;
  let tailEnd = tail;
  while (tailEnd - tail <= MAX_TAIL_DIGITS && isHexDigit(text.charCodeAt(tailEnd))) tailEnd++;
  const tailDigits = tailEnd - tail;
  if (tailDigits > MAX_TAIL_DIGITS) return -1;
  if (tailDigits > 0 && canLiteralEnd(text, tailEnd)) {
    const range = mark === '..' && (tailDigits < 3 || digits < 3); // 0x00..10 is a range
    return range || digits + tailDigits < 4 || (isFullLength && tailDigits < 3) ? -1 : tailEnd;
  }
  // `0x12...0x34` is a range, `0x12...word` a sentence or a spread.
  return tailDigits === 0 && digits >= 4 && !isFullLength && canLiteralEnd(text, tail) ? tail : -1;
}

/** The run of 40 or 64 digits without prefix from `start` to `end`; `null` when it is part of a word or not that long. */
function readBareLiteralAt(text: string, start: number, end: number): ScannedLiteral | null {
  const digits = end - start;
  if ((digits !== 40 && digits !== 64) || !canLiteralEnd(text, end) || !canLiteralStart(text, start)) return null;
  return { shape: digits === 40 ? 'bare20' : 'bare32', start, end, text: text.slice(start, end) };
}

const BLOCK_PATH = /\/blocks?\\?\/(?:countdown\\?\/)?$/;

/** The block number whose decimal digits begin at `start`, right after `/block/` or `/blocks/`. */
function readBlockNumberAt(text: string, start: number): ScannedLiteral | null {
  let end = start;
  while (end - start < 16 && isDecimal(text.charCodeAt(end))) end++;
  if (end === start || end - start > 15 || !canLiteralEnd(text, end)) return null;
  if (!BLOCK_PATH.test(text.slice(Math.max(0, start - 22), start))) return null;
  return { shape: 'blockNumber', start, end, text: text.slice(start, end) };
}

export function isDecimal(code: number): boolean {
  return code >= 48 && code <= 57;
}

/**
 * What `scanLiterals(text)` returns at `offset`, reading only a few hundred characters or the run of digits around it. The
 * end of a literal counts as inside unless another one starts there.
 */
export function scanLiteralAt(text: string, offset: number): ScannedLiteral | null {
  if (!Number.isInteger(offset) || offset < 0 || offset > text.length) return null;
  let touching: ScannedLiteral | null = null;
  for (const candidate of candidates(text, offset)) {
    if (candidate === null || offset < candidate.start || offset > candidate.end) continue;
    if (offset < candidate.end) return candidate;
    touching ??= candidate;
  }
  return touching;
}

function* candidates(text: string, offset: number): Generator<ScannedLiteral | null> {
  const start = backOver(text, offset, isHexDigit, MAX_DIGITS);
  // The `x` can be at the offset, before the digits, or before the first half of a truncated literal.
  const head = backOver(text, backOver(text, start, isEllipsisPart, MAX_ELLIPSIS_LENGTH), isHexDigit, MAX_DIGITS);
  for (const x of new Set([offset, offset + 1, start - 1, head - 1])) {
    const code = text.charCodeAt(x);
    if ((code !== 0x78 && code !== 0x58) || text.charCodeAt(x - 1) !== 48) continue;
    yield readLiteralAt(text, x, forwardOver(text, x + 1, MAX_DIGITS));
  }
  // The second half of a truncated literal was found above.
  const end = forwardOver(text, offset, MAX_TAIL_DIGITS + 1);
  if (end - start <= 64) yield readBareLiteralAt(text, start, end);
  yield readBlockNumberAt(text, backOver(text, offset, isDecimal, 16));
}

function backOver(text: string, from: number, accepts: (code: number) => boolean, limit: number): number {
  let at = from;
  while (at > 0 && from - at < limit && accepts(text.charCodeAt(at - 1))) at--;
  return at;
}

function forwardOver(text: string, from: number, limit: number): number {
  let at = from;
  while (at - from < limit && isHexDigit(text.charCodeAt(at))) at++;
  return at;
}

export interface ScanOptions {
  /**
   * `literals`: only what is written with `0x` and is at most 66 digits long, or truncated; several times faster, enough
   * for links and decorations. `all` (the default) adds data, bare words and block numbers of explorer links.
   */
  readonly only?: 'all' | 'literals';
}

/** Everything in `text` with the shape of a literal, by position, without overlaps. `classifyLiteral` tells what each one is. */
export function scanLiterals(text: string, options: ScanOptions = {}): ScannedLiteral[] {
  const all = options.only !== 'literals';
  const found = findPrefixed(text, all ? MAX_DIGITS : SHORT_DIGITS);
  if (!all) return found;
  return merge(merge(found, findBare(text, found)), findBlockNumbers(text));
}

/** Merges two lists by position; where they overlap, `first` wins. */
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
/** Text is dense where literals are closer than this. */
const DENSE_GAP = 256;
const MISSES = 8;

/**
 * Searches for `x` in dense text and for `0x` elsewhere: both are one `indexOf` per hit, but `0x` slows down at every `0`,
 * of which hex digits have many.
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
 * Returns a function that finds the end of the run of hex digits at `from`, at most `limit` further. Copying a window of the
 * string into bytes and reading those is faster than reading its characters one by one.
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

/** A run of 40 digits contains a character at a multiple of 40, so only those are checked. Skips `prefixed`. */
function findBare(text: string, prefixed: readonly ScannedLiteral[]): ScannedLiteral[] {
  const found: ScannedLiteral[] = [];
  let floor = 0;
  let next = 0;
  for (let at = 39; at < text.length; ) {
    let literal = prefixed[next];
    while (literal !== undefined && literal.end <= at) literal = prefixed[++next];
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
