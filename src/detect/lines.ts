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
