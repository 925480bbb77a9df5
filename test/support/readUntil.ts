// Reads a state again until it is the wanted one: not without end, and without taking the processor from what changes it.
import { inspect } from 'node:util';
import { systemClock } from '../../src/base/clock.ts';
import { STATE_LIMIT_MS } from './timeLimits.ts';

const PAUSE_MS = 10;

/** The first wanted value. Rejects with the last one when it takes too long, and at once when `read` rejects. */
export async function readUntil<T, Wanted extends T>(
  read: () => Promise<T> | T,
  isWanted: (value: T) => value is Wanted,
): Promise<Wanted>;
export async function readUntil<T>(read: () => Promise<T> | T, isWanted: (value: T) => boolean): Promise<T>;
export async function readUntil<T>(read: () => Promise<T> | T, isWanted: (value: T) => boolean): Promise<T> {
  const end = performance.now() + STATE_LIMIT_MS;
  for (;;) {
    const value = await read();
    if (isWanted(value)) return value;
    if (performance.now() > end) throw new Error(`After ${STATE_LIMIT_MS} ms it is still ${inspect(value)}.`);
    await systemClock.sleep(PAUSE_MS);
  }
}
