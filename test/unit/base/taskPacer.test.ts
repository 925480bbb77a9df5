import { expect, test } from 'vitest';
import { TaskPacer } from '../../../src/base/taskPacer.ts';

/** Holds the thread for so many milliseconds. */
function work(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end; );
}

test('a task continues at once until it has held the thread for 40 ms, then lets other work run', async () => {
  const pacer = new TaskPacer(undefined);
  expect(pacer.pause()).toBeUndefined();
  work(45);
  let hasRun = false;
  setImmediate(() => {
    hasRun = true;
  });
  await pacer.pause();
  expect(hasRun).toBe(true);
  expect(pacer.pause()).toBeUndefined();
});

test('a task that was cancelled ends at its next pause', async () => {
  const controller = new AbortController();
  const pacer = new TaskPacer(controller.signal);
  setImmediate(() => controller.abort());
  work(45);
  await expect(pacer.pause()).rejects.toMatchObject({ code: 'cancelled' });
});
