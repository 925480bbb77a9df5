// The transactions of some versions from the node, as far as it has them: a page is served all the same where it has not.
import { asFault, type HexLensError, isFault } from '../../base/errors.ts';
import { eachAtOnce } from '../evm/rpcClient.ts';
import type { Fullnode } from './fullnode/fullnodeClient.ts';
import type { RestTransaction } from './transaction.ts';

export interface Fetched {
  readonly found: ReadonlyMap<bigint, RestTransaction>;
  /** Why some are missing: one sentence without its full stop; `null` when none is. */
  readonly problem: string | null;
}

const AT_ONCE = 8;

/** Rejects with `cancelled` only. */
export async function fetchVersions(
  node: Fullnode,
  versions: readonly bigint[],
  signal: AbortSignal | undefined,
): Promise<Fetched> {
  const found = new Map<bigint, RestTransaction>();
  let down: HexLensError | null = null;
  let pruned = false;
  await eachAtOnce(versions, AT_ONCE, async version => {
    // One that does not answer is not asked a hundred times: each try would take its whole time.
    if (down !== null) return;
    try {
      const transaction = await node.transaction(version, signal);
      if (transaction !== null) found.set(version, transaction);
    } catch (error) {
      const fault = asFault(error);
      if (signal?.aborted || isFault(fault, 'cancelled')) throw fault;
      if (isFault(fault, 'removed')) pruned = true;
      else down = fault;
    }
  });
  const fault = down as HexLensError | null; // assigned in callbacks, which the compiler does not follow
  if (fault !== null) return { found, problem: fault.message.replace(/\.$/, '') };
  if (pruned) return { found, problem: `The node at ${node.host} has pruned some of these transactions` };
  const behind = found.size < versions.length;
  return { found, problem: behind ? `The node at ${node.host} is behind the indexer` : null };
}
