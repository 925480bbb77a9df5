// Calls inside a transaction, from the opcode trace of nodes that have no other (Ganache, old Hardhat).
import { type Hex, isHex } from '../../base/hex.ts';
import { type CallFrame, toErrorText } from './callFrames.ts';
import type { WireObject } from './responseFields.ts';

/** One step of `structLogs`; words are hex with or without `0x`, the stack's top is last. */
interface TraceStep {
  readonly op: string;
  readonly depth: number;
  readonly gas: number;
  readonly gasCost: number;
  readonly stack: readonly string[];
  readonly memory: unknown;
  readonly error: unknown;
}

type MutableFrame = { -readonly [K in keyof CallFrame]: CallFrame[K] };

/** A call whose end has not been seen yet. */
interface OpenCall {
  readonly frame: MutableFrame;
  /** Its index in the list of all calls: those after it until it ends are inside it. */
  readonly index: number;
  /** Depth of the step that makes the call. */
  readonly depth: number;
  /** The contract whose code context this is: `from` of further calls. */
  readonly self: Hex | null;
  /** Gas at its first own step; `null` when it has none (an account without code, a precompile). */
  startGas: number | null;
  lastStep: TraceStep | null;
}

const CALL_OPCODES = new Set(['CALL', 'CALLCODE', 'DELEGATECALL', 'STATICCALL', 'CREATE', 'CREATE2']);

const stripPrefix = (word: string) => (word.startsWith('0x') ? word.slice(2) : word);
const getStackWord = (step: TraceStep, fromTop: number): bigint => {
  const text = stripPrefix(step.stack[step.stack.length - 1 - fromTop] ?? '0');
  return /^[0-9a-f]{1,64}$/i.test(text) ? BigInt(`0x${text}`) : 0n;
};
const toAddress = (value: bigint): Hex => `0x${(value & ((1n << 160n) - 1n)).toString(16).padStart(40, '0')}`;

/** More memory than this is no plausible call data. */
const MAX_MEMORY_BYTES = 1n << 24n;

function getMemorySlice(step: TraceStep, offset: bigint, length: bigint): Hex {
  if (length === 0n || length > MAX_MEMORY_BYTES || offset > MAX_MEMORY_BYTES) return '0x';
  const all = Array.isArray(step.memory)
    ? step.memory.map(part => stripPrefix(String(part))).join('')
    : typeof step.memory === 'string'
      ? stripPrefix(step.memory)
      : '';
  const start = Number(offset) * 2;
  const slice: Hex = `0x${all.slice(start, start + Number(length) * 2).padEnd(Number(length) * 2, '0')}`;
  return isHex(slice) ? slice : '0x';
}

/** A number of a hostile node may have a fraction, or no end. */
const toGas = (value: unknown): number => (Number.isSafeInteger(Number(value)) ? Number(value) : 0);

function parseStep(value: unknown): TraceStep | null {
  const { op, depth, gas, gasCost, stack, memory, error } = (value ?? {}) as WireObject;
  if (typeof op !== 'string' || !Number.isInteger(depth)) return null;
  return {
    op,
    depth: Number(depth),
    gas: toGas(gas),
    gasCost: toGas(gasCost),
    stack: Array.isArray(stack) ? stack.filter(entry => typeof entry === 'string') : [],
    memory,
    error: error === '' ? null : error, // Ganache has the field in every step
  };
}

function openCall(step: TraceStep, self: Hex | null, index: number, depth: number): OpenCall {
  const isCreation = step.op === 'CREATE' || step.op === 'CREATE2';
  const hasValue = step.op === 'CALL' || step.op === 'CALLCODE';
  const dataIndex = isCreation ? 1 : hasValue ? 3 : 2;
  const to = isCreation ? null : toAddress(getStackWord(step, 1));
  const requestedGas = isCreation ? null : getStackWord(step, 0);
  const gasLeft = BigInt(Math.max(0, step.gas));
  const frame: MutableFrame = {
    type: step.op,
    from: self,
    to,
    value: isCreation ? getStackWord(step, 0) : hasValue ? getStackWord(step, 2) : 0n,
    gas: requestedGas === null || requestedGas > gasLeft ? gasLeft : requestedGas,
    gasUsed: 0n,
    input: getMemorySlice(step, getStackWord(step, dataIndex), getStackWord(step, dataIndex + 1)),
    output: '0x',
    error: null,
    isReverted: false,
    depth,
  };
  const innerSelf = step.op === 'DELEGATECALL' || step.op === 'CALLCODE' ? self : to;
  return { frame, index, depth: step.depth, self: innerSelf, startGas: null, lastStep: null };
}

