// What a hover does not wait for is there when it is looked at again.
import { expect, test } from 'vitest';
import { fetchInTime } from '../../../src/extension/abi/fetchInTime.ts';
import { createFakeClock } from '../../support/fakeClock.ts';

/** A request that takes until `answer` is resolved. */
function createSlowRequest() {
  const answer = Promise.withResolvers<string>();
  const signals: AbortSignal[] = [];
  const fetch = (signal: AbortSignal) => {
    signals.push(signal);
    signal.addEventListener('abort', () => answer.reject(new Error('aborted')), { once: true });
    return answer.promise;
  };
  return { fetch, answer, isAborted: () => signals.some(({ aborted }) => aborted) };
}

const start = (continues: boolean) => {
  const clock = createFakeClock('manual');
  const request = createSlowRequest();
  const leaving = new AbortController();
  const result = fetchInTime(request.fetch, { clock, maxMs: 1_000, continues }, leaving.signal);
  return { clock, request, leaving, result };
};

test('what is late continues, so that the next look has it, also when the hover is left then', async () => {
  const { clock, request, leaving, result } = start(true);
  clock.advance(1_000);
  expect(await result).toBe('late');
  leaving.abort();
  clock.advance(30_000);
  expect(request.isAborted()).toBe(false);
  await Promise.resolve();
  clock.advance(60_000);
  await Promise.resolve();
  expect(request.isAborted()).toBe(true);
});

test('what is late is aborted where it may not continue', async () => {
  const { clock, request, result } = start(false);
  clock.advance(1_000);
  expect(await result).toBe('late');
  expect(request.isAborted()).toBe(true);
});

test('what comes in time is the result, and what fails is nothing', async () => {
  const inTime = start(true);
  inTime.request.answer.resolve('traced');
  expect(await inTime.result).toBe('traced');
  const failing = start(true);
  failing.request.answer.reject(new Error('no tracer'));
  expect(await failing.result).toBeNull();
});

test('a hover that is left before ends its request', async () => {
  const { request, leaving, result } = start(true);
  leaving.abort();
  await expect(result).rejects.toMatchObject({ code: 'cancelled' });
  expect(request.isAborted()).toBe(true);
});
