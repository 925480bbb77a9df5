// The subjects of a text: all of them, or the one under a position.
import { classify } from './classify.ts';
import type { SourceFacts } from './context.ts';
import { locate } from './locate.ts';
import { scan } from './scan.ts';
import type { Subject } from './subject.ts';

/**
 * Every subject of `text` by position. Linear; who needs places and shapes only takes `scan`, which is many times faster,
 * and classifies what is visible.
 */
export function find(text: string, source: SourceFacts = {}): Subject[] {
  const subjects: Subject[] = [];
  for (const found of scan(text)) {
    const subject = classify(text, found, source);
    if (subject !== null) subjects.push(subject);
  }
  return subjects;
}

/**
 * The subject at `offset`, the same that `find(text)` has there. Costs microseconds whatever the length of the text. Give
 * it the lines above too (some 80 of them): a list's name, a heading or a key may stand there.
 */
export function findAt(text: string, offset: number, source: SourceFacts = {}): Subject | null {
  const found = locate(text, offset);
  return found === null ? null : classify(text, found, source);
}
