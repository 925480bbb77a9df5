// Which block each transaction is in: transactions do not say it, the first one of each block does.

import { at, listOf, textOf, wholeOf } from '../jsonFields.ts';
import type { AptosRest } from '../rest.ts';
import type { PlacedTransaction, RestTransaction } from '../transaction.ts';

export interface BlockHeights {
  /** `before` is the height of the transaction before the first of these; `null` when it is not known. */
  place(
    transactions: readonly RestTransaction[],
    before: bigint | null,
    signal: AbortSignal,
  ): Promise<readonly PlacedTransaction[]>;
}

const NEW_BLOCK = new Set(['0x1::block::NewBlockEvent', '0x1::block::NewBlock']);

/** The height that a block's first transaction names; `null` when it is none, or names none. */
function heightIn(transaction: RestTransaction): bigint | null {
  for (const event of listOf(at(transaction, 'events'))) {
    if (NEW_BLOCK.has(textOf(at(event, 'type')) ?? '')) return wholeOf(at(event, 'data', 'height'));
  }
  return null;
}

export function createBlockHeights(rest: AptosRest): BlockHeights {
  return {
    async place(transactions, before, signal) {
      const placed: PlacedTransaction[] = [];
      let height = before;
      for (const transaction of transactions) {
        const type = at(transaction, 'type');
        if (type === 'genesis_transaction') height = 0n;
        else if (type === 'block_metadata_transaction' || height === null) {
          const version = wholeOf(at(transaction, 'version'));
          const named = type === 'block_metadata_transaction' ? heightIn(transaction) : null;
          // The index may begin in the middle of a block.
          height = named ?? (version === null ? null : (await rest.blockByVersion(version, signal)).blockHeight);
        }
        placed.push({ transaction, blockHeight: height });
      }
      return placed;
    },
  };
}
