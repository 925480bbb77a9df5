// Histograms of block numbers and times, and the labels of their bins.
import { formatUtcTime } from '../../../view/formatTime.ts';
import { formatLocalTime, type Preferences } from './cellFormat.ts';

export interface Histogram {
  readonly counts: readonly number[];
  /** Where the first bin begins: a multiple of `binWidth`. */
  readonly start: number;
  /** Integers per bin. */
  readonly binWidth: number;
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** Round widths of time bins. */
const TIME_WIDTHS_MS: readonly number[] = [
  ...[1, 5, 10, 15, 30].map(count => count * SECOND_MS),
  ...[1, 5, 10, 15, 30].map(count => count * MINUTE_MS),
  ...[1, 3, 6, 12].map(count => count * HOUR_MS),
  ...[1, 7, 30, 90, 365].map(count => count * DAY_MS),
];

/** 1, 2, 5, 10, 20, 50, ... */
const getRoundNumber = (step: number): number => (([1, 2, 5] as const)[step % 3] ?? 1) * 10 ** Math.floor(step / 3);
const getRoundTime = (step: number): number =>
  TIME_WIDTHS_MS[step] ?? 365 * DAY_MS * 2 ** (step - TIME_WIDTHS_MS.length + 1);

/** A histogram of at most `maxBins` bins of a round width: of times in milliseconds, or of integers such as blocks. */
export function createHistogram(
  numbers: readonly number[],
  maxBins: number,
  kind: 'numbers' | 'time' = 'numbers',
): Histogram {
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const number of numbers) {
    if (number < first) first = number;
    if (number > last) last = number;
  }
  if (first > last) return { counts: [], start: 0, binWidth: 1 };
  const getWidth = kind === 'time' ? getRoundTime : getRoundNumber;
  let step = 0;
  while (Math.floor(last / getWidth(step)) - Math.floor(first / getWidth(step)) >= maxBins) step++;
  const binWidth = getWidth(step);
  const firstBin = Math.floor(first / binWidth);
  const counts = new Array<number>(Math.floor(last / binWidth) - firstBin + 1).fill(0);
  for (const number of numbers) {
    const bin = Math.floor(number / binWidth) - firstBin;
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  return { counts, start: firstBin * binWidth, binWidth };
}

export interface TimeBinLabel {
  /** `2023-11-14 22:10`, `2023-11-14` for days. */
  readonly label: string;
  /** `22:10` within one day. */
  readonly shortLabel: string;
}

/** The bin that begins at `start`. `isSameDay`: all bins are of one day. Bins of days are days in UTC. */
export function formatTimeBin(
  start: number,
  binWidth: number,
  isSameDay: boolean,
  { time }: Preferences,
): TimeBinLabel {
  const date = new Date(start);
  const isLocal = time === 'local' && binWidth < DAY_MS;
  const text = isLocal ? formatLocalTime(date) : formatUtcTime(date).slice(0, 19);
  if (binWidth >= DAY_MS) return { label: text.slice(0, 10), shortLabel: text.slice(0, 10) };
  const clock = binWidth < MINUTE_MS ? text.slice(11) : text.slice(11, 16);
  const name = `${text.slice(0, 10)} ${clock}`;
  return { label: isLocal ? name : `${name} UTC`, shortLabel: isSameDay ? clock : `${text.slice(5, 10)} ${clock}` };
}
