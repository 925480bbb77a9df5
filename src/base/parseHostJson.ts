// JSON that a host sends: long texts in slices as they arrive, and within limits that no honest host reaches.
import { bytesToText } from './base64.ts';
import { HexLensError } from './errors.ts';
import type { BodyParser, BodyReader } from './httpPort.ts';
import { type LocalizableText, localizable } from './localize.ts';
import { responsePacer } from './sharedPacer.ts';
import {
  CLOSE_LIST,
  CLOSE_OBJECT,
  COMMA,
  countBackslashes,
  isToken,
  type JsonLimit,
  JsonLimitError,
  type JsonLimits,
  MAX_DIGITS,
  QUOTE,
  SLICE_LENGTH,
  SlicedJsonParser,
} from './slicedJsonParser.ts';

/** Characters or bytes that may be parsed at once, some times faster than in slices, where they have few values. */
export const MAX_WHOLE_LENGTH = 512 * 1024;
/** Up to that it may have any number of values, and is not parsed before it is complete. */
const MIN_LARGE_LENGTH = 1.5 * 1024 * 1024;
/** Calls inside each other are at most 1,024, each in a list of an object. */
const MAX_DEPTH = 2_500;
/** In logs, blocks and traces a value takes 20 to 60 characters. */
const MIN_CHARACTERS_PER_VALUE = 12;
/** What the beginning of a response may have more, in relation to its length. */
const MAX_EARLY_VALUES = 32_768;

/** Shorter ones, as most are, need no turn of their own. */
const MIN_PACED_LENGTH = 16 * 1024;

const LIMITS: JsonLimits = {
  maxDepth: MAX_DEPTH,
  maxValues: Number.POSITIVE_INFINITY,
  /** A dump of the state of a development chain has tens of thousands of accounts or slots in an object. */
  maxKeys: 100_000,
  /** The longest texts are what calls return: 30 million gas are enough for 8 million digits. */
  maxStringLength: 8 * 1024 * 1024,
};

type Parse = (json: string) => unknown;

/** Without brackets for so many levels there are no such levels. */
function mayBeDeep(text: string): boolean {
  let brackets = 0;
  for (const bracket of '[{')
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1))
      if (++brackets > MAX_DEPTH) return true;
  return false;
}

/** Whether `JSON.parse` takes some milliseconds only. */
function isParsedFast(text: string): boolean {
  if (text.length > MAX_WHOLE_LENGTH) return false;
  if (text.length <= SLICE_LENGTH && !mayBeDeep(text)) return true;
  const maxValues = text.length <= SLICE_LENGTH ? text.length : text.length / MIN_CHARACTERS_PER_VALUE;
  let depth = 0;
  let values = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = findEndOfString(text, at);
    else if (code === CLOSE_LIST || code === CLOSE_OBJECT) depth--;
    else if (isToken(code)) {
      values++;
      if (code !== COMMA && ++depth > MAX_DEPTH) return false;
    }
  }
  return values <= maxValues;
}

/** The length of the text where the string does not end. */
function findEndOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1))
    if (countBackslashes(text, end, start + 1) % 2 === 0) return end;
  return text.length;
}

function toLimitFault(error: unknown, maxValues: number): unknown {
  if (!(error instanceof JsonLimitError)) return error;
  return new HexLensError('too-large', toMessage(error.kind, maxValues), { cause: error });
}

function toMessage(limit: JsonLimit, maxValues: number): LocalizableText {
  switch (limit) {
    case 'depth':
      return localizable('It is nested more than {0} levels deep.', MAX_DEPTH);
    case 'values':
      return localizable('It has more than {0} values.', Math.floor(maxValues));
    case 'keys':
      return localizable('An object in it has more than {0} keys.', LIMITS.maxKeys);
    case 'characters':
      return localizable('A text in it has more than {0} characters.', LIMITS.maxStringLength);
    case 'digits':
      return localizable('A number in it has more than {0} digits.', MAX_DIGITS);
  }
}

/** Bytes at the end that begin a character of UTF-8 which is not complete. */
function countIncompleteBytes(bytes: Uint8Array): number {
  for (let count = 1; count <= Math.min(3, bytes.length); count++) {
    const byte = bytes[bytes.length - count] ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return count < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? count : 0;
  }
  return 0;
}

function joinBytes(first: Uint8Array, second: Uint8Array): Uint8Array {
  const joined = new Uint8Array(first.length + second.length);
  joined.set(first);
  joined.set(second, first.length);
  return joined;
}

/** Reads a long body from pieces of its bytes. */
class HostJsonReader {
  readonly #parser: SlicedJsonParser;
  /** Pieces that are not parsed yet. */
  readonly #held: Uint8Array[] = [];
  #received = 0;
  /** Of a character that is not complete. */
  #rest = new Uint8Array(0);

