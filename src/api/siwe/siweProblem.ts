// Problems of sign-in messages: where, what was found, what is allowed, and a fix where it is certain.

import type { SiweField } from './siweMessage.ts';

/** Replaces `text.slice(start, end)`; offsets are UTF-16 units of the whole text. Edits of a fix never overlap. */
export interface SiweEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A correction that follows from the grammar alone and does not change the meaning of the message. */
export interface SiweFix {
  /** Label of the action: `Use the checksummed address`. */
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
  /** The text there: short, printable ASCII (other characters as U+XXXX). */
  readonly found: string;
  /** The text that is allowed there. */
  readonly allowed: string;
  /** One sentence with line, field, found and allowed text. */
  readonly message: string;
  readonly fix?: SiweFix;
}

export function applyFix(text: string, fix: SiweFix): string {
  let fixed = '';
  let at = 0;
  for (const { start, end, text: replacement } of fix.edits) {
    fixed += text.slice(at, start) + replacement;
    at = end;
  }
  return fixed + text.slice(at);
}

/** A problem by offsets, before line and column are computed. */
export interface Finding {
  /** Offsets of the text to underline. */
  readonly at: number;
  readonly end: number;
  readonly field: SiweField;
  readonly found: string;
  readonly allowed: string;
  readonly fix?: SiweFix | undefined;
}
