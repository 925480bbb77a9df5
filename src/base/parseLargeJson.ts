// JSON of any size from hosts that may be hostile: parsed in slices, so that other work runs in between, and within limits.
import { yieldToEventLoop } from './yieldToEventLoop.ts';

export interface JsonLimits {
  /** Lists and objects inside each other. */
  readonly maxDepth: number;
  /** Values of all lists and objects together: small ones take many times as much memory as text. */
  readonly maxValues: number;
  /** Of one object: a table of many takes long to grow. */
  readonly maxKeys: number;
  /** Characters of one string, which is parsed at once. */
  readonly maxStringLength: number;
}

export type JsonLimit = 'depth' | 'values' | 'keys' | 'characters';

/** Valid or not, the text is not parsed further. */
export class JsonLimitError extends Error {
  readonly kind: JsonLimit;

  constructor(kind: JsonLimit) {
    super(`The JSON has too many ${kind}.`);
    this.kind = kind;
  }
}

/** Characters that are parsed at once, by `JSON.parse`: a few milliseconds. */
const SLICE_LENGTH = 256 * 1024;
/** Milliseconds of work in a row. */
const MAX_WORK_MS = 8;
/** Characters outside of strings between two looks at the clock; so many blanks in a row are no JSON of an honest host. */
const CHARACTERS_PER_CHECK = 16_384;

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const isToken = (code: number): boolean =>
  code === COMMA || code === OPEN_LIST || code === CLOSE_LIST || code === OPEN_OBJECT || code === CLOSE_OBJECT;

type Value = unknown[] | Record<string, unknown>;

/** A list or an object whose end has not been reached. */
interface Container {
  readonly isList: boolean;
  /** Index after its bracket. */
  readonly start: number;
  /** Index of the first character that is not in `value` yet. */
  from: number;
  /** Where its present element begins, with the key of an object. */
  element: number;
  /** `null` while it is small: then its text is parsed together with what is around it. */
  value: Value | null;
  /** The last element was parsed on its own, and no comma came since. */
  isAfterElement: boolean;
  /** Of an object: in `value`. */
  keys: number;
}

function createContainer(isList: boolean, start: number): Container {
  return { isList, start, from: start, element: start, value: null, isAfterElement: false, keys: 0 };
}

/** As `JSON.parse` does it, also for the key `__proto__`. */
function setKey(target: Value, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
}

class SlicedParser {
  readonly #text: string;
  readonly #limits: JsonLimits;
  readonly #parse: (json: string) => unknown;
  /** The text as the only element of a list, and the containers that are open in it. */
  readonly #open: Container[];
  /** How many of the open containers have a value: the outer ones. */
  #large = 1;

  constructor(text: string, limits: JsonLimits, parse: (json: string) => unknown = JSON.parse) {
    this.#text = text;
    this.#limits = limits;
    this.#parse = parse;
    this.#open = [{ ...createContainer(true, 0), value: [] }];
  }

  /** Checks the limits, without the memory that values take. */
  async check(): Promise<void> {
    let depth = 0;
    let values = 0;
    await this.#scan(code => {
      if (code === CLOSE_LIST || code === CLOSE_OBJECT) depth--;
      else if (++values > this.#limits.maxValues) throw new JsonLimitError('values');
      if ((code === OPEN_LIST || code === OPEN_OBJECT) && ++depth > this.#limits.maxDepth)
        throw new JsonLimitError('depth');
    });
  }

  parseAtOnce(): unknown {
    return this.#parse(this.#text);
  }

  async parse(): Promise<unknown> {
    await this.#scan(
      (code, index) => {
        if (code === OPEN_LIST || code === OPEN_OBJECT) this.#enter(code === OPEN_LIST, index);
        else if (code === COMMA) this.#endElement(index);
        else this.#leave(code === CLOSE_LIST, index);
      },
      index => this.#separateElement(index),
    );
    const text = this.#text;
    const [root] = this.#open;
    if (root === undefined || this.#open.length !== 1) throw new SyntaxError('The JSON ends too early.');
    this.#add(root, text.length, true);
    const [value] = root.value as unknown[];
    return value;
  }

