// The subjects of a text: all of them, or the one under a position.
import { detectAptos, detectAptosAt } from './aptos/detectAptos.ts';
import { classifyLiteral } from './classifyLiteral.ts';
import type { HexLiteral } from './hexLiteral.ts';
import type { TextSource } from './literalContext.ts';
import { scanLiteralAt, scanLiterals } from './scanLiterals.ts';

/**
 * Every subject of `text` by position. Linear; who needs places and shapes only takes `scan`, which is many times faster,
 * and classifies what is visible.
 */
export function detectLiterals(text: string, source: TextSource = {}): HexLiteral[] {
  const subjects: HexLiteral[] = [];
  const ofAptos = detectAptos(text, source);
  let next = 0;
  for (const found of scanLiterals(text)) {
    // What stands in the way of a subject of Aptos is it, or a part of it.
    while ((ofAptos[next]?.end ?? Number.POSITIVE_INFINITY) <= found.start)
      subjects.push(ofAptos[next++] as HexLiteral); // in range
    if ((ofAptos[next]?.start ?? Number.POSITIVE_INFINITY) < found.end) continue;
    const subject = classifyLiteral(text, found, source);
    if (subject !== null) subjects.push(subject);
  }
  return [...subjects, ...ofAptos.slice(next)];
}

/**
 * The subject at `offset`, the same that `find(text)` has there (of a Move type, the innermost part of it). Costs microseconds whatever the length of the text. Give
 * it the lines above too (some 80 of them): a list's name, a heading or a key may stand there.
 */
export function detectLiteralAt(text: string, offset: number, source: TextSource = {}): HexLiteral | null {
  const ofAptos = detectAptosAt(text, offset, source);
  if (ofAptos !== null) return ofAptos;
  const found = scanLiteralAt(text, offset);
  return found === null ? null : classifyLiteral(text, found, source);
}
