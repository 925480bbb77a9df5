// What an index reads of its chain and where it begins: all of a development chain, or what concerns one address.
import type { EvmNode, NodeState } from '../evm/evmNode.ts';
import type { Coverage, IndexScope } from '../store/store.ts';
import { createChainRangeReader, type RangeReader } from './chainRangeReader.ts';
import type { TokenContractCache } from './tokenContractCache.ts';

export interface IndexPlan {
  /** Absent: the whole chain, block after block. */
  readonly scope?: IndexScope;
  createReader(tokenContracts: TokenContractCache): RangeReader;
  /** The block at which an empty store begins. */
  fetchFirstBlock(state: NodeState, signal: AbortSignal): Promise<number>;
  /** Whether the store begins early enough; if not, it is emptied and read again. Absent: it always does. */
  reachesFarEnough?(coverage: Coverage, state: NodeState, signal: AbortSignal): Promise<boolean>;
}

export function createChainPlan(node: EvmNode): IndexPlan {
  return {
    createReader: tokenContracts => createChainRangeReader(node, tokenContracts),
    fetchFirstBlock: async state => getFirstOwnBlock(state),
  };
}

/**
 * The first block to index: 0, or on a fork the first block of its own, or the forked block while it has none. All blocks
 * below belong to the other chain, and the node would fetch each of them from there.
 */
function getFirstOwnBlock({ fork, headNumber }: NodeState): number {
  return fork === null || fork.block === null ? 0 : Math.min(fork.block + 1, headNumber);
}
