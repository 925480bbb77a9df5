// Where a development chain that was forked from another one begins to be its own: only from there on it is indexed.
import type { EvmNode, NodeState } from '../evm/evmNode.ts';

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
  const { result } = await node.rpc.send(question.method, [], signal);
  if (result === null || typeof result !== 'object') return 0;
  const fork = Number(question.read({ ...result }) ?? -1);
  return Number.isSafeInteger(fork) && fork >= 0 ? Math.min(fork + 1, state.headNumber) : 0;
}
