// What an index reads of its chain and from where on: all of a development chain, or what concerns one address.
import type { EvmNode, NodeState } from '../evm/evmNode.ts';
import type { Coverage, IndexScope } from '../store/store.ts';
import { createChainRangeReader, type RangeReader } from './chainRangeReader.ts';
import { fetchFirstOwnBlock } from './forkPoint.ts';
import type { TokenContractCache } from './tokenContractCache.ts';

export interface IndexPlan {
  /** Absent: the whole chain, block after block. */
  readonly scope?: IndexScope;
  createReader(book: TokenContractCache): RangeReader;
  /** The block at which an empty store begins. */
  fetchFirstBlock(state: NodeState, signal: AbortSignal): Promise<number>;
  /** Whether what is stored begins early enough; always, when absent. If not, it is taken back and read anew. */
  reachesFarEnough?(coverage: Coverage, state: NodeState, signal: AbortSignal): Promise<boolean>;
}

export function createChainPlan(node: EvmNode): IndexPlan {
  return {
    createReader: book => createChainRangeReader(node, book),
    fetchFirstBlock: (state, signal) => fetchFirstOwnBlock(node, state, signal),
  };
}
