import { expect, test } from 'vitest';
import { SerialQueue } from '../../../src/base/serialQueue.ts';

test('runs one task at a time, in order', async () => {
  const queue = new SerialQueue();
  const events: string[] = [];
  const gate = Promise.withResolvers<void>();
  const first = queue.run(async () => {
    events.push('first starts');
    await gate.promise;
    events.push('first ends');
  });
  const second = queue.run(() => events.push('second'));
  await Promise.resolve();
  expect(events).toEqual(['first starts']);
  gate.resolve();
  await Promise.all([first, second]);
  expect(events).toEqual(['first starts', 'first ends', 'second']);
});

test('continues after a task that fails, and rejects only that one', async () => {
  const queue = new SerialQueue();
  const failing = queue.run(async () => {
    throw new Error('no');
  });
  const next = queue.run(async () => 1);
  await expect(failing).rejects.toThrow('no');
  expect(await next).toBe(1);
});

test('is idle when all tasks have ended, also if they failed', async () => {
  const queue = new SerialQueue();
  let ended = false;
  queue
    .run(async () => {
      await new Promise(resolve => setImmediate(resolve));
      ended = true;
      throw new Error('no');
    })
    .catch(() => {});
  await queue.idle();
  expect(ended).toBe(true);
});
