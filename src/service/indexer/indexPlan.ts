// What an index reads of its chain and from where on: all of a development chain, or what concerns one address.
import type { EvmNode, NodeState } from '../evm/evmNode.ts';
import type { Coverage, Subject } from '../store/store.ts';
import { createRangeReader, type RangeReader } from './chainRangeReader.ts';
import { firstOwnBlock } from './forkPoint.ts';
import type { ContractBook } from './tokenContractCache.ts';

export interface SyncPlan {
  /** Absent: the whole chain, block after block. */
  readonly subject?: Subject;
  reader(book: ContractBook): RangeReader;
  /** The block at which an empty store begins. */
  first(state: NodeState, signal: AbortSignal): Promise<number>;
  /** Whether what is stored begins early enough; always, when absent. If not, it is taken back and read anew. */
  reaches?(coverage: Coverage, state: NodeState, signal: AbortSignal): Promise<boolean>;
}

export function wholeChain(node: EvmNode): SyncPlan {
  return {
    reader: book => createRangeReader(node, book),
    first: (state, signal) => firstOwnBlock(node, state, signal),
  };
}
