// Calls inside a transaction in the order of execution, from the two trace formats of nodes.
import { type Hex, isHex, parseQuantity } from '../../base/hex.ts';
import { toAddressOrNull, toHexOrNull, type WireObject } from './responseFields.ts';
import { toPrintable } from './rpcMessage.ts';

/** One call below the transaction's own; the transaction itself is not an internal one. */
export interface CallFrame {
  /** The opcode: CALL, DELEGATECALL, STATICCALL, CALLCODE, CREATE, CREATE2 or SELFDESTRUCT. */
  readonly type: string;
  readonly from: Hex | null;
  /** The callee, the new contract, or the beneficiary of a destroyed contract; `null` for a creation that failed. */
  readonly to: Hex | null;
  readonly value: bigint | null;
  readonly gas: bigint | null;
  readonly gasUsed: bigint | null;
  readonly input: Hex | null;
  readonly output: Hex | null;
  /** Why it failed; `null` when it did not. */
  readonly error: string | null;
  /** Whether its effects were undone: it failed, or a call around it did. */
  readonly isReverted: boolean;
  /** 1 for a call of the transaction's own call or creation; 0 is that one. */
  readonly depth: number;
}

export interface TransactionFrames {
  /** The transaction's own call or creation. */
  readonly root: CallFrame;
  /** Those below it, in the order of execution. */
  readonly calls: readonly CallFrame[];
}

const REVERTED = 'execution reverted';

/** The error of a call; the commonest one in Geth's spelling. */
export function toErrorText(error: unknown): string | null {
  if (typeof error !== 'string' || error === '') return null;
  return /^revert(ed)?$/i.test(error) ? REVERTED : toPrintable(error);
}

/**
 * Static and delegate calls transfer no value, and neither does a call whose value the node leaves out. Some nodes give a
 * delegate call the value of the call around it, others none: a sum over all calls must be the same.
 */
const parseValue = (type: string, value: unknown): bigint | null =>
  type === 'STATICCALL' || type === 'DELEGATECALL' ? 0n : (parseQuantity(value) ?? 0n);

/** Gas of a failed call: a halt uses all of it, a call that was not made uses none, a revert may use any part. */
function getGasOfFailure(error: string | null, gas: bigint | null): bigint | null {
  if (error === null || error === REVERTED) return null;
  return /fund|balance|deep|depth/i.test(error) ? 0n : gas;
}

const toHexOrEmpty = (value: unknown): Hex => toHexOrNull(value) ?? '0x';

/** The EVM allows 1024: a deeper tree is no call tree. */
const MAX_DEPTH = 1025;

/** The calls below the root of a `callTracer` result; `null` when it is no such result. */
export function parseCallTracer(root: unknown): readonly CallFrame[] | null {
  const frames: CallFrame[] = [];
  const visit = (value: unknown, depth: number, isCallerReverted: boolean): boolean => {
    if (value === null || typeof value !== 'object' || depth > MAX_DEPTH) return false;
    const frame = value as WireObject;
    const { type, calls } = frame;
    if (typeof type !== 'string' || !/^[A-Z0-9]{1,20}$/.test(type) || !isHex(frame['from'])) return false;
    const error = toErrorText(frame['error']);
    const isReverted = isCallerReverted || error !== null;
    if (depth > 0) {
      frames.push({
        type,
        from: toAddressOrNull(frame['from']),
        to: toAddressOrNull(frame['to']),
        value: parseValue(type, frame['value']),
        gas: parseQuantity(frame['gas']),
        gasUsed: parseQuantity(frame['gasUsed']),
        input: toHexOrEmpty(frame['input']),
        output: toHexOrEmpty(frame['output']),
        error,
        isReverted,
        depth,
      });
    }
    if (calls === undefined || calls === null) return true;
    return Array.isArray(calls) && calls.every(call => visit(call, depth + 1, isReverted));
  };
  return visit(root, 0, false) ? frames : null;
}

