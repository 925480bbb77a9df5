// In which call a transaction failed first.
import { expect, test } from 'vitest';
import { findFailedFrame } from '../../../../src/decode/trace/failure.ts';
import { StepColumns } from '../../../../src/decode/trace/stepColumns.ts';
import type { FrameStatus, TraceFrame } from '../../../../src/decode/trace/trace.ts';

/** Calls as `[parent, status, returned bytes]`, in the order of execution. */
const createFrames = (...calls: readonly (readonly [number, FrameStatus, (readonly number[])?])[]) =>
  calls.map(
    ([parent, status, output = []], index): TraceFrame => ({
      ...{ index, parent, status, depth: parent + 1, kind: 'CALL', value: 0n, gasLimit: 1, gasUsed: 1 },
      ...{ caller: '0x', address: '0x', codeAddress: '0x', code: new Uint8Array(), isCreation: false },
      ...{ input: new Uint8Array(), output: new Uint8Array(output), firstStep: 0, endStep: 0, callStep: 0 },
    }),
  );

test.each([
  ['no call of a successful transaction', createFrames([-1, 'success'], [0, 'reverted', [1]]), undefined],
  ['its own call', createFrames([-1, 'reverted', [7]]), 0],
  [
    'the innermost of those that passed the error on',
    createFrames([-1, 'reverted', [7]], [0, 'reverted', [7]], [1, 'reverted', [7]]),
    2,
  ],
  [
    'its own call, where it caught an error and has another one',
    createFrames([-1, 'reverted', [7]], [0, 'reverted', [8]]),
    0,
  ],
  ['its own call, where the calls in it were successful', createFrames([-1, 'reverted', [7]], [0, 'success', [7]]), 0],
  [
    'the call that ran out of gas, of which its caller knows nothing but that',
    createFrames([-1, 'reverted'], [0, 'success'], [0, 'exceptional']),
    2,
  ],
  ['its own call, where that ran out of gas itself', createFrames([-1, 'exceptional'], [0, 'reverted', [7]]), 0],
])('finds %s', (_, frames, expected) => {
  expect(findFailedFrame({ frames, steps: new StepColumns() })?.index).toBe(expected);
});

test.each([
  ['passed on, where the caller copied what was returned', [0xf1, 0xfd, 0x3e, 0xfd], 1],
  ['caught, where the caller did not look at what was returned', [0xf1, 0xfd, 0x5f, 0xfd], 0],
])('a failure without data was %s', (_, operations, expected) => {
  const steps = new StepColumns();
  for (const [step, op] of operations.entries()) steps.add(step, 100, op, step === 1 ? 1 : 0);
  const [outer, inner] = createFrames([-1, 'reverted'], [0, 'reverted']);
  const frames = [
    { ...(outer as TraceFrame), firstStep: 0, endStep: 4 },
    { ...(inner as TraceFrame), firstStep: 1, endStep: 2, callStep: 0 },
  ];
  expect(findFailedFrame({ frames, steps })?.index).toBe(expected);
});
