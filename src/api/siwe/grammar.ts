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
  labelledFields,
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
  /** Start of the labelled lines, once it is known. */
  readonly tail: number | null;
  /** Index of the expected field in `labelledFields`. */
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
    return { message: read(text, options) };
  } catch (thrown) {
    if (thrown instanceof GrammarError) return { failure: thrown.failure };
    throw thrown;
  }
}

function read(text: string, options: SiweParseOptions): SiweMessage {
  let tail: number | null = null;
  let expected = 0;
  const reject = (field: SiweField, rule: GrammarRule, at: number, end: number, allowed: string): never => {
    throw new GrammarError({ field, rule, at, end, allowed, tail, expected });
  };
  const check = (field: SiweField, stop: Mismatch | null): void => {
    if (stop !== null) reject(field, 'value', stop.at, stop.end, stop.allowed);
  };
  const lineEnd = (at: number): number => {
    const end = text.indexOf('\n', at);
    return end < 0 ? text.length : end;
  };
  /** Start of the next line, which is required. */
  const nextLine = (end: number, next: SiweField, allowed: string): number => {
    if (end >= text.length) reject(next, 'end', end, end, allowed);
    return end + 1;
  };

  // UTF-16 units suffice for the limit in bytes: text that is not ASCII is rejected below.
  if (text.length > MAX_MESSAGE_BYTES)
    reject('message', 'size', MAX_MESSAGE_BYTES, text.length, `at most ${MAX_MESSAGE_BYTES} bytes`);

  const greetingEnd = lineEnd(0);
  if (!text.endsWith(GREETING, greetingEnd))
    reject('message', 'greeting', 0, greetingEnd, `a first line of "<domain>${GREETING}"`);
  const originEnd = greetingEnd - GREETING.length;
  const slashes = text.indexOf('://');
  const hasScheme = slashes >= 0 && slashes < originEnd;
  if (hasScheme) check('scheme', checkScheme(text, 0, slashes));
  const domainStart = hasScheme ? slashes + 3 : 0;
  check('domain', checkAuthority(text, domainStart, originEnd, true));

  const addressStart = nextLine(greetingEnd, 'address', 'the address on the second line');
  const addressEnd = lineEnd(addressStart);
  check('address', checkAddress(text, addressStart, addressEnd));
  const address = text.slice(addressStart, addressEnd) as Hex; // as checked above
  const checksummed = (options.checksumAddress ?? checksumAddress)(address);
  if (address !== checksummed && !(options.allowLowerCaseAddress === true && address === address.toLowerCase()))
    reject('address', 'case', addressStart, addressEnd, `the EIP-55 checksummed address ${checksummed}`);

  const first = nextLine(addressEnd, 'uri', 'blank lines and the line "URI: "');
  const blankRule = 'two blank lines under the address, or one blank line, the statement and one blank line';
  if (text.charAt(first) !== '\n') reject('statement', 'blank', first, lineEnd(first), blankRule);
  let statement: string | null = null;
  if (text.charAt(first + 1) === '\n') {
    const empty = text.charAt(first + 2) === '\n';
    if (empty) statement = '';
    tail = first + (empty ? 3 : 2);
  } else {
    const end = lineEnd(first + 1);
    check('statement', checkStatement(text, first + 1, end));
    const blank = nextLine(end, 'uri', 'a blank line and the line "URI: "');
    if (text.charAt(blank) !== '\n') reject('statement', 'blank', blank, lineEnd(blank), blankRule);
    statement = text.slice(first + 1, end);
    tail = blank + 1;
  }

  let at: number = tail;
  /** The value of the next labelled line, which is required; moves `at` to the end of that line. */
  const value = (index: number, findMismatch: (start: number, end: number) => Mismatch | null): string => {
    const field = labelledFields[index] ?? 'message';
    const label = field === 'message' ? '' : fieldLabels[field];
    expected = index;
    if (index > 0) at = nextLine(at, field, `the line "${label}"`);
    if (!text.startsWith(label, at)) reject(field, 'order', at, lineEnd(at), `the line "${label}"`);
    const start = at + label.length;
    at = lineEnd(start);
    check(field, findMismatch(start, at));
    return text.slice(start, at);
  };
  let time = 0;
  const readMoment = (start: number, end: number): Mismatch | null => {
    const parsed = parseRfc3339(text, start, end);
    if (typeof parsed !== 'number') return parsed;
    time = parsed;
    return null;
  };
  const uri = value(0, (start, end) => checkUri(text, start, end));
  value(1, (start, end) => checkVersion(text, start, end));
  const chainId = Number(value(2, (start, end) => checkChainId(text, start, end)));
  const nonce = value(3, (start, end) => checkNonce(text, start, end));
  const issuedAt: SiweTime = { text: value(4, readMoment), time };

  const isNext = (index: number) =>
    text.startsWith(fieldLabels[labelledFields[index] ?? 'uri'], at + 1) && at < text.length;
  const moment = (index: number): SiweTime | null => (isNext(index) ? { text: value(index, readMoment), time } : null);
  const expirationTime = moment(5);
  const notBefore = moment(6);
  const requestId = isNext(7) ? value(7, (start, end) => checkRequestId(text, start, end)) : null;
  let resources: string[] | null = null;
  if (isNext(8)) {
    const nothing = (start: number, end: number) =>
      start === end ? null : { at: start, end, allowed: 'nothing after "Resources:" on its line' };
    value(8, nothing);
    resources = [];
    while (at < text.length && text.startsWith(RESOURCE_PREFIX, at + 1)) {
      const start = at + 1 + RESOURCE_PREFIX.length;
      const end = lineEnd(start);
      if (resources.length === MAX_RESOURCES)
        reject('resources', 'count', at + 1, end, `at most ${MAX_RESOURCES} resources`);
      check('resources', checkUri(text, start, end));
      resources.push(text.slice(start, end));
      at = end;
    }
  }
  if (at < text.length) {
    expected =
      resources !== null ? 9 : requestId !== null ? 8 : notBefore !== null ? 7 : expirationTime !== null ? 6 : 5;
    const rest = labelledFields.slice(Math.max(expected, REQUIRED_FIELDS)).map(field => `"${fieldLabels[field]}"`);
    reject(
      'message',
      'order',
      at + 1,
      lineEnd(at + 1),
      resources !== null
        ? 'a resource ("- " and a URI) or the end of the message'
        : `${rest.length === 1 ? 'the line' : 'one of the lines'} ${rest.join(', ')}, or the end of the message`,
    );
  }

  const scheme = hasScheme ? text.slice(0, slashes) : null;
  const domain = text.slice(domainStart, originEnd);
  const parts = { scheme, domain, address, statement, uri, version: '1', chainId, nonce, issuedAt } as const;
  const message: SiweMessage = { ...parts, expirationTime, notBefore, requestId, resources };
  // A safeguard against mistakes above: the parsed message must represent exactly these characters.
  if (formatSiweMessage(message) !== text)
    reject('message', 'identity', 0, greetingEnd, 'a message that is formatted to the same text');
  return message;
}
