// Calls that all read the state of one and the same block.

import { HexLensError } from '../../base/errors.ts';
import { toQuantity } from '../../base/hex.ts';
import { localizable } from '../../base/localize.ts';
import { type BlockHeader, HEADER_METHOD, toHeaderCall } from './blockHeader.ts';
import type { EvmNode, NodeState } from './evmNode.ts';
import { fetchNullRound } from './nullRounds.ts';
import type { RpcCall, RpcError, RpcResponse } from './rpcMessage.ts';
import { parseHeaderResponse } from './rpcResults.ts';

/** A block may be replaced between the calls: then the new one is read. */
const MAX_ATTEMPTS = 3;

/** The node has the block but not its state: pruned, or not an archive node. */
const MISSING_STATE =
  /missing trie node|state|prun|archive|history|header not found|out ?of ?range|unknown block|not available|(?:just|only) .{0,30}\blatest\b/i;

/**
 * The state of this moment, and the header of `number`, or of the head when it is absent. Rejects with `not-found`.
 *
 * @param isStateKnown The node's state was requested a moment before, in the same request: it is used again.
 */
export async function fetchStateBlock(
  node: EvmNode,
  number: number | undefined,
  signal: AbortSignal | undefined,
  isStateKnown = false,
): Promise<{ readonly state: NodeState; readonly header: BlockHeader }> {
  const calls = number === undefined ? [] : [toHeaderCall(number)];
  const { state, responses } = await (isStateKnown
    ? node.sendWithState(calls, signal)
    : node.sendWithFreshState(calls, signal));
  if (number === undefined) return { state, header: state.head };
  const header = parseHeaderResponse(node, responses[0], number);
  if (header !== null) return { state, header };
  const nullRound = number < state.headNumber ? await fetchNullRound(node, number, signal) : null;
  if (nullRound !== null) return { state, header: nullRound.below };
  throw new HexLensError(
    'not-found',
    localizable(
      'Block not found: to_block is {0}, the head of {1} is {2}.',
      String(number),
      node.selector,
      state.headNumber,
    ),
    { fix: localizable('Use a block up to the head, or leave to_block out for the newest.') },
  );
}

export interface StateResponses {
  /** The block that was read: another one of the same number after a reorg. */
  readonly block: BlockHeader;
  /** In the order of the calls. */
  readonly responses: readonly RpcResponse[];
}

/**
 * By the hash of the block where the node takes it (EIP-1898), else by its number, and checked afterwards.
 *
 * @param toCalls The calls for what they take as a block.
 * @param isAnswered Whether a response is one of the node's state; by default any that is no error.
 */
export async function sendAtBlock(
  node: EvmNode,
  block: BlockHeader,
  toCalls: (block: unknown) => readonly RpcCall[],
  signal: AbortSignal | undefined,
  isAnswered: (response: RpcResponse) => boolean = response => response.error === undefined,
): Promise<StateResponses> {
  if (node.cache.takesBlockHash !== false) {
    const responses = await node.rpc.sendAll(toCalls({ blockHash: block.hash, requireCanonical: false }), signal);
    if (responses.every(isAnswered)) {
      node.cache.takesBlockHash = true;
      return { block, responses };
    }
    // Either the node does not know EIP-1898 or the block is gone: the calls by block number tell which.
  }
  let current = block;
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const { number } = current;
    // The header is the last call, so that it is not older than what the others return.
    const all = await node.rpc.sendAll([...toCalls(toQuantity(number)), toHeaderCall(number)], signal);
    const header = parseHeaderResponse(node, all.at(-1), number);
    if (header === null) throw node.rpc.invalidResponse(HEADER_METHOD, `block ${number} is gone`);
    if (header.hash === current.hash) {
      const responses = all.slice(0, -1);
      if (responses.every(isAnswered)) node.cache.takesBlockHash ??= false; // the same calls worked by number
      return { block: current, responses };
    }
    current = header;
  }
  throw node.rpc.invalidResponse(HEADER_METHOD, `block ${current.number} changes again and again`);
}

/** The fault for an error of such a call: most nodes lack the state of old blocks. */
export const toStateFault = (node: EvmNode, method: string, error: RpcError): HexLensError =>
  MISSING_STATE.test(error.message) ? node.rpc.faults.missingState(error) : node.rpc.faults.fromRpcError(method, error);
