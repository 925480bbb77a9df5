import { describe, expect, test } from 'vitest';
import type { NodeState } from '../../../../src/service/evm/evmNode.ts';
import type { DecodedRange, RangeReader } from '../../../../src/service/indexer/chainRangeReader.ts';
import { createFinalizedVerifier } from '../../../../src/service/indexer/finalizedVerifier.ts';
import type { Store } from '../../../../src/service/store/store.ts';

/** The store has no rows, although the chain has a transfer in each range. */
function createVerifier(answers: readonly ('reorged' | 'transfer')[]) {
  const ranges: (readonly [number, number])[] = [];
  const range = { blocks: [], transfers: [{ blockNumber: 250 }], decoded: { erc20Transfers: [], trades: [] } };
  const reader = {
    rangeSize: 1_000,
    maxRangeSize: 1_000,
    async *read(from: number, to: number) {
      const answer = answers[ranges.length];
      ranges.push([from, to]);
      yield answer === 'reorged' ? answer : (range as unknown as DecodedRange);
    },
  } as unknown as RangeReader;
  const store = { countRows: async () => ({ transfers: 0, erc20Transfers: 0, trades: 0 }) } as unknown as Store;
  const verifier = createFinalizedVerifier(store, reader);
  const findFirstDifference = (head: number, finalized: number) =>
    verifier.findFirstDifference(head, 0, { finalized, headNumber: head } as NodeState, AbortSignal.timeout(10_000));
  return { ...verifier, ranges, findFirstDifference };
}

describe('blocks that became final', () => {
  test('are read again, those that were final at first are not', async () => {
    const { markWritten, findFirstDifference, ranges } = createVerifier(['transfer']);
    markWritten(0, 300, 236);
    expect(await findFirstDifference(334, 270)).toBe(237);
    expect(ranges).toEqual([[237, 270]]);
  });

  test('are read by a later call where the node did not have them, also after newer blocks were written', async () => {
    const { markWritten, findFirstDifference, ranges } = createVerifier(['reorged', 'transfer']);
    markWritten(0, 300, 236);
    expect(await findFirstDifference(300, 270)).toBeNull();
    markWritten(301, 334, 270);
    expect(await findFirstDifference(334, 270)).toBe(237);
    expect(ranges).toEqual([
      [237, 270],
      [237, 270],
    ]);
  });
});
