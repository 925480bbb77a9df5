// One transaction with its receipt and the time of its block, in one round trip where the node gives the time along.
import type { Hex } from '../../base/hex.ts';
import type { EvmNode, NodeState } from './evmNode.ts';
import type { Place } from './evmRecords.ts';
import { timesOf } from './fetchBlock.ts';
import { hashIn, Implausible, numberIn, objectIn, secondsOrNullIn, timeOf, type WireObject } from './responseFields.ts';
import type { RpcAnswer, RpcCall } from './rpcMessage.ts';

export interface FoundTransaction {
  readonly wire: WireObject;
  /** `null` while it is pending. */
  readonly receipt: WireObject | null;
  /** `null` while it is pending. */
  readonly place: Place | null;
}

const TRANSACTION = 'eth_getTransactionByHash';
const RECEIPT = 'eth_getTransactionReceipt';
/** Between the two calls a transaction may be mined, or moved by a reorg: then they are asked again. */
const ATTEMPTS = 3;

export const transactionCalls = (hash: Hex): readonly [RpcCall, RpcCall] => [
  { method: TRANSACTION, params: [hash] },
  { method: RECEIPT, params: [hash] },
];

/** What two answers say together; `torn` when they were given before and after a change. */
export type ReadTransaction =
  | { readonly wire: WireObject; readonly receipt: WireObject | null; readonly seconds: number | null }
  | 'nothing'
  | 'torn';

export function readTransaction(
  node: EvmNode,
  hash: Hex,
  transactionAnswer: RpcAnswer | undefined,
  receiptAnswer: RpcAnswer | undefined,
): ReadTransaction {
  const result = node.result(TRANSACTION, transactionAnswer);
  const second = node.result(RECEIPT, receiptAnswer);
  return node.believe(TRANSACTION, () => {
    if (result === null || result === undefined) return second === null || second === undefined ? 'nothing' : 'torn';
    const wire = objectIn(result, 'the transaction');
    if (hashIn(wire, 'hash') !== hash)
      throw new Implausible(`${String(wire['hash']).slice(0, 66)} came instead of ${hash}`);
    const pending = wire['blockHash'] === null || wire['blockHash'] === undefined;
    if (second === null || second === undefined) return pending ? { wire, receipt: null, seconds: null } : 'torn';
    const receipt = objectIn(second, 'the receipt');
    if (receipt['transactionHash'] !== hash) throw new Implausible('the receipt is of another transaction');
    if (pending || receipt['blockHash'] !== wire['blockHash']) return 'torn';
    const seconds = secondsOrNullIn(receipt, 'blockTimestamp') ?? secondsOrNullIn(wire, 'blockTimestamp');
    return { wire, receipt, seconds };
  });
}

/** Where it stands; asks for the block's time only when neither answer has it. */
export async function placeOfTransaction(
  node: EvmNode,
  read: Exclude<ReadTransaction, string>,
  signal: AbortSignal | undefined,
): Promise<Place | null> {
  const { wire, receipt, seconds } = read;
  if (receipt === null) return null;
  const hash = node.believe(RECEIPT, () => hashIn(wire, 'blockHash'));
  const number = node.believe(RECEIPT, () => numberIn(wire, 'blockNumber'));
  if (seconds === null) return { number, hash, time: (await timesOf(node, [hash], signal))(hash) };
  const time = node.believe(RECEIPT, () => timeOf(seconds));
  node.memory.timeOfBlock.set(hash, time);
  return { number, hash, time };
}

/** The transaction and the state of the chain in that moment; `found` is `null` when the node does not know it. */
export async function fetchTransaction(
  node: EvmNode,
  hash: Hex,
  signal: AbortSignal | undefined,
): Promise<{ readonly state: NodeState; readonly found: FoundTransaction | null }> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const { state, answers } = await node.ask(transactionCalls(hash), signal);
    const read = readTransaction(node, hash, answers[0], answers[1]);
    if (read === 'nothing') return { state, found: null };
    if (read === 'torn') continue;
    return { state, found: { ...read, place: await placeOfTransaction(node, read, signal) } };
  }
  throw tornTransaction(node);
}

export const tornTransaction = (node: EvmNode) =>
  node.rpc.doubt(RECEIPT, 'the receipt and the transaction do not name the same block', {
    fix: 'The node may still be indexing it: try again in a moment.',
  });
