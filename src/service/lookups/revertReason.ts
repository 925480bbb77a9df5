// `revertReason`: what a failed transaction returned: from the node's trace, else by calling again what it called.
import { type Hex, isHex, parseQuantity, toQuantity } from '../../base/hex.ts';
import type { EvmNode } from '../evm/evmNode.ts';
import { createTransactionCalls, parseTransaction } from '../evm/fetchTransaction.ts';
import type { WireObject } from '../evm/responseFields.ts';
import { toPrintable } from '../evm/rpcMessage.ts';
import type { Lookup } from './lookup.ts';

const TRACE = 'debug_traceTransaction';
/** Hex digits of a reason: longer ones say nothing to a person. */
const LONGEST = 20_000;

interface Reason {
  readonly output: Hex | null;
  readonly error: string | null;
}

export const revertReason: Lookup<'revertReason'> = async (input, { nodes }, signal) => {
  const node = await nodes.find(input.chain, signal);
  const hash = input.hash.toLowerCase() as Hex;
  const { responses: answers } = await node.sendWithState(createTransactionCalls(hash), signal);
  const read = parseTransaction(node, hash, answers[0], answers[1]);
  const failed = typeof read === 'object' && parseQuantity(read.receipt?.['status']) === 0n;
  if (!failed) return { value: { kind: 'revert', failed: false, output: null, error: null, exact: true } };
  const traced = await reasonInTrace(node, hash, signal);
  const { output, error } = traced ?? (await reasonOfCall(node, read.wire, signal));
  return { value: { kind: 'revert', failed: true, output, error, exact: traced !== null } };
};

const hexIn = (value: unknown): Hex | null =>
  isHex(value) && value.length > 2 && value.length <= LONGEST ? (value.toLowerCase() as Hex) : null;

/** `null` where the node does not trace. */
async function reasonInTrace(node: EvmNode, hash: Hex, signal: AbortSignal | undefined): Promise<Reason | null> {
  if (!node.rpc.isAvailable(TRACE)) return null;
  const options = { tracer: 'callTracer', tracerConfig: { onlyTopCall: true } };
  const { result } = await node.rpc.send(TRACE, [hash, options], signal);
  if (result === null || typeof result !== 'object') return null;
  const { error, output } = result as { readonly error?: unknown; readonly output?: unknown };
  if (typeof error !== 'string') return null;
  return { output: hexIn(output), error: toPrintable(error) };
}

/** The state before its block, so what came before it in the block is not counted: a reading, not a proof. */
async function reasonOfCall(node: EvmNode, wire: WireObject, signal: AbortSignal | undefined): Promise<Reason> {
  const block = parseQuantity(wire['blockNumber']);
  const { from, to, gas, value, input } = wire;
  const call = { from, gas, value, data: input, ...(to !== null && { to }) };
  const { refusal } = await node.rpc.send('eth_call', [call, toQuantity(Number((block ?? 1n) - 1n))], signal);
  if (refusal === undefined) return { output: null, error: null };
  const { data } = refusal;
  // Hardhat wraps the bytes in an object.
  const inner = data !== null && typeof data === 'object' ? (data as { readonly data?: unknown }).data : data;
  return { output: hexIn(inner), error: toPrintable(refusal.message) };
}
