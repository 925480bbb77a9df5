// Names for parts of time: as short as they may be on an axis, whole where they stand alone.
import { utcTime } from '../../../view/formatTime.ts';
import { localTime, type Preferences } from './cellFormat.ts';
import { DAY } from './histogram.ts';

export interface TimePart {
  /** `2023-11-14 22:10`, `2023-11-14` for days. */
  readonly name: string;
  /** `22:10` within one day. */
  readonly short: string;
}

/** The part that begins at `start`. `sameDay`: all parts are of one day. Days are those of UTC, as they are counted. */
export function timePart(start: number, width: number, sameDay: boolean, { time }: Preferences): TimePart {
  const date = new Date(start);
  const local = time === 'local' && width < DAY;
  const text = local ? localTime(date) : utcTime(date).slice(0, 19);
  if (width >= DAY) return { name: text.slice(0, 10), short: text.slice(0, 10) };
  const clock = width < 60_000 ? text.slice(11) : text.slice(11, 16);
  const name = `${text.slice(0, 10)} ${clock}`;
  return { name: local ? name : `${name} UTC`, short: sameDay ? clock : `${text.slice(5, 10)} ${clock}` };
}