  /** Calls `onToken` for each bracket and comma outside of strings, and `onLongString` at the end of such. */
  async #scan(
    onToken: (code: number, index: number) => void,
    onLongString: (index: number) => void = () => {},
  ): Promise<void> {
    const text = this.#text;
    let workedSince = performance.now();
    for (let index = 0, checkAt = CHARACTERS_PER_CHECK; index < text.length; index++) {
      const code = text.charCodeAt(index);
      if (code === QUOTE) {
        const start = index;
        index = this.#findEndOfString(index);
        if (index - start > SLICE_LENGTH) onLongString(index);
      } else if (isToken(code)) onToken(code, index);
      if (index < checkAt) continue;
      if (text.slice(index - CHARACTERS_PER_CHECK, index + 1).trim() === '')
        throw new SyntaxError('The JSON has too many blanks.');
      checkAt = index + CHARACTERS_PER_CHECK;
      if (performance.now() - workedSince <= MAX_WORK_MS) continue;
      await yieldToEventLoop();
      workedSince = performance.now();
    }
  }

  #findEndOfString(start: number): number {
    const text = this.#text;
    for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
      let slashes = 0;
      while (text.charCodeAt(end - 1 - slashes) === 0x5c) slashes++;
      if (slashes % 2 !== 0) continue;
      if (end - start > this.#limits.maxStringLength) throw new JsonLimitError('characters');
      return end;
    }
    throw new SyntaxError('A string of the JSON does not end.');
  }

  #enter(isList: boolean, index: number): void {
    if (this.#open.at(-1)?.isAfterElement) throw new SyntaxError('A comma of the JSON is missing.');
    this.#open.push(createContainer(isList, index + 1));
    this.#split(index);
  }

  #leave(isList: boolean, index: number): void {
    const closed = this.#open.pop();
    const parent = this.#open.at(-1);
    if (closed === undefined || parent === undefined || closed.isList !== isList)
      throw new SyntaxError('The brackets of the JSON do not match.');
    if (closed.value === null) return;
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
      const head = this.#text.slice(outer.element, inner.start - 1);
      inner.value = inner.isList ? [] : {};
      if (outer.isList) {
        if (head.trim() !== '') throw new SyntaxError('A comma of the JSON is missing.');
        (outer.value as unknown[]).push(inner.value);
      } else {
        const keys = Object.keys(JSON.parse(`{${head}0}`) as object);
        if (keys.length !== 1) throw new SyntaxError('A key of the JSON is missing.');
        this.#countKeys(outer, 1);
        setKey(outer.value as Value, keys[0] ?? '', inner.value);
      }
      outer.from = inner.start;
      this.#large++;
    }
  }

  /** Adds what is before the present element, which is long, so that it is parsed alone, without a copy of its text. */
  #separateElement(index: number): void {
    this.#split(index);
    const container = this.#open.at(-1);
    if (container === undefined || container.element <= container.from) return;
    this.#add(container, container.element - 1, false);
    container.from = container.element;
  }

  /** Adds the elements between `from` and `end` to a container. */
  #add(container: Container, end: number, isLast: boolean): void {
    const run = this.#text.slice(container.from, end);
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
    const isLongElement = run.length > SLICE_LENGTH && container.element <= container.from;
    if (isLongElement) this.#addLongElement(container, end);
    else if (container.isList)
      for (const element of this.#parse(`[${run}]`) as unknown[]) (container.value as unknown[]).push(element);
    else {
      const parsed = this.#parse(`{${run}}`) as Record<string, unknown>;
      const keys = Object.keys(parsed);
      this.#countKeys(container, keys.length);
      for (const key of keys) setKey(container.value as Value, key, parsed[key]);
    }
  }

  #addLongElement(container: Container, end: number): void {
    const text = this.#text;
    if (container.isList) return void (container.value as unknown[]).push(this.#parse(text.slice(container.from, end)));
    const quote = text.indexOf('"', container.from);
    const colon = text.indexOf(':', quote < 0 ? end : this.#findEndOfString(quote));
    if (colon < 0 || colon >= end) throw new SyntaxError('A key of the JSON is missing.');
    const [key] = Object.keys(JSON.parse(`{${text.slice(container.from, colon)}:0}`) as object);
    this.#countKeys(container, 1);
    setKey(container.value as Value, key ?? '', this.#parse(text.slice(colon + 1, end)));
  }

  #countKeys(container: Container, count: number): void {
    container.keys += count;
    if (container.keys > this.#limits.maxKeys) throw new JsonLimitError('keys');
  }
}

/** Rejects with `JsonLimitError` where the text has more levels, values or characters of a string than the limits. */
export const checkJson = (text: string, limits: JsonLimits): Promise<void> => new SlicedParser(text, limits).check();

/**
 * The same value as that of `JSON.parse`. Rejects with `SyntaxError`, or with `JsonLimitError`, for all but keys before anything
 * is parsed.
 * Text of one slice is parsed at once, without limits.
 *
 * @param parse Takes the place of `JSON.parse` for each slice, which is a list, an object or one value.
 */
export async function parseLargeJson(
  text: string,
  limits: JsonLimits,
  parse?: (json: string) => unknown,
): Promise<unknown> {
  const parser = new SlicedParser(text, limits, parse);
  if (text.length <= SLICE_LENGTH) return parser.parseAtOnce();
  await parser.check();
  return parser.parse();
}
