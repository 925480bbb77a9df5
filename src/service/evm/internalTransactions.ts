// Internal transactions of a block or transaction, by the best trace method that the node has.
import { INTERNAL_HEADER } from '../../api/wire/responseHeaders.ts';
import { type Hex, toQuantity, ZERO_ADDRESS } from '../../base/hex.ts';
import { type CallFrame, parseCallTracer, parseParityTraces } from './callFrames.ts';
import type { EvmNode } from './evmNode.ts';
import type { InternalTransactionRecord } from './evmRecords.ts';
import { type RpcResponse, toPrintable } from './rpcMessage.ts';
import { parseStructLogs } from './structLogs.ts';

/** A transaction to trace, with the contract that it called or created. */
export interface TracedTransaction {
  readonly hash: Hex;
  readonly contract: Hex | null;
}

export interface InternalTransactions {
  /** By the order of the transactions; in execution order within each. */
  readonly byTransaction: readonly (readonly InternalTransactionRecord[])[];
  /** Why there are none, where the node cannot trace; `null` when they are complete. */
  readonly unavailableReason: string | null;
}

interface Block {
  readonly number: number;
  readonly hash: Hex;
}

type Frames = readonly (readonly CallFrame[])[];

const CALL_TRACER = { tracer: 'callTracer' } as const;

/** The header that says why `internal_transactions` is empty, where the node cannot trace. */
export function getInternalTransactionsHeaders(internal: InternalTransactions): Readonly<Record<string, string>> {
  return internal.unavailableReason === null ? {} : { [INTERNAL_HEADER]: `unavailable; ${internal.unavailableReason}` };
}

export function fetchInternalTransactionsOfBlock(
  node: EvmNode,
  block: Block,
  transactions: readonly TracedTransaction[],
  signal: AbortSignal | undefined,
): Promise<InternalTransactions> {
  const methods: readonly TraceMethod[] = [
    {
      method: 'trace_block',
      params: [toQuantity(block.number)],
      parse: result => parseParity(result, block, transactions),
    },
    {
      method: 'debug_traceBlockByHash',
      params: [block.hash, CALL_TRACER],
      parse: result => parseTracedBlock(result, transactions),
    },
  ];
  return traceTransactions(node, block, transactions, methods, signal);
}

export function fetchInternalTransactions(
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
  return traceTransactions(node, block, transactions, [method], signal);
}

/** One call that traces all the transactions at once; `parse` returns `null` for a result that is no such trace. */
interface TraceMethod {
  readonly method: string;
  readonly params: readonly unknown[];
  readonly parse: (result: unknown) => Frames | null;
}

async function traceTransactions(
  node: EvmNode,
  block: Block,
  transactions: readonly TracedTransaction[],
  methods: readonly TraceMethod[],
  signal: AbortSignal | undefined,
): Promise<InternalTransactions> {
  const complete = (frames: Frames): InternalTransactions => ({
    byTransaction: frames.map((list, index) => list.map(frame => toRecord(frame, block, transactions[index]))),
    unavailableReason: null,
  });
  if (transactions.length === 0) return complete([]);
  let incomplete: Frames | null = null;
  for (const { method, params, parse } of methods) {
    if (!node.rpc.isAvailable(method)) continue;
    const response = await node.rpc.send(method, params, signal);
    const frames = response.error === undefined ? parse(response.result) : null;
    if (frames === null) continue;
    if (frames.every(list => list.every(({ gasUsed }) => gasUsed !== null))) return complete(frames);
    incomplete ??= frames; // by one method some nodes leave out the gas of reverted calls, by another they do not
  }
  if (incomplete !== null) return complete(incomplete);
  const each = await traceEach(node, block, transactions, signal);
  if (typeof each !== 'string') return complete(each);
  return { byTransaction: transactions.map(() => []), unavailableReason: each };
}

function parseParity(result: unknown, block: Block, transactions: readonly TracedTransaction[]): Frames | null {
  const frames = parseParityTraces(result, block.hash);
  if (frames === null) return null;
  const lists = transactions.map(transaction => frames.get(transaction.hash));
  // Every transaction has at least its own call: one without any was not traced.
  return lists.some(list => list === undefined) ? null : lists.map(list => list ?? []);
}

function parseTracedBlock(result: unknown, transactions: readonly TracedTransaction[]): Frames | null {
  if (!Array.isArray(result) || result.length !== transactions.length) return null;
  const lists = transactions.map((transaction, index) => {
    const entry = (result[index] ?? {}) as { readonly txHash?: unknown; readonly result?: unknown };
    if (entry.txHash !== undefined && entry.txHash !== transaction.hash) return null;
    return parseTrace(entry.result, transaction);
  });
  return lists.some(list => list === null) ? null : lists.map(list => list ?? []);
}

/** In either of two formats: nodes that do not know `tracer` ignore it and return every opcode. */
function parseTrace(trace: unknown, transaction: TracedTransaction): readonly CallFrame[] | null {
  return parseCallTracer(trace) ?? parseStructLogs(trace, transaction.contract);
}

const TRACE = 'debug_traceTransaction';

/** Traces each transaction by itself; returns the reason as text when that does not work either. */
async function traceEach(
  node: EvmNode,
  block: Block,
  transactions: readonly TracedTransaction[],
  signal: AbortSignal | undefined,
): Promise<Frames | string> {
  if (!node.rpc.isAvailable(TRACE)) return describeMissingMethods(node);
  const trace = (options: object) =>
    node.rpc.sendAll(
      transactions.map(({ hash }) => ({ method: TRACE, params: [hash, options] })),
      signal,
    );
  let responses = await trace(CALL_TRACER);
  // Old Hardhat rejects any tracer, but returns every opcode.
  if (responses.some(response => response.error !== undefined) && node.rpc.isAvailable(TRACE))
    responses = await trace({});
  const lists: (readonly CallFrame[])[] = [];
  const withoutSteps: TracedTransaction[] = [];
  for (const [index, transaction] of transactions.entries()) {
    const response = responses[index];
    const frames = response?.error === undefined ? parseTrace(response?.result, transaction) : null;
    if (frames === null)
      return node.rpc.isAvailable(TRACE) ? describeTraceError(node, response) : describeMissingMethods(node);
    lists.push(frames);
    if (hasNoSteps(response?.result)) withoutSteps.push(transaction);
  }
  if (await anyHasCode(node, block, withoutSteps, signal))
    return `the node of ${node.selector} (${node.rpc.host}) keeps no opcodes: start it with step tracing`;
  return lists;
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
  return `the node of ${node.selector} (${node.rpc.host}) has neither trace_block nor debug_traceTransaction`;
}

function describeTraceError(node: EvmNode, response: RpcResponse | undefined): string {
  const reason = response?.error === undefined ? 'no call trace came' : toPrintable(response.error.message, 120);
  return `the node of ${node.selector} (${node.rpc.host}) refused ${TRACE}: ${reason.replaceAll(';', ',')}`;
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
  };
}
