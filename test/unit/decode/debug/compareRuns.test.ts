import { expect, test } from 'vitest';
import { localize } from '../../../../src/base/localize.ts';
import { findPointerDifference, findRunDifference } from '../../../../src/decode/debug/compareRuns.ts';
import { DebugChain } from '../../../support/source/debugChain.ts';
import { createSourceProject } from '../../../support/source/sourceProject.ts';

test.each([
  ['spoil', [], null],
  ['file', [6n], 'its logs or what it writes to storage are not the same'],
] as const)(
  'a write that is missing is a difference, but not where it was undone: %s',
  async (name, args, expected) => {
    const chain = new DebugChain(await createSourceProject('solc', ['Moved.sol'], {})).deploy('Moved');
    const { trace } = await chain.traceCall('Moved', name, args);
    expect(trace.writes.length).toBeGreaterThan(0);
    const difference = findRunDifference(trace, { ...trace, writes: [] });
    expect(difference === null ? null : localize(difference)).toBe(expected);
  },
);

test.each([
  ['the function', 1n, 'op holds an internal function: a place in the code, which depends on the build'],
  ['nothing', 0n, null],
] as const)('a difference of an internal function in storage is named: %s differs', async (_, added, expected) => {
  const project = await createSourceProject('solc-0.8.37', ['Yard.sol'], { evmVersion: 'cancun' });
  const { trace, findProgram } = await new DebugChain(project)
    .deploy('Bench')
    .traceCall('Bench', 'pointers', [5n, true]);
  const other = { ...trace, writes: trace.writes.map(each => ({ ...each, newValue: each.newValue + added })) };
  const found = findPointerDifference(trace, other, findProgram);
  expect(found === null ? null : localize(found)).toBe(expected);
});

test('a difference of another value in storage is not taken for one of an internal function', async () => {
  const chain = new DebugChain(await createSourceProject('solc', ['Moved.sol'], {})).deploy('Moved');
  const { trace, findProgram } = await chain.traceCall('Moved', 'file', [6n]);
  const other = { ...trace, writes: trace.writes.map(each => ({ ...each, newValue: each.newValue + 1n })) };
  expect(findPointerDifference(trace, other, findProgram)).toBe(null);
});
