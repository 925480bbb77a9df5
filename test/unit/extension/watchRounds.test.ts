// When watched chains are polled: one round at a time, rarer after failures, and no index that the user has paused.
import { describe, expect, test } from 'vitest';
import type { Progress } from '../../../src/api/workerProtocol.ts';
import { createPollRounds } from '../../../src/extension/activity/pollRounds.ts';
import { createPausedIndexes } from '../../../src/extension/worker/pausedIndexes.ts';
import { createFakeClock } from '../../support/fakeClock.ts';

describe('rounds', () => {
  /** Each round ends when the test says so. */
  const start = () => {
    const clock = createFakeClock('manual');
    const polls: { readonly selector: string; end(hasSucceeded: boolean): void }[] = [];
    const rounds = createPollRounds({
      clock,
      poll(selector) {
        const { promise, resolve } = Promise.withResolvers<boolean>();
        polls.push({ selector, end: resolve });
        return promise;
      },
      getIntervalMs: () => 1_000,
    });
    const pollOnce = async (hasSucceeded: boolean) => {
      const { length } = polls;
      const done = rounds.request('eth');
      polls[length]?.end(hasSucceeded);
      await done;
      return polls.length > length;
    };
    return { clock, polls, rounds, pollOnce };
  };

  test('wait for the one under way, many requests for the same one', async () => {
    const { polls, rounds } = start();
    const first = rounds.request('eth');
    const later = Array.from({ length: 100 }, () => rounds.request('eth'));
    const other = rounds.request('local');
    expect(polls.map(({ selector }) => selector)).toEqual(['eth', 'local']);
    expect(new Set(later).size).toBe(1);
    polls[0]?.end(true);
    await first;
    await expect.poll(() => polls.length).toBe(3);
    polls[1]?.end(true);
    polls[2]?.end(true);
    await Promise.all([...later, other]);
    expect(polls.map(({ selector }) => selector)).toEqual(['eth', 'local', 'eth']);
  });

  test('are rarer after each failure, until one succeeds', async () => {
    const { clock, rounds, pollOnce } = start();
    for (const seconds of [2, 4, 8, 16, 32, 32]) {
      expect(await pollOnce(false)).toBe(true);
      clock.advance(seconds * 1_000 - 1);
      expect(rounds.isDue('eth')).toBe(false);
      expect(await pollOnce(true)).toBe(false);
      clock.advance(1);
    }
    expect(await pollOnce(true)).toBe(true);
    expect(await pollOnce(false)).toBe(true);
    clock.advance(2_000);
    expect(rounds.isDue('eth')).toBe(true); // the failures before do not count any more
    expect(await pollOnce(false)).toBe(true);
    rounds.reset(['eth']);
    expect(await pollOnce(true)).toBe(true);
  });
});

describe('an index', () => {
  const progress = (change: Partial<Progress>): Progress => ({
    ...{ task: 'index local', kind: 'index', chain: 'local', address: null, done: 5, total: 10, isRunning: true },
    ...change,
  });

  test('that the user has paused gets no requests until it runs again', () => {
    const paused = createPausedIndexes();
    paused.update(progress({}));
    expect(paused.has('local')).toBe(false);
    paused.update(progress({ isPaused: true }));
    paused.update(progress({ isPaused: true, isRunning: false }));
    expect(paused.has('local')).toBe(true);
    expect(paused.has('other')).toBe(false);
    paused.update(progress({}));
    expect(paused.has('local')).toBe(false);
  });

  test('that ended by itself, or is one of an address, is not paused', () => {
    const paused = createPausedIndexes();
    paused.update(progress({ isRunning: false }));
    paused.update(progress({ isPaused: true, address: `0x${'1'.repeat(40)}` }));
    expect(paused.has('local')).toBe(false);
  });
});
