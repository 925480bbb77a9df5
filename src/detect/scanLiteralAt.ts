// Finds the hex literal under one position of a text, looking only at its neighbourhood.
import { isHexDigit } from './characters.ts';
import {
  isDecimal,
  isEllipsisPart,
  MAX_DIGITS,
  MAX_ELLIPSIS_LENGTH,
  MAX_TAIL_DIGITS,
  readBareLiteralAt,
  readBlockNumberAt,
  readLiteralAt,
  type ScannedLiteral,
} from './scannedLiteral.ts';

/**
 * What `scan(text)` reports at `offset`, without reading the rest of the text: a few hundred characters, or the run of
 * digits the position is in. A position right behind a literal counts as on it unless another begins there.
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
  // The x of a literal can be under the position, one before its digits, or before the first half of a truncated one.
  const head = backOver(text, backOver(text, start, isEllipsisPart, MAX_ELLIPSIS_LENGTH), isHexDigit, MAX_DIGITS);
  for (const x of new Set([offset, offset + 1, start - 1, head - 1])) {
    const code = text.charCodeAt(x);
    if ((code !== 0x78 && code !== 0x58) || text.charCodeAt(x - 1) !== 48) continue;
    yield readLiteralAt(text, x, forwardOver(text, x + 1, MAX_DIGITS));
  }
  // Digits inside a cut literal's second half were answered above.
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
