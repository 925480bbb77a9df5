// Detects hex literals: all in a text, or the one at a position.
import { detectAptos, detectAptosAt } from './aptos/detectAptos.ts';
import { classifyLiteral } from './classifyLiteral.ts';
import type { HexLiteral } from './hexLiteral.ts';
import type { TextSource } from './literalContext.ts';
import { scanLiteralAt, scanLiterals } from './scanLiterals.ts';

/**
 * Every literal of `text` by position. Linear. `scanLiterals` is many times faster where positions and shapes are enough;
 * visible literals can be classified later.
 */
export function detectLiterals(text: string, source: TextSource = {}): HexLiteral[] {
  const literals: HexLiteral[] = [];
  const aptosLiterals = detectAptos(text, source);
  let next = 0;
  for (const scanned of scanLiterals(text)) {
    // What overlaps an Aptos literal is that literal, or part of it.
    while ((aptosLiterals[next]?.end ?? Number.POSITIVE_INFINITY) <= scanned.start)
      literals.push(aptosLiterals[next++] as HexLiteral); // in range
    if ((aptosLiterals[next]?.start ?? Number.POSITIVE_INFINITY) < scanned.end) continue;
    const literal = classifyLiteral(text, scanned, source);
    if (literal !== null) literals.push(literal);
  }
  return [...literals, ...aptosLiterals.slice(next)];
}

/**
 * The literal at `offset`, as `detectLiterals(text)` returns it (the innermost part of a Move type). Takes microseconds,
 * regardless of the length of the text, which should include some 80 lines above: the name of a list, a heading or a key
 * may be there.
 */
export function detectLiteralAt(text: string, offset: number, source: TextSource = {}): HexLiteral | null {
  const aptosLiterals = detectAptosAt(text, offset, source);
  if (aptosLiterals !== null) return aptosLiterals;
  const scanned = scanLiteralAt(text, offset);
  return scanned === null ? null : classifyLiteral(text, scanned, source);
}

/**
 * What the digits at `offset` are, which may lack `0x`: for a selection that the user looks up. The words around them tell what
 * else they may be, such as a key.
 */
export function detectDigitsAt(text: string, offset: number, source: TextSource = {}): HexLiteral | null {
  const found = detectLiteralAt(text, offset, source);
  return found ?? detectLiteralAt(`${text.slice(0, offset)}0x${text.slice(offset)}`, offset + 2, source);
}
