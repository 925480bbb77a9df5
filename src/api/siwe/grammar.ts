// The grammar of EIP-4361, matched in one pass: a message, or the first mismatch.
import { checksumAddress } from '../../base/checksumAddress.ts';
import type { Hex } from '../../base/hex.ts';
import { ALPHA, DIGIT, HEX_DIGIT, STATEMENT, span } from './characterClasses.ts';
import { parseRfc3339 } from './rfc3339.ts';
import { checkAuthority, checkRequestId, checkScheme, checkUri, type Mismatch } from './rfc3986.ts';
import {
  fieldLabels,
  formatSiweMessage,
  GREETING,
  labeledFields,
  MAX_MESSAGE_BYTES,
  MAX_RESOURCES,
  MIN_NONCE_LENGTH,
  REQUIRED_FIELDS,
  RESOURCE_PREFIX,
  type SiweField,
  type SiweMessage,
  type SiweTime,
} from './siweMessage.ts';

export interface SiweParseOptions {
  /** Also accept addresses all in lower case; a wrong mixed case is always rejected. */
  readonly allowLowerCaseAddress?: boolean | undefined;
  /** A faster implementation of EIP-55 than base/checksumAddress.ts. */
  readonly checksumAddress?: ((address: Hex) => Hex) | undefined;
}

/**
 * What is violated.
 * - `size`: the length of the whole text.
 * - `greeting`: the first line.
 * - `value`: the form of one field. `case`: the upper and lower case of the address.
 * - `blank`: the blank lines around the statement.
 * - `order`: a line under them is not the next field. `end`: the text ends before a required field.
 * - `count`: the number of resources.
 * - `identity`: the parsed message is formatted to another text.
 */
export type GrammarRule = 'size' | 'greeting' | 'value' | 'case' | 'blank' | 'order' | 'end' | 'count' | 'identity';

export interface GrammarFailure extends Mismatch {
  readonly field: SiweField;
  readonly rule: GrammarRule;
  /** Start of the labeled lines, once it is known. */
  readonly tail: number | null;
  /** Index of the expected field in `labeledFields`. */
  readonly expected: number;
}

export type GrammarMatch = { readonly message: SiweMessage } | { readonly failure: GrammarFailure };

const LETTERS_DIGITS = ALPHA | DIGIT;

function checkAddress(text: string, start: number, end: number): Mismatch | null {
  const allowed = 'an address: 0x and 40 hex digits';
  if (!text.startsWith('0x', start)) return { at: start, end, allowed };
  const at = span(text, start + 2, end, HEX_DIGIT);
  if (at < end) return { at, end: at + 1, allowed };
  return end - start === 42 ? null : { at: start, end, allowed };
}

function checkStatement(text: string, start: number, end: number): Mismatch | null {
  const at = span(text, start, end, STATEMENT);
  return at === end
    ? null
    : { at, end: at + 1, allowed: "letters, digits, spaces and - . _ ~ : / ? # [ ] @ ! $ & ' ( ) * + , ; =" };
}

function checkVersion(text: string, start: number, end: number): Mismatch | null {
  if (end - start === 1 && text.charAt(start) === '1') return null;
  const at = end > start && text.charAt(start) === '1' ? start + 1 : start;
  return { at, end, allowed: 'the version 1' };
}

function checkChainId(text: string, start: number, end: number): Mismatch | null {
  const at = span(text, start, end, DIGIT);
  if (at < end || start === end) return { at, end: Math.min(at + 1, end), allowed: 'the decimal digits of a chain id' };
  // Both are grammatical, but the record has the chain id as a number, which could not represent them.
  if (text.charAt(start) === '0' && end - start > 1)
    return { at: start, end, allowed: 'a chain id without leading zeros' };
  return Number.isSafeInteger(Number(text.slice(start, end)))
    ? null
    : { at: start, end, allowed: `a chain id of at most ${Number.MAX_SAFE_INTEGER}` };
}

function checkNonce(text: string, start: number, end: number): Mismatch | null {
  const at = span(text, start, end, LETTERS_DIGITS);
  const allowed = `at least ${MIN_NONCE_LENGTH} letters and digits`;
  if (at < end) return { at, end: at + 1, allowed };
  return end - start >= MIN_NONCE_LENGTH ? null : { at: start, end, allowed };
}

/** Thrown and caught in this file only, to leave the nested functions. */
class GrammarError {
  readonly failure: GrammarFailure;
  constructor(failure: GrammarFailure) {
    this.failure = failure;
  }
}

