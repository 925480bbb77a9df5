// Moments for people: how long ago, and exactly when in UTC.

const STEPS: readonly (readonly [seconds: number, unit: string])[] = [
  [31_557_600, 'year'],
  [2_629_800, 'month'],
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
];

/** `3 hours ago`, `in 2 days` (dev chains run ahead of the clock), `just now`. */
export function relativeTime(time: Date, now: number): string {
  const seconds = Math.round((now - time.getTime()) / 1000);
  const size = Math.abs(seconds);
  for (const [length, unit] of STEPS) {
    if (size < length) continue;
    const count = Math.floor(size / length);
    const text = `${count} ${unit}${count === 1 ? '' : 's'}`;
    return seconds < 0 ? `in ${text}` : `${text} ago`;
  }
  return 'just now';
}

/** `2023-11-14 22:13:20 UTC`. */
export function utcTime(time: Date): string {
  return `${time.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
