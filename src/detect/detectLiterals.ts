// The subjects of a text: all of them, or the one under a position.
import { aptosAt, findAptos } from './aptos/detectAptos.ts';
import { classify } from './classifyLiteral.ts';
import type { Subject } from './hexLiteral.ts';
import type { SourceFacts } from './literalContext.ts';
import { locate } from './scanLiteralAt.ts';
import { scan } from './scanLiterals.ts';

/**
 * Every subject of `text` by position. Linear; who needs places and shapes only takes `scan`, which is many times faster,
 * and classifies what is visible.
 */
export function find(text: string, source: SourceFacts = {}): Subject[] {
  const subjects: Subject[] = [];
  const ofAptos = findAptos(text, source);
  let next = 0;
  for (const found of scan(text)) {
    // What stands in the way of a subject of Aptos is it, or a part of it.
    while ((ofAptos[next]?.end ?? Number.POSITIVE_INFINITY) <= found.start) subjects.push(ofAptos[next++] as Subject); // in range
    if ((ofAptos[next]?.start ?? Number.POSITIVE_INFINITY) < found.end) continue;
    const subject = classify(text, found, source);
    if (subject !== null) subjects.push(subject);
  }
  return [...subjects, ...ofAptos.slice(next)];
}

/**
 * The subject at `offset`, the same that `find(text)` has there (of a Move type, the innermost part of it). Costs microseconds whatever the length of the text. Give
 * it the lines above too (some 80 of them): a list's name, a heading or a key may stand there.
 */
export function findAt(text: string, offset: number, source: SourceFacts = {}): Subject | null {
  const ofAptos = aptosAt(text, offset, source);
  if (ofAptos !== null) return ofAptos;
  const found = locate(text, offset);
  return found === null ? null : classify(text, found, source);
}
