// What every store checks of a batch before it writes a row of it.
import { HexLensError } from '../../base/errors.ts';
import type { Hex } from '../../base/hex.ts';
import {
  type BlockBatch,
  type BlockRow,
  compareLogPositions,
  compareTransactionPositions,
  getLogIndex,
  type HasLogPosition,
  type TokenRow,
  type TransactionRow,
} from './rows.ts';
import type { StoreInfo } from './store.ts';

function reject(reason: string): never {
  throw new HexLensError('internal', `The index rejects a batch of blocks: ${reason}.`);
}

/**
 * The rows in the order of the chain. Throws `internal` for rows outside of the blocks, and for two rows at one position,
 * except of trades: one order may sell NFTs of two contracts.
 */
export function sortBatchRows<Row extends HasLogPosition>(
  kind: 'transfer' | 'ERC-20 transfer' | 'trade',
  rows: readonly Row[],
  firstBlock: number,
  lastBlock: number,
): readonly Row[] {
  const getPlace =
    kind === 'trade'
      ? null
      : ({ transactionIndex, place }: Row) => `log ${getLogIndex(place)} of transaction ${transactionIndex}`;
  return sortRows(kind, rows, firstBlock, lastBlock, compareLogPositions, getPlace);
}

/** The same of transactions. */
export const sortTransactions = (
  rows: readonly TransactionRow[],
  firstBlock: number,
  lastBlock: number,
): readonly TransactionRow[] =>
  sortRows(
    'transaction',
    rows,
    firstBlock,
    lastBlock,
    compareTransactionPositions,
    ({ transactionIndex }) => `index ${transactionIndex}`,
  );

function sortRows<Row extends { readonly blockNumber: number }>(
  kind: string,
  rows: readonly Row[],
  firstBlock: number,
  lastBlock: number,
  compare: (a: Row, b: Row) => number,
  /** For messages; `null` where two rows may have the same. */
  getPlace: ((row: Row) => string) | null,
): readonly Row[] {
  const isUnordered = rows.some((row, index) => index > 0 && compare(rows[index - 1] ?? row, row) >= 0);
  const sorted = isUnordered ? rows.toSorted(compare) : rows;
  for (const [index, row] of sorted.entries()) {
    if (row.blockNumber < firstBlock || row.blockNumber > lastBlock)
      reject(`a ${kind} of block ${row.blockNumber} is not in blocks ${firstBlock} to ${lastBlock}`);
    const previous = sorted[index - 1];
    if (isUnordered && getPlace !== null && previous !== undefined && compare(previous, row) === 0)
      reject(`two ${kind}s are at ${getPlace(row)} of block ${row.blockNumber}`);
  }
  return sorted;
}

/** The tokens with the block of the first row of each, so that rolling that block back removes the token too. */
export function toTokensWithBlock({
  blocks,
  tokens,
  transfers,
  erc20Transfers,
}: BlockBatch): readonly (TokenRow & { readonly seen: number | null })[] {
  if (tokens.length === 0) return [];
  const seen = new Map<Hex, number>();
  for (const rows of [transfers, erc20Transfers])
    for (const { tokenAddress, blockNumber } of rows)
      if (blockNumber < (seen.get(tokenAddress) ?? Infinity)) seen.set(tokenAddress, blockNumber);
  return tokens.map(row => ({ ...row, seen: seen.get(row.tokenAddress) ?? blocks.at(-1)?.number ?? null }));
}

/** Throws `internal` when blocks do not follow the head and each other; in a sparse store, when coverage has a gap. */
export function validateBlocks(
  info: StoreInfo,
  head: BlockRow | null,
  { blocks, coveredFrom }: Pick<BlockBatch, 'blocks' | 'coveredFrom'>,
): void {
  if (info.scope !== undefined) {
    validateSparseBlocks(head, blocks, coveredFrom);
    return;
  }
  if (coveredFrom !== undefined) reject('it may have gaps, but the index is of a whole chain');
  let previous = head;
  for (const block of blocks) {
    // Where a chain has null rounds, a number in between is left out.
    if (previous !== null && (block.number <= previous.number || block.parentHash !== previous.hash))
      reject(`block ${block.number} (${block.hash}) does not follow block ${previous.number} (${previous.hash})`);
    if (block.number === 0 && block.hash !== info.genesisHash)
      reject(`block 0 is ${block.hash}, but the genesis block of the index is ${info.genesisHash}`);
    previous = block;
  }
}

/** `coveredFrom` is the first block from which the batch is complete. */
function validateSparseBlocks(
  head: BlockRow | null,
  blocks: readonly BlockRow[],
  coveredFrom: number | undefined,
): void {
  if (blocks.length === 0) return;
  if (coveredFrom === undefined) reject('it does not say from which block on it is complete');
  if (head !== null && coveredFrom !== head.number + 1)
    reject(`it is complete from block ${coveredFrom} on, and the index up to block ${head.number}`);
  let previous = coveredFrom - 1;
  for (const { number } of blocks) {
    if (number <= previous) reject(`block ${number} comes after block ${previous}`);
    previous = number;
  }
}
