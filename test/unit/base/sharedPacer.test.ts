// Work of many tasks on one thread: they have their turns in order, and other events run in between.
import { expect, it } from 'vitest';
import { SharedPacer } from '../../../src/base/sharedPacer.ts';
import { yieldToEventLoop } from '../../../src/base/yieldToEventLoop.ts';

function workForMs(milliseconds: number): void {
  for (const end = performance.now() + milliseconds; performance.now() < end; );
}

it('lets other events run after some milliseconds of work, whichever of many tasks does it', async () => {
  const pacer = new SharedPacer();
  const order: number[] = [];
  let longestRun = 0;
  let run = 0;
  const task = async (id: number) => {
    await yieldToEventLoop(); // responses come one after the other
    for (let part = 0; part < 3; part++) {
      await pacer.pause();
      workForMs(2);
      order.push(id);
      longestRun = Math.max(longestRun, ++run);
    }
  };
  let isDone = false;
  const watching = (async () => {
    for (; !isDone; run = 0) await yieldToEventLoop();
  })();
  await Promise.all(Array.from({ length: 32 }, (_, id) => task(id)));
  isDone = true;
  await watching;
  expect(longestRun).toBeLessThanOrEqual(6); // of 2 ms, at most 5 ms before and 5 ms after other events, and one more each
  expect(order).toHaveLength(96);
  expect(new Set(order.slice(0, 64)).size).toBe(32); // none has its third part before another one has its first
});

it('lets a task continue at once where nothing else works', () => {
  expect(new SharedPacer().pause()).toBeUndefined();
});
