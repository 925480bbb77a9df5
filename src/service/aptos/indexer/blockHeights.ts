// Finds the block of each transaction: REST transactions do not contain it, but the first transaction of a block does.
import type { FullnodeReader } from '../fullnode/fullnodeClient.ts';
import { asArray, asString, asUnsigned, getField } from '../jsonFields.ts';
import type { RestTransaction, TransactionInBlock } from '../transaction.ts';

const NEW_BLOCK_EVENTS = new Set(['0x1::block::NewBlockEvent', '0x1::block::NewBlock']);

/** The height in a block metadata transaction; `null` when it has none. */
function findNewBlockHeight(transaction: RestTransaction): bigint | null {
  for (const event of asArray(getField(transaction, 'events'))) {
    if (NEW_BLOCK_EVENTS.has(asString(getField(event, 'type')) ?? ''))
      return asUnsigned(getField(event, 'data', 'height'));
  }
  return null;
}

/** `previousHeight` is the block of the transaction before the first of these; `null` when it is not known. */
export async function addBlockHeights(
  fullnode: FullnodeReader,
  transactions: readonly RestTransaction[],
  previousHeight: bigint | null,
  signal: AbortSignal,
): Promise<readonly TransactionInBlock[]> {
  const result: TransactionInBlock[] = [];
  let blockHeight = previousHeight;
  for (const transaction of transactions) {
    const type = getField(transaction, 'type');
    if (type === 'genesis_transaction') blockHeight = 0n;
    else if (type === 'block_metadata_transaction') blockHeight = findNewBlockHeight(transaction);
    // The index may begin within a block.
    if (blockHeight === null) {
      const version = asUnsigned(getField(transaction, 'version'));
      if (version !== null) ({ blockHeight } = await fullnode.fetchBlockByVersion(version, signal));
    }
    result.push({ transaction, blockHeight });
  }
  return result;
}
