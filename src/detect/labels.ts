// Finds the words that label a literal: an assignment, key, call, flag, path, prose or heading before it, a comment after it.

import { findChainIdByWord } from '../api/chainNames.ts';
import { findHashHint, isConversion } from './hintWords.ts';
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
import { isAccountName } from './secretWords.ts';
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
/** `[relayer] `, `relayer-1  | `, `INFO:relayer:` of Python, with colors and a time before it. */
const LOG_TAG =
  /^[\s#*/-]{0,40}(?:\p{Cc}\[[\d;]{0,8}m)?(?:\d[\d:.TZ+ -]{6,40} )?(?:\[[^\]\n"'$]{1,60}\](?=[\s[]|$)(?!\s*[=:])|[\w.-]{1,40} {1,40}\||(?:DEBUG|INFO|WARNING|ERROR|CRITICAL):[\w.]{1,40}:)/u;
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

/** `1. ` of a numbered list. */
const LIST_NUMBER = /^[\s>*/#-]{0,20}\d{1,3}[.)]$/;
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
const HEX_TYPE = /:\s?(?:`0x\$\{string\}`(?:\[\])?|(?:Hash|Hex|string)\s\|\s(?:null|undefined))\s?$/;
/** What is behind the name of a value that is on the next line of a comment. */
const COMMENTED_NAME = /\n[ \t]{0,40}\/\/[ \t]{0,40}[\w"']{1,60}:([ \t]{0,4}\n[ \t]{0,40}\/\/)$/;
/** What a function returns beside its value. */
const RESULT = /(?<=\w), (?:err|ok|_)$/;
/** Generic keys: the object around them is the label. */
export const GENERIC_NAMES: ReadonlySet<string> = wordSet('value val hex raw id data bytes params result v x example');

/**
 * The labels of the literal at `start`, nearest first. After a label for which `isEnough` is true, the search continues
 * only with what may belong to the same name: around a call, before a type, in the object that contains the name.
 */
export function findLabelsBefore(text: string, start: number, isEnough: (label: Label) => boolean): Label[] {
  return new LabelCursor(text, start, isEnough).read();
}

/** Moves backwards from a literal, one construct at a time, and collects the labels of the literal. */
class LabelCursor {
  readonly #text: string;
  readonly #start: number;
  readonly #isEnough: (label: Label) => boolean;
  /** No further back than this. */
  readonly #floor: number;
  readonly #lineStart: number;
  /** Where the name of the process that printed the line ends. */
  readonly #tagEnd: number;
  readonly #labels: Label[] = [];
  /** Everything before this is still to be read. */
  #at: number;
  /** After a separator or bracket: the next word is the name of the literal. */
  #afterSeparator = false;
  #afterAssignment = false;
  #afterCall = false;
  /** A label was enough; only the object around it is still read. */
  #isInside = false;

  constructor(text: string, start: number, isEnough: (label: Label) => boolean) {
    this.#text = text;
    this.#start = start;
    this.#at = start;
    this.#isEnough = isEnough;
    this.#floor = Math.max(0, start - MAX_DISTANCE);
    this.#lineStart = findLineStart(text, start, this.#floor);
    this.#tagEnd = this.#lineStart + findLogTagEnd(text.slice(this.#lineStart, start));
  }

  read(): Label[] {
    for (let step = 0; step < MAX_STEPS && this.#labels.length < MAX_LABELS; step++) {
      this.#at = skipQuietBefore(this.#text, this.#at, this.#floor);
      if (this.#at <= this.#floor || this.#skipConstruct(this.#text.charAt(this.#at - 1))) break;
    }
    return this.#labels;
  }

  /** Adds the words between two offsets as a label; true when that label is enough. */
  readonly #add: Add = (place, from, to) => {
    const role = from >= this.#lineStart && to <= this.#tagEnd ? 'tag' : place;
    const words = readNameWords(this.#text.slice(from, to)).filter(word => !MODIFIERS.has(word));
    if (words.length === 0) return false;
    const label = { role, words };
    this.#labels.push(label);
    return this.#isEnough(label);
  };

  // Each of these moves back over one construct; true ends the search.

  /** A word before the literal: of a sentence, of a call that is over, or its name. */
  #skipWord(): boolean {
    if (this.#afterCall && !this.#afterSeparator) {
      const word = findWordStart(this.#text, this.#at, this.#floor);
      const done = !MODIFIERS.has(this.#text.slice(word, this.#at));
      this.#at = word;
      return done;
    }
    if (this.#afterSeparator) return this.#skipName();
    const number = findNumberStart(this.#text, this.#at, this.#floor);
    if (number < this.#at) {
      const isLiteral = this.#at - number >= ADDRESS_LENGTH;
      this.#at = number;
      return isLiteral; // `tx 0x… (0x…)`: the name is of the other one
    }
    const phrase = findPhraseStart(this.#text, this.#at, this.#floor, 7);
    if (this.#text.slice(phrase, this.#at) === 'return') return true; // `case txHash: return '0x…'`
    if (this.#text.slice(phrase, this.#at) === 'Just') {
      this.#at = phrase; // of Haskell
      return false;
    }
    if (/^(?:or|else)$/.test(this.#text.slice(phrase, this.#at))) {
      this.#at = phrase; // `os.getenv("KEY") or "0x…"`
      this.#afterSeparator = true;
      return false;
    }
    if (this.#add('prose', phrase, this.#at)) return true;
    this.#at = skipQuietBefore(this.#text, phrase, this.#floor);
    return !':：)]'.includes(this.#text.charAt(this.#at - 1));
  }

  /** The name before a separator, with its type, or a tuple of names. */
  #skipName(): boolean {
    // `tx hash SALT=0x…`, unlike `<TxLink hash="0x…"`
    const name = this.#text[this.#at] === '=' ? findNameStart(this.#text, this.#at, this.#floor) : this.#at;
    const isPair = name < this.#at && !/<[\w.]{1,60}\s$/.test(this.#text.slice(Math.max(this.#floor, name - 64), name));
    const phrase = isPair ? name : findPhraseStart(this.#text, this.#at, this.#floor, 4);
    // `hash, err := `
    const result = this.#afterAssignment
      ? RESULT.exec(this.#text.slice(Math.max(this.#floor, this.#at - 12), this.#at))
      : null;
    if (result !== null) {
      this.#at -= result[0].length;
      return false;
    }
    if (this.#afterAssignment && addTuple(this.#text, phrase, this.#at, this.#floor, this.#add)) return true;
    if (this.#skipConversion(phrase)) return false;
    // `tx: from=0x…`, `tx hash: FROM=0x…` are pairs in logs.
    const typed =
      this.#afterAssignment &&
      /:\s*&?$/.test(this.#text.slice(Math.max(this.#floor, phrase - 4), phrase)) &&
      !VARIABLE_NAME.test(this.#text.slice(phrase, this.#at));
    if (/^[\d\s]+$/.test(this.#text.slice(phrase, this.#at))) {
      this.#at = this.#text[phrase - 1] === '#' ? phrase - 1 : phrase; // `Block #1: 0x…`
      // `{ hash: '0x…', 1: '0x…' }`: what is before the comma is another entry.
      if (this.#text[skipQuietBefore(this.#text, this.#at, this.#floor) - 1] !== ',') return false;
      this.#at = findOpenerBefore(this.#text, this.#at);
      this.#afterSeparator = false;
      return this.#at < this.#floor;
    }
    const decisive = this.#add(this.#isInside ? 'around' : typed ? 'type' : 'name', phrase, this.#at);
    this.#at = phrase;
    this.#afterSeparator = false;
    this.#afterAssignment = false;
    if (this.#isInside) return true;
    if (typed) return false;
    // The object that contains the key may be more specific, or mark a secret.
    const opener = findOpenerBefore(this.#text, this.#at);
    if (opener < this.#floor || this.#text[opener] === '(' || !isNamedContainer(this.#text, opener, this.#floor))
      return true;
    this.#isInside = decisive || !(this.#labels.at(-1)?.words ?? []).every(word => GENERIC_NAMES.has(word));
    this.#at = opener;
    return false;
  }

  /** `Data(hex: "0x…")`, where the name from `start` is that of the only argument of a conversion. */
  #skipConversion(start: number): boolean {
    const callee = this.#text[start - 1] === '(' ? findCalleeStart(this.#text, start - 1, this.#floor) : start;
    const isNamed = isConversion(splitWords(this.#text.slice(start, this.#at)));
    if (!isNamed || callee >= start - 1 || !isConversion(splitWords(this.#text.slice(callee, start - 1)))) return false;
    this.#at = callee;
    this.#afterCall = true;
    this.#afterSeparator = false;
    this.#afterAssignment = false;
    return true;
  }

  /** `<hash>` and `</hash>`. */
  #skipTag(): boolean {
    const tag = /<(\/?)([A-Za-z][\w:.-]*)(?![\w:.-])[^<>\n]*>$/.exec(
      this.#text.slice(Math.max(this.#floor, this.#at - 200), this.#at),
    );
    this.#afterSeparator = true;
    this.#at -= tag?.[0].length ?? 1;
    if (tag === null || tag[1] !== '') return false;
    const attribute = NAMING_ATTRIBUTE.exec(tag[0])?.indices?.[1];
    const [from, to] = attribute ?? [1, 1 + (tag[2] ?? '').length];
    const decisive = this.#add(this.#isInside ? 'around' : 'name', this.#at + from, this.#at + to);
    // `<tx><signer>0x…`: the inner element names the value, the outer one only contains it.
    this.#isInside ||= !LAYOUT_ELEMENT.test(tag[2] ?? '');
    return decisive;
  }

  /** `=`, `:` and other marks between a name and its value. */
  #skipSeparator(char: string): boolean {
    if (char === '>' && /\)\s*=$/.test(this.#text.slice(Math.max(this.#floor, this.#at - 4), this.#at - 1)))
      return true; // what a function returns
    const from = Math.max(this.#floor, this.#at - 64);
    const variable = char === '>' ? VARIABLE_ARROW.exec(this.#text.slice(from, this.#start))?.indices?.[1] : undefined;
    if (variable !== undefined) {
      this.#add('around', from + variable[0], from + variable[1]);
      return true;
    }
    // `… for the tx? 0x…` is another sentence, `tx ? 0x… : key` and `tx && 0x…` are other values.
    if ('?!&^'.includes(char) && this.#text[this.#at - 2] !== '?' && /\s/.test(this.#text.charAt(this.#at)))
      return true;
    if (char === '=') this.#afterAssignment = true;
    this.#afterSeparator = true;
    this.#at--;
    if (this.#afterAssignment)
      this.#at -= HEX_TYPE.exec(this.#text.slice(Math.max(this.#floor, this.#at - 24), this.#at))?.[0].length ?? 0;
    return false;
  }

  /** The bracket that the literal is in, and the name before it. */
  #skipOpener(char: string): boolean {
    // `getTx() {` and `fn get_tx() -> B256 {` begin a body, `Hash{` a value.
    if (char === '{' && BODY.test(this.#text.slice(Math.max(this.#floor, this.#at - 80), this.#at))) return true;
    const callee = findCalleeStart(this.#text, this.#at - 1, this.#floor);
    const named = callee < this.#at - 1;
    const role = this.#isInside ? 'around' : char === '(' ? 'call' : 'name';
    const decisive = named && this.#add(role, callee, this.#at - 1);
    this.#at = callee;
    if (char !== '(') {
      this.#afterSeparator = true;
      return decisive;
    }
    if (!named) return false;
    this.#afterCall = true;
    this.#afterSeparator = false;
    return this.#isInside;
  }

  /** The elements before the literal in its list or call. */
  #skipComma(): boolean {
    const list = skipListBefore(this.#text, this.#at, this.#floor);
    this.#at = list.at;
    this.#afterSeparator = true;
    if (list.argument === null) return false;
    const opener = findOpenerBefore(this.#text, this.#at);
    if (opener < this.#floor) return true;
    const call = this.#text[opener] === '(';
    const callee = findCalleeStart(this.#text, opener, this.#floor);
    // `log(txHash, '0x…')` prints something else than the hash.
    const isDescription =
      call &&
      splitWords(this.#text.slice(callee, opener)).some(
        word => COMPARING_CALLS.has(word) || (list.quoted && PRINTING_CALLS.has(word)),
      );
    // `"signer, tx_hash", [["0x…"`: several names in one text.
    const role = isDescription
      ? 'name'
      : /, {0,4}$/.test(this.#text.slice(list.argument - 5, list.argument))
        ? 'among'
        : 'argument';
    const decisive = (isDescription || list.quoted) && this.#add(role, list.argument, this.#at);
    if (call && callee < opener) this.#add('among', callee, opener);
    else if (!call) this.#add('sibling', opener + 1, this.#at);
    this.#at = opener;
    return call || decisive || !isNamedContainer(this.#text, opener, this.#floor);
  }

  /** The end of the line above, which may be a heading, a comment or continue on this one. */
  #skipLine(): boolean {
    if (!this.#afterSeparator && this.#labels.some(label => label.role !== 'comment')) {
      // `assertEqual(t,` above `HexToHash("0x…")`
      if (this.#afterCall && !this.#afterSeparator) {
        const opened = /[(,]\s{1,60}$/.exec(this.#text.slice(Math.max(this.#floor, this.#at - 64), this.#at));
        if (opened !== null) {
          this.#at -= opened[0].length - 1;
          return false;
        }
      }
      // `const GENESIS: B256 =` above `b256!("0x…")`
      const above = /[\w)\]>]\s=\s{1,40}$/.exec(this.#text.slice(Math.max(this.#floor, this.#at - 60), this.#at));
      if (above === null) return true;
      this.#at -= above[0].length - above[0].indexOf('=') - 1;
      return false;
    }
    const line = findPrecedingLine(this.#text, this.#at, this.#floor);
    if (line === null) return true;
    this.#at = line.end;
    if (line.role === null) return false;
    this.#add(line.role, line.start, line.end);
    this.#at = line.start;
    return line.role === 'heading';
  }

  /** A group in brackets before the literal: `[txHash] =`, `Sender (tx): `. */
  #skipGroup(): boolean {
    const group = findGroupStart(this.#text, this.#at);
    if (group < this.#floor) {
      this.#at--;
      return false;
    }
    if (!this.#afterSeparator) {
      const decisive = this.#add(this.#text[group] === '[' ? 'tag' : 'prose', group + 1, this.#at - 1);
      this.#at = group;
      return decisive;
    }
    if (addElements(this.#text, group + 1, this.#at - 1, this.#add)) return true;
    const isRemark = this.#text[group] === '(' && /[\p{L}\p{N}] $/u.test(this.#text.slice(group - 2, group)); // `Sender (tx): `
    const name = isRemark
      ? findPhraseStart(this.#text, group - 1, this.#floor, 4)
      : findNameStart(this.#text, this.#at, this.#floor);
    // `[relayer] 0: `, unlike `[txHash] = `
    const isTag =
      name === group && this.#text[group] === '[' && !/^\s*=/.test(this.#text.slice(this.#at, this.#at + 8));
    // `Mint tx (Sepolia): `, unlike `Sender (tx): `
    const ofName = this.#text.slice(name, group);
    const remark = splitWords(this.#text.slice(group, this.#at));
    const isOfHash = isRemark && findHashHint(splitWords(ofName)) !== null && findHashHint(remark) === null;
    const end = isOfHash && !isAccountName(remark) ? group : this.#at;
    const decisive = this.#add(this.#isInside ? 'around' : isTag ? 'tag' : 'name', name, end);
    this.#afterSeparator = false;
    const moved = name < this.#at;
    this.#at = name;
    return decisive || !moved;
  }

  /** Segments of a path before the literal. */
  #skipPath(): boolean {
    const before = this.#text[this.#at - 2];
    if (this.#text[this.#at - 1] === '/' && (before === '/' || before === '*')) {
      // `// txHash:` above `//   '0x…'`
      const above = COMMENTED_NAME.exec(this.#text.slice(Math.max(this.#floor, this.#at - 120), this.#at))?.[1];
      if (above === undefined || this.#labels.length > 0) return true; // a comment begins
      this.#at -= above.length;
      return false;
    }
    const path = readPath(this.#text, this.#at, this.#floor, this.#add);
    this.#at = path.at;
    return path.isEnough;
  }

  /** Whatever ends with this character. */
  #skipConstruct(char: string): boolean {
    if (char === '/') return this.#skipPath();
    if (isWordChar(char)) return this.#skipWord();
    const number = '.)'.includes(char) ? LIST_NUMBER.exec(this.#text.slice(this.#lineStart, this.#at)) : null;
    if (number !== null) {
      this.#at = this.#lineStart;
      return false;
    }
    if (char === '>' && this.#text[this.#at - 2] !== '=' && this.#text[this.#at - 2] !== '-') return this.#skipTag();
    if (SEPARATORS.includes(char)) return this.#skipSeparator(char);
    if (OPENERS.includes(char)) return this.#skipOpener(char);
    if (char === ',') return this.#skipComma();
    if (char === '\n' || char === '\r') return this.#skipLine();
    if (char === ')' || char === ']') return this.#skipGroup();
    this.#at--;
    // `sha256(tx + '0x…')`, unlike an item of a list.
    const isBold = char === '*' && /^\*{1,2}:/.test(this.#text.slice(this.#at, this.#at + 3)); // `**Transaction**: `
    if (
      !isBold &&
      '+*'.includes(char) &&
      /[\p{L}\p{N}"'`)\]]\s{0,4}$/u.test(this.#text.slice(Math.max(this.#lineStart, this.#at - 5), this.#at))
    )
      return true;
    return !'-*+#@•·$'.includes(char);
  }
}

/** The comment, bracket or value after a literal in its line; `null` when there is none. */
export function findLabelAfter(text: string, end: number): Label | null {
  const line = /^[^\n\r]*/.exec(text.slice(end, end + 160))?.[0] ?? '';
  const rest = line.replace(/0[xX][0-9a-fA-F].*$/s, '');
  const note = /^["'`\\,;)\]}\s]*(?:\/\/+|#+|\/\*+|<!--|--(?![\w-])|\(|[-–—←](?!-)|<-|is\b)\s*([^)\]}>"'`]{2,90})/.exec(
    rest,
  )?.[1];
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
  if (text.slice(start, before).trim() === ',') return false; // the comma ends the line above
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
    const slash = /\\?\/$/.exec(text.slice(Math.max(floor, position - 2), position))?.[0].length ?? 0;
    if (slash === 0) break;
    const end = position - slash;
    const start = end - (/[\w.~-]{0,60}$/.exec(text.slice(Math.max(floor, end - 60), end))?.[0].length ?? 0);
    if (add('path', start, end)) return { at: start, isEnough: true };
    // `/tx/mainnet/0x…`: only a chain's name may be in between.
    if (start === end || findChainIdByWord(text.slice(start, end)) === null) return { at: end, isEnough: false };
    position = start;
  }
  return { at: position, isEnough: false };
}
