// The text that a string of JSON or code holds with escapes: `{"content": "const txHash = \"0x…\";\nsign(txHash);"}`.
import type { ScannedLiteral } from './scanLiterals.ts';

/** Characters of a string before and behind a literal: a longer one is read as it is written. */
const REACH = 10_000;
/** An escape, a quotation mark or the end of a line. */
const MARK = /\\[\s\S]|["\n]/g;
const ESCAPED = /\\[nrt"]/;

interface UnescapedText {
  readonly text: string;
  readonly scanned: ScannedLiteral;
}

/** What the string in double quotes around a literal holds, and the literal in it; `null` where none is, or it has no escapes. */
export function readEscapedText(text: string, scanned: ScannedLiteral): UnescapedText | null {
  const { start, end } = scanned;
  const from = text.lastIndexOf('\n', start - 1) + 1;
  const first = Math.max(from, start - REACH);
  // Within a line every other quotation mark without an escape ends a string.
  let opener = -1;
  for (const { 0: mark, index } of text.slice(first, start).matchAll(MARK))
    if (mark === '"') opener = opener < 0 ? first + index : -1;
  if (opener < 0) return null;
  let closer = -1;
  for (const { 0: mark, index } of text.slice(end, end + REACH).matchAll(MARK)) {
    if (mark.startsWith('\\')) continue;
    closer = mark === '"' ? end + index : -1;
    break;
  }
  if (closer < 0 || !ESCAPED.test(text.slice(opener, closer))) return null;
  const [before, behind] = [removeEscapes(text.slice(opener + 1, start)), removeEscapes(text.slice(end, closer))];
  if (before === null || behind === null) return null;
  const at = { start: before.length, end: before.length + end - start };
  return { text: `${before}${text.slice(start, end)}${behind}`, scanned: { ...scanned, ...at } };
}

/** `null` where it has other escapes than those of JSON. */
function removeEscapes(written: string): string | null {
  try {
    return String(JSON.parse(`"${written.replaceAll('\t', '\\t')}"`));
  } catch {
    return null;
  }
}
