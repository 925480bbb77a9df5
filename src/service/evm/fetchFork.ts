// Whether the chain of a development node is a fork: such a node requests what it does not have from another node.
import type { RpcClient } from './rpcClient.ts';
import type { RpcCall, RpcResponse } from './rpcMessage.ts';

export interface Fork {
  /** The block after which the chain has blocks of its own; `null` when the node does not say. */
  readonly block: number | null;
}

/** How a development node says of which chain its own chain is a fork. */
interface ForkQuery {
  readonly client: RegExp;
  readonly method: string;
  /** `undefined`: the response does not say. */
  parse(result: unknown): Fork | null | undefined;
}

const getProperty = (value: unknown, key: string): unknown =>
  (value as Readonly<Record<string, unknown>> | null | undefined)?.[key];

function parseForkBlock(block: unknown): Fork | null {
  if (block === null || block === undefined) return null;
  const number = Number(block);
  return { block: Number.isSafeInteger(number) && number >= 0 ? number : null };
}

const isRecord = (value: unknown) => value !== null && typeof value === 'object';

/** The network id of Ganache is its start time in milliseconds, 5777 in its desktop application, or often 1337 by configuration. */
const isOwnGanacheId = (id: number) => id > 1_000_000_000_000 || id === 5777 || id === 1337;

const FORK_QUERIES: readonly ForkQuery[] = [
  {
    client: /anvil/i,
    method: 'anvil_nodeInfo',
    parse: result =>
      isRecord(result) ? parseForkBlock(getProperty(getProperty(result, 'forkConfig'), 'forkBlockNumber')) : undefined,
  },
  {
    client: /hardhat/i,
    method: 'hardhat_metadata',
    parse: result =>
      isRecord(result)
        ? parseForkBlock(getProperty(getProperty(result, 'forkedNetwork'), 'forkBlockNumber'))
        : undefined,
  },
  {
    // It has no method for it, but a fork has the network id of the other chain.
    client: /ganache/i,
    method: 'net_version',
    parse: result => (isOwnGanacheId(Number(result)) ? null : undefined),
  },
];

/** One of them is answered by each development node. */
export const FORK_CALLS: readonly RpcCall[] = FORK_QUERIES.map(({ method }) => ({ method, params: [] }));

/**
 * The fork of a development node; `null` when its chain is no fork. A node that does not say may have one: it counts as a
 * fork of an unknown block. Rejects with the node's faults.
 *
 * @param responses To `FORK_CALLS`; empty where they were not sent.
 */
export async function fetchFork(
  rpc: RpcClient,
  clientVersion: string,
  responses: readonly RpcResponse[],
  signal: AbortSignal | undefined,
): Promise<Fork | null> {
  const unknownFork: Fork = { block: null };
  const index = FORK_QUERIES.findIndex(({ client }) => client.test(clientVersion));
  const query = FORK_QUERIES[index];
  if (query === undefined || !rpc.isAvailable(query.method)) return unknownFork;
  const { result } = responses[index] ?? (await rpc.send(query.method, [], signal));
  const fork = query.parse(result);
  return fork === undefined ? unknownFork : fork;
}
