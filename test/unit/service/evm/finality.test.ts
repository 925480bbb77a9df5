// Which blocks count as final, and which one tells whether a node still has the same chain.
import { expect, test } from 'vitest';
import type { Hex } from '../../../../src/base/hex.ts';
import type { BlockHeader } from '../../../../src/service/evm/blockHeader.ts';
import { createFinalityTracker, FINALITY_DEPTH, getFreshness } from '../../../../src/service/evm/finality.ts';

const header = (number: number): BlockHeader => ({
  number,
  hash: `0x${number.toString(16).padStart(64, '0')}`,
  parentHash: null,
  time: new Date(0),
  wire: {},
});
const start = { isDevelopment: false, genesis: header(0), finalized: header(900), head: header(1_000) };

function createTracker() {
  const time = { ms: 1_000_000 };
  const tracker = createFinalityTracker({ now: () => time.ms, sleep: () => Promise.resolve() });
  return { time, tracker };
}

test('counts blocks up to the finalized tag as final, never above the head', () => {
  const { tracker } = createTracker();
  expect(tracker.getFinalized(1_000)).toBe(-1);
  tracker.start(start);
  expect(tracker.anchor).toEqual({ number: 900, hash: header(900).hash });
  expect(tracker.getFinalized(1_000)).toBe(900);
  expect(tracker.getFinalized(850)).toBe(850);
  tracker.reset();
  expect(tracker.getFinalized(1_000)).toBe(-1);
});

test.each([
  ['on a development chain', { ...start, isDevelopment: true }],
  ['without a finalized block', { ...start, finalized: null }],
  ['for a finalized block close to the head', { ...start, finalized: header(999) }],
])('starts with the first block %s, and nothing is final', (_, first) => {
  const { tracker } = createTracker();
  tracker.start(first);
  expect(tracker.anchor?.number).toBe(0);
  expect(tracker.getFinalized(1_000)).toBe(-1);
});

test('replaces the anchor once a minute by the lower one of the deep and the finalized block', () => {
  const { time, tracker } = createTracker();
  tracker.start(start);
  expect(tracker.getAnchorBlocks(2_000)).toEqual([]);
  time.ms += 60_000;
  expect(tracker.getAnchorBlocks(900 + FINALITY_DEPTH)).toEqual([]);
  expect(tracker.getAnchorBlocks(2_000)).toEqual([2_000 - FINALITY_DEPTH, 'finalized']);
  tracker.moveAnchor([header(1_936), header(1_900)], header(2_000));
  expect(tracker.getFinalized(2_000)).toBe(1_900);
  expect(tracker.getAnchorBlocks(3_000)).toEqual([]);
  tracker.moveAnchor([header(1_800), null], header(2_000));
  tracker.moveAnchor([header(2_001)], header(2_000));
  expect(tracker.anchor?.number).toBe(1_900);
});

test('requests no finalized tag from a node that lacks it', () => {
  const { tracker } = createTracker();
  tracker.start({ ...start, finalized: null });
  expect(tracker.getAnchorBlocks(1_000)).toEqual([1_000 - FINALITY_DEPTH]);
  // Nor of a development chain, whose tag says nothing.
  tracker.start({ ...start, isDevelopment: true });
  expect(tracker.getAnchorBlocks(1_000)).toEqual([1_000 - FINALITY_DEPTH]);
});

test('a reply about a final block stays true, one about a later block until the next head', () => {
  const state = {
    ...{ genesisHash: '0x00' as Hex, headHash: '0x01' as Hex, headNumber: 1_000 },
    ...{ finalized: 900, isDevelopment: false },
  };
  expect(getFreshness({ selector: 'eth' }, state, 900).validity).toBe('finalized');
  expect(getFreshness({ selector: 'eth' }, state, 901).validity).toBe('untilNextHead');
  expect(getFreshness({ selector: 'eth' }, state, null).validity).toBe('untilNextHead');
});
