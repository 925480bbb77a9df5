// Names for parts of time: as short as they may be on an axis, whole where they stand alone.
import { formatUtcTime } from '../../../view/formatTime.ts';
import { formatLocalTime, type Preferences } from './cellFormat.ts';
import { DAY_MS } from './histogram.ts';

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
