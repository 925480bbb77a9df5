// Compares the index with the node's chain: whether it was reorganized, and the newest block that both have.

import { type BlockHeader, toHeaderCall } from '../evm/blockHeader.ts';
import type { EvmNode, NodeState } from '../evm/evmNode.ts';
import { parseHeaderResponse } from '../evm/rpcResults.ts';
import type { BlockRow } from '../store/rows.ts';
import type { Store } from '../store/store.ts';

/** Most reorgs are a few blocks deep; the further down, the more blocks are compared at once. */
const FIRST_STEP_BLOCKS = 16;
const MAX_STEP_BLOCKS = 1_024;

/** The number of the newest block that store and node have in common; -1 when there is none. Blocks above `from` are not compared. */
export async function findCommonAncestor(
  node: EvmNode,
  store: Pick<Store, 'readBlocksDownFrom'>,
  from: number,
  signal: AbortSignal,
): Promise<number> {
  let top = from;
  for (let step = FIRST_STEP_BLOCKS; top >= 0; step = Math.min(4 * step, MAX_STEP_BLOCKS)) {
    const stored = await store.readBlocksDownFrom(top, step);
    const responses = await node.rpc.sendAll(
      stored.map(block => toHeaderCall(block.number)),
      signal,
    );
    const common = stored.find(
      (block, index) => parseHeaderResponse(node, responses[index], block.number)?.hash.toLowerCase() === block.hash,
    );
    if (common !== undefined) return common.number;
    top = (stored.at(-1)?.number ?? 0) - 1;
  }
  return -1;
}

/**
 * Whether the node has another chain than the index, as opposed to less of it. The nodes behind a load balancer are not
 * all at the same block, and one may be far behind: only a block that differs contradicts the index.
 */
export async function isReorg(
  node: EvmNode,
  store: Pick<Store, 'readBlocksDownFrom'>,
  tip: BlockRow,
  found: BlockHeader | null,
  { isDevelopment, headNumber }: NodeState,
  signal: AbortSignal,
): Promise<boolean> {
  if (found !== null) return found.hash.toLowerCase() !== tip.hash;
  if (isDevelopment) return true; // development nodes undo blocks
  const [stored] = await store.readBlocksDownFrom(Math.min(headNumber, tip.number - 1), 1);
  if (stored === undefined) return false;
  const [response] = await node.rpc.sendAll([toHeaderCall(stored.number)], signal);
  const header = parseHeaderResponse(node, response, stored.number);
  return header !== null && header.hash.toLowerCase() !== stored.hash;
}
