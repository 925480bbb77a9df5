// The blocks of a page's rows.
import { ChainReorganizedError } from '../evm/repeatAfterReorg.ts';
import type { RowSource } from '../indexer/scanPage.ts';
import type { BlockRow } from '../store/rows.ts';

/** Blocks by number. The returned function throws when a block is gone, as after a reorg. */
export async function readBlocks(
  store: Pick<RowSource, 'readBlock'>,
  rows: readonly { readonly blockNumber: number }[],
): Promise<(number: number) => BlockRow> {
  const numbers = [...new Set(rows.map(row => row.blockNumber))];
  const found = await Promise.all(numbers.map(number => store.readBlock(number)));
  const blocks = new Map<number, BlockRow>();
  for (const block of found) if (block !== null) blocks.set(block.number, block);
  return number => {
    const block = blocks.get(number);
    if (block !== undefined) return block;
    throw new ChainReorganizedError();
  };
}

export const getBlockDate = (block: BlockRow): Date => new Date(block.timestamp * 1000);
