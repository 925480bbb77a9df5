// Parses dates: ISO 8601, RFC 2822, YYYY-MM-DD, Unix seconds or milliseconds, and `String(new Date())`.

const ISO =
  /^([+-]?\d{4,6})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*(Z|[+-]\d{2}:?\d{2})?)?$/i;
const RFC =
  /^(?:(?:mon|tue|wed|thu|fri|sat|sun),?\s+)?(\d{1,2})\s+([a-z]{3,9})\s+(\d{4})\s+(\d{2}):(\d{2})(?::(\d{2}))?\s*(z|ut|utc|gmt|[+-]\d{4}|est|edt|cst|cdt|mst|mdt|pst|pdt)?(?:\s*\([^()]*\))?$/i;
/** `String(new Date())`, as clients put it into queries. */
const JAVASCRIPT = /^([a-z]{3}) ([a-z]{3}) (\d{2}) (\d{4}) (\d{2}:\d{2}:\d{2}) gmt([+ -])(\d{4})(?: \([^()]*\))?$/i;
const MONTHS = 'january february march april may june july august september october november december'.split(' ');
const ZONES: Record<string, number> = { est: -5, edt: -4, cst: -6, cdt: -5, mst: -7, mdt: -6, pst: -8, pdt: -7 };

/** Smaller numbers are Unix seconds, others milliseconds (1e11 s would be the year 5138). */
const MIN_MILLISECONDS = 1e11;

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

/** `null` when the text has none of these forms. A time without a zone is UTC. */
export function parseDate(input: string): Date | null {
  // A `+` that a client did not encode arrives as a space; only after a time, since a space also separates date and time.
  const text = input
    .trim()
    .replace(JAVASCRIPT, (_, weekday, month, day, year, time, sign, zone) =>
      [`${weekday},`, day, month, year, time, `${sign === '-' ? '-' : '+'}${zone}`].join(' '),
    )
    .replace(/(:\d{2}(?:[.,]\d{1,9})?) (\d{2}:?\d{2})$/, '$1+$2');
  if (/^\d{1,15}$/.test(text)) {
    const number = Number(text);
    return new Date(number < MIN_MILLISECONDS ? number * 1000 : number);
  }
  let time: number | null = null;
  let zone: string | undefined;
  const iso = ISO.exec(text);
  const rfc = iso === null ? RFC.exec(text) : null;
  if (iso !== null) {
    const [, year, month, day, h = '0', m = '0', s = '0', fraction = ''] = iso;
    zone = iso[8];
    const ms = Number(fraction.padEnd(3, '0').slice(0, 3));
    time = toUtcMs(Number(year), Number(month), Number(day), Number(h), Number(m), Number(s), ms);
  } else if (rfc !== null) {
    const [, day, month = '', year, h, m, s = '0'] = rfc;
    zone = rfc[7];
    time = toUtcMs(
      Number(year),
      MONTHS.findIndex(name => name.startsWith(month.toLowerCase())) + 1,
      Number(day),
      Number(h),
      Number(m),
      Number(s),
      0,
    );
  }
  const shift = parseOffset(zone);
  if (time === null || shift === null) return null;
  const moment = new Date(time - shift * 60_000);
  return Number.isNaN(moment.getTime()) ? null : moment; // an offset may exceed the range of Date
}
