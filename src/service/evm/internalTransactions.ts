// Internal transactions of a block or transaction: the best way that the node has, or a reason why there is none.

import { INTERNAL_HEADER } from '../../api/wire/responseHeaders.ts';
import { type Hex, toQuantity, ZERO_ADDRESS } from '../../base/hex.ts';
import { type CallFrame, parseCallTracer, parseParityTraces } from './callFrames.ts';
import type { EvmNode } from './evmNode.ts';
import type { InternalTransactionRecord } from './evmRecords.ts';
import { type RpcResponse, toPrintable } from './rpcMessage.ts';
import { parseStructLogs } from './structLogs.ts';

/** A transaction to be traced, with the contract it called or created. */
export interface TracedTransaction {
  readonly hash: Hex;
  readonly contract: Hex | null;
}

export interface InternalTransactions {
  /** In the order of the transactions; execution order within each. */
  readonly byTransaction: readonly (readonly InternalTransactionRecord[])[];
  /** Why there are none, where the node can tell none; `null` when they are complete. */
  readonly unavailableReason: string | null;
}

interface Block {
  readonly number: number;
  readonly hash: Hex;
}

type Frames = readonly (readonly CallFrame[])[];

const CALL_TRACER = { tracer: 'callTracer' } as const;

/** The header that says why `internal_transactions` is empty, where it is for want of a node that can tell them. */
export function getInternalTransactionsHeaders(internal: InternalTransactions): Readonly<Record<string, string>> {
  return internal.unavailableReason === null ? {} : { [INTERNAL_HEADER]: `unavailable; ${internal.unavailableReason}` };
}

export function fetchInternalTransactionsOfBlock(
  node: EvmNode,
  block: Block,
  transactions: readonly TracedTransaction[],
  signal: AbortSignal | undefined,
): Promise<InternalTransactions> {
  const whole: readonly Way[] = [
    {
      method: 'trace_block',
      params: [toQuantity(block.number)],
      read: result => readParity(result, block, transactions),
    },
    {
      method: 'debug_traceBlockByHash',
      params: [block.hash, CALL_TRACER],
      read: result => readTracedBlock(result, transactions),
    },
  ];
  return tell(node, block, transactions, whole, signal);
}

export function fetchInternalTransactions(
  node: EvmNode,
  block: Block,
  transaction: TracedTransaction,
  signal: AbortSignal | undefined,
): Promise<InternalTransactions> {
  const transactions = [transaction];
  const way: Way = {
    method: 'trace_transaction',
    params: [transaction.hash],
    read: result => readParity(result, block, transactions),
  };
  return tell(node, block, transactions, [way], signal);
}

/** One call that tells all the transactions at once; `read` gives `null` for an answer that is not what was asked for. */
interface Way {
  readonly method: string;
  readonly params: readonly unknown[];
  readonly read: (result: unknown) => Frames | null;
}

async function tell(
  node: EvmNode,
  block: Block,
  transactions: readonly TracedTransaction[],
  ways: readonly Way[],
  signal: AbortSignal | undefined,
): Promise<InternalTransactions> {
  const told = (frames: Frames): InternalTransactions => ({
    byTransaction: frames.map((list, index) => list.map(frame => recordOf(frame, block, transactions[index]))),
    unavailableReason: null,
  });
  if (transactions.length === 0) return told([]);
  let withGaps: Frames | null = null;
  for (const { method, params, read } of ways) {
    if (!node.rpc.isAvailable(method)) continue;
    const answer = await node.rpc.send(method, params, signal);
    const frames = answer.refusal === undefined ? read(answer.result) : null;
    if (frames === null) continue;
    if (frames.every(list => list.every(({ gasUsed }) => gasUsed !== null))) return told(frames);
    withGaps ??= frames; // some nodes do not tell what a reverted call used, in one way but in another
  }
  if (withGaps !== null) return told(withGaps);
  const each = await traceEach(node, block, transactions, signal);
  if (typeof each !== 'string') return told(each);
  return { byTransaction: transactions.map(() => []), unavailableReason: each };
}

