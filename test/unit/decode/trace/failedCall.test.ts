import { expect, test } from 'vitest';
import type { TracedCall, TransactionTrace } from '../../../../src/api/transactionTrace.ts';
import { createAbiRegistry } from '../../../../src/decode/abiRegistry.ts';
import { formatTraceFailure } from '../../../../src/decode/trace/formatFailure.ts';
import { getNotes } from '../../../../src/decode/trace/formatTrace.ts';

const outer = { status: 'reverted', haltReason: null, gasLimit: 100_000, output: '0x' };
const inner = { status: 'exceptional', haltReason: 'outOfGas', gasLimit: 30_000, output: '0x' };
/** By its calls alone, the inner one seems to be the reason. */
const trace = {
  calls: [outer, inner] as unknown as readonly TracedCall[],
  failure: { call: 1, status: 'exceptional', haltReason: 'outOfGas', data: '0x' },
  notes: [],
  steps: 0,
} as unknown as TransactionTrace;
const format = { registry: createAbiRegistry(), getName: () => null };

test('the source decides which call failed: one whose failure was caught is not the reason', () => {
  expect(formatTraceFailure(trace, format)?.text).toBe('Out of gas: the call had 30,000 gas');
  expect(formatTraceFailure(trace, format, { reason: 'reverted', call: 0 })?.text).toBe('Reverted without a reason');
});

test('says that it is not certain which call failed where neither steps nor a source tell and nothing was returned', () => {
  expect(getNotes({ trace, source: null })).toHaveLength(1);
  expect(getNotes({ trace: { ...trace, steps: 7 }, source: null })).toEqual([]);
  const stack = { frames: [], reason: 'reverted', call: 0 } as const;
  expect(getNotes({ trace, source: { stack, calls: [], unmatched: new Map(), lostSources: [] } })).toEqual([]);
});
