// What is known of a literal whose label is called a hash: the label, its line, what is around both.
import type { HashHint } from './hintWords.ts';
import { findLogTagEnd, type Label } from './labels.ts';
import { findLineStart } from './readBackwards.ts';
import type { RowColumn } from './rows.ts';
import type { ScannedLiteral } from './scanLiterals.ts';

/** A label of a literal that is called a hash, and what is around both. */
export interface HashClaim {
  readonly label: Label;
  readonly hint: HashHint;
  /** It is a field of what nodes and tools return. */
  readonly isInRecord: () => boolean;
  /** The names of all columns, where the label is that of one. */
  readonly header: string | null;
  /** The words of the names of objects and blocks around the literal, innermost first. */
  readonly containers: readonly (readonly string[])[];
  readonly fileName: string | undefined;
  /** The column of a row of different things that the literal is in. */
  readonly rowColumn: RowColumn | undefined;
}

/** The label of a transaction in a sentence: `waiting for 0x… to be mined`. */
export const IN_SENTENCE: Label = { role: 'prose', words: ['transaction'] };

/** The label of a transaction that a sentence tells of in other words. */
export const OF_SURROUNDINGS: Label = { role: 'prose', words: ['transaction'] };

/** The label of a literal whose comment says that it is the hash of a transaction or block. */
export const OF_REMARK: Label = { role: 'prose', words: ['transaction'] };

export interface Line {
  readonly start: number;
  /** Without the name of the process that printed it. */
  readonly before: string;
  /** Before and after the literal, without other literals. */
  readonly other: string;
  /** The same, without other statements and a comment behind it. */
  readonly statement: string;
}

/** A longer line is data. */
export const MAX_LINE_LENGTH = 300;

/** Without its first characters, where these are of an earlier sentence. */
export function readLine(text: string, scanned: ScannedLiteral, skipped = 0): Line {
  const start = findLineStart(text, scanned.start, 0);
  const line = text.slice(start, scanned.start);
  const before = line.slice(findLogTagEnd(line) + skipped);
  const after = text.slice(scanned.end, scanned.end + MAX_LINE_LENGTH).split('\n', 1)[0] ?? '';
  const removeLiterals = (part: string): string => part.replace(/(?:\b(?:from|to) )?0[xX][0-9a-fA-F]+/g, ' ');
  return {
    start,
    before,
    // Most names need nothing else.
    get other() {
      return removeLiterals(`${before} ${after}`);
    },
    get statement() {
      return removeLiterals(`${before.split('; ').at(-1)} ${after.split(/;(?:\s|$)|\s\/\/|\s#/, 1)[0]}`);
    },
  };
}
