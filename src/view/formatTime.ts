// Formats moments: how long ago, and exactly in UTC.
import { getOrInsert } from '../base/getOrInsert.ts';
import { t } from '../base/localize.ts';

const UNITS: readonly (readonly [seconds: number, unit: Intl.RelativeTimeFormatUnit])[] = [
  [31_557_600, 'year'],
  [2_629_800, 'month'],
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
];

/** Clocks of two machines, and a block that was mined with the time of the next second. */
const MAX_CLOCK_DIFFERENCE_SECONDS = 15;

const formats = new Map<string, Intl.RelativeTimeFormat>();

/** In the language of the texts: its tag is translated like any other text. */
function getFormat(): Intl.RelativeTimeFormat {
  const language = t('en');
  return getOrInsert(formats, language, () => new Intl.RelativeTimeFormat(language, { numeric: 'always' }));
}

/** `3 hours ago`, `in 2 days`, `just now`. */
export function formatRelativeTime(time: Date, now: number): string {
  const seconds = Math.round((now - time.getTime()) / 1000);
  const distance = Math.abs(seconds);
  for (const [length, unit] of UNITS) {
    if (distance < length) continue;
    return getFormat().format(-Math.sign(seconds) * Math.floor(distance / length), unit);
  }
  return t('just now');
}

/** How long ago a block was; of a development chain whose clock was set, how far that is ahead: nothing of a chain is yet to come. */
export function formatBlockAge(time: Date, now: number): string {
  const ahead = Math.round((time.getTime() - now) / 1000);
  const [length = 1, unit = 'second'] = UNITS.find(([seconds]) => ahead >= seconds) ?? [];
  if (ahead <= MAX_CLOCK_DIFFERENCE_SECONDS) return formatRelativeTime(time, Math.max(now, time.getTime()));
  const format = new Intl.NumberFormat(t('en'), { style: 'unit', unit, unitDisplay: 'long' });
  return t('{0} ahead of your clock', format.format(Math.floor(ahead / length)));
}

/** `2023-11-14 22:13:20 UTC`. */
export function formatUtcTime(time: Date): string {
  return `${time.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
