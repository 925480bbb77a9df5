// The newest block that the index and the node have in common.

import { toHeaderCall } from '../evm/blockHeader.ts';
import { type EvmNode, FINALITY_DEPTH, type NodeState } from '../evm/evmNode.ts';
import type { BlockRow } from '../store/rows.ts';
import type { Store } from '../store/store.ts';
import { parseHeaderResponse } from './chainRangeReader.ts';

/** Most reorgs are a few blocks deep; the further down, the more blocks are compared at once. */
const FIRST_STEP_BLOCKS = 16;
const MAX_STEP_BLOCKS = 1_024;

/** Its number; -1 when there is none. Blocks above `from` are not compared. */
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
 * Whether a missing tip only means that the node is a little behind: the machines behind the address of a public chain are
 * not all at the same block, so it is no reorg yet.
 */
export function isNodeBehind(tip: BlockRow, { isDevelopment, headNumber }: NodeState): boolean {
  return !isDevelopment && headNumber < tip.number && tip.number - headNumber <= FINALITY_DEPTH;
}
