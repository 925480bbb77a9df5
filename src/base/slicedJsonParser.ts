// JSON of any size from hosts that may be hostile: parsed in slices as its text arrives, within limits.

export interface JsonLimits {
  /** Lists and objects inside each other. */
  readonly maxDepth: number;
  /** Values of all lists and objects together: small ones take many times as much memory as text. */
  readonly maxValues: number;
  /** Of one object: a table of many takes long to grow. */
  readonly maxKeys: number;
  /** Characters of one string: who uses it does so at once. */
  readonly maxStringLength: number;
}

export type JsonLimit = 'depth' | 'values' | 'keys' | 'characters' | 'digits';

/** Valid or not, the text is not parsed further. */
export class JsonLimitError extends Error {
  readonly kind: JsonLimit;

  constructor(kind: JsonLimit) {
    super(`The JSON has too many ${kind}.`);
    this.kind = kind;
  }
}

/** Characters that are parsed at once, by `JSON.parse`: a millisecond, of small values some milliseconds. */
export const SLICE_LENGTH = 64 * 1024;
/** Characters outside of strings without a bracket or comma: digits, or blanks that no honest host sends. */
export const MAX_DIGITS = 16_384;

export const QUOTE = 0x22;
const BACKSLASH = 0x5c;
export const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
export const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
export const CLOSE_OBJECT = 0x7d;
export const isToken = (code: number): boolean =>
  code === COMMA || code === OPEN_LIST || code === CLOSE_LIST || code === OPEN_OBJECT || code === CLOSE_OBJECT;

type Value = unknown[] | Record<string, unknown>;

/** A list or an object whose end has not been reached. Indexes are those of the whole text. */
interface Container {
  isList: boolean;
  /** Index after its bracket. */
  start: number;
  /** Index of the first character that is not in `value` yet. */
  from: number;
  /** Where its present element begins, with the key of an object. */
  element: number;
  /** `null` while it is small: then its text is parsed together with what is around it. */
  value: Value | null;
  /** The last element was added on its own, and no comma came since. */
  isAfterElement: boolean;
  /** Of an object: in `value`. */
  keys: number;
}

const createContainer = (): Container => {
  return { isList: true, start: 0, from: 0, element: 0, value: null, isAfterElement: false, keys: 0 };
};

/** A string that is too long to be parsed at once: the innermost container gets it when its end is reached. */
interface LongString {
  /** Absent in a list. */
  readonly key: string | undefined;
  value: string;
  /** Index of the first character that is not in `value` yet. */
  from: number;
}

/** As `JSON.parse` does it, also for the key `__proto__`. */
function setKey(target: Value, key: string, value: unknown): void {
  if (key === '__proto__')
    Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
  else (target as Record<string, unknown>)[key] = value;
}

/** Backslashes before `end`, not before `from`. */
export function countBackslashes(text: string, end: number, from = 0): number {
  let at = end;
  while (at > from && text.charCodeAt(at - 1) === BACKSLASH) at--;
  return end - at;
}

const ESCAPE_LENGTH = 6;

/** Where the text of a string, which begins outside of an escape, can be divided: before an escape that is not complete. */
function findEndOfEscapes(text: string): number {
  const last = text.lastIndexOf('\\');
  if (last < text.length - ESCAPE_LENGTH || last < 0 || countBackslashes(text, last + 1) % 2 === 0) return text.length;
  const isComplete = last + 1 < text.length && text[last + 1] !== 'u';
  return isComplete ? text.length : last;
}

/** The text is added in pieces, of about a slice. Throws `SyntaxError`, or `JsonLimitError` as soon as a limit is exceeded. */
export class SlicedJsonParser {
  /** Of the text so far; may be raised. */
  maxValues: number;
  readonly #limits: JsonLimits;
  readonly #parse: (json: string) => unknown;
  /** The text as the only element of a list, and the containers that are open in it. */
  readonly #open: Container[] = [{ ...createContainer(), value: [] }];
  /** A small container that was closed: most are as short as their text. */
  #spare: Container | null = null;
  /** How many of the open containers have a value: the outer ones. */
  #large = 1;
  /** What may still be needed of the text, in the pieces that were added. */
  #pieces: string[] = [];
  /** Index of the first character of the pieces, and after the last one. */
  #start = 0;
  #end = 0;
  #values = 0;
  /** Index of the opening quote of the string that is open; -1 outside of strings. */
  #string = -1;
  #longString: LongString | null = null;
  /** The last piece ended in a string, after a backslash that belongs to the next character. */
  #endsInEscape = false;
  /** Index of the last bracket, comma or closing quote. */
  #lastToken = 0;