export function matchGrammar(text: string, options: SiweParseOptions = {}): GrammarMatch {
  try {
    return { message: new GrammarReader(text, options).read() };
  } catch (thrown) {
    if (thrown instanceof GrammarError) return { failure: thrown.failure };
    throw thrown;
  }
}

const BLANK_LINES = 'two blank lines under the address, or one blank line, the statement and one blank line';

type Check = (text: string, start: number, end: number) => Mismatch | null;

const checkNothing: Check = (_text, start, end) =>
  start === end ? null : { at: start, end, allowed: 'nothing after "Resources:" on its line' };

/** Reads one text from its start to its end, and throws the first mismatch as a `GrammarError`. */
class GrammarReader {
  readonly #text: string;
  readonly #options: SiweParseOptions;
  /** Start of the labeled lines, once it is known. */
  #tail: number | null = null;
  /** Index of the expected field in `labeledFields`. */
  #expected = 0;
  /** End of the line that was read last. */
  #at = 0;
  /** The last date-time that was read, in milliseconds. */
  #time = 0;

  constructor(text: string, options: SiweParseOptions) {
    this.#text = text;
    this.#options = options;
  }

  read(): SiweMessage {
    // UTF-16 units suffice for the limit in bytes: text that is not ASCII is rejected below.
    if (this.#text.length > MAX_MESSAGE_BYTES)
      this.#reject('message', 'size', MAX_MESSAGE_BYTES, this.#text.length, `at most ${MAX_MESSAGE_BYTES} bytes`);
    const message: SiweMessage = {
      ...this.#readOrigin(),
      address: this.#readAddress(),
      statement: this.#readStatement(),
      ...this.#readRequiredFields(),
      ...this.#readOptionalFields(),
    };
    // A safeguard against mistakes above: the parsed message must represent exactly these characters.
    if (formatSiweMessage(message) !== this.#text)
      this.#reject('message', 'identity', 0, this.#lineEnd(0), 'a message that is formatted to the same text');
    return message;
  }

  #reject(field: SiweField, rule: GrammarRule, at: number, end: number, allowed: string): never {
    throw new GrammarError({ field, rule, at, end, allowed, tail: this.#tail, expected: this.#expected });
  }

  #check(field: SiweField, mismatch: Mismatch | null): void {
    if (mismatch !== null) this.#reject(field, 'value', mismatch.at, mismatch.end, mismatch.allowed);
  }

  #lineEnd(at: number): number {
    const end = this.#text.indexOf('\n', at);
    return end < 0 ? this.#text.length : end;
  }

  /** Start of the next line, which is required. */
  #nextLine(next: SiweField, allowed: string): number {
    if (this.#at >= this.#text.length) this.#reject(next, 'end', this.#at, this.#at, allowed);
    return this.#at + 1;
  }

  #readOrigin(): Pick<SiweMessage, 'scheme' | 'domain'> {
    const text = this.#text;
    this.#at = this.#lineEnd(0);
    if (!text.endsWith(GREETING, this.#at))
      this.#reject('message', 'greeting', 0, this.#at, `a first line of "<domain>${GREETING}"`);
    const end = this.#at - GREETING.length;
    const slashes = text.indexOf('://');
    const hasScheme = slashes >= 0 && slashes < end;
    if (hasScheme) this.#check('scheme', checkScheme(text, 0, slashes));
    const start = hasScheme ? slashes + 3 : 0;
    this.#check('domain', checkAuthority(text, start, end, true));
    return { scheme: hasScheme ? text.slice(0, slashes) : null, domain: text.slice(start, end) };
  }

  #readAddress(): Hex {
    const start = this.#nextLine('address', 'the address on the second line');
    this.#at = this.#lineEnd(start);
    this.#check('address', checkAddress(this.#text, start, this.#at));
    const address = this.#text.slice(start, this.#at) as Hex; // as checked above
    const checksummed = (this.#options.checksumAddress ?? checksumAddress)(address);
    const isAccepted = this.#options.allowLowerCaseAddress === true && address === address.toLowerCase();
    if (address !== checksummed && !isAccepted)
      this.#reject('address', 'case', start, this.#at, `the EIP-55 checksummed address ${checksummed}`);
    return address;
  }

  /** Moves to the start of the labeled lines. */
  #readStatement(): string | null {
    const text = this.#text;
    const first = this.#nextLine('uri', 'blank lines and the line "URI: "');
    this.#checkBlank(first);
    let statement: string | null = null;
    if (text.charAt(first + 1) === '\n') {
      const isEmpty = text.charAt(first + 2) === '\n';
      if (isEmpty) statement = '';
      this.#tail = first + (isEmpty ? 3 : 2);
    } else {
      this.#at = this.#lineEnd(first + 1);
      this.#check('statement', checkStatement(text, first + 1, this.#at));
      statement = text.slice(first + 1, this.#at);
      const blank = this.#nextLine('uri', 'a blank line and the line "URI: "');
      this.#checkBlank(blank);
      this.#tail = blank + 1;
    }
    this.#at = this.#tail;
    return statement;
  }

  #checkBlank(line: number): void {
    if (this.#text.charAt(line) !== '\n') this.#reject('statement', 'blank', line, this.#lineEnd(line), BLANK_LINES);
  }

  #readRequiredFields(): Pick<SiweMessage, 'uri' | 'version' | 'chainId' | 'nonce' | 'issuedAt'> {
    const uri = this.#readValue(0, checkUri);
    this.#readValue(1, checkVersion);
    const chainId = Number(this.#readValue(2, checkChainId));
    const nonce = this.#readValue(3, checkNonce);
    return { uri, version: '1', chainId, nonce, issuedAt: this.#readTime(4) };
  }

  #readOptionalFields(): Pick<SiweMessage, 'expirationTime' | 'notBefore' | 'requestId' | 'resources'> {
    const expirationTime = this.#isNext(5) ? this.#readTime(5) : null;
    const notBefore = this.#isNext(6) ? this.#readTime(6) : null;
    const requestId = this.#isNext(7) ? this.#readValue(7, checkRequestId) : null;
    const resources = this.#isNext(8) ? this.#readResources() : null;
    if (this.#at < this.#text.length) {
      this.#expected =
        resources !== null ? 9 : requestId !== null ? 8 : notBefore !== null ? 7 : expirationTime !== null ? 6 : 5;
      this.#rejectRest(resources !== null);
    }
    return { expirationTime, notBefore, requestId, resources };
  }

  /** The value of the next labeled line, which is required. */
  #readValue(index: number, check: Check): string {
    const text = this.#text;
    const field = labeledFields[index] ?? 'message';
    const label = field === 'message' ? '' : fieldLabels[field];
    this.#expected = index;
    const line = index > 0 ? this.#nextLine(field, `the line "${label}"`) : this.#at;
    if (!text.startsWith(label, line)) this.#reject(field, 'order', line, this.#lineEnd(line), `the line "${label}"`);
    const start = line + label.length;
    this.#at = this.#lineEnd(start);
    this.#check(field, check(text, start, this.#at));
    return text.slice(start, this.#at);
  }

  #readTime(index: number): SiweTime {
    const text = this.#readValue(index, (...line) => {
      const parsed = parseRfc3339(...line);
      if (typeof parsed !== 'number') return parsed;
      this.#time = parsed;
      return null;
    });
    return { text, time: this.#time };
  }