  constructor(parse?: Parse) {
    this.#parser = new SlicedJsonParser(LIMITS, parse);
  }

  /** Resolves when more may be added. Rejects with `SyntaxError`, or with `too-large` when a limit is exceeded. */
  async add(bytes: Uint8Array): Promise<void> {
    this.#received += bytes.length;
    for (let from = 0; from < bytes.length; from += SLICE_LENGTH)
      this.#held.push(bytes.subarray(from, from + SLICE_LENGTH));
    if (this.#received <= MIN_LARGE_LENGTH) return;
    this.#parser.maxValues = this.#received / MIN_CHARACTERS_PER_VALUE + MAX_EARLY_VALUES;
    await this.#parseHeld();
  }

  /** The value of the whole body. Rejects as `add` does. */
  async end(): Promise<unknown> {
    if (this.#received > MIN_LARGE_LENGTH) this.#parser.maxValues = this.#received / MIN_CHARACTERS_PER_VALUE;
    await this.#parseHeld();
    try {
      this.#parser.add(bytesToText(this.#rest));
      return this.#parser.end();
    } catch (error) {
      throw toLimitFault(error, this.#parser.maxValues);
    }
  }

  async #parseHeld(): Promise<void> {
    try {
      for (let bytes = this.#held.shift(); bytes !== undefined; bytes = this.#held.shift()) {
        await responsePacer.pause();
        const whole = this.#rest.length === 0 ? bytes : joinBytes(this.#rest, bytes);
        const end = whole.length - countIncompleteBytes(whole);
        this.#rest = whole.slice(end);
        this.#parser.add(bytesToText(whole.subarray(0, end)));
      }
    } catch (error) {
      throw toLimitFault(error, this.#parser.maxValues);
    }
  }
}

/**
 * Rejects with `SyntaxError`, or with `too-large` when a limit is exceeded.
 *
 * @param parse Takes the place of `JSON.parse`, for parts of the text where it is large.
 */
export async function parseHostJson(text: string, parse: Parse = json => JSON.parse(json)): Promise<unknown> {
  if (isParsedFast(text)) {
    if (text.length > MIN_PACED_LENGTH) await responsePacer.pause();
    return parse(text);
  }
  const maxValues =
    text.length > MIN_LARGE_LENGTH ? Math.ceil(text.length / MIN_CHARACTERS_PER_VALUE) : Number.POSITIVE_INFINITY;
  const parser = new SlicedJsonParser({ ...LIMITS, maxValues }, parse);
  try {
    for (let from = 0; from < text.length; from += SLICE_LENGTH) {
      await responsePacer.pause();
      parser.add(text.slice(from, from + SLICE_LENGTH));
    }
    return parser.end();
  } catch (error) {
    throw toLimitFault(error, maxValues);
  }
}

/** A JSON value, or how the text begins where it is none. */
export type HostJson = ({ readonly value: unknown } | { readonly invalid: string }) & { readonly length: number };

/** Characters of a text that is not JSON: enough to tell what it is. */
const MAX_START_LENGTH = 10_000;

async function toHostJson(parsing: Promise<unknown>, start: string, length: number): Promise<HostJson> {
  try {
    return { value: await parsing, length };
  } catch (error) {
    if (error instanceof SyntaxError) return { invalid: start, length };
    throw error;
  }
}

class HostJsonBodyReader implements BodyReader {
  readonly #reader: HostJsonReader;
  #start: Uint8Array = new Uint8Array(0);
  #length = 0;
  #invalid: SyntaxError | null = null;

  constructor(parse: Parse) {
    this.#reader = new HostJsonReader(parse);
  }

  async add(bytes: Uint8Array): Promise<boolean> {
    if (this.#start.length < MAX_START_LENGTH)
      this.#start = joinBytes(this.#start, bytes.subarray(0, MAX_START_LENGTH - this.#start.length));
    this.#length += bytes.length;
    try {
      await this.#reader.add(bytes);
      return true;
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      this.#invalid = error;
      return false;
    }
  }

  end(): Promise<HostJson> {
    const parsing = this.#invalid === null ? this.#reader.end() : Promise.reject(this.#invalid);
    return toHostJson(parsing, bytesToText(this.#start), this.#length);
  }
}

export interface HostJsonParser extends BodyParser {
  parse(body: string): Promise<HostJson>;
}

/** For requests to hosts; `parse` as in {@link parseHostJson}. */
export function createHostJsonParser(parse: Parse = json => JSON.parse(json)): HostJsonParser {
  return {
    parse: body => toHostJson(parseHostJson(body, parse), body.slice(0, MAX_START_LENGTH), body.length),
    createReader: () => new HostJsonBodyReader(parse),
  };
}
