// Moments for people: how long ago, and exactly when in UTC.
import { t } from '../base/localize.ts';

const STEPS: readonly (readonly [seconds: number, ago: (count: number) => string, ahead: (count: number) => string])[] =
  [
    [
      31_557_600,
      count => (count === 1 ? t('1 year ago') : t('{0} years ago', count)),
      count => (count === 1 ? t('in 1 year') : t('in {0} years', count)),
    ],
    [
      2_629_800,
      count => (count === 1 ? t('1 month ago') : t('{0} months ago', count)),
      count => (count === 1 ? t('in 1 month') : t('in {0} months', count)),
    ],
    [
      86_400,
      count => (count === 1 ? t('1 day ago') : t('{0} days ago', count)),
      count => (count === 1 ? t('in 1 day') : t('in {0} days', count)),
    ],
    [
      3_600,
      count => (count === 1 ? t('1 hour ago') : t('{0} hours ago', count)),
      count => (count === 1 ? t('in 1 hour') : t('in {0} hours', count)),
    ],
    [
      60,
      count => (count === 1 ? t('1 minute ago') : t('{0} minutes ago', count)),
      count => (count === 1 ? t('in 1 minute') : t('in {0} minutes', count)),
    ],
    [
      1,
      count => (count === 1 ? t('1 second ago') : t('{0} seconds ago', count)),
      count => (count === 1 ? t('in 1 second') : t('in {0} seconds', count)),
    ],
  ];

/** `3 hours ago`, `in 2 days` (dev chains run ahead of the clock), `just now`. */
export function formatRelativeTime(time: Date, now: number): string {
  const seconds = Math.round((now - time.getTime()) / 1000);
  const size = Math.abs(seconds);
  for (const [length, ago, ahead] of STEPS) {
    if (size < length) continue;
    return (seconds < 0 ? ahead : ago)(Math.floor(size / length));
  }
  return t('just now');
}

/** `2023-11-14 22:13:20 UTC`. */
export function formatUtcTime(time: Date): string {
  return `${time.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
