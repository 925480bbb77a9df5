// The calls of a transaction as the node traced them: by `callTracer`, else by the trace module of Parity.
import { parseQuantity, toQuantity } from '../../base/hex.ts';
import type { Trace } from '../../decode/trace/trace.ts';
import { type CallFrame, parseParityTraces, type TransactionFrames } from '../evm/callFrames.ts';
import type { EvmNode } from '../evm/evmNode.ts';
import type { WireObject } from '../evm/responseFields.ts';
import type { MinedBlock } from '../evm/toBlockRecord.ts';
import { parseCallTracerTrace } from './callTracerFrames.ts';

export interface MinedTransaction {
  readonly wire: WireObject;
  readonly receipt: WireObject;
  readonly minedIn: MinedBlock;
}

/** `null` where the node has neither. */
export async function traceCalls(node: EvmNode, mined: MinedTransaction, signal: AbortSignal): Promise<Trace | null> {
  return (await traceByCallTracer(node, mined, signal)) ?? traceByParity(node, mined, signal);
}

async function traceByCallTracer(
  node: EvmNode,
  { wire, receipt }: MinedTransaction,
  signal: AbortSignal,
): Promise<Trace | null> {
  const method = 'debug_traceTransaction';
  if (!node.rpc.isAvailable(method)) return null;
  const options = { tracer: 'callTracer', tracerConfig: { withLog: true } };
  const { result } = await node.rpc.send(method, [wire['hash'], options], signal);
  const trace = parseCallTracerTrace(result);
  const root = trace?.frames[0];
  if (trace === null || root === undefined) return null;
  const isSuccessful = parseQuantity(receipt['status']) !== 0n;
  const isSame =
    BigInt(root.gasUsed) === parseQuantity(receipt['gasUsed']) && (root.status === 'success') === isSuccessful;
  return { ...trace, isVerified: isSame };
}

/** Has no logs; not verified, as its gas is without that of the transaction itself. */
async function traceByParity(
  node: EvmNode,
  { wire, minedIn }: MinedTransaction,
  signal: AbortSignal,
): Promise<Trace | null> {
  const method = 'trace_transaction';
  if (!node.rpc.isAvailable(method)) return null;
  const { result } = await node.rpc.send(method, [wire['hash']], signal);
  const frames = parseParityTraces(result, minedIn.hash)?.get(String(wire['hash']));
  const trace = frames === undefined ? null : parseCallTracerTrace(toCallTracer(frames));
  return trace === null ? null : { ...trace, isVerified: false };
}

interface CallTracerNode {
  readonly calls: CallTracerNode[];
  readonly [field: string]: unknown;
}

/** The same calls in the form of `callTracer`. */
function toCallTracer({ root, calls }: TransactionFrames): CallTracerNode {
  const open = [toNode(root)];
  for (const call of calls) {
    open.length = Math.max(1, Math.min(call.depth, open.length));
    const node = toNode(call);
    open.at(-1)?.calls.push(node);
    open.push(node);
  }
  return open[0] ?? toNode(root);
}

const toNode = ({ type, from, to, value, gas, gasUsed, input, output, error }: CallFrame): CallTracerNode => ({
  ...{ type, from, to, input, output },
  value: toQuantity(value ?? 0n),
  gas: toQuantity(gas ?? 0n),
  gasUsed: toQuantity(gasUsed ?? 0n),
  ...(error !== null && { error }),
  calls: [],
});
