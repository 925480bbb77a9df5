// Reads source text of any language backwards: blanks, words, names, groups, opening brackets, the lines above.

import { isHexDigit } from './literalBoundaries.ts';

/** Characters between a name and its value: `=`, `:`, `|`, an arrow. */
export const SEPARATORS = ':=<>!?|&~^→：＝—–';
export const OPENERS = '([{';

/** Longer lines are data or minified code without headings. */
const MAX_LINE_LENGTH = 400;
const MAX_LINES = 80;

/** Start of the line that contains `at`, at most MAX_LINE_LENGTH before it. */
export function findLineStart(text: string, at: number, floor: number): number {
  const from = Math.max(floor, at - MAX_LINE_LENGTH - 1);
  return from + text.slice(from, at).lastIndexOf('\n') + 1;
}

/** Skips blanks, line ends and line comments. */
export function skipBlankLinesBefore(text: string, at: number, floor: number): number {
  let position = at;
  for (let lines = 0; lines < 4; lines++) {
    while (position > floor && /\s/.test(text.charAt(position - 1))) position--;
    const start = findLineStart(text, position, floor);
    if (position - start > MAX_LINE_LENGTH) return position;
    const comment = commentStart(text.slice(start, position));
    if (comment < 0) return position;
    position = start + comment;
  }
  return position;
}

