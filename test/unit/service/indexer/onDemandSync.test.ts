// Pausing synchronization while its first step is under way, and slow faults: with a clock whose waits are over at once.
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { HexLensError } from '../../../../src/base/errors.ts';
import { IDLE_MS, OnDemandSync } from '../../../../src/service/indexer/onDemandSync.ts';
import { createTestClock, createTestLog } from '../../../support/testClock.ts';

/** A source whose only step ends with `reached` when it is let go. */
function createHeldSync(reached: number | null) {
  const clock = createTestClock();
  const step = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  let position: number | null = null;
  const sync = new OnDemandSync<number>({
    title: 'the test',
    clock,
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
  return { sync, clock, begun: begun.promise, endStep: step.resolve };
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

test('work does not pause while a request waits for the first position, however long that takes', async () => {
  const { sync, clock, begun, endStep } = createHeldSync(null);
  const current = sync.current();
  await begun;
  await setImmediate(); // the request's time is over, and the step still under way
  clock.advance(10 * IDLE_MS);
  endStep();
  expect(await current).toEqual({ position: 100, isSynced: false });
  await sync.stop();
});

/** A source with positions whose steps end when they are let go. */
function createFollowedSync() {
  const clock = createTestClock();
  let step = Promise.withResolvers<void>();
  let position: number | null = null;
  let notify = () => {};
  const sync = new OnDemandSync<number>({
    title: 'the test',
    clock,
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
  return {
    sync,
    clock,
    begin(next: number) {
      position = next;
      notify();
    },
    endSteps: () => step.resolve(),
    failStep(fault: HexLensError) {
      step.reject(fault);
      step = Promise.withResolvers();
    },
  };
}

const hangs = new HexLensError('node-timeout', 'It hangs.');

test('a fault that takes longer than a request waits is returned once it is known, until there is progress', async () => {
  const { sync, begin, endSteps, failStep } = createFollowedSync();
  begin(7);
  expect(await sync.current(), 'not known yet').toEqual({ position: 7, isSynced: false });
  failStep(hangs);
  await expect.poll(() => sync.isRunning).toBe(false);
  expect(sync.fault).toBe(hangs);
  await expect(sync.current(), 'the next run is as slow').rejects.toBe(hangs);
  begin(8);
  expect(await sync.current()).toEqual({ position: 8, isSynced: false });
  endSteps();
  await expect.poll(() => sync.isRunning).toBe(false);
  expect(sync.fault).toBeNull();
  await sync.stop();
});

test('a fault of long ago is not returned while a new run is under way', async () => {
  const { sync, clock, begin, endSteps, failStep } = createFollowedSync();
  begin(7);
  await sync.current();
  failStep(hangs);
  await expect.poll(() => sync.isRunning).toBe(false);
  clock.advance(3_600_000);
  expect(await sync.current()).toEqual({ position: 7, isSynced: false });
  expect(sync.fault).toBeNull();
  endSteps();
  await sync.stop();
});

test('only a run that answers nothing but the request that read the state of the node uses that state', async () => {
  const runs: boolean[] = [];
  const step = Promise.withResolvers<void>();
  const sync = new OnDemandSync<number>({
    title: 'the test',
    clock: createTestClock(),
    log: createTestLog(),
    create: () => ({
      position: 100,
      async follow(_signal, isStateNew) {
        runs.push(isStateNew);
        await step.promise;
        return 'synced';
      },
      async close() {},
    }),
  });
  const first = sync.current(undefined, true);
  const second = sync.current(undefined, true); // during the first run: it may be older than blocks that this run has read
  await setImmediate();
  step.resolve();
  await Promise.all([first, second]);
  await setImmediate();
  await sync.current();
  await sync.current(undefined, true);
  expect(runs).toEqual([true, false, false, true]);
  await sync.stop();
});
