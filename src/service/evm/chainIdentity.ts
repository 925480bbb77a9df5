// Which chain a node has: its id, its first block, and whether it is a development chain.

import {
  type Chain,
  DEVELOPMENT_CHAIN_IDS,
  getSelectorChainId,
  LOCAL_CHAIN,
  resolveChain,
  toLocalChain,
} from '../../api/chains.ts';
import { findChain } from '../../api/chainTable.ts';
import { type Hex, parseSafeQuantity } from '../../base/hex.ts';
import { type BlockHeader, HEADER_METHOD, toHeaderCall } from './blockHeader.ts';
import type { FirstHeaders } from './finality.ts';
import { createWrongChainFault } from './nodeFaults.ts';
import type { RpcClient } from './rpcClient.ts';
import { type RpcCall, type RpcResponse, toPrintable } from './rpcMessage.ts';
import { findHeader, getResult, requireHead } from './rpcResults.ts';

interface Fork {
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
const FORK_CALLS: readonly RpcCall[] = FORK_QUERIES.map(({ method }) => ({ method, params: [] }));

/**
 * The fork of a development node; `null` when its chain is no fork. A node that does not say may have one: it counts as a
 * fork of an unknown block. Rejects with the node's faults.
 *
 * @param responses To `FORK_CALLS`; empty where they were not sent.
 */
async function fetchFork(
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

const MAX_GENESIS_ATTEMPTS = 2;
const DEVELOPMENT_CLIENT = /anvil|hardhat|ganache|testrpc|foundry|ethereumjs/i;
export const CHAIN_ID_CALL: RpcCall = { method: 'eth_chainId', params: [] };

export interface ChainIdentity {
  readonly chain: Chain;
  readonly genesisHash: Hex;
  /** `web3_clientVersion`, printable; `null` when the node does not tell it. */
  readonly clientVersion: string | null;
  /** Whether any block may be undone at any time (Anvil, Hardhat, Ganache). */
  readonly isDevelopment: boolean;
  /** Of a development chain: the other chain that it continues; `null` when it is no fork. */
  readonly fork: Fork | null;
  /**
   * Only this machine knows the chain: a development chain that is no fork, of a node on loopback. Other nodes on loopback
   * may belong to a chain where anybody creates contracts, and a fork sends what it does not know to another node.
   */
  readonly isLocal: boolean;
  /** The node is on this machine. */
  readonly isOnLoopback: boolean;
}

const IDENTITY_CALLS: readonly RpcCall[] = [
  CHAIN_ID_CALL,
  { method: 'web3_clientVersion', params: [] },
  toHeaderCall(0),
  toHeaderCall('latest'),
  toHeaderCall('finalized'),
];

/**
 * The first calls to a node, in the order in which `identifyChain` reads the responses. What only development nodes have is
 * requested along where such a node is expected.
 */
export const createIdentityCalls = (selector: string): readonly RpcCall[] =>
  selector === LOCAL_CHAIN ? [...IDENTITY_CALLS, ...FORK_CALLS] : IDENTITY_CALLS;

/** Requests the first block again when it was missing: the node may have rejected that call for a moment only. */
async function fetchGenesis(rpc: RpcClient, signal: AbortSignal | undefined): Promise<BlockHeader | null> {
  for (let attempt = 1; attempt <= MAX_GENESIS_ATTEMPTS; attempt++) {
    const [response] = await rpc.sendAll([toHeaderCall(0)], signal);
    const genesis = findHeader(rpc, response, 0);
    if (genesis !== null) return genesis;
  }
  return null;
}

/** @throws `no-node` when it is another chain than the selector names. */
export async function identifyChain(
  rpc: RpcClient,
  selector: string,
  responses: readonly RpcResponse[],
  signal: AbortSignal | undefined,
): Promise<{ readonly identity: ChainIdentity; readonly first: FirstHeaders }> {
  const [idResponse, versionResponse, genesisResponse, headResponse, finalizedResponse, ...forkResponses] = responses;
  const chainId = parseSafeQuantity(getResult(rpc, 'eth_chainId', idResponse));
  if (chainId === null) throw rpc.invalidResponse('eth_chainId', 'it is not a chain id');
  const found = DEVELOPMENT_CHAIN_IDS.includes(chainId) ? undefined : findChain(chainId);
  const chain = resolveChain(selector, chainId, found);
  const expectedId = getSelectorChainId(selector);
  if (expectedId !== null && chainId !== expectedId)
    throw createWrongChainFault(selector, rpc.host, expectedId, chainId);
  const head = requireHead(rpc, headResponse);
  const genesis = findHeader(rpc, genesisResponse, 0) ?? (await fetchGenesis(rpc, signal));
  const version = versionResponse?.result;
  const clientVersion = typeof version === 'string' ? toPrintable(version, 64) : null;
  const isDevelopment = clientVersion !== null && DEVELOPMENT_CLIENT.test(clientVersion);
  // Without it, the index of the same chain would start again under another identity.
  if (genesis === null && isDevelopment) throw rpc.invalidResponse(HEADER_METHOD, 'block 0 is missing');
  const fork = isDevelopment ? await fetchFork(rpc, clientVersion, forkResponses, signal) : null;
  const isLocal =
    rpc.isLoopback &&
    fork === null &&
    (isDevelopment || (clientVersion !== null && DEVELOPMENT_CHAIN_IDS.includes(chainId)));
  // A chain whose node no longer has the first block is identified by its chain id alone.
  const own = isLocal ? toLocalChain(chain) : chain;
  const genesisHash: Hex = genesis?.hash ?? `0x${chainId.toString(16).padStart(64, '0')}`;
  return {
    identity: { chain: own, genesisHash, clientVersion, isDevelopment, fork, isLocal, isOnLoopback: rpc.isLoopback },
    first: { isDevelopment, genesis, finalized: findHeader(rpc, finalizedResponse), head },
  };
}
