// Finds the words that label a literal: an assignment, key, call, flag, path, prose or heading before it, a comment after it.

import { findChainIdByWord } from '../api/chainNames.ts';
import { COMPARING_CALLS, PRINTING_CALLS, readNameWords } from './nameWords.ts';
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

export interface ListPosition {
  readonly at: number;
  /** Start of the element before the literal if that is not a literal; otherwise `null`, and `at` is before the list. */
  readonly argument: number | null;
  readonly quoted: boolean;
}

/** Skips the literals of a list backwards; `at` is after a comma. */
function skipListBefore(text: string, at: number, floor: number): ListPosition {
  let position = at;
  for (;;) {
    if (text[position - 1] !== ',') return { at: position, argument: null, quoted: false };
    const end = skipBlankLinesBefore(text, position - 1, floor);
    const inner = skipQuietBefore(text, end, floor);
    const number = findNumberStart(text, inner, floor);
    if (number === inner) {
      const quoted = inner < end && /["'`]/.test(text.slice(inner, end));
      // `log("tx hash:", "0x…")`
      const last = quoted ? inner - (/[:=]\s{0,4}$/.exec(text.slice(inner - 5, inner))?.[0].length ?? 0) : inner;
      const start = quoted ? findPhraseStart(text, last, floor, 5) : findNameStart(text, inner, floor);
      return { at: last, argument: start, quoted };
    }
    const before = skipQuietBefore(text, number, floor);
    position = skipBlankLinesBefore(text, before, floor);
    // What ends the line above is no name of a list that begins on this one.
    const above = position < before && text.slice(position, before).includes('\n');
    if (above && !`${OPENERS}${SEPARATORS},`.includes(text.charAt(position - 1)))
      return { at: position, argument: position, quoted: false };
  }
}

/**
 * `name`: key, variable, flag, table cell. `type`: its annotation. `call`: the function it is the only argument of.
 * `argument`: the text before it in a list or call. `among`: one of several arguments or names, possibly not the literal's
 * own. `sibling`: the elements before it in a list that has other elements than literals. `around`: the object that contains the name. `comment` is above the literal, `note` after it, `tag` the process or
 * module that printed the line.
 */
export type LabelRole =
  | 'name'
  | 'type'
  | 'call'
  | 'argument'
  | 'among'
  | 'sibling'
  | 'around'
  | 'prose'
  | 'path'
  | 'heading'
  | 'comment'
  | 'note'
  | 'tag';

export interface Label {
  readonly role: LabelRole;
  readonly words: readonly string[];
}

/** The attribute that names the text in an element. */
const NAMING_ATTRIBUTE = /\s(?:class|id|name|key|data-[\w-]+)=["']([^"'<>]{2,60})["'][^<>]{0,200}>$/d;
/** Unlike the names of types: `Hash`, `B256`, `string`, `common.Hash`. */
const VARIABLE_NAME =
  /(?:^|\s)(?!(?:str|string|hex|bytes?\d*|u?int\d*|bigint|any|unknown|[BHUF]\d{2,3})$)(?:[A-Z][A-Z0-9_]*|[a-z][\w-]*(?:\.[a-z][\w-]*)*)$/;
/** Elements of HTML that lay text out, and names of elements that tell nothing about their text. */
const LAYOUT_ELEMENT = /^(?:td|th|tr|li|dd|dt|p|b|i|a|em|br|div|span|code|pre|strong|small|label|string|value|text)$/i;
/** `[relayer] `, `relayer-1  | `, with colours and a time before it. */
const LOG_TAG =
  /^[\s#*/-]{0,40}(?:\p{Cc}\[[\d;]{0,8}m)?(?:\d[\d:.TZ+ -]{6,40} )?(?:\[[^\]\n]{1,60}\](?=[\s[]|$)(?!\s*[=:])|[\w.-]{1,40} {1,40}\|)/u;
/** Tags of pm2 (`0|relayer |`) and syslog (`host relayer[812]:`), also after the tag of another program. */
const PROCESS_TAG =
  /(?<!\d)\d{1,4}\|[\w.-]{1,40} {0,40}\||\b[A-Z][a-z]{2} {1,2}\d{1,2} [\d:]{8} \S{1,60} [\w.@/-]{1,60}(?:\[\d{1,9}\])?:/g;

/** Where the names of the processes that printed the line end, such as `[0] Nov 22 10:00:00 host relayer[812]: `. */
export function findLogTagEnd(line: string): number {
  const process = /\||:\d\d /.test(line) ? [...line.matchAll(PROCESS_TAG)].at(-1) : undefined;
  let end = process === undefined ? 0 : process.index + process[0].length;
  for (let count = 0; count < 3; count++) {
    const length = LOG_TAG.exec(line.slice(end))?.[0].length ?? 0;
    if (length === 0) break;
    end += length;
  }
  return end;
}

/** Maximum number of characters to read; nearly always a few dozen are enough. */
const MAX_DISTANCE = 6_000;
const MAX_STEPS = 40;
const ADDRESS_LENGTH = 40;
const MAX_LABELS = 5;

/** Keywords that label nothing. `private` and `public` are not among them: see findSecretWord. */
const MODIFIERS = wordSet(
  'const let var val static readonly constant immutable override final mut export declare abstract new await async return throw',
);
const BODY = /\)\s{0,4}(?:(?:->|:)\s?[\w<>&'[\]:, ]{1,60}\s)?\{$/;
/** `%{tx_hash => "`, whose key is a variable; the text ends behind the quote. */
const VARIABLE_ARROW = /(?<![\w:"'`\\$])\$?([A-Za-z_]\w{0,60})\s?=>\s?["'`]$/d;
/** The type of a hex string in TypeScript. */
const HEX_TYPE = /:\s?(?:`0x\$\{string\}`|(?:Hash|Hex|string)\s\|\s(?:null|undefined))\s?$/;
/** Generic keys: the object around them is the label. */
export const GENERIC_NAMES: ReadonlySet<string> = wordSet('value val hex raw id data bytes params result v x');

/**
 * The labels of the literal at `start`, nearest first. After a label for which `isEnough` is true, the search continues
 * only with what may belong to the same name: around a call, before a type, in the object that contains the name.
 */
export function findLabelsBefore(text: string, start: number, isEnough: (label: Label) => boolean): Label[] {
  const floor = Math.max(0, start - MAX_DISTANCE);
  const labels: Label[] = [];
  let at = start;
  /** After a separator or bracket: the next word is the name of the literal. */
  let afterSeparator = false;
  let afterAssignment = false;
  let afterCall = false;
  /** A label was enough; only the object around it is still read. */
  let isInside = false;

  const lineStart = findLineStart(text, start, floor);
  const tagEnd = lineStart + findLogTagEnd(text.slice(lineStart, start));
  const add: Add = (place, from, to) => {
    const role = from >= lineStart && to <= tagEnd ? 'tag' : place;
    const labelWords = readNameWords(text.slice(from, to)).filter(word => !MODIFIERS.has(word));
    if (labelWords.length === 0) return false;
    const label = { role, words: labelWords };
    labels.push(label);
    return isEnough(label);
  };

  // Each step moves `at` backwards skipBack one construct; true ends the search.

  const skipWord = (): boolean => {
    if (afterCall && !afterSeparator) {
      const word = findWordStart(text, at, floor);
      const done = !MODIFIERS.has(text.slice(word, at));
      at = word;
      return done;
    }
    if (afterSeparator) return skipName();
    const number = findNumberStart(text, at, floor);
    if (number < at) {
      const isLiteral = at - number >= ADDRESS_LENGTH;
      at = number;
      return isLiteral; // `tx 0x… (0x…)`: the name is of the other one
    }
    const phrase = findPhraseStart(text, at, floor, 7);
    if (text.slice(phrase, at) === 'return') return true; // `case txHash: return '0x…'`
    if (/^(?:or|else)$/.test(text.slice(phrase, at))) {
      at = phrase; // `os.getenv("KEY") or "0x…"`
      afterSeparator = true;
      return false;
    }
    if (add('prose', phrase, at)) return true;
    at = skipQuietBefore(text, phrase, floor);
    return !':：)]'.includes(text.charAt(at - 1));
  };

  const skipName = (): boolean => {
    // `tx hash SALT=0x…`, unlike `<TxLink hash="0x…"`
    const name = text[at] === '=' ? findNameStart(text, at, floor) : at;
    const isPair = name < at && !/<[\w.]{1,60}\s$/.test(text.slice(Math.max(floor, name - 64), name));
    const phrase = isPair ? name : findPhraseStart(text, at, floor, 4);
    if (afterAssignment && addTuple(text, phrase, at, floor, add)) return true;
    // `tx: from=0x…`, `tx hash: FROM=0x…` are pairs in logs.
    const typed =
      afterAssignment &&
      /:\s*&?$/.test(text.slice(Math.max(floor, phrase - 4), phrase)) &&
      !VARIABLE_NAME.test(text.slice(phrase, at));
    if (/^[\d\s]+$/.test(text.slice(phrase, at))) {
      at = text[phrase - 1] === '#' ? phrase - 1 : phrase; // `Block #1: 0x…`
      return false;
    }
    const decisive = add(isInside ? 'around' : typed ? 'type' : 'name', phrase, at);
    at = phrase;
    afterSeparator = false;
    afterAssignment = false;
    if (isInside) return true;
    if (typed) return false;
    // The object that contains the key may be more specific, or mark a secret.
    const opener = findOpenerBefore(text, at);
    if (opener < floor || text[opener] === '(' || !isNamedContainer(text, opener, floor)) return true;
    isInside = decisive || !(labels.at(-1)?.words ?? []).every(word => GENERIC_NAMES.has(word));
    at = opener;
    return false;
  };

  const skipTag = (): boolean => {
    const tag = /<(\/?)([A-Za-z][\w:.-]*)(?![\w:.-])[^<>\n]*>$/.exec(text.slice(Math.max(floor, at - 200), at));
    afterSeparator = true;
    at -= tag?.[0].length ?? 1;
    if (tag === null || tag[1] !== '') return false;
    const attribute = NAMING_ATTRIBUTE.exec(tag[0])?.indices?.[1];
    const [from, to] = attribute ?? [1, 1 + (tag[2] ?? '').length];
    const decisive = add(isInside ? 'around' : 'name', at + from, at + to);
    // `<tx><signer>0x…`: the inner element names the value, the outer one only contains it.
    isInside ||= !LAYOUT_ELEMENT.test(tag[2] ?? '');
    return decisive;
  };

  const skipSeparator = (char: string): boolean => {
    if (char === '>' && /\)\s*=$/.test(text.slice(Math.max(floor, at - 4), at - 1))) return true; // what a function returns
    const from = Math.max(floor, at - 64);
    const variable = char === '>' ? VARIABLE_ARROW.exec(text.slice(from, start))?.indices?.[1] : undefined;
    if (variable !== undefined) {
      add('around', from + variable[0], from + variable[1]);
      return true;
    }
    // `… for the tx? 0x…` is another sentence, `tx ? 0x… : key` and `tx && 0x…` are other values.
    if ('?!&^'.includes(char) && text[at - 2] !== '?' && /\s/.test(text.charAt(at))) return true;
    if (char === '=') afterAssignment = true;
    afterSeparator = true;
    at--;
    if (afterAssignment) at -= HEX_TYPE.exec(text.slice(Math.max(floor, at - 24), at))?.[0].length ?? 0;
    return false;
  };

  const skipOpener = (char: string): boolean => {
    // `getTx() {` and `fn get_tx() -> B256 {` begin a body, `Hash{` a value.
    if (char === '{' && BODY.test(text.slice(Math.max(floor, at - 80), at))) return true;
    const callee = findCalleeStart(text, at - 1, floor);
    const named = callee < at - 1;
    const role = isInside ? 'around' : char === '(' ? 'call' : 'name';
    const decisive = named && add(role, callee, at - 1);
    at = callee;
    if (char !== '(') {
      afterSeparator = true;
      return decisive;
    }
    if (!named) return false;
    afterCall = true;
    afterSeparator = false;
    return isInside;
  };

  const skipComma = (): boolean => {
    const list = skipListBefore(text, at, floor);
    at = list.at;
    afterSeparator = true;
    if (list.argument === null) return false;
    const opener = findOpenerBefore(text, at);
    if (opener < floor) return true;
    const call = text[opener] === '(';
    const callee = findCalleeStart(text, opener, floor);
    // `log(txHash, '0x…')` prints something else than the hash.
    const isDescription =
      call &&
      splitWords(text.slice(callee, opener)).some(
        word => COMPARING_CALLS.has(word) || (list.quoted && PRINTING_CALLS.has(word)),
      );
    // `"signer, tx_hash", [["0x…"`: several names in one text.
    const role = isDescription
      ? 'name'
      : /, {0,4}$/.test(text.slice(list.argument - 5, list.argument))
        ? 'among'
        : 'argument';
    const decisive = (isDescription || list.quoted) && add(role, list.argument, at);
    if (call && callee < opener) add('among', callee, opener);
    else if (!call) add('sibling', opener + 1, at);
    at = opener;
    return call || decisive || !isNamedContainer(text, opener, floor);
  };

  const skipLine = (): boolean => {
    if (!afterSeparator && labels.some(label => label.role !== 'comment')) return true;
    const line = findPrecedingLine(text, at, floor);
    if (line === null) return true;
    at = line.end;
    if (line.role === null) return false;
    // An option on the line above its value, as `kubectl describe` prints arguments.
    const isOption = /(?:^|\s)--\w[\w.-]*$/.test(text.slice(line.start, line.end));
    add(isOption ? 'argument' : line.role, line.start, line.end);
    at = line.start;
    return line.role === 'heading';
  };

  const skipGroup = (): boolean => {
    const group = findGroupStart(text, at);
    if (group < floor) {
      at--;
      return false;
    }
    if (!afterSeparator) {
      const decisive = add(text[group] === '[' ? 'tag' : 'prose', group + 1, at - 1);
      at = group;
      return decisive;
    }
    if (addElements(text, group + 1, at - 1, add)) return true;
    const isRemark = text[group] === '(' && /[\p{L}\p{N}] $/u.test(text.slice(group - 2, group)); // `Sender (tx): `
    const name = isRemark ? findPhraseStart(text, group - 1, floor, 4) : findNameStart(text, at, floor);
    // `[relayer] 0: `, unlike `[txHash] = `
    const isTag = name === group && text[group] === '[' && !/^\s*=/.test(text.slice(at, at + 8));
    const decisive = add(isInside ? 'around' : isTag ? 'tag' : 'name', name, at);
    afterSeparator = false;
    const moved = name < at;
    at = name;
    return decisive || !moved;
  };

  const skipPath = (): boolean => {
    const before = text[at - 2];
    if (text[at - 1] === '/' && (before === '/' || before === '*')) return true; // a comment begins
    const path = readPath(text, at, floor, add);
    at = path.at;
    return path.isEnough;
  };

  const skipBack = (char: string): boolean => {
    const encoded = 'FfDdAa'.includes(char) ? /%(?:2F|3D|3A)$/i.exec(text.slice(at - 3, at))?.[0] : undefined;
    if (char === '/' || encoded?.[1] === '2') return skipPath();
    if (encoded !== undefined) at -= 2;
    if (encoded !== undefined) return skipSeparator('=');
    if (isWordChar(char)) return skipWord();
    if (char === '>' && text[at - 2] !== '=' && text[at - 2] !== '-') return skipTag();
    if (SEPARATORS.includes(char)) return skipSeparator(char);
    if (OPENERS.includes(char)) return skipOpener(char);
    if (char === ',') return skipComma();
    if (char === '\n' || char === '\r') return skipLine();
    if (char === ')' || char === ']') return skipGroup();
    at--;
    // `sha256(tx + '0x…')`, unlike an item of a list.
    const isBold = char === '*' && /^\*{1,2}:/.test(text.slice(at, at + 3)); // `**Transaction**: `
    if (
      !isBold &&
      '+*'.includes(char) &&
      /[\p{L}\p{N}"'`)\]]\s{0,4}$/u.test(text.slice(Math.max(lineStart, at - 5), at))
    )
      return true;
    return !'-*+#@•·$'.includes(char);
  };

  for (let step = 0; step < MAX_STEPS && labels.length < MAX_LABELS; step++) {
    at = skipQuietBefore(text, at, floor);
    if (at <= floor || skipBack(text.charAt(at - 1))) break;
  }
  return labels;
}

/** The comment, bracket or value after a literal in its line; `null` when there is none. */
export function findLabelAfter(text: string, end: number): Label | null {
  const line = /^[^\n\r]*/.exec(text.slice(end, end + 160))?.[0] ?? '';
  const rest = line.replace(/0[xX][0-9a-fA-F].*$/s, '');
  const note = /^["'`\\,;)\]}\s]*(?:\/\/+|#+|\/\*+|<!--|--|\(|[-–—←]|<-|is\b)\s*([^)\]}>"'`]{2,90})/.exec(rest)?.[1];
  const value = /^["'`]?\s*(?::|=>|=)\s*["'`]([^"'`]{2,60})["'`]/.exec(rest)?.[1];
  const labelWords = splitWords(note ?? value ?? '');
  return labelWords.length === 0 ? null : { role: 'note', words: labelWords };
}

/** `[txHash, key] = ['0x…', …]`: one of these names. False when the text from `from` to `to` is not a list. */
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

/** Adds the words between two offsets as a label; true when that label is enough. */
type Add = (role: LabelRole, from: number, to: number) => boolean;

interface PathEnd {
  readonly at: number;
  readonly isEnough: boolean;
}

/** Reads path segments before `at`, which is after a slash; at most four. */
function readPath(text: string, at: number, floor: number, add: Add): PathEnd {
  let position = at;
  for (let count = 0; count < 4; count++) {
    const slash = /(?:\\?\/|%2F)$/i.exec(text.slice(Math.max(floor, position - 3), position))?.[0].length ?? 0;
    if (slash === 0) break;
    const end = position - slash;
    const start = end - (/[\w.~-]{0,60}$/.exec(text.slice(Math.max(floor, end - 60), end))?.[0].length ?? 0);
    const encoded = /^2F/i.test(text.slice(start, end)) && text[start - 1] === '%' ? start + 2 : start;
    if (add('path', encoded, end)) return { at: encoded, isEnough: true };
    // `/tx/mainnet/0x…`: only a chain's name may be in between.
    if (encoded === end || findChainIdByWord(text.slice(encoded, end)) === null) return { at: end, isEnough: false };
    position = encoded;
  }
  return { at: position, isEnough: false };
}
