// Pausing synchronisation while its first step is under way: with a clock whose waits are over at once.
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createOnDemandSync } from '../../../../src/service/indexer/onDemandSync.ts';
import { createTestClock, createTestLog } from '../../../support/testClock.ts';

/** A source whose only step ends with `reached` when it is let go. */
function createHeldSync(reached: number | null) {
  const step = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  let position: number | null = null;
  const sync = createOnDemandSync<number>({
    title: 'the test',
    clock: createTestClock(),
    log: createTestLog(),
    create: ({ onPositionChange, shouldPause }) => ({
      get position() {
        return position;
      },
      async follow() {
        begun.resolve();
        await step.promise;
        if (shouldPause()) {
          position = reached;
          onPositionChange();
          return 'paused';
        }
        position = 100;
        onPositionChange();
        return 'synced';
      },
      async close() {},
    }),
  });
  return { sync, begun: begun.promise, endStep: step.resolve };
}

test('a request that waits for the first position gets that of the step that a pause lets end', async () => {
  const { sync, begun, endStep } = createHeldSync(7);
  const current = sync.current();
  await begun;
  sync.pause();
  await setImmediate(); // the request's time is over, and the step still under way
  endStep();
  expect(await current).toEqual({ position: 7, isSynced: false });
  await sync.stop();
});

test('a request is rejected when the step that a pause lets end leads to no position, and the next one continues', async () => {
  const { sync, begun, endStep } = createHeldSync(null);
  const current = sync.current();
  await begun;
  sync.pause();
  endStep();
  await expect(current).rejects.toMatchObject({ code: 'cancelled', message: 'The index is paused.' });
  expect((await sync.current()).position).toBe(100);
  await sync.stop();
});
