// Small steps backwards through source text of any language: over blanks, words, names, groups, to the opening bracket.

import { isHexDigit } from './characters.ts';

// The lines above a literal: which of them says something, and where it ends.
/** What may stand before a value that goes with it: `=`, `:`, `|`, an arrow. */
export const SEPARATORS = ':=<>!?|&~^→：＝—–';
export const OPENERS = '([{';

/** Longer lines are data or minified code: nobody wrote a heading there. */
const MAX_LINE_LENGTH = 400;
const MAX_LINES = 80;

/** Where the line that `at` is in begins, at most LONGEST_LINE before. */
export function findLineStart(text: string, at: number, floor: number): number {
  const from = Math.max(floor, at - MAX_LINE_LENGTH - 1);
  return from + text.slice(from, at).lastIndexOf('\n') + 1;
}

/** Over blanks, line ends and comments at the ends of lines. */
export function skipBlankLinesBefore(text: string, at: number, floor: number): number {
  let place = at;
  for (let lines = 0; lines < 4; lines++) {
    while (place > floor && /\s/.test(text.charAt(place - 1))) place--;
    const start = findLineStart(text, place, floor);
    if (place - start > MAX_LINE_LENGTH) return place;
    const comment = commentStart(text.slice(start, place));
    if (comment < 0) return place;
    place = start + comment;
  }
  return place;
}

