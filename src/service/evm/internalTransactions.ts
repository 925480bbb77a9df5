// Internal transactions of a block or transaction, by the best trace method that the node has.
import { INTERNAL_HEADER } from '../../api/wire/responseHeaders.ts';
import { type Hex, toQuantity, ZERO_ADDRESS } from '../../base/hex.ts';
import { type CallFrame, parseCallTracer, parseParityTraces } from './callFrames.ts';
import type { EvmNode } from './evmNode.ts';
import { describeNode } from './nodeFaults.ts';
import { type RpcResponse, toPrintable } from './rpcMessage.ts';
import type { InternalTransactionRecord } from './toBlockRecord.ts';

interface Block {
  readonly number: number;
  readonly hash: Hex;
}

/** By the order of the transactions; `null` for one that was not traced. */
type Frames = readonly (readonly CallFrame[] | null)[];

export interface TracedFrames {
  readonly frames: Frames;
  /** What is missing and why, where the node cannot trace; `null` when they are complete. */
  readonly problem: string | null;
}

const BLOCK_TRACES = ['trace_block', 'debug_traceBlockByHash', 'debug_traceTransaction'] as const;
const CALL_TRACER = { tracer: 'callTracer' } as const;

/** The header that says which `internal_transactions` are missing, where the node cannot trace. */
export function getInternalTransactionsHeaders({ problem }: TracedFrames): Readonly<Record<string, string>> {
  return problem === null ? {} : { [INTERNAL_HEADER]: problem };
}

/** The calls inside each of the transactions, which are all of the block. */
export const traceBlock = (
  node: EvmNode,
  block: Block,
  hashes: readonly Hex[],
  signal: AbortSignal | undefined,
): Promise<TracedFrames> =>
  traceTransactions(
    node,
    hashes,
    [
      {
        method: BLOCK_TRACES[0],
        params: [toQuantity(block.number)],
        parse: result => parseParity(result, block, hashes),
      },
      {
        method: BLOCK_TRACES[1],
        params: [block.hash, CALL_TRACER],
        parse: result => parseTracedBlock(result, hashes),
      },
    ],
    signal,
  );

const TRANSACTION_TRACE = 'trace_transaction';

/** Sends at once what `traceTransaction` needs, before the block of the transaction is known; `null` where the node lacks it. */
export function sendTrace(node: EvmNode, hash: Hex, signal: AbortSignal | undefined): Promise<RpcResponse> | null {
  if (!node.rpc.isAvailable(TRANSACTION_TRACE)) return null;
  const sent = node.rpc.send(TRANSACTION_TRACE, [hash], signal);
  sent.catch(() => {}); // nothing waits for it where the transaction is in no block
  return sent;
}

/** The calls inside one transaction. */
export const traceTransaction = (
  node: EvmNode,
  block: Block,
  hash: Hex,
  signal: AbortSignal | undefined,
  sent: Promise<RpcResponse> | null = null,
): Promise<TracedFrames> =>
  traceTransactions(
    node,
    [hash],
    [{ method: TRANSACTION_TRACE, params: [hash], parse: result => parseParity(result, block, [hash]), sent }],
    signal,
  );

/** One call that traces all the transactions at once; `parse` returns `null` for a result that is no such trace. */
interface TraceMethod {
  readonly method: string;
  readonly params: readonly unknown[];
  readonly parse: (result: unknown) => Frames | null;
  /** The response, where the call was sent before. */
  readonly sent?: Promise<RpcResponse> | null;
}

async function traceTransactions(
  node: EvmNode,
  hashes: readonly Hex[],
  methods: readonly TraceMethod[],
  signal: AbortSignal | undefined,
): Promise<TracedFrames> {
  if (hashes.length === 0) return { frames: [], problem: null };
  let incomplete: Frames | null = null;
  for (const { method, params, parse, sent = null } of methods) {
    if (sent === null && !node.rpc.isAvailable(method)) continue;
    const response = await (sent ?? node.rpc.send(method, params, signal));
    const frames = response.error === undefined ? parse(response.result) : null;
    if (frames === null) continue;
    if (frames.every(list => list?.every(({ gasUsed }) => gasUsed !== null))) return { frames, problem: null };
    incomplete ??= frames; // by one method some nodes leave out the gas of reverted calls, by another they do not
  }
  if (incomplete !== null) return { frames: incomplete, problem: null };
  return traceEach(node, hashes, signal);
}

