// A clock for tests: sleeping takes no time, but advances the clock and records how long each sleep was.
import type { Clock } from '../../src/base/clock.ts';
import { createCancelledFault } from '../../src/base/errors.ts';

export interface TestClock extends Clock {
  readonly sleeps: readonly number[];
  advance(ms: number): void;
}

export function createTestClock(start = 1_700_000_000_000): TestClock {
  let now = start;
  const sleeps: number[] = [];
  return {
    sleeps,
    now: () => now,
    advance(ms) {
      now += ms;
    },
    async sleep(ms, signal) {
      if (signal?.aborted) throw createCancelledFault();
      sleeps.push(ms);
      now += ms;
    },
  };
}

export interface LogLine {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly message: string;
}

/** A log that keeps its lines. */
export function createTestLog() {
  const lines: LogLine[] = [];
  const at = (level: LogLine['level']) => (message: string) => {
    lines.push({ level, message });
  };
  return {
    lines,
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    of: (level: LogLine['level']) => lines.filter(line => line.level === level).map(line => line.message),
  };
}
