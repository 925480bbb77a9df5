// One transaction with its receipt and the time of its block, in one round trip where the node sends the time along.
import { LRUCache } from 'lru-cache';
import { getOrInsert } from '../../base/getOrInsert.ts';
import type { Hex } from '../../base/hex.ts';
import { RequestDeduplicator } from '../../base/requestDeduplicator.ts';
import type { EvmNode, NodeState } from './evmNode.ts';
import { fetchBlockTimes } from './fetchBlock.ts';
import type { NodeCache } from './nodeCache.ts';
import {
  InvalidResponseError,
  optionalSeconds,
  requireHash,
  requireNumber,
  requireObject,
  toDate,
  type WireObject,
} from './responseFields.ts';
import type { RpcCall, RpcResponse } from './rpcMessage.ts';
import type { MinedBlock } from './toBlockRecord.ts';

export interface FoundTransaction {
  readonly wire: WireObject;
  /** `null` while it is pending. */
  readonly receipt: WireObject | null;
  /** `null` while it is pending. */
  readonly minedIn: MinedBlock | null;
}

/** Between the two calls a transaction may be mined, or moved by a reorg: then both are sent again. */
const MAX_ATTEMPTS = 3;

export const createTransactionCalls = (hash: Hex): readonly [RpcCall, RpcCall] => [
  { method: 'eth_getTransactionByHash', params: [hash] },
  { method: 'eth_getTransactionReceipt', params: [hash] },
];

/** What the two responses say together; `inconsistent` when the chain changed between them. */
export type ParsedTransaction =
  | { readonly wire: WireObject; readonly receipt: WireObject | null; readonly seconds: number | null }
  | 'not-found'
  | 'inconsistent';

export function parseTransaction(
  node: EvmNode,
  hash: Hex,
  transactionResponse: RpcResponse | undefined,
  receiptResponse: RpcResponse | undefined,
): ParsedTransaction {
  const result = node.getResult('eth_getTransactionByHash', transactionResponse);
  const receiptResult = node.getResult('eth_getTransactionReceipt', receiptResponse);
  return node.validate('eth_getTransactionByHash', () => {
    if (result === null || result === undefined)
      return receiptResult === null || receiptResult === undefined ? 'not-found' : 'inconsistent';
    const wire = requireObject(result, 'the transaction');
    if (requireHash(wire, 'hash') !== hash)
      throw new InvalidResponseError(`${String(wire['hash']).slice(0, 66)} came instead of ${hash}`);
    const isPending = wire['blockHash'] === null || wire['blockHash'] === undefined;
    if (receiptResult === null || receiptResult === undefined)
      return isPending ? { wire, receipt: null, seconds: null } : 'inconsistent';
    const receipt = requireObject(receiptResult, 'the receipt');
    if (receipt['transactionHash'] !== hash) throw new InvalidResponseError('the receipt is of another transaction');
    if (isPending || receipt['blockHash'] !== wire['blockHash']) return 'inconsistent';
    const seconds = optionalSeconds(receipt, 'blockTimestamp') ?? optionalSeconds(wire, 'blockTimestamp');
    return { wire, receipt, seconds };
  });
}

/** The block that it was mined in; its time is fetched only when neither response has it. */
export async function fetchMinedBlock(
  node: EvmNode,
  parsed: Exclude<ParsedTransaction, string>,
  signal: AbortSignal | undefined,
): Promise<MinedBlock | null> {
  const { wire, receipt, seconds } = parsed;
  if (receipt === null) return null;
  const hash = node.validate('eth_getTransactionReceipt', () => requireHash(wire, 'blockHash'));
  const number = node.validate('eth_getTransactionReceipt', () => requireNumber(wire, 'blockNumber'));
  if (seconds === null) return { number, hash, time: (await fetchBlockTimes(node, [hash], signal))(hash) };
  const time = node.validate('eth_getTransactionReceipt', () => toDate(seconds));
  node.cache.timeByHash.set(hash, time);
  return { number, hash, time };
}

export interface TransactionAtState {
  /** Of the chain at that moment. */
  readonly state: NodeState;
  /** `null` when the node does not know it. */
  readonly found: FoundTransaction | null;
}

export async function fetchTransaction(
  node: EvmNode,
  hash: Hex,
  signal: AbortSignal | undefined,
): Promise<TransactionAtState> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const { state, responses } = await node.sendWithState(createTransactionCalls(hash), signal);
    const parsed = parseTransaction(node, hash, responses[0], responses[1]);
    if (parsed === 'not-found') return { state, found: null };
    if (parsed === 'inconsistent') continue;
    return { state, found: { ...parsed, minedIn: await fetchMinedBlock(node, parsed, signal) } };
  }
  throw createMismatchedReceiptFault(node);
}

/** The parts of a page, or of a hover, that show the same transaction ask for it within this time. */
const SHARED_MS = 1_000;
const MAX_SHARED = 4;

class SharedTransactions {
  /** Those in a block, with how often the head had changed. */
  readonly mined = new LRUCache<Hex, { readonly result: TransactionAtState; readonly headChanges: number }>({
    max: MAX_SHARED,
    ttl: SHARED_MS,
  });
  readonly requests = new RequestDeduplicator<TransactionAtState>();
}

/** By what is known of a node, which is replaced when its chain is reset. */
const shared = new WeakMap<NodeCache, SharedTransactions>();
const getShared = (node: EvmNode) => getOrInsert(shared, node.cache, () => new SharedTransactions());

/** For `fetchSharedTransaction`. */
export function shareTransaction(node: EvmNode, hash: Hex, result: TransactionAtState): TransactionAtState {
  if (result.found?.minedIn) getShared(node).mined.set(hash, { result, headChanges: node.headChanges });
  return result;
}

/** The same for an editor: a request under way is joined, and a mined transaction that was read a moment ago is used again. */
export async function fetchSharedTransaction(
  node: EvmNode,
  hash: Hex,
  signal: AbortSignal | undefined,
): Promise<TransactionAtState> {
  const { mined, requests } = getShared(node);
  const fetch = async (own: AbortSignal) => shareTransaction(node, hash, await fetchTransaction(node, hash, own));
  const known = mined.get(hash);
  return known?.headChanges === node.headChanges ? known.result : requests.join(hash, fetch, signal);
}

export const createMismatchedReceiptFault = (node: EvmNode) =>
  node.rpc.invalidResponse('eth_getTransactionReceipt', 'the receipt and the transaction do not name the same block', {
    fix: 'The node may still be indexing it: try again in a moment.',
  });