function commentStart(line: string): number {
  return /(?:^|\s)(?:\/\/|#(?!\w)|\/\*).*$/.exec(line)?.index ?? -1;
}

export interface PrecedingLine {
  readonly start: number;
  /** Behind its last character that means something, comments left out. */
  readonly end: number;
  /** `null` when the line goes on into the next: it ends with a bracket, a comma, a separator. */
  readonly role: 'heading' | 'comment' | null;
}

/** A single `#` is a comment in more files than it is a heading. */
const COMMENT = /^\s*(?:\/\/|\/?\*|#(?!#)|--|;|<!--|%)/;

/** The nearest line above that can say something: not blank, no rule, no further literal of a plain list. */
export function findPrecedingLine(text: string, at: number, floor: number): PrecedingLine | null {
  let place = at;
  for (let count = 0; count < MAX_LINES && place > floor; count++) {
    while (place > floor && /[\n\r]/.test(text.charAt(place - 1))) place--;
    const start = findLineStart(text, place, floor);
    if (place - start > MAX_LINE_LENGTH) {
      return (OPENERS + SEPARATORS).includes(text.charAt(place - 1)) ? { start, end: place, role: null } : null;
    }
    const whole = text.slice(start, place);
    const comment = commentStart(whole);
    const line = (comment > 0 && whole.slice(0, comment).trim() !== '' ? whole.slice(0, comment) : whole).trimEnd();
    const words = line.replace(/0[xX][0-9a-fA-F]+/g, '');
    const last = line.slice(-1);
    if (last !== '' && `${OPENERS + SEPARATORS},`.includes(last) && !/^[\s=~<>|:-]+$/.test(line)) {
      return { start, end: start + line.length, role: null };
    }
    if (/\p{L}/u.test(words)) {
      const end = start + line.length;
      if (COMMENT.test(line)) return { start, end, role: 'comment' };
      return /^[\p{L}\p{N}\s#>*_.'"/-]+$/u.test(words) && words === line ? { start, end, role: 'heading' } : null;
    }
    place = start;
  }
  return null;
}

const WORD = /[\p{L}\p{N}_$]/u;

export function isWordChar(char: string | undefined): boolean {
  return char !== undefined && char !== '' && WORD.test(char);
}

/** Blanks, quotes and the escapes that stand for them, in source, JSON, URLs, HTML and terminal output. */
const QUIET = ' \t\u00a0\u200b"\'`\\“”‘’«»';
const QUIET_ESCAPE =
  /(?:\\[nrt]|\\u00(?:0a|20|22|27|60)|%2[027]|&(?:quot|apos|nbsp|#39|#34|#x27|#x22);|(?:\p{Cc}|\\x1b|\\u001b|\\033|\\e)\[[0-9;]{0,8}m)$/iu;
/** Letters that may stand right before a quote: `hex"…"`, `b'…'`, `f"…"`. */
const STRING_PREFIX = /(?<![\p{L}\p{N}_$])(?:hex|unicode|[bruf]{1,2}|u8|L)$/iu;
const QUOTES = '"\'`';

/** The position after the last character before `at` that means something. */
export function skipQuietBefore(text: string, at: number, floor: number): number {
  let place = at;
  while (place > floor) {
    const char = text.charAt(place - 1);
    if (QUIET.includes(char)) {
      place--;
      if (QUOTES.includes(char))
        place -= STRING_PREFIX.exec(text.slice(Math.max(floor, place - 8), place))?.[0].length ?? 0;
      continue;
    }
    const escaped = 'nrtm;0267aA'.includes(char)
      ? QUIET_ESCAPE.exec(text.slice(Math.max(floor, place - 14), place))
      : null;
    if (escaped === null) return place;
    place -= escaped[0].length;
  }
  return place;
}

/** Where the bracket group that ends before `at` begins; -1 when it is longer than `reach`. */
export function findGroupStart(text: string, at: number, reach = 200): number {
  let depth = 0;
  for (let place = at; place > 0 && at - place < reach; place--) {
    const char = text.charAt(place - 1);
    if (char === ')' || char === ']' || char === '}') depth++;
    else if (char === '(' || char === '[' || char === '{') depth--;
    if (depth === 0) return place - 1;
  }
  return -1;
}

/**
 * Index of the bracket that is open at `at`; -1 when a statement ends before it, or it is further than `reach`. What is
 * inside brackets is indented: a line that begins with a word at the margin (of a log, say) is in none.
 */
export function findOpenerBefore(text: string, at: number, reach = 2_000): number {
  let depth = 0;
  for (let place = at - 1; place >= 0 && at - place < reach; place--) {
    const char = text.charAt(place);
    if (char === ')' || char === ']' || char === '}') depth++;
    else if (char === '(' || char === '[' || char === '{') {
      if (depth === 0) return place;
      depth--;
    } else if (depth === 0 && (char === ';' || (char === '\n' && MARGIN_WORD.test(text.slice(place + 1, place + 3))))) {
      return -1;
    }
  }
  return -1;
}

const MARGIN_WORD = /^(?!0x)[\p{L}\p{N}]/iu;

/** Where the word before `at` begins; inner hyphens belong to it (`private-key`). */
export function findWordStart(text: string, at: number, floor: number): number {
  let place = at;
  while (place > floor && at - place < 80) {
    const char = text.charAt(place - 1);
    if (isWordChar(char)) place--;
    else if (char === '-' && place < at && isWordChar(text[place - 2])) place--;
    else break;
  }
  return place;
}

/** Where the name before `at` begins: words joined by `.`, `?.`, `::`, `->`, with calls and indexes in between. */
export function findNameStart(text: string, at: number, floor: number): number {
  let place = at;
  for (let parts = 0; parts < 6; parts++) {
    let part = place;
    while (text[part - 1] === ')' || text[part - 1] === ']') {
      const group = findGroupStart(text, part);
      if (group < floor) return place;
      part = group;
    }
    const word = findWordStart(text, part, floor);
    if (word === place) return place;
    place = word;
    const joint = /(?:\?\.|::|->|\.)$/.exec(text.slice(Math.max(floor, place - 2), place))?.[0].length ?? 0;
    if (joint === 0 || !/[\p{L}\p{N}_$)\]]/u.test(text.charAt(place - joint - 1))) return place;
    place -= joint;
  }
  return place;
}

/** The name before `at` and the plain words before that, as in `Private Key: 0x…`. */
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

/** Where the hex or decimal number before `at` begins; `at` itself when there is none. */
export function findNumberStart(text: string, at: number, floor: number): number {
  let place = at;
  while (place > floor && isHexDigit(text.charCodeAt(place - 1))) place--;
  if (/[xX]/.test(text.charAt(place - 1)) && text[place - 2] === '0')
    return isWordChar(text[place - 3]) ? at : place - 2;
  return place < at && !isWordChar(text[place - 1]) && /^\d+$/.test(text.slice(place, at)) ? place : at;
}

/** Whether the bracket at `opener` belongs to a named value, not to a function's body or a class. */
export function isNamedContainer(text: string, opener: number, floor: number): boolean {
  const before = skipQuietBefore(text, opener, floor);
  const char = text.charAt(before - 1);
  if (char === '>' && text[before - 2] === '=') return text[opener] !== '{';
  return SEPARATORS.includes(char) || OPENERS.includes(char) || char === ',';
}

/** Where the name of the function whose arguments open at `at` begins; `at` itself when there is none. */
export function findCalleeStart(text: string, at: number, floor: number): number {
  const name = findNameStart(text, text[at - 1] === '!' ? at - 1 : at, floor);
  return name === at - 1 && text[at - 1] === '!' ? at : name;
}
