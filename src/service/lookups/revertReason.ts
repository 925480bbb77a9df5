// `revertReason`: what a failed transaction returned, from a trace of the node, else by repeating its call.
import { type Hex, isHex, parseQuantity, toLowerHex, toQuantity } from '../../base/hex.ts';
import type { EvmNode } from '../evm/evmNode.ts';
import { fetchSharedTransaction } from '../evm/fetchTransaction.ts';
import { getFreshness } from '../evm/finality.ts';
import { optionalAddress, type WireObject } from '../evm/responseFields.ts';
import { toPrintable } from '../evm/rpcMessage.ts';
import { toRevertData } from './contractCalls.ts';
import type { Lookup } from './lookup.ts';

/** Longer revert data is of no use to a reader. */
const MAX_OUTPUT_LENGTH = 20_000;

interface RevertData {
  readonly output: Hex | null;
  readonly error: string | null;
}

export const revertReason: Lookup<'revertReason'> = async (input, { nodes }, signal) => {
  const node = await nodes.find(input.chain, signal);
  const hash = toLowerHex(input.hash);
  // The caller knows that it failed: the trace is requested in the same round trip.
  const tracing = fetchTracedRevert(node, hash, signal);
  tracing.catch(() => {});
  const { state, found } = await fetchSharedTransaction(node, hash, signal);
  if (found === null || parseQuantity(found.receipt?.['status']) !== 0n)
    return { value: { kind: 'revert', failed: false, output: null, error: null, exact: true } };
  const traced = await tracing;
  const { output, error } = traced ?? (await repeatCall(node, found.wire, signal));
  const value = { kind: 'revert', failed: true, output, error, exact: traced !== null } as const;
  const block = found.minedIn?.number;
  return traced === null || block === undefined ? { value } : { value, freshness: getFreshness(node, state, block) };
};

const toOutput = (value: unknown): Hex | null =>
  isHex(value) && value.length > 2 && value.length <= MAX_OUTPUT_LENGTH ? toLowerHex(value) : null;

/** `null` when the node has no traces. */
async function fetchTracedRevert(
  node: EvmNode,
  hash: Hex,
  signal: AbortSignal | undefined,
): Promise<RevertData | null> {
  if (!node.rpc.isAvailable('debug_traceTransaction')) return null;
  const options = { tracer: 'callTracer', tracerConfig: { onlyTopCall: true } };
  const { result } = await node.rpc.send('debug_traceTransaction', [hash, options], signal);
  if (result === null || typeof result !== 'object') return null;
  const { error, output } = result as { readonly error?: unknown; readonly output?: unknown };
  if (typeof error !== 'string') return null;
  return { output: toOutput(output), error: toPrintable(error) };
}

/** Repeats the call on the state before its block. Earlier transactions of the block are missing, so it may differ. */
async function repeatCall(node: EvmNode, wire: WireObject, signal: AbortSignal | undefined): Promise<RevertData> {
  const block = parseQuantity(wire['blockNumber']);
  const { from, gas, value, input } = wire;
  const to = optionalAddress(wire, 'to');
  const call = { from, gas, value, data: input, ...(to !== null && { to }) };
  const blockBefore = toQuantity(Number((block ?? 1n) - 1n));
  const { error } = await node.rpc.send('eth_call', [call, blockBefore], signal);
  if (error === undefined) return { output: null, error: null };
  return { output: toOutput(toRevertData(error)), error: toPrintable(error.message) };
}
