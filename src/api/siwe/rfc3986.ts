// Validates authorities, URIs and request ids by RFC 3986, in one pass.
import {
  ALPHA,
  COLON,
  DIGIT,
  encodedSpan,
  HEX_DIGIT,
  isIn,
  PCHAR,
  QUESTION,
  SCHEME,
  SLASH,
  SUB_DELIM,
  span,
  UNRESERVED,
} from './characterClasses.ts';

/** `text.slice(at, end)` is invalid; when both are equal, something is missing there. */
export interface Mismatch {
  readonly at: number;
  readonly end: number;
  readonly allowed: string;
}

const PERCENT = 37;
const NUMBER_SIGN = 35;
const BRACKET = 91;

const mismatchAt = (at: number, end: number, allowed: string): Mismatch => ({
  at,
  end: Math.min(at + 1, end),
  allowed,
});

/** A mismatch at an invalid character, or at a `%` without two hex digits. */
function unexpectedCharacter(text: string, at: number, end: number, allowed: string): Mismatch {
  const encoding = text.charCodeAt(at) === PERCENT;
  return encoding && at < end
    ? { at, end: Math.min(at + 3, end), allowed: '"%" followed by two hex digits' }
    : mismatchAt(at, end, allowed);
}

const SCHEME_RULE = 'a scheme: a letter, then letters, digits, "+", "-" and "."';

/** `scheme` of RFC 3986. */
export function checkScheme(text: string, start: number, end: number): Mismatch | null {
  if (start === end || !isIn(text.charCodeAt(start), ALPHA)) return mismatchAt(start, end, SCHEME_RULE);
  const at = span(text, start, end, SCHEME);
  return at === end ? null : mismatchAt(at, end, SCHEME_RULE);
}

/** Four numbers of 0 to 255 without leading zeros, with dots between. */
function isIpv4(text: string): boolean {
  const parts = text.length > 15 ? [] : text.split('.');
  return parts.length === 4 && parts.every(part => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255);
}

const IPV6_RULE = 'an IPv6 address such as 2001:db8::1';

function checkIpv6(text: string, start: number, end: number): Mismatch | null {
  let groups = 0;
  let compressed = text.startsWith('::', start) && start + 1 < end;
  let at = compressed ? start + 2 : start;
  while (at < end) {
    const groupEnd = span(text, at, Math.min(end, at + 5), HEX_DIGIT);
    if (groupEnd < end && text.charAt(groupEnd) === '.') {
      // ls32: the last two groups may be written as an IPv4 address.
      if (!isIpv4(text.slice(at, end))) return { at, end, allowed: 'an IPv4 address at the end of the IPv6 address' };
      groups += 2;
      break;
    }
    if (groupEnd === at || groupEnd - at > 4) return mismatchAt(groupEnd === at ? at : at + 4, end, IPV6_RULE);
    groups++;
    at = groupEnd;
    if (at === end) break;
    if (text.charAt(at) !== ':') return mismatchAt(at, end, IPV6_RULE);
    at++;
    if (at < end && text.charAt(at) === ':') {
      if (compressed) return mismatchAt(at, end, 'one "::" only');
      compressed = true;
      at++;
    } else if (at === end) return { at, end, allowed: IPV6_RULE };
  }
  if (compressed ? groups <= 7 : groups === 8) return null;
  return {
    at: start,
    end,
    allowed: compressed ? 'at most 7 groups beside "::"' : '8 groups, or "::" for those of zero',
  };
}

/** `IPvFuture` of RFC 3986 after its `v`. */
function checkIpFuture(text: string, start: number, end: number): Mismatch | null {
  const dot = span(text, start, end, HEX_DIGIT);
  const rule = '"v", hex digits, "." and an address';
  if (dot === start || dot === end || text.charAt(dot) !== '.') return mismatchAt(dot, end, rule);
  const at = span(text, dot + 1, end, UNRESERVED | SUB_DELIM | COLON);
  return at === end && at > dot + 1 ? null : mismatchAt(at, end, rule);
}

const HOST_RULE = 'a host of letters, digits, - . _ ~ ! $ & \' ( ) * + , ; = and %XX, then optionally ":" and a port';

/** `authority` of RFC 3986: userinfo, port, IPv4 and `[IPv6]` are all legal; an empty host only where `hostNeeded` is false. */
export function checkAuthority(text: string, start: number, end: number, hostNeeded: boolean): Mismatch | null {
  const user = encodedSpan(text, start, end, UNRESERVED | SUB_DELIM | COLON);
  const host = user < end && text.charAt(user) === '@' ? user + 1 : start;
  let at = host;
  if (host < end && text.charCodeAt(host) === BRACKET) {
    const close = text.indexOf(']', host);
    if (close < 0 || close >= end) return { at: end, end, allowed: '"]" after the IPv6 address' };
    const first = text.charAt(host + 1);
    const stop =
      first === 'v' || first === 'V' ? checkIpFuture(text, host + 2, close) : checkIpv6(text, host + 1, close);
    if (stop !== null) return stop;
    at = close + 1;
  } else at = encodedSpan(text, host, end, UNRESERVED | SUB_DELIM);
  if (at === host && hostNeeded && (at === end || text.charAt(at) === ':'))
    return { at, end: at, allowed: 'a host such as example.com, 127.0.0.1 or [::1]' };
  if (at < end && text.charAt(at) === ':') {
    at = span(text, at + 1, end, DIGIT);
    if (at < end) return mismatchAt(at, end, 'digits of a port');
  }
  return at === end ? null : unexpectedCharacter(text, at, end, HOST_RULE);
}

const PATH_RULE = "letters, digits, - . _ ~ : / ? # @ ! $ & ' ( ) * + , ; = and %XX";

/** Where the authority that starts here ends: before `/`, `?`, `#`, or at the end. */
function authorityEnd(text: string, start: number, end: number): number {
  let at = start;
  while (at < end) {
    const code = text.charCodeAt(at);
    if (isIn(code, SLASH | QUESTION) || code === NUMBER_SIGN) break;
    at++;
  }
  return at;
}

/** `URI` of RFC 3986: a scheme is required, everything after `:` may be empty. */
export function checkUri(text: string, start: number, end: number): Mismatch | null {
  const colon = isIn(text.charCodeAt(start), ALPHA) && start < end ? span(text, start, end, SCHEME) : start;
  if (colon === start || colon === end || text.charAt(colon) !== ':')
    return mismatchAt(colon, end, 'a URI with its scheme, such as https://example.com/login');
  let at = colon + 1;
  if (at + 1 < end && text.startsWith('//', at)) {
    const close = authorityEnd(text, at + 2, end);
    const stop = checkAuthority(text, at + 2, close, false);
    if (stop !== null) return stop;
    at = close;
  }
  at = encodedSpan(text, at, end, PCHAR | SLASH);
  if (at < end && text.charAt(at) === '?') at = encodedSpan(text, at + 1, end, PCHAR | SLASH | QUESTION);
  if (at < end && text.charCodeAt(at) === NUMBER_SIGN) at = encodedSpan(text, at + 1, end, PCHAR | SLASH | QUESTION);
  return at === end ? null : unexpectedCharacter(text, at, end, PATH_RULE);
}

/** `*pchar` of RFC 3986: may be empty. */
export function checkRequestId(text: string, start: number, end: number): Mismatch | null {
  const at = encodedSpan(text, start, end, PCHAR);
  return at === end
    ? null
    : unexpectedCharacter(text, at, end, "letters, digits, - . _ ~ : @ ! $ & ' ( ) * + , ; = and %XX (RFC 3986 pchar)");
}
