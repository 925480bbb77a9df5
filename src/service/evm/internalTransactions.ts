// Internal transactions of a block or transaction, by the best trace method that the node has.
import { INTERNAL_HEADER } from '../../api/wire/responseHeaders.ts';
import { type Hex, toQuantity, ZERO_ADDRESS } from '../../base/hex.ts';
import { type CallFrame, parseCallTracer, parseParityTraces } from './callFrames.ts';
import type { EvmNode } from './evmNode.ts';
import { type RpcResponse, toPrintable } from './rpcMessage.ts';
import { parseStructLogs } from './structLogs.ts';
import type { InternalTransactionRecord } from './toBlockRecord.ts';

/** A transaction to trace, with the contract that it called or created. */
export interface TracedTransaction {
  readonly hash: Hex;
  readonly contract: Hex | null;
}

export interface InternalTransactions {
  /** By the order of the transactions; in execution order within each. */
  readonly byTransaction: readonly (readonly InternalTransactionRecord[])[];
  /** What is missing and why, where the node cannot trace; `null` when they are complete. */
  readonly problem: string | null;
}

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

const TRACE = 'debug_traceTransaction';
const BLOCK_TRACES = ['trace_block', 'debug_traceBlockByHash', TRACE] as const;
const CALL_TRACER = { tracer: 'callTracer' } as const;

/** The header that says which `internal_transactions` are missing, where the node cannot trace. */
export function getInternalTransactionsHeaders(internal: InternalTransactions): Readonly<Record<string, string>> {
  return internal.problem === null ? {} : { [INTERNAL_HEADER]: internal.problem };
}

export async function fetchInternalTransactionsOfBlock(
  node: EvmNode,
  block: Block,
  transactions: readonly TracedTransaction[],
  signal: AbortSignal | undefined,
): Promise<InternalTransactions> {
  return toInternalTransactions(await fetchFramesOfBlock(node, block, transactions, signal), block, transactions);
}

/** The calls inside each of the transactions, which are all of the block. */
export function fetchFramesOfBlock(
  node: EvmNode,
  block: Block,
  transactions: readonly TracedTransaction[],
  signal: AbortSignal | undefined,
): Promise<TracedFrames> {
  const methods: readonly TraceMethod[] = [
    {
      method: BLOCK_TRACES[0],
      params: [toQuantity(block.number)],
      parse: result => parseParity(result, block, transactions),
    },
    {
      method: BLOCK_TRACES[1],
      params: [block.hash, CALL_TRACER],
      parse: result => parseTracedBlock(result, transactions),
    },
  ];
  return traceTransactions(node, block, transactions, methods, signal);
}

export async function fetchInternalTransactions(
  node: EvmNode,
  block: Block,
  transaction: TracedTransaction,
  signal: AbortSignal | undefined,
): Promise<InternalTransactions> {
  const transactions = [transaction];
  const method: TraceMethod = {
    method: 'trace_transaction',
    params: [transaction.hash],
    parse: result => parseParity(result, block, transactions),
  };
  const traced = await traceTransactions(node, block, transactions, [method], signal);
  return toInternalTransactions(traced, block, transactions);
}

/** One call that traces all the transactions at once; `parse` returns `null` for a result that is no such trace. */
interface TraceMethod {
  readonly method: string;
  readonly params: readonly unknown[];
  readonly parse: (result: unknown) => Frames | null;
}

const toInternalTransactions = (
  { frames, problem }: TracedFrames,
  block: Block,
  transactions: readonly TracedTransaction[],
): InternalTransactions => ({
  byTransaction: frames.map((list, index) => (list ?? []).map(frame => toRecord(frame, block, transactions[index]))),
  problem,
});

async function traceTransactions(
  node: EvmNode,
  block: Block,
  transactions: readonly TracedTransaction[],
  methods: readonly TraceMethod[],
  signal: AbortSignal | undefined,
): Promise<TracedFrames> {
  if (transactions.length === 0) return { frames: [], problem: null };
  let incomplete: Frames | null = null;
  for (const { method, params, parse } of methods) {
    if (!node.rpc.isAvailable(method)) continue;
    const response = await node.rpc.send(method, params, signal);
    const frames = response.error === undefined ? parse(response.result) : null;
    if (frames === null) continue;
    if (frames.every(list => list?.every(({ gasUsed }) => gasUsed !== null))) return { frames, problem: null };
    incomplete ??= frames; // by one method some nodes leave out the gas of reverted calls, by another they do not
  }
  if (incomplete !== null) return { frames: incomplete, problem: null };
  return traceEach(node, block, transactions, signal);
}

/** Whether one of the methods may be there: true until the node turned out to lack them. */
export const mayTrace = (node: EvmNode): boolean => BLOCK_TRACES.some(method => node.rpc.isAvailable(method));

function parseParity(result: unknown, block: Block, transactions: readonly TracedTransaction[]): Frames | null {
  const frames = parseParityTraces(result, block.hash);
  if (frames === null) return null;
  const lists = transactions.map(transaction => frames.get(transaction.hash)?.calls ?? null);
  // Every transaction has at least its own call: one without any was not traced.
  return lists.some(list => list === null) ? null : lists;
}

