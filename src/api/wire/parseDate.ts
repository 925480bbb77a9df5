// Dates as callers write them (design.md, section 4): ISO 8601, RFC 2822, YYYY-MM-DD, Unix seconds or milliseconds, and
// as JavaScript prints them.

const ISO =
  /^([+-]?\d{4,6})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*(Z|[+-]\d{2}:?\d{2})?)?$/i;
const RFC =
  /^(?:(?:mon|tue|wed|thu|fri|sat|sun),?\s+)?(\d{1,2})\s+([a-z]{3,9})\s+(\d{4})\s+(\d{2}):(\d{2})(?::(\d{2}))?\s*(z|ut|utc|gmt|[+-]\d{4}|est|edt|cst|cdt|mst|mdt|pst|pdt)?(?:\s*\([^()]*\))?$/i;
/** What a `Date` of JavaScript is in a text, and so in a query that was made of one. */
const PRINTED = /^([a-z]{3}) ([a-z]{3}) (\d{2}) (\d{4}) (\d{2}:\d{2}:\d{2}) gmt([+ -])(\d{4})(?: \([^()]*\))?$/i;
const MONTHS = 'january february march april may june july august september october november december'.split(' ');
const ZONES: Record<string, number> = { est: -5, edt: -4, cst: -6, cdt: -5, mst: -7, mdt: -6, pst: -8, pdt: -7 };

/** Below this a number is Unix seconds, from here on milliseconds (1e11 s would be the year 5138). */
const MILLISECONDS_FROM = 1e11;

/** Minutes east of UTC, or `null` when the zone names none that exists. */
function offset(zone: string | undefined): number | null {
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

function utc(year: number, month: number, day: number, h: number, m: number, s: number, ms: number): number | null {
  const midnight = new Date(0);
  midnight.setUTCFullYear(year, month - 1, day);
  // A day that the calendar does not have (30 February) would have moved on.
  if (midnight.getUTCMonth() !== month - 1 || midnight.getUTCDate() !== day || m > 59 || s > 59) return null;
  const inDay = ((h * 60 + m) * 60 + s) * 1000 + ms;
  return inDay <= DAY_MS ? midnight.getTime() + inDay : null; // 24:00 is the end of the day (ISO 8601), 24:01 is nothing
}

/** The moment that the text names; `null` when it is no date of the forms above. A time without a zone is UTC. */
export function parseDate(input: string): Date | null {
  // A `+` that a client forgot to encode arrives as a space: after a time only, since a date may stand before a time too.
  const text = input
    .trim()
    .replace(PRINTED, (_, weekday, month, day, year, time, sign, zone) =>
      [`${weekday},`, day, month, year, time, `${sign === '-' ? '-' : '+'}${zone}`].join(' '),
    )
    .replace(/(:\d{2}(?:[.,]\d{1,9})?) (\d{2}:?\d{2})$/, '$1+$2');
  if (/^\d{1,15}$/.test(text)) {
    const number = Number(text);
    return new Date(number < MILLISECONDS_FROM ? number * 1000 : number);
  }
  let time: number | null = null;
  let zone: string | undefined;
  const iso = ISO.exec(text);
  const rfc = iso === null ? RFC.exec(text) : null;
  if (iso !== null) {
    const [, year, month, day, h = '0', m = '0', s = '0', fraction = ''] = iso;
    zone = iso[8];
    const ms = Number(fraction.padEnd(3, '0').slice(0, 3));
    time = utc(Number(year), Number(month), Number(day), Number(h), Number(m), Number(s), ms);
  } else if (rfc !== null) {
    const [, day, month = '', year, h, m, s = '0'] = rfc;
    zone = rfc[7];
    time = utc(
      Number(year),
      MONTHS.findIndex(name => name.startsWith(month.toLowerCase())) + 1,
      Number(day),
      Number(h),
      Number(m),
      Number(s),
      0,
    );
  }
  const shift = offset(zone);
  if (time === null || shift === null) return null;
  const moment = new Date(time - shift * 60_000);
  return Number.isNaN(moment.getTime()) ? null : moment; // a zone can push the last day there is over the edge
}
