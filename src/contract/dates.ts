// Dates as callers write them (design.md, section 4): ISO 8601, RFC 2822, YYYY-MM-DD, Unix seconds or milliseconds.

const ISO =
  /^([+-]?\d{4,6})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*(Z|[+-]\d{2}:?\d{2})?)?$/i;
const RFC =
  /^(?:(?:mon|tue|wed|thu|fri|sat|sun),?\s+)?(\d{1,2})\s+(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\s+(\d{4})\s+(\d{2}):(\d{2})(?::(\d{2}))?\s*(z|ut|utc|gmt|[+-]\d{4}|est|edt|cst|cdt|mst|mdt|pst|pdt)?$/i;
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
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

function utc(year: number, month: number, day: number, h: number, m: number, s: number, ms: number): number | null {
  const time = new Date(0);
  time.setUTCFullYear(year, month - 1, day);
  time.setUTCHours(h, m, s, ms);
  // A day that the calendar does not have (30 February) would have moved on.
  const real = time.getUTCMonth() === month - 1 && time.getUTCDate() === day && h < 24 && m < 60 && s < 60;
  return real && !Number.isNaN(time.getTime()) ? time.getTime() : null;
}

/** The moment that the text names; `null` when it is no date of the forms above. A time without a zone is UTC. */
export function parseDate(input: string): Date | null {
  // A `+` that a client forgot to encode arrives as a space.
  const text = input
    .trim()
    .replace(/(\d) (\d{2}:?\d{2})$/, (all, digit, zone) => (/T|:\d{2} /i.test(input) ? `${digit}+${zone}` : all));
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
    time = utc(Number(year), MONTHS.indexOf(month.toLowerCase()) + 1, Number(day), Number(h), Number(m), Number(s), 0);
  }
  const shift = offset(zone);
  return time === null || shift === null ? null : new Date(time - shift * 60_000);
}