  #isNext(index: number): boolean {
    const label = fieldLabels[labeledFields[index] ?? 'uri'];
    return this.#at < this.#text.length && this.#text.startsWith(label, this.#at + 1);
  }

  #readResources(): readonly string[] {
    this.#readValue(8, checkNothing);
    const resources: string[] = [];
    while (this.#at < this.#text.length && this.#text.startsWith(RESOURCE_PREFIX, this.#at + 1)) {
      const line = this.#at + 1;
      const start = line + RESOURCE_PREFIX.length;
      const end = this.#lineEnd(start);
      if (resources.length === MAX_RESOURCES)
        this.#reject('resources', 'count', line, end, `at most ${MAX_RESOURCES} resources`);
      this.#check('resources', checkUri(this.#text, start, end));
      resources.push(this.#text.slice(start, end));
      this.#at = end;
    }
    return resources;
  }

  /** There is a line that is none of those that may follow. */
  #rejectRest(isAfterResources: boolean): never {
    const line = this.#at + 1;
    const fields = labeledFields.slice(Math.max(this.#expected, REQUIRED_FIELDS));
    const labels = fields.map(field => `"${fieldLabels[field]}"`);
    const allowed = isAfterResources
      ? 'a resource ("- " and a URI) or the end of the message'
      : `${labels.length === 1 ? 'the line' : 'one of the lines'} ${labels.join(', ')}, or the end of the message`;
    return this.#reject('message', 'order', line, this.#lineEnd(line), allowed);
  }
}