/** `next` is the caller's step after the call, whose stack has the result on top; `null` when the trace ends before. */
function closeCall(open: OpenCall, next: TraceStep | null): void {
  const { frame, lastStep } = open;
  const isCreation = frame.type === 'CREATE' || frame.type === 'CREATE2';
  const stackTop = next === null ? 0n : getStackWord(next, 0);
  if (lastStep !== null && open.startGas !== null) {
    frame.gas = BigInt(open.startGas);
    frame.gasUsed = BigInt(Math.max(0, open.startGas - (lastStep.gas - lastStep.gasCost)));
    if (lastStep.op === 'RETURN' || lastStep.op === 'REVERT')
      frame.output = getMemorySlice(lastStep, getStackWord(lastStep, 0), getStackWord(lastStep, 1));
  }
  if (stackTop !== 0n) {
    if (isCreation) frame.to = toAddress(stackTop);
    return;
  }
  if (lastStep?.op === 'REVERT') frame.error = 'execution reverted';
  else
    frame.error =
      toErrorText(lastStep?.error) ?? (lastStep === null ? 'the call was not made' : 'out of gas or invalid');
}

/**
 * The calls of a `structLogs` trace in the order of execution, or `null` when it is no such trace. `self` is the contract
 * that the transaction called or created. What the trace does not hold is `null` (the balance of a destroyed contract).
 */
export function parseStructLogs(trace: unknown, self: Hex | null): readonly CallFrame[] | null {
  const { structLogs, gas, failed } = (trace ?? {}) as WireObject;
  if (!Array.isArray(structLogs)) return null;
  // Every transaction uses gas: Anvil returns an empty trace without gas for a transaction that it does not have. Ganache,
  // which returns gas as hex, counts only that of opcodes.
  if (structLogs.length === 0 && !(Number(gas) > 0) && typeof gas !== 'string') return null;
  const frames: MutableFrame[] = [];
  const open: OpenCall[] = [];
  const revertFrom = (index: number) => {
    for (const frame of frames.slice(index)) frame.isReverted = true;
  };
  const close = (ended: OpenCall, next: TraceStep | null) => {
    closeCall(ended, next);
    if (ended.frame.error !== null) revertFrom(ended.index);
  };
  for (const value of structLogs as readonly unknown[]) {
    const step = parseStep(value);
    if (step === null) return null;
    while (open.length > 0 && step.depth <= (open.at(-1)?.depth ?? 0)) {
      const ended = open.pop();
      if (ended !== undefined) close(ended, step.depth === ended.depth ? step : null);
    }
    const current = open.at(-1);
    if (current !== undefined) {
      current.startGas ??= step.gas;
      current.lastStep = step;
    }
    const context = current === undefined ? self : current.self;
    if (CALL_OPCODES.has(step.op)) {
      // A call that the EVM does not start (too deep, too little gas) is a step with an error of its own.
      if (step.error !== undefined && step.error !== null) continue;
      const opened = openCall(step, context, frames.length, open.length + 1);
      frames.push(opened.frame);
      open.push(opened);
    } else if (step.op === 'SELFDESTRUCT') {
      frames.push({
        type: 'SELFDESTRUCT',
        from: context,
        to: toAddress(getStackWord(step, 0)),
        value: null,
        gas: 0n,
        gasUsed: 0n,
        input: '0x',
        output: '0x',
        error: null,
        isReverted: false,
        depth: open.length + 1,
      });
    }
  }
  while (open.length > 0) {
    const ended = open.pop();
    if (ended !== undefined) close(ended, null);
  }
  if (failed === true) revertFrom(0);
  return frames;
}
