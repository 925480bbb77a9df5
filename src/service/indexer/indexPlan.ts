// What an index reads of its chain and from where on: all of a development chain, or what concerns one address.

import type { EvmNode, NodeState } from '../evm/evmNode.ts';
import type { Coverage, IndexScope } from '../store/store.ts';
import { createChainRangeReader, type RangeReader } from './chainRangeReader.ts';
import type { TokenContractCache } from './tokenContractCache.ts';

// Where a development chain that was forked from another one begins to be its own: only from there on it is indexed.
interface Question {
  readonly client: RegExp;
  readonly method: string;
  /** The block that the fork stands on, in the method's result. */
  read(result: Readonly<Record<string, unknown>>): unknown;
}

const inObject = (value: unknown, key: string): unknown =>
  (value as Readonly<Record<string, unknown>> | null | undefined)?.[key];

const QUESTIONS: readonly Question[] = [
  {
    client: /anvil/i,
    method: 'anvil_nodeInfo',
    read: result => inObject(result['forkConfig'], 'forkBlockNumber'),
  },
  {
    client: /hardhat/i,
    method: 'hardhat_metadata',
    read: result => inObject(result['forkedNetwork'], 'forkBlockNumber'),
  },
];

/**
 * The first block to index: 0, or on a fork the first of its own, or the block it stands on while it has none. All below
 * belongs to the other chain and would be fetched from there, block by block.
 */
export async function fetchFirstOwnBlock(node: EvmNode, state: NodeState, signal: AbortSignal): Promise<number> {
  const question = QUESTIONS.find(({ client }) => client.test(state.clientVersion ?? ''));
  if (question === undefined || !node.rpc.isAvailable(question.method)) return 0;
  const { result: result } = await node.rpc.send(question.method, [], signal);
  if (result === null || typeof result !== 'object') return 0;
  const fork = Number(question.read({ ...result }) ?? -1);
  return Number.isSafeInteger(fork) && fork >= 0 ? Math.min(fork + 1, state.headNumber) : 0;
}

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
