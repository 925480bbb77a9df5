import { expect, test } from 'vitest';
import { localize } from '../../../../src/base/localize.ts';
import { findRunDifference } from '../../../../src/decode/debug/compareRuns.ts';
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