function readParity(result: unknown, block: Block, transactions: readonly TracedTransaction[]): Frames | null {
  const frames = parseParityTraces(result, block.hash);
  if (frames === null) return null;
  const lists = transactions.map(transaction => frames.get(transaction.hash));
  // Every transaction has at least its own call: one without any was not traced.
  return lists.some(list => list === undefined) ? null : lists.map(list => list ?? []);
}

function readTracedBlock(result: unknown, transactions: readonly TracedTransaction[]): Frames | null {
  if (!Array.isArray(result) || result.length !== transactions.length) return null;
  const lists = transactions.map((transaction, index) => {
    const entry = (result[index] ?? {}) as { readonly txHash?: unknown; readonly result?: unknown };
    if (entry.txHash !== undefined && entry.txHash !== transaction.hash) return null;
    return framesOfTrace(entry.result, transaction);
  });
  return lists.some(list => list === null) ? null : lists.map(list => list ?? []);
}

/** Either of the two shapes: nodes that do not know `tracer` ignore it and tell every opcode. */
function framesOfTrace(trace: unknown, transaction: TracedTransaction): readonly CallFrame[] | null {
  return parseCallTracer(trace) ?? parseStructLogs(trace, transaction.contract);
}

const TRACE = 'debug_traceTransaction';

/** Each transaction by itself; the reason as text when that does not work either. */
async function traceEach(
  node: EvmNode,
  block: Block,
  transactions: readonly TracedTransaction[],
  signal: AbortSignal | undefined,
): Promise<Frames | string> {
  if (!node.rpc.isAvailable(TRACE)) return noWay(node);
  const trace = (options: object) =>
    node.rpc.sendAll(
      transactions.map(({ hash }) => ({ method: TRACE, params: [hash, options] })),
      signal,
    );
  let answers = await trace(CALL_TRACER);
  // Old Hardhat refuses any tracer, but tells every opcode.
  if (answers.some(answer => answer.refusal !== undefined) && node.rpc.isAvailable(TRACE)) answers = await trace({});
  const lists: (readonly CallFrame[])[] = [];
  const silent: TracedTransaction[] = [];
  for (const [index, transaction] of transactions.entries()) {
    const answer = answers[index];
    const frames = answer?.refusal === undefined ? framesOfTrace(answer?.result, transaction) : null;
    if (frames === null) return node.rpc.isAvailable(TRACE) ? refusedBecause(node, answer) : noWay(node);
    lists.push(frames);
    if (hasNoSteps(answer?.result)) silent.push(transaction);
  }
  if (await anyHasCode(node, block, silent, signal))
    return `the node of ${node.selector} (${node.rpc.host}) keeps no opcodes: start it with step tracing`;
  return lists;
}

function hasNoSteps(trace: unknown): boolean {
  const { structLogs } = (trace ?? {}) as { readonly structLogs?: unknown };
  return Array.isArray(structLogs) && structLogs.length === 0;
}

/** A trace without a single opcode is right only for an account without code (Anvil sends it when it kept none). */
async function anyHasCode(
  node: EvmNode,
  block: Block,
  transactions: readonly TracedTransaction[],
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const addresses = [...new Set(transactions.map(({ contract }) => contract).filter(address => address !== null))];
  const answers = await node.rpc.sendAll(
    addresses.map(address => ({ method: 'eth_getCode', params: [address, toQuantity(block.number)] })),
    signal,
  );
  return answers.some(answer => answer.result !== '0x');
}

function noWay(node: EvmNode): string {
  return `the node of ${node.selector} (${node.rpc.host}) has neither trace_block nor debug_traceTransaction`;
}

function refusedBecause(node: EvmNode, answer: RpcResponse | undefined): string {
  const said = answer?.refusal === undefined ? 'no call trace came' : toPrintable(answer.refusal.message, 120);
  return `the node of ${node.selector} (${node.rpc.host}) refused ${TRACE}: ${said.replaceAll(';', ',')}`;
}

function recordOf(
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
    // A creation that failed made no contract: the zero address, as official clients read no block where it is empty.
    to: frame.to ?? ZERO_ADDRESS,
    value: frame.value,
    gas: frame.gas,
    gasUsed: frame.gasUsed,
    input: frame.input,
    output: frame.output,
    error: frame.error,
  };
}
