// The newest block that the index and the node have in common.
import { type EvmNode, FINALITY_DEPTH, type NodeState } from '../evm/evmNode.ts';
import type { BlockRow } from '../store/rows.ts';
import type { Store } from '../store/store.ts';
import { parseHeaderResponse, toHeaderCall } from './chainRangeReader.ts';

/** Most reorgs are a few blocks deep; the further down, the more are compared at once. */
const FIRST_STEP = 16;
const LONGEST_STEP = 1_024;

/** Its number; -1 when they have nothing in common. Nothing above `from` is looked at. */
export async function findCommonAncestor(
  node: EvmNode,
  store: Pick<Store, 'readBlocksDownFrom'>,
  from: number,
  signal: AbortSignal,
): Promise<number> {
  let top = from;
  for (let step = FIRST_STEP; top >= 0; step = Math.min(4 * step, LONGEST_STEP)) {
    const stored = await store.readBlocksDownFrom(top, step);
    const answers = await node.rpc.sendAll(
      stored.map(block => toHeaderCall(block.number)),
      signal,
    );
    const common = stored.find(
      (block, index) => parseHeaderResponse(node, answers[index], block.number)?.hash.toLowerCase() === block.hash,
    );
    if (common !== undefined) return common.number;
    top = (stored.at(-1)?.number ?? 0) - 1;
  }
  return -1;
}

/** Machines behind one address are not all at the same block: that a public chain lacks our newest one is no reorg yet. */
export function isNodeBehind(tip: BlockRow, { isDevelopment: development, headNumber }: NodeState): boolean {
  return !development && headNumber < tip.number && tip.number - headNumber <= FINALITY_DEPTH;
}
