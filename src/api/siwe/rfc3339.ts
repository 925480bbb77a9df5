// Parses date-times of RFC 3339: exact form, existing days, no leap seconds.
import { DIGIT, span } from './characterClasses.ts';
import type { Mismatch } from './rfc3986.ts';

const FORM = 'dddd-dd-ddTdd:dd:dd';
const RULE = 'an RFC 3339 time such as 2026-11-20T09:30:00Z';
const MONTH_DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;

const parseDigits = (text: string, at: number, length: number) => {
  let value = 0;
  for (let i = at; i < at + length; i++) value = value * 10 + text.charCodeAt(i) - 48;
  return value;
};

function getDaysInMonth(year: number, month: number): number {
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return month === 2 && leap ? 29 : (MONTH_DAYS[month - 1] ?? 0);
}

/** Days from 1970-01-01 in the Gregorian calendar. */
function toDayNumber(year: number, month: number, day: number): number {
  const before = year - 1;
  let days = 365 * before + Math.floor(before / 4) - Math.floor(before / 100) + Math.floor(before / 400) - 719_162;
  for (let m = 1; m < month; m++) days += getDaysInMonth(year, m);
  return days + day - 1;
}

/** Char codes of a form, with 0 for any digit. */
const toCharCodes = (form: string) => [...form].map(char => (char === 'd' ? 0 : char.charCodeAt(0)));
const MOMENT = toCharCodes(FORM);
const OFFSET = toCharCodes('+dd:dd');
const T = { upper: 84, lower: 116 } as const;

const matches = (expected: number | undefined, code: number) =>
  expected === 0 ? code >= 48 && code <= 57 : code === expected || (expected === T.upper && code === T.lower);

/**
 * The moment in milliseconds since 1970 (parts of a millisecond are cut off), or where it is wrong. `t` and `z` may be
 * lower case. Second 60 is rejected: JavaScript has no leap seconds.
 */
export function parseRfc3339(text: string, start: number, end: number): number | Mismatch {
  for (let i = 0; i < FORM.length; i++) {
    const at = start + i;
    if (at >= end || !matches(MOMENT[i], text.charCodeAt(at)))
      return { at: Math.min(at, end), end: Math.min(at + 1, end), allowed: RULE };
  }
  const wrong = (offset: number, length: number, allowed: string): Mismatch => ({
    at: start + offset,
    end: start + offset + length,
    allowed,
  });
  const year = parseDigits(text, start, 4);
  const month = parseDigits(text, start + 5, 2);
  const day = parseDigits(text, start + 8, 2);
  if (month < 1 || month > 12) return wrong(5, 2, 'a month of 01 to 12');
  const last = getDaysInMonth(year, month);
  if (day < 1 || day > last) return wrong(8, 2, `a day that this month has, 01 to ${last}`);
  const hour = parseDigits(text, start + 11, 2);
  const minute = parseDigits(text, start + 14, 2);
  const second = parseDigits(text, start + 17, 2);
  if (hour > 23) return wrong(11, 2, 'an hour of 00 to 23');
  if (minute > 59) return wrong(14, 2, 'a minute of 00 to 59');
  if (second > 59) return wrong(17, 2, 'a second of 00 to 59 (leap seconds are not supported)');
  let at = start + FORM.length;
  let ms = 0;
  if (at < end && text.charAt(at) === '.') {
    const fraction = at + 1;
    at = span(text, fraction, end, DIGIT);
    if (at === fraction) return { at, end: Math.min(at + 1, end), allowed: 'digits after the point' };
    ms = Math.floor(parseDigits(text, fraction, Math.min(3, at - fraction)) * 10 ** (3 - Math.min(3, at - fraction)));
  }
  const shift = parseOffset(text, at, end);
  if (typeof shift !== 'number') return shift;
  return toDayNumber(year, month, day) * 86_400_000 + ((hour * 60 + minute - shift) * 60 + second) * 1000 + ms;
}

/** `Z` or `+hh:mm`, up to the end: minutes east of UTC. */
function parseOffset(text: string, at: number, end: number): number | Mismatch {
  const rule = '"Z" or an offset such as +02:00';
  const sign = at < end ? text.charAt(at) : '';
  const utc = sign === 'Z' || sign === 'z';
  const length = utc ? 1 : 6;
  if (!utc && sign !== '+' && sign !== '-') return { at, end: Math.min(at + 1, end), allowed: rule };
  for (let i = 1; i < length; i++)
    if (at + i >= end || !matches(OFFSET[i], text.charCodeAt(at + i)))
      return { at: Math.min(at + i, end), end: Math.min(at + i + 1, end), allowed: rule };
  if (at + length < end) return { at: at + length, end, allowed: 'nothing after the time' };
  if (utc) return 0;
  const hours = parseDigits(text, at + 1, 2);
  const minutes = parseDigits(text, at + 4, 2);
  if (hours > 23 || minutes > 59) return { at, end, allowed: 'an offset of at most 23:59' };
  return (sign === '-' ? -1 : 1) * (hours * 60 + minutes);
}