function parseTracedBlock(result: unknown, transactions: readonly TracedTransaction[]): Frames | null {
  if (!Array.isArray(result) || result.length !== transactions.length) return null;
  const lists = transactions.map((transaction, index) => {
    const entry = (result[index] ?? {}) as { readonly txHash?: unknown; readonly result?: unknown };
    if (entry.txHash !== undefined && entry.txHash !== transaction.hash) return null;
    return parseTrace(entry.result, transaction);
  });
  return lists.some(list => list === null) ? null : lists;
}

/** In either of two formats: nodes that do not know `tracer` ignore it and return every opcode. */
function parseTrace(trace: unknown, transaction: TracedTransaction): readonly CallFrame[] | null {
  return parseCallTracer(trace) ?? parseStructLogs(trace, transaction.contract);
}

/** Transactions that one header names. */
const MAX_NAMED_TRANSACTIONS = 5;

/** Traces each transaction by itself: one that cannot be traced leaves the others complete. */
async function traceEach(
  node: EvmNode,
  block: Block,
  transactions: readonly TracedTransaction[],
  signal: AbortSignal | undefined,
): Promise<TracedFrames> {
  const unavailable = (reason: string) => ({
    frames: transactions.map(() => null),
    problem: `unavailable; ${reason}`,
  });
  if (!node.rpc.isAvailable(TRACE)) return unavailable(describeMissingMethods(node));
  const trace = (traced: readonly TracedTransaction[], options: object) =>
    node.rpc.sendAll(
      traced.map(({ hash }) => ({ method: TRACE, params: [hash, options] })),
      signal,
    );
  const responses = [...(await trace(transactions, CALL_TRACER))];
  // Old Hardhat rejects any tracer, but returns every opcode.
  const refused = transactions.flatMap((_, index) => (responses[index]?.error === undefined ? [] : [index]));
  if (refused.length > 0 && node.rpc.isAvailable(TRACE)) {
    const again = await trace(
      transactions.filter((_, index) => refused.includes(index)),
      {},
    );
    for (const [position, index] of refused.entries()) {
      const response = again[position];
      if (response !== undefined) responses[index] = response;
    }
  }
  const untraced: TracedTransaction[] = [];
  const withoutSteps: TracedTransaction[] = [];
  let reason = '';
  const frames = transactions.map((transaction, index) => {
    const response = responses[index];
    const list = response?.error === undefined ? parseTrace(response?.result, transaction) : null;
    if (list === null) {
      untraced.push(transaction);
      reason ||= describeTraceError(node, response);
    } else if (hasNoSteps(response?.result)) withoutSteps.push(transaction);
    return list;
  });
  if (!node.rpc.isAvailable(TRACE)) return unavailable(describeMissingMethods(node));
  if (untraced.length === transactions.length) return unavailable(reason);
  if (await anyHasCode(node, block, withoutSteps, signal))
    return unavailable(`the node at ${node.rpc.host} keeps no opcodes: start it with step tracing`);
  if (untraced.length === 0) return { frames, problem: null };
  const hashes = untraced.slice(0, MAX_NAMED_TRANSACTIONS).map(({ hash }) => hash);
  const more = untraced.length > hashes.length ? ` and ${untraced.length - hashes.length} more` : '';
  return { frames, problem: `incomplete; not traced: ${hashes.join(', ')}${more}; ${reason}` };
}

function hasNoSteps(trace: unknown): boolean {
  const { structLogs } = (trace ?? {}) as { readonly structLogs?: unknown };
  return Array.isArray(structLogs) && structLogs.length === 0;
}

/** A trace without any opcode is correct only for an account without code; Anvil returns it when it recorded none. */
async function anyHasCode(
  node: EvmNode,
  block: Block,
  transactions: readonly TracedTransaction[],
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const addresses = [...new Set(transactions.map(({ contract }) => contract).filter(address => address !== null))];
  const responses = await node.rpc.sendAll(
    addresses.map(address => ({ method: 'eth_getCode', params: [address, toQuantity(block.number)] })),
    signal,
  );
  return responses.some(response => response.result !== '0x');
}

function describeMissingMethods(node: EvmNode): string {
  return `the node at ${node.rpc.host} has neither trace_block nor debug_traceTransaction`;
}

function describeTraceError(node: EvmNode, response: RpcResponse | undefined): string {
  const reason = response?.error === undefined ? 'no call trace came' : toPrintable(response.error.message, 120);
  return `the node at ${node.rpc.host} refused ${TRACE}: ${reason.replaceAll(';', ',')}`;
}

function toRecord(
  frame: CallFrame,
  block: Block,
  transaction: TracedTransaction | undefined,
): InternalTransactionRecord {
  return {
    transactionHash: transaction?.hash ?? null,
    blockNumber: block.number,
    blockHash: block.hash,
    type: frame.type,
    from: frame.from,
    // A creation that failed made no contract: the zero address, as official clients cannot read a block where this is empty.
    to: frame.to ?? ZERO_ADDRESS,
    value: frame.value,
    gas: frame.gas,
    gasUsed: frame.gasUsed,
    input: frame.input,
    output: frame.output,
    error: frame.error,
    depth: frame.depth,
  };
}