function commentStart(line: string): number {
  return /(?:^|\s)(?:\/\/|#(?!\w)|\/\*).*$/.exec(line)?.index ?? -1;
}

export interface PrecedingLine {
  readonly start: number;
  /** After its last significant character, without comments. */
  readonly end: number;
  /** `null` when the line continues in the next one: it ends with a bracket, a comma or a separator. */
  readonly role: 'heading' | 'comment' | null;
}

/** A single `#` is a comment in more files than it is a heading. */
const COMMENT = /^\s*(?:\/\/|\/?\*(?!\*\S)|#(?!#)|--|;|<!--|%)/;

/** The nearest line above that can be a label: not blank, not a rule, not an item of a plain list. */
export function findPrecedingLine(text: string, at: number, floor: number): PrecedingLine | null {
  let position = at;
  for (let count = 0; count < MAX_LINES && position > floor; count++) {
    while (position > floor && /[\n\r]/.test(text.charAt(position - 1))) position--;
    const start = findLineStart(text, position, floor);
    if (position - start > MAX_LINE_LENGTH) {
      return (OPENERS + SEPARATORS).includes(text.charAt(position - 1)) ? { start, end: position, role: null } : null;
    }
    const fullLine = text.slice(start, position);
    const comment = commentStart(fullLine);
    const line = (
      comment > 0 && fullLine.slice(0, comment).trim() !== '' ? fullLine.slice(0, comment) : fullLine
    ).trimEnd();
    const words = line.replace(/0[xX][0-9a-fA-F]+/g, '');
    const last = line.slice(-1);
    if (/\|[^|]+\|$/.test(line)) return null; // a row of a table
    if (last !== '' && `${OPENERS + SEPARATORS},`.includes(last) && !/^[\s=~<>|:-]+$/.test(line)) {
      return { start, end: start + line.length, role: null };
    }
    if (/\p{L}/u.test(words)) {
      const end = start + line.length;
      if (COMMENT.test(line)) return { start, end, role: 'comment' };
      return /^[\p{L}\p{N}\s#>*_.'"/-]+$/u.test(words) && words === line ? { start, end, role: 'heading' } : null;
    }
    position = start;
  }
  return null;
}

const WORD = /[\p{L}\p{N}_$]/u;

export function isWordChar(char: string | undefined): boolean {
  return char !== undefined && char !== '' && WORD.test(char);
}

/** Blanks, quotes and their escapes in source, JSON, URLs, HTML and terminal output. */
const QUIET = ' \t\u00a0\u200b"\'`\\“”‘’«»';
const QUIET_ESCAPE =
  /(?:\\[nrt]|\\u00(?:0a|20|22|27|60)|%2[027]|(?<=["'])\\{1,2}x|&(?:quot|apos|nbsp|#39|#34|#x27|#x22);|(?:\p{Cc}|\\x1b|\\u001b|\\033|\\e)\[[0-9;]{0,8}m)$/iu;
/** Prefixes of string literals: `hex"…"`, `b'…'`, `f"…"`, unlike the key `"hex":`. */
const STRING_PREFIX = /(?<![\p{L}\p{N}_$"'`])(?:hex|unicode|[bruf]{1,2}|u8|L)$/iu;
const QUOTES = '"\'`';

/** The offset after the last significant character before `at`. */
export function skipQuietBefore(text: string, at: number, floor: number): number {
  let position = at;
  while (position > floor) {
    const char = text.charAt(position - 1);
    if (QUIET.includes(char)) {
      position--;
      if (QUOTES.includes(char))
        position -= STRING_PREFIX.exec(text.slice(Math.max(floor, position - 8), position))?.[0].length ?? 0;
      continue;
    }
    const escaped = 'nrtxm;0267aA'.includes(char)
      ? QUIET_ESCAPE.exec(text.slice(Math.max(floor, position - 14), position))
      : null;
    if (escaped === null) return position;
    position -= escaped[0].length;
  }
  return position;
}

/** Start of the bracket group that ends before `at`; -1 when it is longer than `reach`. */
export function findGroupStart(text: string, at: number, reach = 200): number {
  let depth = 0;
  for (let position = at; position > 0 && at - position < reach; position--) {
    const char = text.charAt(position - 1);
    if (char === ')' || char === ']' || char === '}') depth++;
    else if (char === '(' || char === '[' || char === '{') depth--;
    if (depth === 0) return position - 1;
  }
  return -1;
}

/**
 * Index of the unclosed bracket before `at`; -1 when a statement ends in between, or it is further away than `reach`. Text
 * in brackets is indented: a line that starts with a word at the margin (as in a log) is not in brackets.
 */
export function findOpenerBefore(text: string, at: number, reach = 2_000): number {
  let depth = 0;
  for (let position = at - 1; position >= 0 && at - position < reach; position--) {
    const char = text.charAt(position);
    if (char === ')' || char === ']' || char === '}') depth++;
    else if (char === '(' || char === '[' || char === '{') {
      if (depth === 0) return position;
      depth--;
    } else if (
      depth === 0 &&
      (char === ';' || (char === '\n' && MARGIN_WORD.test(text.slice(position + 1, position + 3))))
    ) {
      return -1;
    }
  }
  return -1;
}

const MARGIN_WORD = /^(?!0x)[\p{L}\p{N}]/iu;

/** Start of the word before `at`; inner hyphens are part of it (`private-key`). */
export function findWordStart(text: string, at: number, floor: number): number {
  let position = at;
  while (position > floor && at - position < 80) {
    const char = text.charAt(position - 1);
    if (isWordChar(char)) position--;
    else if (char === '-' && position < at && isWordChar(text[position - 2])) position--;
    else break;
  }
  return position;
}

/** Start of the name before `at`: words joined by `.`, `?.`, `::`, `->`, with calls and indexes in between. */
export function findNameStart(text: string, at: number, floor: number): number {
  let position = at;
  for (let parts = 0; parts < 6; parts++) {
    let part = position;
    while (text[part - 1] === ')' || text[part - 1] === ']') {
      const group = findGroupStart(text, part);
      if (group < floor) return position;
      part = group;
    }
    const word = findWordStart(text, part, floor);
    if (word === position) return position;
    position = word;
    const reach = text[position - 1] === '.' && text.charAt(position - 2).trim() === '' ? 68 : 2;
    const joint = JOINT.exec(text.slice(Math.max(floor, position - reach), position))?.[0].length ?? 0;
    if (joint === 0 || !/[\p{L}\p{N}_$)\]]/u.test(text.charAt(position - joint - 1))) return position;
    position -= joint;
  }
  return position;
}

/** Between the parts of a name, also of a method that is called on the next line. */
const JOINT = /(?:\?\.|::|->|(?:(?<=\))\s{0,4}\n[ \t]{0,60})?\.)$/;

/** Start of the name before `at` with the plain words before it, as in `Private Key: 0x…`. */
export function findPhraseStart(text: string, at: number, floor: number, limit: number): number {
  let start = findNameStart(text, at, floor);
  for (let count = 1; count < limit; count++) {
    const blanks = /[ \t]{1,2}$/.exec(text.slice(Math.max(floor, start - 2), start))?.[0].length ?? 0;
    if (blanks === 0 || !isWordChar(text[start - blanks - 1])) return start;
    const word = findWordStart(text, start - blanks, floor);
    if (/^(?:0[xX][0-9a-fA-F]{6,}|return|if|else|case|and|or)$/.test(text.slice(word, start - blanks))) return start;
    start = word;
  }
  return start;
}

/** Start of the hex or decimal number before `at`; `at` itself when there is none. */
export function findNumberStart(text: string, at: number, floor: number): number {
  let position = at;
  while (position > floor && isHexDigit(text.charCodeAt(position - 1))) position--;
  if (/[xX]/.test(text.charAt(position - 1)) && text[position - 2] === '0')
    return isWordChar(text[position - 3]) ? at : position - 2;
  return position < at && !isWordChar(text[position - 1]) && /^\d+$/.test(text.slice(position, at)) ? position : at;
}

/** Whether the bracket at `opener` belongs to a named value, not to a function's body or a class. */
export function isNamedContainer(text: string, opener: number, floor: number): boolean {
  const before = skipQuietBefore(text, opener, floor);
  const char = text.charAt(before - 1);
  if (char === '>' && text[before - 2] === '=') return text[opener] !== '{';
  return SEPARATORS.includes(char) || OPENERS.includes(char) || char === ',';
}

/** Start of the name of the function whose arguments open at `at`; `at` itself when there is none. */
export function findCalleeStart(text: string, at: number, floor: number): number {
  const name = findNameStart(text, text[at - 1] === '!' ? at - 1 : at, floor);
  return name === at - 1 && text[at - 1] === '!' ? at : name;
}