/** One entry of `trace_block` or `trace_transaction`, before its fields are read. */
interface ParityTrace {
  readonly path: readonly number[];
  readonly wire: WireObject;
}

/** Parents before children, siblings in their order: the order of execution. */
function compareByPath(a: ParityTrace, b: ParityTrace): number {
  for (const [index, step] of a.path.entries()) {
    const other = b.path[index];
    if (other === undefined) return 1;
    if (other !== step) return step - other;
  }
  return a.path.length - b.path.length;
}

/**
 * The calls of each transaction in a result of `trace_block` or `trace_transaction`, by transaction hash; `null` when it is
 * no such result or is of another block.
 */
export function parseParityTraces(traces: unknown, blockHash: Hex): ReadonlyMap<string, TransactionFrames> | null {
  if (!Array.isArray(traces)) return null;
  const byTransaction = new Map<string, ParityTrace[]>();
  for (const entry of traces as readonly unknown[]) {
    if (entry === null || typeof entry !== 'object') return null;
    const wire = entry as WireObject;
    const { transactionHash, traceAddress } = wire;
    if (wire['blockHash'] !== blockHash) return null;
    if (typeof transactionHash !== 'string') continue; // the miner's reward
    if (!Array.isArray(traceAddress)) return null;
    const list = byTransaction.get(transactionHash);
    const trace = { path: traceAddress.map(Number), wire };
    if (list === undefined) byTransaction.set(transactionHash, [trace]);
    else list.push(trace);
  }
  const transactions = new Map<string, TransactionFrames>();
  for (const [hash, list] of byTransaction) {
    const [root, ...calls] = toParityFrames(list.sort(compareByPath));
    if (root !== undefined && list[0]?.path.length === 0) transactions.set(hash, { root, calls });
  }
  return transactions;
}

/** `traces` are in the order of execution. */
function toParityFrames(traces: readonly ParityTrace[]): readonly CallFrame[] {
  let reverted: readonly number[] | null = null;
  return traces.map(({ path, wire }) => {
    const frame = toParityFrame(wire);
    if (reverted !== null && !reverted.every((step, index) => path[index] === step)) reverted = null;
    if (frame.error !== null) reverted ??= path;
    return { ...frame, isReverted: reverted !== null, depth: path.length };
  });
}

function toParityFrame(wire: WireObject): Omit<CallFrame, 'isReverted' | 'depth'> {
  const action = (wire['action'] ?? {}) as WireObject;
  const result = (wire['result'] ?? {}) as WireObject;
  const error = toErrorText(wire['error']);
  const gas = parseQuantity(action['gas']);
  const shared = { gas, gasUsed: parseQuantity(result['gasUsed']) ?? getGasOfFailure(error, gas), error };
  if (wire['type'] === 'suicide' || wire['type'] === 'selfdestruct') {
    return {
      ...shared,
      type: 'SELFDESTRUCT',
      from: toAddressOrNull(action['address']),
      to: toAddressOrNull(action['refundAddress']),
      value: parseQuantity(action['balance']) ?? 0n,
      gas: 0n,
      gasUsed: 0n,
      input: '0x',
      output: '0x',
    };
  }
  if (wire['type'] === 'create') {
    const method = action['creationMethod'];
    return {
      ...shared,
      type: typeof method === 'string' ? method.toUpperCase() : 'CREATE',
      from: toAddressOrNull(action['from']),
      to: toAddressOrNull(result['address']),
      value: parseQuantity(action['value']) ?? 0n,
      input: toHexOrEmpty(action['init']),
      output: toHexOrEmpty(result['code']),
    };
  }
  const callType = action['callType'];
  const type = typeof callType === 'string' ? callType.toUpperCase() : 'CALL';
  return {
    ...shared,
    type,
    from: toAddressOrNull(action['from']),
    to: toAddressOrNull(action['to']),
    value: parseValue(type, action['value']),
    input: toHexOrEmpty(action['input']),
    output: toHexOrEmpty(result['output']),
  };
}
