// What names a literal: the words a writer put before it (assignment, key, call, flag, path, prose, heading) and behind it.

import { getChainIdOfName } from './explorerLinks.ts';
import {
  findCalleeStart,
  findGroupStart,
  findLineStart,
  findNameStart,
  findNumberStart,
  findOpenerBefore,
  findPhraseStart,
  findPrecedingLine,
  findWordStart,
  isNamedContainer,
  isWordChar,
  OPENERS,
  SEPARATORS,
  skipBlankLinesBefore,
  skipQuietBefore,
} from './readBackwards.ts';
import { splitWords, wordSet } from './splitWords.ts';

// Lists of literals: back over the elements before one to what the list itself is.
export interface ListPosition {
  readonly at: number;
  /** Where the element before the literal begins when it is no literal itself; else `null` and `at` is before the list. */
  readonly argument: number | null;
  readonly quoted: boolean;
}

/** Back over the literals of a list; `at` is behind a comma. */
export function skipListBefore(text: string, at: number, floor: number): ListPosition {
  let place = at;
  for (;;) {
    if (text[place - 1] !== ',') return { at: place, argument: null, quoted: false };
    const end = skipBlankLinesBefore(text, place - 1, floor);
    const inner = skipQuietBefore(text, end, floor);
    const number = findNumberStart(text, inner, floor);
    if (number === inner) {
      const quoted = inner < end && /["'`]/.test(text.slice(inner, end));
      const start = quoted ? findPhraseStart(text, inner, floor, 5) : findNameStart(text, inner, floor);
      return { at: inner, argument: start, quoted };
    }
    const before = skipQuietBefore(text, number, floor);
    place = skipBlankLinesBefore(text, before, floor);
    // What ends the line above is no name of a list that begins on this one.
    const above = place < before && text.slice(place, before).includes('\n');
    if (above && !`${OPENERS}${SEPARATORS},`.includes(text.charAt(place - 1)))
      return { at: place, argument: place, quoted: false };
  }
}

/**
 * `name`: key, variable, flag, table cell. `type`: its annotation. `call`: the function it is the only argument of.
 * `among`: one of several arguments, or of several names, of which nobody knows whether it is the literal's. `around`: the
 * object that holds the name. `prose`, `path`, `heading`, `comment` (above), `note` (behind): as they say.
 */
export type LabelRole =
  | 'name'
  | 'type'
  | 'call'
  | 'among'
  | 'around'
  | 'prose'
  | 'path'
  | 'heading'
  | 'comment'
  | 'note';

export interface Label {
  readonly role: LabelRole;
  readonly words: readonly string[];
}

/** Characters looked at at most; nearly always a few dozen. */
const REACH = 6_000;
const STEPS = 40;
const LABELS = 5;

/** Words of languages, not of people. `private` and `public` are not among them: see secretIn. */
const MODIFIERS = wordSet(
  'const let var val static readonly constant immutable override final mut export default declare abstract new await async return throw',
);
/** Functions that show or compare values: the argument before a literal says what it is. */
const TELLING = wordSet(
  'log print printf println printk info debug warn trace assert expect equal equals eq same strict write echo dump',
);
/** Keys that say nothing themselves: the object around them speaks for them. */
const VALUE_NAMES = wordSet('value val hex raw id data bytes params result v x');

/**
 * The labels of the literal at `start`, nearest first. `enough` says whether a label answers the question; then the search
 * only goes on where more may belong to the same name: around a call, before a type, in the object that holds the name.
 */
export function findLabelsBefore(text: string, start: number, enough: (label: Label) => boolean): Label[] {
  const floor = Math.max(0, start - REACH);
  const labels: Label[] = [];
  let at = start;
  /** A separator or bracket was passed: what comes next names the literal. */
  let joined = false;
  let assigned = false;
  let called = false;
  /** The question is answered; only what is around the answer is still looked at. */
  let inside = false;

  const add: Add = (role, from, to) => {
    const said = splitWords(text.slice(from, to)).filter(word => !MODIFIERS.has(word));
    if (said.length === 0) return false;
    const label = { role, words: said };
    labels.push(label);
    return enough(label);
  };

  // Each step moves `at` back over what stands before it; true ends the search.

  const overWord = (): boolean => {
    if (called && !joined) {
      const word = findWordStart(text, at, floor);
      const done = !MODIFIERS.has(text.slice(word, at));
      at = word;
      return done;
    }
    if (joined) return overName();
    const number = findNumberStart(text, at, floor);
    if (number < at) {
      at = number;
      return false;
    }
    const phrase = findPhraseStart(text, at, floor, 7);
    if (/^(?:or|else)$/.test(text.slice(phrase, at))) {
      at = phrase; // `os.getenv("KEY") or "0x…"`
      joined = true;
      return false;
    }
    if (add('prose', phrase, at)) return true;
    at = skipQuietBefore(text, phrase, floor);
    return !':：)]'.includes(text.charAt(at - 1));
  };

  const overName = (): boolean => {
    const phrase = findPhraseStart(text, at, floor, 4);
    if (assigned && addTuple(text, phrase, at, floor, add)) return true;
    const typed = assigned && /:\s*$/.test(text.slice(Math.max(floor, phrase - 4), phrase));
    if (/^[\d\s]+$/.test(text.slice(phrase, at))) {
      at = text[phrase - 1] === '#' ? phrase - 1 : phrase; // `Block #1: 0x…`
      return false;
    }
    const decisive = add(inside ? 'around' : typed ? 'type' : 'name', phrase, at);
    at = phrase;
    joined = false;
    assigned = false;
    if (inside) return true;
    if (typed) return false;
    // The object it is a key of may say more, or forbid what the name allows.
    const opener = findOpenerBefore(text, at);
    if (opener < floor || text[opener] === '(' || !isNamedContainer(text, opener, floor)) return true;
    inside = decisive || !(labels.at(-1)?.words ?? []).every(word => VALUE_NAMES.has(word));
    at = opener;
    return false;
  };

  const overTag = (): boolean => {
    const tag = /<(\/?)([A-Za-z][\w:.-]*)[^<>\n]*>$/.exec(text.slice(Math.max(floor, at - 200), at));
    joined = true;
    at -= tag?.[0].length ?? 1;
    return tag !== null && tag[1] === '' && add('name', at + 1, at + 1 + (tag[2] ?? '').length);
  };

  const overSeparator = (char: string): boolean => {
    if (char === '>' && /\)\s*=$/.test(text.slice(Math.max(floor, at - 4), at - 1))) return true; // what a function returns
    if (char === '=') assigned = true;
    joined = true;
    at--;
    return false;
  };

  const overOpener = (char: string): boolean => {
    // `sendTx(){` is a body, `Hash{` a value.
    const body = char === '{' && text[at - 2] === ')';
    const callee = body ? at - 1 : findCalleeStart(text, at - 1, floor);
    const named = callee < at - 1;
    const role = inside ? 'around' : char === '(' ? 'call' : 'name';
    const decisive = named && add(role, callee, at - 1);
    at = callee;
    if (char !== '(') {
      joined = true;
      return decisive;
    }
    if (!named) return false;
    called = true;
    joined = false;
    return inside;
  };

  const overComma = (): boolean => {
    const list = skipListBefore(text, at, floor);
    at = list.at;
    joined = true;
    if (list.argument === null) return false;
    const opener = findOpenerBefore(text, at);
    if (opener < floor) return true;
    const call = text[opener] === '(';
    const callee = findCalleeStart(text, opener, floor);
    const telling = list.quoted || (call && splitWords(text.slice(callee, opener)).some(word => TELLING.has(word)));
    const decisive = telling && add('name', list.argument, at);
    if (call && callee < opener) add('among', callee, opener);
    at = opener;
    return call || decisive || !isNamedContainer(text, opener, floor);
  };

  const overLine = (): boolean => {
    if (!joined && labels.some(label => label.role !== 'comment')) return true;
    const line = findPrecedingLine(text, at, floor);
    if (line === null) return true;
    at = line.end;
    if (line.role === null) return false;
    add(line.role, line.start, line.end);
    at = line.start;
    return line.role === 'heading';
  };

  const overGroup = (): boolean => {
    const group = findGroupStart(text, at);
    if (group < floor) {
      at--;
      return false;
    }
    if (!joined) {
      const decisive = add('prose', group + 1, at - 1);
      at = group;
      return decisive;
    }
    if (addElements(text, group + 1, at - 1, add)) return true;
    const name = findNameStart(text, at, floor);
    const decisive = add(inside ? 'around' : 'name', name, at);
    joined = false;
    const moved = name < at;
    at = name;
    return decisive || !moved;
  };

  const overPath = (): boolean => {
    const before = text[at - 2];
    if (text[at - 1] === '/' && (before === '/' || before === '*')) return true; // a comment begins
    const path = readPath(text, at, floor, add);
    at = path.at;
    return path.enough;
  };

  const over = (char: string): boolean => {
    const encoded = 'FfDdAa'.includes(char) ? /%(?:2F|3D|3A)$/i.exec(text.slice(at - 3, at))?.[0] : undefined;
    if (char === '/' || encoded?.[1] === '2') return overPath();
    if (encoded !== undefined) at -= 2;
    if (encoded !== undefined) return overSeparator('=');
    if (isWordChar(char)) return overWord();
    if (char === '>' && text[at - 2] !== '=' && text[at - 2] !== '-') return overTag();
    if (SEPARATORS.includes(char)) return overSeparator(char);
    if (OPENERS.includes(char)) return overOpener(char);
    if (char === ',') return overComma();
    if (char === '\n' || char === '\r') return overLine();
    if (char === ')' || char === ']') return overGroup();
    at--;
    return !'-*+#@•·$'.includes(char);
  };

  for (let step = 0; step < STEPS && labels.length < LABELS; step++) {
    at = skipQuietBefore(text, at, floor);
    if (at <= floor || over(text.charAt(at - 1))) break;
  }
  return labels;
}

