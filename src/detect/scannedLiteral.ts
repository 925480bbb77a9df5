// One hex literal as it stands in a text: its place and shape, before anyone asks what it means.
import { canLiteralEnd, canLiteralStart, isHexDigit } from './characters.ts';

/**
 * What the shape alone says. `bytes4`, `bytes20`, `bytes32`: `0x` and 8, 40, 64 digits. `data`: longer, or 22 to 30, whole
 * bytes. `odd`: one or two digits off an address or a hash. `truncated`: cut by its writer (`0x12…ab`, `0x12****`).
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

/** Longest run of digits that is looked at: 128 KiB of data, the largest transaction nodes accept. */
export const MAX_DIGITS = 1 << 18;

/** Longest run of digits after the mark of a truncated literal. */
export const MAX_TAIL_DIGITS = 64;

/** The shape of a prefixed literal of that many digits; `null` when nothing on a chain is that long. */
export function getLiteralShape(digits: number): LiteralShape | null {
  if (digits === 40) return 'bytes20';
  if (digits === 64) return 'bytes32';
  if (digits < 38) return digits === 8 ? 'bytes4' : null;
  if (digits <= 42) return 'odd';
  if (digits >= 62 && digits <= 66) return 'odd';
  return digits >= 44 && digits % 2 === 0 && digits < MAX_DIGITS ? 'data' : null;
}

/** The literal whose `x` is at `x` and whose digits end before `end`; `null` when there is none. */
export function readLiteralAt(text: string, x: number, end: number): ScannedLiteral | null {
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
  if (shape === null || !canLiteralEnd(text, end) || !canLiteralStart(text, start)) return null;
  return { shape, start, end, text: text.slice(start, end) };
}

/** First characters of the marks people cut literals with: `…` `...` `***` `•••` `[...]`. */
function isEllipsisStart(code: number): boolean {
  return code === 0x2e || code === 0x2a || code === 0x5b || code === 0x28 || isRoundMark(code);
}

function isRoundMark(code: number): boolean {
  return code === 0x2026 || code === 0x2022 || code === 0x22ef || code === 0x2025 || code === 0xb7 || code === 0x25cf;
}

const CUT = /^(?:[…⋯‥]{1,3}|\.{2,6}|\*{2,64}|[•·●]{2,64}|\[(?:…|\.{2,3})\]|\((?:…|\.{2,3})\))/;

/** Characters that may stand between the two halves of a truncated literal. */
export function isEllipsisPart(code: number): boolean {
  return isEllipsisStart(code) || code === 0x5d || code === 0x29;
}

/** Longest mark. */
export const MAX_ELLIPSIS_LENGTH = 64;

/** Where a truncated literal ends, or -1 when what follows the digits is no cut: a sentence's dots, bold text, a range. */
function truncatedEnd(text: string, start: number, end: number, digits: number): number {
  const mark = CUT.exec(text.slice(end, end + MAX_ELLIPSIS_LENGTH))?.[0];
  if (mark === undefined) return -1;
  const whole = digits === 40 || digits === 64;
  if (mark.startsWith('*') && (whole || text.charCodeAt(start - 1) === 0x2a)) return -1; // **0x…** is bold
  const tail = end + mark.length;
  let tailEnd = tail;
  while (tailEnd - tail <= MAX_TAIL_DIGITS && isHexDigit(text.charCodeAt(tailEnd))) tailEnd++;
  const tailDigits = tailEnd - tail;
  if (tailDigits > MAX_TAIL_DIGITS) return -1;
  if (tailDigits > 0 && canLiteralEnd(text, tailEnd)) {
    const range = mark === '..' && (tailDigits < 3 || digits < 3); // 0x00..10 is a range
    return range || digits + tailDigits < 4 || (whole && tailDigits < 3) ? -1 : tailEnd;
  }
  // `0x12...0x34` is a range, `0x12...word` a sentence or a spread.
  return tailDigits === 0 && digits >= 4 && !whole && canLiteralEnd(text, tail) ? tail : -1;
}

/** The run of 40 or 64 digits without prefix from `start` to `end`; `null` when it is part of a word or not that long. */
export function readBareLiteralAt(text: string, start: number, end: number): ScannedLiteral | null {
  const digits = end - start;
  if ((digits !== 40 && digits !== 64) || !canLiteralEnd(text, end) || !canLiteralStart(text, start)) return null;
  return { shape: digits === 40 ? 'bare20' : 'bare32', start, end, text: text.slice(start, end) };
}

const BLOCK_PATH = /\/blocks?\\?\/(?:countdown\\?\/)?$/;

/** The block number whose decimal digits begin at `start`, right after `/block/` or `/blocks/`. */
export function readBlockNumberAt(text: string, start: number): ScannedLiteral | null {
  let end = start;
  while (end - start < 16 && isDecimal(text.charCodeAt(end))) end++;
  if (end === start || end - start > 15 || !canLiteralEnd(text, end)) return null;
  if (!BLOCK_PATH.test(text.slice(Math.max(0, start - 22), start))) return null;
  return { shape: 'blockNumber', start, end, text: text.slice(start, end) };
}

export function isDecimal(code: number): boolean {
  return code >= 48 && code <= 57;
}
