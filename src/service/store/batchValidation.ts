// What every store demands of a run of blocks before it writes a row of it.
import { HexLensError } from '../../base/errors.ts';
import type { BlockBatch, BlockRow } from './rows.ts';
import type { StoreInfo } from './store.ts';

export interface Located {
  readonly blockNumber: number;
  readonly logIndex: number;
  readonly batchIndex?: number;
}

/** Negative when `a` is earlier in the chain. */
export function compareLogPositions(a: Located, b: Located): number {
  return a.blockNumber - b.blockNumber || a.logIndex - b.logIndex || (a.batchIndex ?? 0) - (b.batchIndex ?? 0);
}

function refuse(why: string): never {
  throw new HexLensError('internal', `The index refuses a run of blocks: ${why}.`);
}

/**
 * The rows in the order of the chain; refuses rows outside of the blocks, and two at one place, except of trades: one
 * order may sell of two contracts.
 */
export function sortBatchRows<Row extends Located>(
  what: 'transfer' | 'mint' | 'trade',
  rows: readonly Row[],
  first: number,
  last: number,
): readonly Row[] {
  const unordered = rows.some((row, index) => index > 0 && compareLogPositions(rows[index - 1] ?? row, row) >= 0);
  const sorted = unordered ? rows.toSorted(compareLogPositions) : rows;
  for (const [index, row] of sorted.entries()) {
    if (row.blockNumber < first || row.blockNumber > last)
      refuse(`a ${what} of block ${row.blockNumber} is not in blocks ${first} to ${last}`);
    const before = sorted[index - 1];
    if (unordered && what !== 'trade' && before !== undefined && compareLogPositions(before, row) === 0)
      refuse(`two ${what}s are at log ${row.logIndex} of block ${row.blockNumber}`);
  }
  return sorted;
}

/** Refuses blocks that do not follow the head and each other; in a sparse store, what does not follow what is covered. */
export function validateBlocks(
  info: StoreInfo,
  head: BlockRow | null,
  { blocks, coveredFrom }: Pick<BlockBatch, 'blocks' | 'coveredFrom'>,
): void {
  if (info.scope !== undefined) {
    checkSparse(head, blocks, coveredFrom);
    return;
  }
  if (coveredFrom !== undefined) refuse('it may have gaps, but the index is of a whole chain');
  let before = head;
  for (const block of blocks) {
    if (before !== null && (block.number !== before.number + 1 || block.parentHash !== before.hash))
      refuse(`block ${block.number} (${block.hash}) does not follow block ${before.number} (${before.hash})`);
    if (block.number === 0 && block.hash !== info.genesisHash)
      refuse(`block 0 is ${block.hash}, but the index is of the chain that began with ${info.genesisHash}`);
    before = block;
  }
}

function checkSparse(head: BlockRow | null, blocks: readonly BlockRow[], coveredFrom: number | undefined): void {
  const last = blocks.at(-1);
  if (last === undefined) return;
  if (coveredFrom === undefined) refuse('it does not say from where on it is complete');
  if (head !== null && coveredFrom !== head.number + 1)
    refuse(`it is complete from block ${coveredFrom} on, and the index up to block ${head.number}`);
  let before = coveredFrom - 1;
  for (const { number } of blocks) {
    if (number <= before) refuse(`block ${number} stands behind block ${before}`);
    before = number;
  }
}
