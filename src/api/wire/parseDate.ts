// The one parser of dates: ISO 8601, RFC 2822, dates with the month's name, Unix time, and `String(new Date())`.

/**
 * The grammar, for the reference. Digits alone are Unix time only in the lengths that no calendar date has: `2023`,
 * `20231114` or `202311142223` could be meant either way.
 */
export const DATE_GRAMMAR = [
  'YYYY-MM-DD, YYYY/MM/DD or YYYY-MM, optionally with a time',
  'YYYYMMDDThhmmss',
  'Tue, 14 Nov 2023 22:23:20 +0000, 14 Nov 2023 or Nov 14, 2023',
  'Tue Nov 14 2023 22:23:20 GMT+0000, as JavaScript prints a Date',
  'Unix seconds (9 to 11 digits), Unix milliseconds (13 digits) or 0',
] as const;

const TIME = String.raw`(\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?`;
const ISO_ZONE = String.raw`\s*(Z|[+-]\d{2}:?\d{2})?`;
const ISO = new RegExp(`^([+-]?\\d{4,6})-(\\d{2})(?:-(\\d{2})(?:[T ]${TIME}${ISO_ZONE})?)?$`, 'i');
const SLASHES = new RegExp(`^(\\d{4})/(\\d{2})/(\\d{2})(?:[T ]${TIME}${ISO_ZONE})?$`, 'i');
/** ISO 8601 without separators: the `T` tells it from Unix time. */
const BASIC = /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(?:(\d{2})(?:[.,](\d{1,9}))?)?(Z|[+-]\d{2}:?\d{2})?$/i;
const RFC_ZONE = String.raw`(?:\s*(z|ut|utc|gmt|[+-]\d{4}|est|edt|cst|cdt|mst|mdt|pst|pdt))?(?:\s*\([^()]*\))?\s*`;
const WEEKDAY = '(?:(?:mon|tue|wed|thu|fri|sat|sun),?\\s+)?';
const RFC = new RegExp(`^${WEEKDAY}(\\d{1,2})\\s+([a-z]{3,9})\\s+(\\d{4})(?:\\s+${TIME}${RFC_ZONE})?$`, 'i');
const MONTH_FIRST = new RegExp(
  `^${WEEKDAY}([a-z]{3,9})\\s+(\\d{1,2}),?\\s+(\\d{4})(?:,?\\s+${TIME}${RFC_ZONE})?$`,
  'i',
);
/** `String(new Date())`, as clients put it into queries. */
const JAVASCRIPT = /^([a-z]{3}) ([a-z]{3}) (\d{2}) (\d{4}) (\d{2}:\d{2}:\d{2}) gmt([+ -])(\d{4})(?: \([^()]*\))?$/i;
const MONTHS = 'january february march april may june july august september october november december'.split(' ');
const ZONES: Record<string, number> = { est: -5, edt: -4, cst: -6, cdt: -5, mst: -7, mdt: -6, pst: -8, pdt: -7 };

const UNIX_SECONDS = /^(0|\d{9,11})$/;
const UNIX_MILLISECONDS = /^\d{13}$/;

/** Minutes east of UTC; `null` when the offset does not exist. */
function parseOffset(zone: string | undefined): number | null {
  if (zone === undefined) return 0;
  const named = ZONES[zone.toLowerCase()];
  if (named !== undefined) return named * 60;
  const match = /^([+-])(\d{2}):?(\d{2})$/.exec(zone);
  if (match === null) return 0;
  const minutes = Number(match[2]) * 60 + Number(match[3]);
  if (Number(match[2]) > 23 || Number(match[3]) > 59) return null;
  return match[1] === '-' ? -minutes : minutes;
}

const DAY_MS = 86_400_000;

function toUtcMs(year: number, month: number, day: number, h: number, m: number, s: number, ms: number): number | null {
  const midnight = new Date(0);
  midnight.setUTCFullYear(year, month - 1, day);
  // A day that does not exist (30 February) would have become one of the next month.
  if (midnight.getUTCMonth() !== month - 1 || midnight.getUTCDate() !== day || m > 59 || s > 59) return null;
  const inDay = ((h * 60 + m) * 60 + s) * 1000 + ms;
  return inDay <= DAY_MS ? midnight.getTime() + inDay : null; // 24:00 is the end of the day (ISO 8601), 24:01 does not exist
}

/** From 1; 0 when there is none of this name. */
const getMonth = (name: string) => MONTHS.findIndex(month => month.startsWith(name.toLowerCase())) + 1;

/** `null` when the text has none of these forms. A time without a zone is UTC. */
export function parseDate(input: string): Date | null {
  // A `+` that a client did not encode arrives as a space; only after a time, since a space also separates date and time.
  const text = input
    .trim()
    .replace(JAVASCRIPT, (_, weekday, month, day, year, time, sign, zone) =>
      [`${weekday},`, day, month, year, time, `${sign === '-' ? '-' : '+'}${zone}`].join(' '),
    )
    .replace(/(:\d{2}(?:[.,]\d{1,9})?) (\d{2}:?\d{2})$/, '$1+$2');
  if (UNIX_SECONDS.test(text)) return new Date(Number(text) * 1000);
  if (UNIX_MILLISECONDS.test(text)) return new Date(Number(text));
  const numeric = ISO.exec(text) ?? SLASHES.exec(text) ?? BASIC.exec(text);
  const dayFirst = numeric === null ? RFC.exec(text) : null;
  const monthFirst = numeric === null && dayFirst === null ? MONTH_FIRST.exec(text) : null;
  const match = numeric ?? dayFirst ?? monthFirst;
  if (match === null) return null;
  const [, first = '', second = '', third = '01', h = '0', m = '0', s = '0', fraction = '', zone] = match;
  const [year, month, day] =
    numeric !== null
      ? [first, Number(second), third]
      : dayFirst !== null
        ? [third, getMonth(second), first]
        : [third, getMonth(first), second];
  const ms = Number(fraction.padEnd(3, '0').slice(0, 3));
  const time = toUtcMs(Number(year), month, Number(day), Number(h), Number(m), Number(s), ms);
  const shift = parseOffset(zone);
  if (time === null || shift === null) return null;
  const moment = new Date(time - shift * 60_000);
  return Number.isNaN(moment.getTime()) ? null : moment; // an offset may exceed the range of Date
}
