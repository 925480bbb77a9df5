// Clocks for tests: one that is advanced by hand and records all sleeps, and one that sleeps shorter.
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { createCancelledFault } from '../../src/base/errors.ts';

const HASTE = 20;

/** The time of this machine, but every wait takes a twentieth of its time: for what is repeated after a wait. */
export const hastyClock: Clock = {
  now: () => systemClock.now(),
  sleep: (ms, signal) => systemClock.sleep(ms / HASTE, signal),
};

export interface FakeClock extends Clock {
  /** Every sleep that was begun, in milliseconds. */
  readonly sleeps: number[];
  /** Lets time pass; sleepers whose time has come wake up. */
  advance(ms: number): void;
  /** When the next sleeper wakes up, as `now` counts; `null` while there is none. */
  getNextWake(): number | null;
}

interface Sleeper {
  readonly until: number;
  wake(): void;
}

/** `instant`: a sleep moves the clock itself and ends at once. Otherwise it ends when `advance` reaches it. */
export function createFakeClock(mode: 'instant' | 'manual' = 'instant', start = Date.UTC(2026, 10, 20)): FakeClock {
  let now = start;
  const sleepers = new Set<Sleeper>();
  const sleeps: number[] = [];
  return {
    sleeps,
    now: () => now,
    advance(ms) {
      now += ms;
      for (const sleeper of [...sleepers]) if (sleeper.until <= now) sleeper.wake();
    },
    getNextWake: () => (sleepers.size === 0 ? null : Math.min(...[...sleepers].map(({ until }) => until))),
    sleep(ms, signal) {
      sleeps.push(ms);
      if (signal?.aborted) return Promise.reject(createCancelledFault());
      if (mode === 'instant') {
        now += ms;
        return Promise.resolve();
      }
      return new Promise((resolve, reject) => {
        const sleeper: Sleeper = {
          until: now + ms,
          wake() {
            sleepers.delete(sleeper);
            resolve();
          },
        };
        sleepers.add(sleeper);
        signal?.addEventListener('abort', () => {
          sleepers.delete(sleeper);
          reject(createCancelledFault());
        });
      });
    },
  };
}
