// The calls of a transaction as the node traced them: by `callTracer`, else by the trace module of Parity.
import type { CallKind, HaltReason } from '../../api/transactionTrace.ts';
import {
  type Hex,
  hexToBytes,
  isAddress,
  isHash,
  isHex,
  parseQuantity,
  toLowerHex,
  toQuantity,
} from '../../base/hex.ts';
import { isObject, type UnknownRecord } from '../../base/isObject.ts';
import { StepColumns } from '../../decode/trace/stepColumns.ts';
import type { Trace, TraceFrame, TraceLog, TraceSelfDestruct } from '../../decode/trace/trace.ts';
import { type CallFrame, parseParityTraces, type TransactionFrames } from '../evm/callFrames.ts';
import type { EvmNode } from '../evm/evmNode.ts';
import type { WireObject } from '../evm/responseFields.ts';
import type { MinedBlock } from '../evm/toBlockRecord.ts';
import { getPrecompileName } from './replay/precompileNames.ts';

const KINDS: readonly string[] = [
  'CALL',
  'CALLCODE',
  'DELEGATECALL',
  'STATICCALL',
  'CREATE',
  'CREATE2',
] satisfies readonly CallKind[];
/** The EVM allows 1024: a deeper tree is no call tree. */
const MAX_DEPTH = 1025;
const NO_BYTES = new Uint8Array(0);
const EMPTY_ADDRESS: Hex = '0x';

/** In the words of Geth, Reth, Nethermind, Erigon, Besu and Anvil. */
const HALT_REASONS: readonly (readonly [RegExp, HaltReason])[] = [
  [/out ?of ?gas/i, 'outOfGas'],
  [/underflow/i, 'stackUnderflow'],
  [/stack (?:limit|overflow)|stackoverflow|out of stack/i, 'stackOverflow'],
  [/(?:invalid|bad|illegal|undefined) ?(?:opcode|instruction)|invalidfe|opcodenotfound/i, 'invalidOpcode'],
  [/(?:invalid|bad) ?jump/i, 'badJump'],
  [/write protection|static|mutable call|state change/i, 'staticStateChange'],
  [/return ?data|out ?of ?(?:bounds|offset)/i, 'returnDataOutOfBounds'],
  [/init ?code/i, 'initCodeSizeLimit'],
  [/code ?size|contract ?size/i, 'codeSizeLimit'],
  [/0xef|new code/i, 'codeBeginsWithEf'],
  [/collision/i, 'addressCollision'],
  [/depth|too ?deep/i, 'depth'],
  [/insufficient|out ?of ?funds/i, 'insufficientBalance'],
  [/precompile/i, 'precompile'],
];

const toBytes = (value: unknown): Uint8Array => (isHex(value) && value.length % 2 === 0 ? hexToBytes(value) : NO_BYTES);
const toAddress = (value: unknown): Hex => (isAddress(value) ? toLowerHex(value) : EMPTY_ADDRESS);

/** Reads the tree that the tracer gives; steps are only an order among calls and logs. */
class CallTracerReader {
  readonly frames: { -readonly [K in keyof TraceFrame]: TraceFrame[K] }[] = [];
  readonly logs: TraceLog[] = [];
  readonly selfDestructs: TraceSelfDestruct[] = [];
  /** Of the next call or log. */
  #order = 0;

