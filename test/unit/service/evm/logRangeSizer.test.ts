// How many blocks `eth_getLogs` spans next: wider where little is found, narrower where a node refuses.
import { expect, test } from 'vitest';
import type { LogLimit } from '../../../../src/service/evm/logLimit.ts';
import { createLogRangeSizer, MAX_LOG_RANGE_BLOCKS } from '../../../../src/service/evm/logRangeSizer.ts';

const tooManyBlocks = (blocks: number | null = null): LogLimit => ({ kind: 'range', blocks });
const tooManyLogs: LogLimit = { kind: 'results', blocks: null };

/** A node of which this limit is known. */
const nodeWith = (maxLogRange: number | null = null) => ({ cache: { maxLogRange } });
const startAt = (initialBlocks: number) => createLogRangeSizer(nodeWith(), { initialBlocks });

/** The ranges of calls that find nothing. */
const growFrom = (sizer: ReturnType<typeof createLogRangeSizer>, calls: number) =>
  Array.from({ length: calls }, () => {
    sizer.recordFound(sizer.rangeSize, 0, 100);
    return sizer.rangeSize;
  });

test('starts with what suited the page before, and never exceeds what the node takes', () => {
  expect(createLogRangeSizer(nodeWith()).rangeSize).toBe(32);
  expect(startAt(700).rangeSize).toBe(700);
  expect(createLogRangeSizer(nodeWith(500), { initialBlocks: 700 }).rangeSize).toBe(500);
  expect(growFrom(createLogRangeSizer(nodeWith(500)), 3)).toEqual([128, 500, 500]);
  expect(growFrom(createLogRangeSizer(nodeWith()), 9).at(-1)).toBe(MAX_LOG_RANGE_BLOCKS);
});

test('grows at most to what is wanted, with a quarter to spare', () => {
  const sizer = startAt(100);
  sizer.recordFound(100, 50, 100);
  expect(sizer.rangeSize).toBe(250);
  sizer.recordFound(250, 250, 40);
  expect(sizer.rangeSize).toBe(50);
});

test('takes the number of blocks that the node names, else half, and stays below it', () => {
  const named = startAt(4_000);
  named.recordLimit(4_000, tooManyBlocks(1_000));
  expect(named.rangeSize).toBe(1_000);
  expect(growFrom(named, 2)).toEqual([1_000, 1_000]);

  const unnamed = startAt(4_000);
  unnamed.recordLimit(4_000, tooManyBlocks());
  expect(unnamed.rangeSize).toBe(2_000);
  expect(growFrom(unnamed, 1)).toEqual([2_000]);

  const wrong = startAt(4_000);
  wrong.recordLimit(4_000, tooManyBlocks(9_000));
  expect(wrong.rangeSize).toBe(2_000);
});

test('notes a limit of blocks at the node for the readers after it, and forgets it with the node', () => {
  const node = nodeWith();
  createLogRangeSizer(node, { initialBlocks: 4_000 }).recordLimit(4_000, tooManyBlocks(500));
  const next = createLogRangeSizer(node, { initialBlocks: 2_000 });
  expect(next.rangeSize).toBe(500);
  node.cache.maxLogRange = null;
  expect(next.rangeSize).toBe(2_000);
});

test('goes back to the range before when one took too long, and stays there', () => {
  const sizer = startAt(32);
  expect(growFrom(sizer, 1)).toEqual([128]);
  sizer.recordLimit(128, { kind: 'time', blocks: null });
  expect(sizer.rangeSize).toBe(32);
  expect(growFrom(sizer, 2)).toEqual([32, 32]);
});

test('grows slowly where there are logs after a limit, and fast where there are none', () => {
  const sizer = startAt(800);
  sizer.recordLimit(800, tooManyLogs);
  expect(sizer.rangeSize).toBe(400);
  sizer.recordFound(400, 1, 2_000);
  expect(sizer.rangeSize).toBe(450);
  sizer.recordFound(450, 0, 2_000);
  expect(sizer.rangeSize).toBe(1_800);
});

test('is never less than one block', () => {
  const sizer = startAt(1);
  sizer.recordLimit(1, tooManyLogs);
  sizer.recordLimit(1, tooManyBlocks());
  expect(sizer.rangeSize).toBe(1);
  sizer.recordFound(1, 5_000, 1);
  expect(sizer.rangeSize).toBe(1);
});
