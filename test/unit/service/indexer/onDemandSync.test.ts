// Pausing synchronisation while its first step is under way, and slow faults: with a clock whose waits are over at once.
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { HexLensError } from '../../../../src/base/errors.ts';
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

test('a fault that takes longer than a request waits is returned once it is known, until there is progress', async () => {
  let step = Promise.withResolvers<void>();
  let position: number | null = null;
  let notify = () => {};
  const sync = createOnDemandSync<number>({
    title: 'the test',
    clock: createTestClock(),
    log: createTestLog(),
    create: ({ onPositionChange }) => {
      notify = onPositionChange;
      return {
        get position() {
          return position;
        },
        async follow() {
          await step.promise;
          return 'synced';
        },
        async close() {},
      };
    },
  });
  const begin = (next: number) => {
    position = next;
    notify();
  };
  begin(7);
  expect(await sync.current(), 'not known yet').toEqual({ position: 7, isSynced: false });
  const fault = new HexLensError('node-timeout', 'It hangs.');
  step.reject(fault);
  await expect.poll(() => sync.fault).toBe(fault);
  step = Promise.withResolvers();
  await expect(sync.current(), 'the next run is as slow').rejects.toBe(fault);
  begin(8);
  expect(await sync.current()).toEqual({ position: 8, isSynced: false });
  step.resolve();
  await expect.poll(() => sync.isRunning).toBe(false);
  expect(sync.fault).toBeNull();
  await sync.stop();
});
