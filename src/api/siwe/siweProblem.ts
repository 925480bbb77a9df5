// What is wrong with a sign-in message: where, what was found, what is allowed, and the fix where there is a sure one.

import type { SiweField } from './siweMessage.ts';

/** Replaces `text.slice(start, end)`; offsets are UTF-16 units of the whole text. Edits of a fix never overlap. */
export interface SiweEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A change that is certain: it follows from the grammar alone and says nothing that the message did not say. */
export interface SiweFix {
  /** What to press: `Use the checksummed address`. */
  readonly title: string;
  /** In order of `start`. */
  readonly edits: readonly SiweEdit[];
}

export interface SiweProblem {
  /** 1 is the first line. */
  readonly line: number;
  /** UTF-16 units from the start of the line, 0 is the first. */
  readonly column: number;
  /** UTF-16 units to underline on this line; 0 where something is missing at the end of a line. */
  readonly length: number;
  readonly field: SiweField;
  /** What stands there: short, printable ASCII (odd characters as U+XXXX). */
  readonly found: string;
  /** What may stand there. */
  readonly allowed: string;
  /** One sentence with line, part, found and allowed. */
  readonly message: string;
  readonly fix?: SiweFix;
}

/** The text with the edits of a fix made. */
export function applyFix(text: string, fix: SiweFix): string {
  let fixed = '';
  let at = 0;
  for (const { start, end, text: replacement } of fix.edits) {
    fixed += text.slice(at, start) + replacement;
    at = end;
  }
  return fixed + text.slice(at);
}

// What one look at a failed message brought to light, before it is put into lines, columns and a sentence.
export interface Finding {
  /** Offsets of the text to underline. */
  readonly at: number;
  readonly end: number;
  readonly field: SiweField;
  readonly found: string;
  readonly allowed: string;
  readonly fix?: SiweFix | undefined;
}