  /** False where it is no such tree. */
  read(wire: unknown, parent: TraceFrame | null): boolean {
    if (!isObject(wire) || !isAddress(wire['from'])) return false;
    const depth = parent === null ? 0 : parent.depth + 1;
    const { type, calls = [], logs = [] } = wire;
    if (depth > MAX_DEPTH || typeof type !== 'string' || !Array.isArray(calls) || !Array.isArray(logs)) return false;
    if (type === 'SELFDESTRUCT') return this.#addSelfDestruct(wire, parent);
    if (!KINDS.includes(type)) return false;
    const frame = toFrame(wire, type as CallKind, this.frames.length, parent, this.#order++);
    this.frames.push(frame);
    const positions = logs.filter(isObject).map(log => ({ log, position: Number(log['position'] ?? calls.length) }));
    for (const [index, call] of calls.entries()) {
      this.#addLogs(
        positions.filter(({ position }) => position === index),
        frame,
      );
      if (!this.read(call, frame)) return false;
    }
    this.#addLogs(
      positions.filter(({ position }) => !(position < calls.length)),
      frame,
    );
    return true;
  }

  #addLogs(logs: readonly { readonly log: UnknownRecord }[], { index, address }: TraceFrame): void {
    for (const { log } of logs) {
      const { topics, data } = log;
      this.logs.push({
        step: this.#order++,
        frame: index,
        address: isAddress(log['address']) ? toLowerHex(log['address']) : address,
        topics: (Array.isArray(topics) ? topics : []).filter(isHash),
        data: toBytes(data),
      });
    }
  }

  #addSelfDestruct(wire: UnknownRecord, parent: TraceFrame | null): boolean {
    if (parent === null) return false;
    this.selfDestructs.push({
      step: this.#order++,
      frame: parent.index,
      address: toAddress(wire['from']),
      beneficiary: toAddress(wire['to']),
      value: parseQuantity(wire['value']) ?? 0n,
    });
    return true;
  }
}

function toFrame(
  wire: UnknownRecord,
  kind: CallKind,
  index: number,
  parent: TraceFrame | null,
  order: number,
): TraceFrame {
  const isCreation = kind === 'CREATE' || kind === 'CREATE2';
  const isDelegated = kind === 'DELEGATECALL' || kind === 'CALLCODE';
  const to = toAddress(wire['to']);
  const error = typeof wire['error'] === 'string' && wire['error'] !== '' ? wire['error'] : null;
  const isReverted = error !== null && /revert/i.test(error);
  const input = toBytes(wire['input']);
  const precompile = isCreation ? null : getPrecompileName(to);
  const hasValue = kind !== 'STATICCALL' && kind !== 'DELEGATECALL';
  return {
    index,
    parent: parent?.index ?? -1,
    depth: parent === null ? 0 : parent.depth + 1,
    kind,
    caller: toAddress(wire['from']),
    address: isDelegated ? (parent?.address ?? to) : to,
    codeAddress: to,
    code: isCreation ? input : NO_BYTES,
    isCreation,
    value: hasValue
      ? (parseQuantity(wire['value']) ?? 0n)
      : (parent?.value ?? 0n) * (kind === 'DELEGATECALL' ? 1n : 0n),
    gasLimit: Number(parseQuantity(wire['gas']) ?? 0n),
    gasUsed: Number(parseQuantity(wire['gasUsed']) ?? 0n),
    input: isCreation ? NO_BYTES : input,
    output: error === null || isReverted ? toBytes(wire['output']) : NO_BYTES,
    status: error === null ? 'success' : isReverted ? 'reverted' : 'exceptional',
    ...(error !== null &&
      !isReverted && { haltReason: HALT_REASONS.find(([text]) => text.test(error))?.[1] ?? 'other' }),
    firstStep: 0,
    endStep: 0,
    callStep: parent === null ? -1 : order,
    ...(precompile !== null && { precompile }),
  };
}

/** `null` when it is no result of `callTracer`, such as `{}` of a node that does not have it. */
function parseCallTracerTrace(result: unknown): Omit<Trace, 'isVerified'> | null {
  const reader = new CallTracerReader();
  if (!reader.read(result, null)) return null;
  const { frames, logs, selfDestructs } = reader;
  return { by: 'callTracer', frames, logs, selfDestructs, steps: new StepColumns(), writes: [], preimages: [] };
}

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
  type,
  from,
  to,
  input,
  output,
  value: toQuantity(value ?? 0n),
  gas: toQuantity(gas ?? 0n),
  gasUsed: toQuantity(gasUsed ?? 0n),
  ...(error !== null && { error }),
  calls: [],
});
