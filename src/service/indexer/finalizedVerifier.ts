// Reads the blocks of an index once more when they are finalized, and finds those whose logs were incomplete.
import type { NodeState } from '../evm/evmNode.ts';
import type { Store } from '../store/store.ts';
import type { DecodedRange, RangeReader } from './chainRangeReader.ts';

/**
 * A load balancer whose nodes are not all at the same block may leave out logs of new blocks. Blocks that were finalized when
 * they were read are not read again.
 */
export type FinalizedVerifier = ReturnType<typeof createFinalizedVerifier>;

export function createFinalizedVerifier(store: Store, reader: RangeReader) {
  /** Up to this block nothing is left to be read again; `null` until that is known. */
  let verifiedTo: number | null = null;
  return {
    /**
     * Call it after the blocks from `first` to `head` were written: `finalized` is the newest that was final when they were
     * read. Blocks below them that could not be read again yet remain to be read.
     */
    markWritten(first: number, head: number, finalized: number) {
      if (verifiedTo === null || verifiedTo >= first - 1)
        verifiedTo = Math.max(verifiedTo ?? -1, Math.min(head, finalized));
    },
    /** Notes that the blocks above `block` were removed; -1 for all. */
    markRemoved(block: number) {
      verifiedTo = verifiedTo === null || block < 0 ? null : Math.min(verifiedTo, block);
    },
    /**
     * Reads what has become final since the last call.
     *
     * @param head The newest block of the index.
     * @param firstBlock The block at which the index begins.
     * @returns The first block from which on the index differs from the chain; `null` when none does, as far as it was read.
     */
    async findFirstDifference(
      head: number,
      firstBlock: number,
      { finalized, headNumber }: NodeState,
      signal: AbortSignal,
    ) {
      // The index was made by an earlier process: its newest blocks are those that were not final yet, so they are verified.
      verifiedTo ??= Math.max(firstBlock - 1, head - (headNumber - finalized));
      const to = Math.min(finalized, head);
      while (verifiedTo < to) {
        const from = verifiedTo + 1;
        const end = Math.min(to, from + reader.rangeSize - 1);
        let low = from;
        for await (const range of reader.read(from, end, 0, signal)) {
          if (range === 'reorged') return null; // the next call tries again
          const high = range.blocks.at(-1)?.number ?? end;
          if (!(await isStored(store, range, low, high))) return low;
          low = high + 1;
        }
        verifiedTo = end;
      }
      return null;
    },
  };
}

/** Whether the store holds the rows of this range, and no others between its ends. */
async function isStored(store: Store, range: DecodedRange, fromBlock: number, toBlock: number): Promise<boolean> {
  const { blocks, transfers, decoded } = range;
  const { erc20Transfers, trades } = decoded;
  const counts = await store.countRows(fromBlock, toBlock);
  if (counts.transfers !== transfers.length) return false;
  if (counts.erc20Transfers !== erc20Transfers.length || counts.trades !== trades.length) return false;
  const withRows = new Set([...transfers, ...erc20Transfers, ...trades].map(row => row.blockNumber));
  const expected = blocks.filter(block => withRows.has(block.number));
  const stored = await Promise.all(expected.map(block => store.readBlock(block.number)));
  return expected.every((block, index) => stored[index]?.hash === block.hash);
}
