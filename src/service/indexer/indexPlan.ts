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
    fetchFirstBlock: (state, signal) => fetchFirstOwnBlock(node, state, signal),
  };
}

/** How a development node tells on which block of another chain its own chain is forked. */
interface ForkQuery {
  readonly client: RegExp;
  readonly method: string;
  getForkBlock(result: Readonly<Record<string, unknown>>): unknown;
}

const getProperty = (value: unknown, key: string): unknown =>
  (value as Readonly<Record<string, unknown>> | null | undefined)?.[key];

const FORK_QUERIES: readonly ForkQuery[] = [
  {
    client: /anvil/i,
    method: 'anvil_nodeInfo',
    getForkBlock: result => getProperty(result['forkConfig'], 'forkBlockNumber'),
  },
  {
    client: /hardhat/i,
    method: 'hardhat_metadata',
    getForkBlock: result => getProperty(result['forkedNetwork'], 'forkBlockNumber'),
  },
];

/**
 * The first block to index: 0, or on a fork the first block of its own, or the forked block while it has none. All blocks
 * below belong to the other chain, and the node would fetch each of them from there.
 */
async function fetchFirstOwnBlock(node: EvmNode, state: NodeState, signal: AbortSignal): Promise<number> {
  const query = FORK_QUERIES.find(({ client }) => client.test(state.clientVersion ?? ''));
  if (query === undefined || !node.rpc.isAvailable(query.method)) return 0;
  const { result } = await node.rpc.send(query.method, [], signal);
  if (result === null || typeof result !== 'object') return 0;
  const forkBlock = Number(query.getForkBlock({ ...result }) ?? -1);
  return Number.isSafeInteger(forkBlock) && forkBlock >= 0 ? Math.min(forkBlock + 1, state.headNumber) : 0;
}