/** The comment, bracket or value behind a literal on the same line; `null` when the line says nothing more about it. */
export function findLabelAfter(text: string, end: number): Label | null {
  const line = /^[^\n\r]*/.exec(text.slice(end, end + 160))?.[0] ?? '';
  const rest = line.replace(/0[xX][0-9a-fA-F].*$/s, '');
  const note = /^["'`\\,;)\]}\s]*(?:\/\/+|#+|\/\*+|<!--|--|\(|[-–—←]|<-|is\b)\s*([^)\]}>"'`]{2,90})/.exec(rest)?.[1];
  const value = /^["'`]?\s*(?::|=>|=)\s*["'`]([^"'`]{2,60})["'`]/.exec(rest)?.[1];
  const said = splitWords(note ?? value ?? '');
  return said.length === 0 ? null : { role: 'note', words: said };
}

/** `[txHash, key] = ['0x…', …]`: one of these names. False when the text from `from` to `to` is no list. */
function addElements(text: string, from: number, to: number, add: Add): boolean {
  const list = text.slice(from, to);
  if (!list.includes(',')) return false;
  let at = from;
  for (const element of list.split(',')) {
    add('among', at, at + element.length);
    at += element.length + 1;
  }
  return true;
}

/** `tx_hash, key = "0x…", …`: the names of an assignment, unless the comma is one of a call's arguments. */
function addTuple(text: string, phrase: number, at: number, floor: number, add: Add): boolean {
  const before = skipQuietBefore(text, phrase, floor);
  if (text[before - 1] !== ',') return false;
  const start = findLineStart(text, before, floor);
  // `f(a, tx=…)` has arguments, `level=info, tx=…` pairs.
  if (findOpenerBefore(text, before) >= start || /[=:]/.test(text.slice(start, before))) return false;
  return addElements(text, Math.max(start, before - 120), at, add);
}

/** Adds the words between two places as a label; whether that answers the question. */
type Add = (role: LabelRole, from: number, to: number) => boolean;

interface PathEnd {
  readonly at: number;
  readonly enough: boolean;
}

/** Path segments before `at`, which is behind a slash; at most four of them. */
function readPath(text: string, at: number, floor: number, add: Add): PathEnd {
  let place = at;
  for (let count = 0; count < 4; count++) {
    const slash = /(?:\\?\/|%2F)$/i.exec(text.slice(Math.max(floor, place - 3), place))?.[0].length ?? 0;
    if (slash === 0) break;
    const end = place - slash;
    const start = end - (/[\w.~-]{0,60}$/.exec(text.slice(Math.max(floor, end - 60), end))?.[0].length ?? 0);
    const encoded = /^2F/i.test(text.slice(start, end)) && text[start - 1] === '%' ? start + 2 : start;
    if (add('path', encoded, end)) return { at: encoded, enough: true };
    // `/tx/mainnet/0x…`: only a chain's name may stand in between.
    if (encoded === end || getChainIdOfName(text.slice(encoded, end)) === null) return { at: end, enough: false };
    place = encoded;
  }
  return { at: place, enough: false };
}
