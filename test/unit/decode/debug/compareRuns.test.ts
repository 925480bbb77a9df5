import { expect, test } from 'vitest';
import { findRunDifference } from '../../../../src/decode/debug/compareRuns.ts';
import { DebugChain } from '../../../support/source/debugChain.ts';
import { createSourceProject } from '../../../support/source/sourceProject.ts';

test('writes that were undone may be left out by the optimizer', async () => {
  const [first, second] = await Promise.all(
    [{ viaIR: true, optimizer: { enabled: true, runs: 200 } }, {}].map(async settings => {
      const chain = new DebugChain(await createSourceProject('solc', ['Moved.sol'], settings)).deploy('Moved');
      return (await chain.traceCall('Moved', 'spoil', [3n])).trace;
    }),
  );
  if (first === undefined || second === undefined) throw new Error('a run is missing');
  expect([first.writes.length, second.writes.length]).toEqual([0, 1]);
  expect(findRunDifference(first, second)).toBeNull();
});
