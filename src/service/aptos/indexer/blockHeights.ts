// Which block each transaction is in: transactions do not say it, the first one of each block does.

import type { FullnodeReader } from '../fullnode/fullnodeClient.ts';
import { asArray, asString, asUnsigned, getField } from '../jsonFields.ts';
import type { RestTransaction, TransactionInBlock } from '../transaction.ts';

export interface BlockHeights {
  /** `before` is the height of the transaction before the first of these; `null` when it is not known. */
  assign(
    transactions: readonly RestTransaction[],
    before: bigint | null,
    signal: AbortSignal,
  ): Promise<readonly TransactionInBlock[]>;
}

const NEW_BLOCK = new Set(['0x1::block::NewBlockEvent', '0x1::block::NewBlock']);

/** The height that a block's first transaction names; `null` when it is none, or names none. */
function heightIn(transaction: RestTransaction): bigint | null {
  for (const event of asArray(getField(transaction, 'events'))) {
    if (NEW_BLOCK.has(asString(getField(event, 'type')) ?? '')) return asUnsigned(getField(event, 'data', 'height'));
  }
  return null;
}

export function createBlockHeights(rest: FullnodeReader): BlockHeights {
  return {
    async assign(transactions, before, signal) {
      const placed: TransactionInBlock[] = [];
      let height = before;
      for (const transaction of transactions) {
        const type = getField(transaction, 'type');
        if (type === 'genesis_transaction') height = 0n;
        else if (type === 'block_metadata_transaction' || height === null) {
          const version = asUnsigned(getField(transaction, 'version'));
          const named = type === 'block_metadata_transaction' ? heightIn(transaction) : null;
          // The index may begin in the middle of a block.
          height = named ?? (version === null ? null : (await rest.fetchBlockByVersion(version, signal)).blockHeight);
        }
        placed.push({ transaction, blockHeight: height });
      }
      return placed;
    },
  };
}