  /** @param parse Takes the place of `JSON.parse` for each slice but parts of strings, which is a list or an object. */
  constructor(limits: JsonLimits, parse: (json: string) => unknown = JSON.parse) {
    this.#limits = limits;
    this.#parse = parse;
    this.maxValues = limits.maxValues;
  }

  add(piece: string): void {
    const base = this.#end;
    this.#pieces.push(piece);
    this.#end += piece.length;
    let index = this.#string < 0 ? 0 : this.#readString(piece, 0, base);
    while (index < piece.length) {
      const code = piece.charCodeAt(index);
      if (code === QUOTE) {
        this.#string = base + index;
        this.#endsInEscape = false;
        index = this.#readString(piece, index + 1, base);
        continue;
      }
      if (isToken(code)) this.#onToken(code, base + index);
      index++;
    }
    if (this.#string >= 0) this.#takePartOfString();
    else this.#checkDigits(this.#end);
    this.#dropParsed();
  }

  /** The value of the whole text. */
  end(): unknown {
    if (this.#values > this.maxValues) throw new JsonLimitError('values');
    const [root] = this.#open;
    if (this.#string >= 0 || root === undefined || this.#open.length !== 1)
      throw new SyntaxError('The JSON ends too early.');
    this.#add(root, this.#end, true);
    const [value] = root.value as unknown[];
    return value;
  }

  #onToken(code: number, index: number): void {
    this.#checkDigits(index);
    this.#lastToken = index;
    const isOpening = code === OPEN_LIST || code === OPEN_OBJECT;
    if ((isOpening || code === COMMA) && ++this.#values > this.maxValues) throw new JsonLimitError('values');
    if (isOpening) this.#enter(code === OPEN_LIST, index);
    else if (code === COMMA) this.#endElement(index);
    else this.#leave(code === CLOSE_LIST, index);
  }

  #checkDigits(index: number): void {
    if (index - this.#lastToken <= MAX_DIGITS) return;
    if (this.#slice(index - MAX_DIGITS, index).trim() === '') throw new SyntaxError('The JSON has too many blanks.');
    throw new JsonLimitError('digits');
  }

  /** Returns the index after the closing quote, or that after the piece. */
  #readString(piece: string, from: number, base: number): number {
    for (let end = piece.indexOf('"', from); end >= 0; end = piece.indexOf('"', end + 1)) {
      if (this.#isEscaped(piece, end, from)) continue;
      this.#endString(base + end);
      return end + 1;
    }
    this.#endsInEscape = this.#isEscaped(piece, piece.length, from);
    return piece.length;
  }

  /** `from` is where the string begins in the piece. */
  #isEscaped(piece: string, end: number, from: number): boolean {
    if (end > from && piece.charCodeAt(end - 1) !== BACKSLASH) return false;
    const count = countBackslashes(piece, end, from);
    return (count % 2 !== 0) !== (count === end - from && this.#endsInEscape);
  }

  #endString(index: number): void {
    if (index - this.#string > this.#limits.maxStringLength) throw new JsonLimitError('characters');
    this.#string = -1;
    this.#lastToken = index;
    const string = this.#longString;
    const container = this.#open.at(-1);
    if (string === null || container === undefined) return;
    const value = string.value + JSON.parse(`"${this.#slice(string.from, index)}"`);
    this.#longString = null;
    this.#set(container, string.key, value);
    container.from = index + 1;
    container.isAfterElement = true;
  }

  #takePartOfString(): void {
    if (this.#end - this.#string > this.#limits.maxStringLength) throw new JsonLimitError('characters');
    if (this.#end - this.#string <= SLICE_LENGTH) return;
    this.#longString ??= this.#enterString(this.#string);
    const text = this.#slice(this.#longString.from, this.#end);
    const end = findEndOfEscapes(text);
    this.#longString.value += JSON.parse(`"${text.slice(0, end)}"`);
    this.#longString.from += end;
  }

  #enterString(index: number): LongString {
    this.#split(Number.POSITIVE_INFINITY);
    const container = this.#open.at(-1) as Container;
    if (container.isAfterElement) throw new SyntaxError('A comma of the JSON is missing.');
    if (container.element > container.from) this.#add(container, container.element - 1, false);
    container.from = container.element;
    const isKey = !container.isList && this.#slice(container.element, index).trim() === '';
    if (isKey) throw new JsonLimitError('characters');
    return { key: this.#readKey(container, index), value: '', from: index + 1 };
  }

  #enter(isList: boolean, index: number): void {
    if (this.#open.at(-1)?.isAfterElement) throw new SyntaxError('A comma of the JSON is missing.');
    if (this.#open.length > this.#limits.maxDepth) throw new JsonLimitError('depth');
    const container = this.#spare ?? createContainer();
    this.#spare = null;
    container.isList = isList;
    container.start = container.from = container.element = index + 1;
    this.#open.push(container);
    this.#split(index);
  }

  #leave(isList: boolean, index: number): void {
    const closed = this.#open.pop();
    const parent = this.#open.at(-1);
    if (closed === undefined || parent === undefined || closed.isList !== isList)
      throw new SyntaxError('The brackets of the JSON do not match.');
    if (closed.value === null) {
      this.#spare = closed;
      return;
    }
    this.#add(closed, index, true);
    this.#large--;
    parent.from = index + 1;
    parent.isAfterElement = true;
  }

  #endElement(index: number): void {
    const container = this.#open.at(-1);
    if (container === undefined || this.#open.length === 1) throw new SyntaxError('The JSON has more than one value.');
    if (container.value !== null && (container.isAfterElement || index - container.from > SLICE_LENGTH)) {
      this.#add(container, index, false);
      container.from = index + 1;
    }
    container.element = index + 1;
    this.#split(index);
  }

  /** Gives values to the containers around `index` whose text has become too long to be parsed at once. */
  #split(index: number): void {
    for (;;) {
      const outer = this.#open[this.#large - 1];
      const inner = this.#open[this.#large];
      if (outer === undefined || inner === undefined || index - outer.from <= SLICE_LENGTH) return;
      // The comma before the present element is not part of the elements before it.
      if (outer.element > outer.from) this.#add(outer, outer.element - 1, false);
      inner.value = inner.isList ? [] : {};
      this.#set(outer, this.#readKey(outer, inner.start - 1), inner.value);
      outer.from = inner.start;
      this.#large++;
    }
  }

  /** What is between the start of the present element and its value, which begins at `index`: the key; `undefined` in a list. */
  #readKey(container: Container, index: number): string | undefined {
    const head = this.#slice(container.element, index);
    if (container.isList) {
      if (head.trim() !== '') throw new SyntaxError('A comma of the JSON is missing.');
      return undefined;
    }
    const [key, ...others] = Object.keys(JSON.parse(`{${head}0}`) as object);
    if (key === undefined || others.length > 0) throw new SyntaxError('A key of the JSON is missing.');
    return key;
  }

  #set(container: Container, key: string | undefined, value: unknown): void {
    if (key === undefined) return void (container.value as unknown[]).push(value);
    this.#countKeys(container, 1);
    setKey(container.value as Value, key, value);
  }

  /** Adds the elements between `from` and `end` to a container. */
  #add(container: Container, end: number, isLast: boolean): void {
    const run = this.#slice(container.from, end);
    const isBlank = run.trim() === '';
    if (container.isAfterElement) {
      if (!isBlank) throw new SyntaxError('A comma of the JSON is missing.');
      container.isAfterElement = false;
      return;
    }
    if (isBlank) {
      if (!isLast || container.from !== container.start || this.#open.length === 1)
        throw new SyntaxError('A value of the JSON is missing.');
      return;
    }
    if (container.isList) {
      for (const element of this.#parse(`[${run}]`) as unknown[]) (container.value as unknown[]).push(element);
      return;
    }
    const parsed = this.#parse(`{${run}}`) as Record<string, unknown>;
    const keys = Object.keys(parsed);
    this.#countKeys(container, keys.length);
    for (const key of keys) setKey(container.value as Value, key, parsed[key]);
  }

  #countKeys(container: Container, count: number): void {
    container.keys += count;
    if (container.keys > this.#limits.maxKeys) throw new JsonLimitError('keys');
  }

  /** Of the text that has not been dropped. */
  #slice(from: number, end: number): string {
    if (this.#pieces.length > 1) this.#pieces = [this.#pieces.join('')];
    return (this.#pieces[0] ?? '').slice(from - this.#start, end - this.#start);
  }

  #dropParsed(): void {
    const needed = this.#longString?.from ?? this.#open[this.#large - 1]?.from ?? this.#end;
    if (needed - this.#start < SLICE_LENGTH && this.#longString === null) return;
    this.#pieces = [this.#slice(needed, this.#end)];
    this.#start = needed;
  }
}
