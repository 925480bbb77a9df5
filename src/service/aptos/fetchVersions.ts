// The transactions of some versions from the node, as far as it has them: a page is served all the same where it has not.
import { type HexLensError, isFault, toFault } from '../../base/errors.ts';
import { mapConcurrently } from '../evm/rpcClient.ts';
import type { FullnodeClient } from './fullnode/fullnodeClient.ts';
import type { RestTransaction } from './transaction.ts';

export interface FetchedTransactions {
  readonly transactions: ReadonlyMap<bigint, RestTransaction>;
  /** Why some are missing: one sentence without its full stop; `null` when none is. */
  readonly missingReason: string | null;
}

const AT_ONCE = 8;

/** Rejects with `cancelled` only. */
export async function fetchTransactionsByVersion(
  node: FullnodeClient,
  versions: readonly bigint[],
  signal: AbortSignal | undefined,
): Promise<FetchedTransactions> {
  const found = new Map<bigint, RestTransaction>();
  let down: HexLensError | null = null;
  let pruned = false;
  await mapConcurrently(versions, AT_ONCE, async version => {
    // One that does not answer is not asked a hundred times: each try would take its whole time.
    if (down !== null) return;
    try {
      const transaction = await node.fetchTransaction(version, signal);
      if (transaction !== null) found.set(version, transaction);
    } catch (error) {
      const fault = toFault(error);
      if (signal?.aborted || isFault(fault, 'cancelled')) throw fault;
      if (isFault(fault, 'removed')) pruned = true;
      else down = fault;
    }
  });
  const fault = down as HexLensError | null; // assigned in callbacks, which the compiler does not follow
  if (fault !== null) return { transactions: found, missingReason: fault.message.replace(/\.$/, '') };
  if (pruned)
    return { transactions: found, missingReason: `The node at ${node.host} has pruned some of these transactions` };
  const behind = found.size < versions.length;
  return { transactions: found, missingReason: behind ? `The node at ${node.host} is behind the indexer` : null };
}
