// From the opcode-by-opcode trace of nodes that know no other (Ganache, old Hardhat) to the calls inside a transaction.
import { type Hex, isHex } from '../../base/hex.ts';
import { type CallFrame, toErrorText } from './callFrames.ts';
import type { WireObject } from './responseFields.ts';

/** One step of `structLogs`; words are hex with or without `0x`, the stack's top is last. */
interface Step {
  readonly op: string;
  readonly depth: number;
  readonly gas: number;
  readonly gasCost: number;
  readonly stack: readonly string[];
  readonly memory: unknown;
  readonly error: unknown;
}

type Building = { -readonly [K in keyof CallFrame]: CallFrame[K] };

/** A call that has begun and whose end was not yet seen. */
interface Open {
  readonly frame: Building;
  /** Depth of the step that made the call. */
  readonly depth: number;
  /** Whose storage, and whose address in further calls. */
  readonly self: Hex | null;
  /** Gas at its first own step; `null` while none came (an account without code, a precompile). */
  startGas: number | null;
  lastStep: Step | null;
}

const CALLS = new Set(['CALL', 'CALLCODE', 'DELEGATECALL', 'STATICCALL', 'CREATE', 'CREATE2']);

const digits = (word: string) => (word.startsWith('0x') ? word.slice(2) : word);
const word = (step: Step, fromTop: number): bigint => {
  const text = digits(step.stack[step.stack.length - 1 - fromTop] ?? '0');
  return /^[0-9a-f]{1,64}$/i.test(text) ? BigInt(`0x${text}`) : 0n;
};
const addressOf = (value: bigint): Hex => `0x${(value & ((1n << 160n) - 1n)).toString(16).padStart(40, '0')}`;

/** Longer pieces of memory are no plausible call data. */
const LONGEST = 1n << 24n;

function memorySlice(step: Step, offset: bigint, length: bigint): Hex {
  if (length === 0n || length > LONGEST || offset > LONGEST) return '0x';
  const all = Array.isArray(step.memory)
    ? step.memory.map(part => digits(String(part))).join('')
    : typeof step.memory === 'string'
      ? digits(step.memory)
      : '';
  const start = Number(offset) * 2;
  const slice: Hex = `0x${all.slice(start, start + Number(length) * 2).padEnd(Number(length) * 2, '0')}`;
  return isHex(slice) ? slice : '0x';
}

function stepOf(value: unknown): Step | null {
  const { op, depth, gas, gasCost, stack, memory, error } = (value ?? {}) as WireObject;
  if (typeof op !== 'string' || !Number.isInteger(depth)) return null;
  return {
    op,
    depth: Number(depth),
    gas: Number(gas) || 0,
    gasCost: Number(gasCost) || 0,
    stack: Array.isArray(stack) ? stack.filter(entry => typeof entry === 'string') : [],
    memory,
    error: error === '' ? null : error, // Ganache has the field in every step
  };
}

function openCall(step: Step, self: Hex | null): Open {
  const creates = step.op === 'CREATE' || step.op === 'CREATE2';
  const hasValue = step.op === 'CALL' || step.op === 'CALLCODE';
  const data = creates ? 1 : hasValue ? 3 : 2;
  const to = creates ? null : addressOf(word(step, 1));
  const asked = creates ? null : word(step, 0);
  const left = BigInt(Math.max(0, step.gas));
  const frame: Building = {
    type: step.op,
    from: self,
    to,
    value: creates ? word(step, 0) : hasValue ? word(step, 2) : 0n,
    gas: asked === null || asked > left ? left : asked,
    gasUsed: 0n,
    input: memorySlice(step, word(step, data), word(step, data + 1)),
    output: '0x',
    error: null,
  };
  const inner = step.op === 'DELEGATECALL' || step.op === 'CALLCODE' ? self : to;
  return { frame, depth: step.depth, self: inner, startGas: null, lastStep: null };
}

/** `next` is the caller's step after the call, whose stack holds the outcome; `null` when the trace ends before it. */
function closeCall(open: Open, next: Step | null): void {
  const { frame, lastStep } = open;
  const creates = frame.type === 'CREATE' || frame.type === 'CREATE2';
  const outcome = next === null ? 0n : word(next, 0);
  if (lastStep !== null && open.startGas !== null) {
    frame.gas = BigInt(open.startGas);
    frame.gasUsed = BigInt(Math.max(0, open.startGas - (lastStep.gas - lastStep.gasCost)));
    if (lastStep.op === 'RETURN' || lastStep.op === 'REVERT')
      frame.output = memorySlice(lastStep, word(lastStep, 0), word(lastStep, 1));
  }
  if (outcome !== 0n) {
    if (creates) frame.to = addressOf(outcome);
    return;
  }
  if (lastStep?.op === 'REVERT') frame.error = 'execution reverted';
  else
    frame.error =
      toErrorText(lastStep?.error) ?? (lastStep === null ? 'the call was not made' : 'out of gas or invalid');
}

/**
 * The calls of a `structLogs` trace in the order of execution, or `null` when it is no such trace. `self` is the contract
 * that the transaction called or created. What the trace does not tell is `null` (the balance of a destroyed contract).
 */
export function parseStructLogs(trace: unknown, self: Hex | null): readonly CallFrame[] | null {
  const { structLogs, gas } = (trace ?? {}) as WireObject;
  if (!Array.isArray(structLogs)) return null;
  // Every transaction uses gas: Anvil tells one that it does not have in this way. Ganache, which counts in hex, counts
  // that of opcodes only.
  if (structLogs.length === 0 && !(Number(gas) > 0) && typeof gas !== 'string') return null;
  const frames: CallFrame[] = [];
  const open: Open[] = [];
  for (const value of structLogs as readonly unknown[]) {
    const step = stepOf(value);
    if (step === null) return null;
    while (open.length > 0 && step.depth <= (open.at(-1)?.depth ?? 0)) {
      const ended = open.pop();
      if (ended !== undefined) closeCall(ended, step.depth === ended.depth ? step : null);
    }
    const current = open.at(-1);
    if (current !== undefined) {
      current.startGas ??= step.gas;
      current.lastStep = step;
    }
    const context = current === undefined ? self : current.self;
    if (CALLS.has(step.op)) {
      // A call that the machine refuses to begin (too deep, too little gas) has a step of its own error.
      if (step.error !== undefined && step.error !== null) continue;
      const begun = openCall(step, context);
      frames.push(begun.frame);
      open.push(begun);
    } else if (step.op === 'SELFDESTRUCT') {
      frames.push({
        type: 'SELFDESTRUCT',
        from: context,
        to: addressOf(word(step, 0)),
        value: null,
        gas: 0n,
        gasUsed: 0n,
        input: '0x',
        output: '0x',
        error: null,
      });
    }
  }
  while (open.length > 0) {
    const ended = open.pop();
    if (ended !== undefined) closeCall(ended, null);
  }
  return frames;
}