/** Whether one of the methods may be there: true until the node turned out to lack them. */
export const mayTrace = (node: EvmNode): boolean => BLOCK_TRACES.some(method => node.rpc.isAvailable(method));

function parseParity(result: unknown, block: Block, hashes: readonly Hex[]): Frames | null {
  const frames = parseParityTraces(result, block.hash);
  if (frames === null) return null;
  const lists = hashes.map(hash => frames.get(hash)?.calls ?? null);
  // Every transaction has at least its own call: one without any was not traced.
  return lists.some(list => list === null) ? null : lists;
}

function parseTracedBlock(result: unknown, hashes: readonly Hex[]): Frames | null {
  if (!Array.isArray(result) || result.length !== hashes.length) return null;
  const lists = hashes.map((hash, index) => {
    const entry = (result[index] ?? {}) as { readonly txHash?: unknown; readonly result?: unknown };
    return entry.txHash === undefined || entry.txHash === hash ? parseCallTracer(entry.result) : null;
  });
  return lists.some(list => list === null) ? null : lists;
}

/** Transactions that one header names. */
const MAX_NAMED_TRANSACTIONS = 5;

/** Traces each transaction by itself: one that cannot be traced leaves the others complete. */
async function traceEach(
  node: EvmNode,
  hashes: readonly Hex[],
  signal: AbortSignal | undefined,
): Promise<TracedFrames> {
  const unavailable = (reason: string) => ({ frames: hashes.map(() => null), problem: `unavailable; ${reason}` });
  const responses = node.rpc.isAvailable('debug_traceTransaction')
    ? await node.rpc.sendAll(
        hashes.map(hash => ({ method: 'debug_traceTransaction', params: [hash, CALL_TRACER] })),
        signal,
      )
    : [];
  if (!node.rpc.isAvailable('debug_traceTransaction'))
    return unavailable(`${describeNode(node.selector)} has neither trace_block nor debug_traceTransaction`);
  // Nodes that know no tracer (Ganache, old Hardhat) reject it, or ignore it and return every opcode.
  const frames = responses.map(({ error, result }) => (error === undefined ? parseCallTracer(result) : null));
  const untraced = hashes.filter((_, index) => frames[index] === null);
  if (untraced.length === 0) return { frames, problem: null };
  const reason = describeTraceError(node, responses[frames.indexOf(null)]);
  if (untraced.length === hashes.length) return unavailable(reason);
  const named = untraced.slice(0, MAX_NAMED_TRANSACTIONS);
  const more = untraced.length > named.length ? ` and ${untraced.length - named.length} more` : '';
  return { frames, problem: `incomplete; not traced: ${named.join(', ')}${more}; ${reason}` };
}

function describeTraceError(node: EvmNode, response: RpcResponse | undefined): string {
  const reason = response?.error === undefined ? 'no call trace came' : toPrintable(response.error.message, 120);
  return `${describeNode(node.selector)} refused debug_traceTransaction: ${reason.replaceAll(';', ',')}`;
}

export const toInternalTransactions = (
  frames: readonly CallFrame[] | null | undefined,
  { number, hash }: Block,
  transactionHash: Hex,
): readonly InternalTransactionRecord[] =>
  (frames ?? []).map(({ isReverted: _, ...call }) => ({
    transactionHash,
    blockNumber: number,
    blockHash: hash,
    ...call,
    // A creation that failed made no contract: the zero address, as official clients cannot read a block where this is empty.
    to: call.to ?? ZERO_ADDRESS,
  }));
