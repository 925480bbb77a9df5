// Counts of numbers in equal parts of their range.

import { formatUtcTime } from '../../../view/formatTime.ts';
import { formatLocalTime, type Preferences } from './cellFormat.ts';

export interface Histogram {
  readonly counts: readonly number[];
  /** Where the first part begins: a multiple of `width`. */
  readonly start: number;
  /** Whole numbers per part. */
  readonly binWidth: number;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
export const DAY_MS = 24 * HOUR;

/** Parts of time that people count in, in milliseconds. */
const TIMES: readonly number[] = [
  ...[1, 5, 10, 15, 30].map(count => count * SECOND),
  ...[1, 5, 10, 15, 30].map(count => count * MINUTE),
  ...[1, 3, 6, 12].map(count => count * HOUR),
  ...[1, 7, 30, 90, 365].map(count => count * DAY_MS),
];

/** 1, 2, 5, 10, 20, 50, ... */
const roundNumber = (step: number): number => (([1, 2, 5] as const)[step % 3] ?? 1) * 10 ** Math.floor(step / 3);
const roundTime = (step: number): number => TIMES[step] ?? 365 * DAY_MS * 2 ** (step - TIMES.length + 1);

/** At most `most` parts of a round width: of time in milliseconds, else of whole numbers such as blocks. */
export function createHistogram(
  numbers: readonly number[],
  most: number,
  of: 'numbers' | 'time' = 'numbers',
): Histogram {
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const number of numbers) {
    if (number < first) first = number;
    if (number > last) last = number;
  }
  if (first > last) return { counts: [], start: 0, binWidth: 1 };
  const widthAt = of === 'time' ? roundTime : roundNumber;
  let step = 0;
  while (Math.floor(last / widthAt(step)) - Math.floor(first / widthAt(step)) >= most) step++;
  const width = widthAt(step);
  const begin = Math.floor(first / width);
  const counts = new Array<number>(Math.floor(last / width) - begin + 1).fill(0);
  for (const number of numbers) {
    const at = Math.floor(number / width) - begin;
    counts[at] = (counts[at] ?? 0) + 1;
  }
  return { counts, start: begin * width, binWidth: width };
}

// Names for parts of time: as short as they may be on an axis, whole where they stand alone.
export interface TimeBinLabel {
  /** `2023-11-14 22:10`, `2023-11-14` for days. */
  readonly label: string;
  /** `22:10` within one day. */
  readonly shortLabel: string;
}

/** The part that begins at `start`. `sameDay`: all parts are of one day. Days are those of UTC, as they are counted. */
export function formatTimeBin(start: number, width: number, sameDay: boolean, { time }: Preferences): TimeBinLabel {
  const date = new Date(start);
  const local = time === 'local' && width < DAY_MS;
  const text = local ? formatLocalTime(date) : formatUtcTime(date).slice(0, 19);
  if (width >= DAY_MS) return { label: text.slice(0, 10), shortLabel: text.slice(0, 10) };
  const clock = width < 60_000 ? text.slice(11) : text.slice(11, 16);
  const name = `${text.slice(0, 10)} ${clock}`;
  return { label: local ? name : `${name} UTC`, shortLabel: sameDay ? clock : `${text.slice(5, 10)} ${clock}` };
}
