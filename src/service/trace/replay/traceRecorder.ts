// Records each step of an EVM as columns, and its calls, storage writes, logs and hashes.
import { type EVM, EVMError, type EVMResult, type Message } from '@ethereumjs/evm';
import type { CallKind, HaltReason } from '../../../api/transactionTrace.ts';
import { HexLensError } from '../../../base/errors.ts';
import { bytesToBigInt, bytesToHex, type Hex, toWordHex } from '../../../base/hex.ts';
import { localizable } from '../../../base/localize.ts';
import { TaskPacer } from '../../../base/taskPacer.ts';
import { StepColumns } from '../../../decode/trace/stepColumns.ts';
import {
  CALL_KINDS,
  type ColdAccess,
  type KeccakPreimage,
  type MemorySize,
  type StorageWrite,
  type TraceFrame,
  type TraceLog,
  type TraceSelfDestruct,
} from '../../../decode/trace/trace.ts';
import { getPrecompileName } from './precompileNames.ts';
import type { ReplayState } from './replayState.ts';

/** What the EVM gives to the functions of an instruction; declared here, as the package does not export it. */
interface RunState {
  readonly programCounter: number;
  readonly opCode: number;
  readonly gasLeft: bigint;
  readonly messageGasLimit?: bigint;
  readonly returnBytes: Uint8Array;
  readonly memoryWordCount: bigint;
  readonly stack: { readonly length: number; getStack(): bigint[]; peek(count: number): bigint[] };
  readonly memory: { read(offset: number, size: number): Uint8Array };
  readonly env: {
    readonly address: { toString(): string };
    readonly depth: number;
    readonly contract: { readonly balance: bigint };
  };
}

type GasHandler = (state: RunState, gas: bigint, common: unknown) => bigint | Promise<bigint>;
type OpHandler = (state: RunState, common: unknown) => void | Promise<void>;

interface OpcodeEntry {
  readonly opcodeInfo: { readonly dynamicGas: boolean };
  readonly opHandler: OpHandler;
  readonly gasHandler: GasHandler | undefined;
}

/** Stack and memory before a step. */
export interface StepState {
  /** The top is last. */
  readonly stack: readonly bigint[];
  readonly memory: Uint8Array;
}

/** Steps whose state is to be recorded too; the run ends after the last one. */
export interface StepWindow {
  /** Step of the first of `states`. */
  from: number;
  /** Exclusive. */
  readonly to: number;
  /** The step that is wanted: where memory is large, only those near it are recorded. */
  readonly wanted: number;
  readonly states: StepState[];
  bytes: number;
}

/** Thrown to end a run whose window is complete. */
export class WindowComplete extends Error {}

/** What the first access costs more, by instruction: slots, then accounts (EIP-2929). Others make an account known for free. */
const COLD_SLOT_COSTS: ReadonlyMap<number, number> = new Map([
  [0x54, 2_000],
  [0x55, 2_100],
]);
const COLD_ACCOUNT_COSTS: ReadonlyMap<number, number> = new Map([
  // BALANCE, EXTCODESIZE, EXTCODECOPY, EXTCODEHASH, CALL, CALLCODE, DELEGATECALL, STATICCALL
  ...[0x31, 0x3b, 0x3c, 0x3f, 0xf1, 0xf2, 0xf4, 0xfa].map(op => [op, 2_500] as const),
  [0xff, 2_600],
]);

/** Where the EVM notes what was accessed; only under rules by which first accesses cost more. */
interface WarmJournal {
  addWarmedAddress(address: unknown): void;
  addWarmedStorage(address: unknown, slot: unknown): void;
}

interface OpenFrame {
  readonly frame: { -readonly [K in keyof TraceFrame]: TraceFrame[K] };
  readonly message: Message;
}

/** A calling instruction that has not opened its frame yet. */
interface PendingCall {
  readonly kind: CallKind;
  readonly step: number;
}

const NO_BYTES = new Uint8Array(0);
const OPCODES = {
  stop: 0x00,
  keccak256: 0x20,
  returnDataCopy: 0x3e,
  sstore: 0x55,
  tstore: 0x5d,
  push0: 0x5f,
  push32: 0x7f,
  log0: 0xa0,
  log4: 0xa4,
  return: 0xf3,
  selfDestruct: 0xff,
} as const;
/** Instructions that end a call without an error. */
const STOPPING: ReadonlySet<number> = new Set([OPCODES.stop, OPCODES.return, OPCODES.selfDestruct]);
const MAX_DEPTH = 1024;
const MAX_PREIMAGE_BYTES = 256;
/** That the states of a window may hold, with so many for each word of a stack. */
const MAX_WINDOW_BYTES = 16 << 20;
const STACK_WORD_BYTES = 16;
/** More steps than this are not recorded: 420 MB. */
export const MAX_STEPS = 20_000_000;
/** Between two looks at the clock. */
const STEPS_PER_CHECK = 1 << 12;

const toAddress = (value: bigint): Hex => `0x${(value & ((1n << 160n) - 1n)).toString(16).padStart(40, '0')}`;
const toSlot = (value: bigint): Uint8Array => {
  const bytes = new Uint8Array(32);
  for (let index = 31, rest = value; rest > 0n; index--, rest >>= 8n) bytes[index] = Number(rest & 0xffn);
  return bytes;
};

/** Arithmetic, jumps, and what pushes, copies and swaps words. */
const isStackOnly = (op: number): boolean =>
  op < 0x20 || (op >= 0x56 && op <= 0x58) || op === 0x5b || (op >= 0x5f && op <= 0x9f) || op === 0x50;

function isOutOfBounds({ stack, returnBytes }: RunState): boolean {
  if (stack.length < 3) return false;
  const [, offset = 0n, length = 0n] = stack.peek(3);
  return offset + length > BigInt(returnBytes.length);
}

const HALT_REASONS: ReadonlyMap<string, HaltReason> = new Map([
  [EVMError.errorMessages.OUT_OF_GAS, 'outOfGas'],
  [EVMError.errorMessages.CODESTORE_OUT_OF_GAS, 'outOfGas'],
  [EVMError.errorMessages.STACK_UNDERFLOW, 'stackUnderflow'],
  [EVMError.errorMessages.STACK_OVERFLOW, 'stackOverflow'],
  [EVMError.errorMessages.INVALID_OPCODE, 'invalidOpcode'],
  [EVMError.errorMessages.STATIC_STATE_CHANGE, 'staticStateChange'],
  [EVMError.errorMessages.CODESIZE_EXCEEDS_MAXIMUM, 'codeSizeLimit'],
  [EVMError.errorMessages.INITCODE_SIZE_VIOLATION, 'initCodeSizeLimit'],
  [EVMError.errorMessages.INVALID_BYTECODE_RESULT, 'codeBeginsWithEf'],
  [EVMError.errorMessages.CREATE_COLLISION, 'addressCollision'],
  [EVMError.errorMessages.INSUFFICIENT_BALANCE, 'insufficientBalance'],
]);

export class TraceRecorder {
  readonly steps = new StepColumns();
  readonly frames: TraceFrame[] = [];
  readonly writes: StorageWrite[] = [];
  readonly logs: TraceLog[] = [];
  readonly selfDestructs: TraceSelfDestruct[] = [];
  readonly preimages: KeccakPreimage[] = [];
  readonly memorySizes: MemorySize[] = [];
  readonly coldAccesses: ColdAccess[] = [];
  /** Of memory at the step before. */
  #words = 0n;
  readonly #state: ReplayState;
  readonly #evm: EVM;
  readonly #pacer: TaskPacer;
  /** Innermost last. */
  readonly #open: OpenFrame[] = [];
  #frame = -1;
  #pending: PendingCall | null = null;
  /** The last RETURNDATACOPY beyond the data, which the package calls out of gas. */
  #outOfBoundsStep = -1;
  readonly #window: StepWindow | null;
  /** Memory at the step before, if that was one of the same call and did not write. */
  #memory: { readonly frame: number; readonly bytes: Uint8Array } | null = null;

  /** Records what `evm` runs from now on. */
  constructor(evm: EVM, state: ReplayState, signal: AbortSignal | undefined, window: StepWindow | null = null) {
    this.#window = window;
    this.#evm = evm;
    this.#state = state;
    this.#pacer = new TaskPacer(signal);
    evm.events.on('beforeMessage', message => this.#onBeforeMessage(message));
    evm.events.on('afterMessage', result => this.#onAfterMessage(result));
    const journal = evm.journal as unknown as WarmJournal;
    const addAddress = journal.addWarmedAddress.bind(journal);
    const addSlot = journal.addWarmedStorage.bind(journal);
    journal.addWarmedAddress = address => {
      this.#onFirstAccess(COLD_ACCOUNT_COSTS);
      addAddress(address);
    };
    journal.addWarmedStorage = (address, slot) => {
      this.#onFirstAccess(COLD_SLOT_COSTS);
      addSlot(address, slot);
    };
    // The package's own event for each step copies stack and memory, which takes longer than the step itself.
    const { _opcodeMap: entries } = evm as unknown as { readonly _opcodeMap: OpcodeEntry[] };
    for (const [op, entry] of entries.entries()) entries[op] = this.#watch(op, entry);
  }

  /** The same instruction: its gas handler runs before it is paid for, its handler after that. */
  #watch(op: number, { opcodeInfo, opHandler, gasHandler }: OpcodeEntry): OpcodeEntry {
    const onStep: GasHandler =
      gasHandler === undefined
        ? (state, gas) => this.#onStep(state)?.then(() => gas) ?? gas
        : (state, gas, common) =>
            this.#onStep(state)?.then(() => gasHandler(state, gas, common)) ?? gasHandler(state, gas, common);
    return {
      // A frozen object with getters of none of its fields: a copy is the same.
      opcodeInfo: { ...opcodeInfo, dynamicGas: true },
      opHandler: this.#watchEffect(op, opHandler),
      gasHandler: onStep,
    };
  }

  #watchEffect(op: number, run: OpHandler): OpHandler {
    const kind = CALL_KINDS[op];
    if (kind !== undefined) return (state, common) => this.#onCall(kind, state, () => run(state, common));
    if (op === OPCODES.sstore) return (state, common) => this.#onStorageWrite(state, () => run(state, common));
    if (op === OPCODES.tstore) return (state, common) => this.#onTransientWrite(state, () => run(state, common));
    if (op === OPCODES.keccak256) return (state, common) => this.#onHash(state, () => run(state, common));
    if (op === OPCODES.selfDestruct) return (state, common) => this.#onSelfDestruct(state, () => run(state, common));
    if (op >= OPCODES.log0 && op <= OPCODES.log4)
      return (state, common) => this.#onLog(state, op - OPCODES.log0, () => run(state, common));
    return run;
  }

  #onStep(state: RunState): Promise<void> | undefined {
    const step = this.steps.add(state.programCounter, Number(state.gasLeft), state.opCode, this.#frame);
    // The memory of the call before says nothing about that of this one, which may be as long.
    if (state.memoryWordCount !== this.#words || this.steps.frame[step - 1] !== this.#frame) {
      this.#words = state.memoryWordCount;
      this.memorySizes.push({ step, words: Number(this.#words) });
    }
    if (state.opCode === OPCODES.returnDataCopy && isOutOfBounds(state)) this.#outOfBoundsStep = step;
    if (this.#window !== null && step >= this.#window.from) this.#recordState(this.#window, step, state);
    if (step % STEPS_PER_CHECK !== 0) return undefined;
    if (step >= MAX_STEPS)
      throw new HexLensError('too-large', localizable('The transaction has too many steps to trace.'));
    return this.#pacer.pause();
  }

  #recordState(window: StepWindow, step: number, state: RunState): void {
    const { to, states, wanted } = window;
    const isFull = window.bytes > MAX_WINDOW_BYTES;
    if (step >= to || (isFull && step > wanted)) throw new WindowComplete();
    if (isFull) {
      states.length = 0;
      Object.assign(window, { from: step, bytes: 0 });
    }
    const isSame = this.#memory?.frame === this.#frame;
    const bytes = isSame ? this.#memory?.bytes : undefined;
    const memory = bytes ?? state.memory.read(0, 32 * Number(state.memoryWordCount));
    // Every instruction may extend memory; these do not touch it.
    this.#memory = isStackOnly(state.opCode) ? { frame: this.#frame, bytes: memory } : null;
    const stack = state.stack.getStack();
    window.bytes += STACK_WORD_BYTES * stack.length + (bytes === undefined ? memory.length : 0);
    states.push({ stack, memory });
  }

  #onFirstAccess(costs: ReadonlyMap<number, number>): void {
    const step = this.#lastStep;
    const gas = costs.get(this.steps.op[step] ?? -1);
    if (gas !== undefined) this.coldAccesses.push({ step, gas });
  }

  get #lastStep(): number {
    return this.steps.length - 1;
  }

  #onBeforeMessage(message: Message): void {
    const isCreation = message.to === undefined;
    const pending = this.#pending;
    this.#pending = null;
    const parent = this.#frame;
    const index = this.frames.length;
    const frame: OpenFrame['frame'] = {
      index,
      parent,
      depth: message.depth,
      kind: pending?.kind ?? (isCreation ? 'CREATE' : 'CALL'),
      caller: message.caller.toString(),
      address: message.to?.toString() ?? '0x',
      codeAddress: isCreation ? '0x' : message.codeAddress.toString(),
      code: NO_BYTES,
      isCreation,
      value: message.value,
      gasLimit: Number(message.gasLimit),
      gasUsed: 0,
      // The EVM gives a part of the caller's memory, which changes later.
      input: isCreation ? NO_BYTES : message.data.slice(),
      output: NO_BYTES,
      status: 'success',
      firstStep: this.steps.length,
      endStep: this.steps.length,
      callStep: pending?.step ?? -1,
    };
    if (isCreation) frame.code = message.data.slice();
    this.frames.push(frame);
    this.#open.push({ frame, message });
    this.#frame = index;
  }

  #onAfterMessage({ execResult, createdAddress }: EVMResult): void {
    const open = this.#open.pop();
    if (open === undefined) return;
    const { frame, message } = open;
    if (execResult.exceptionError === undefined) this.#addImplicitStop(frame, execResult);
    this.#frame = frame.parent;
    frame.endStep = this.steps.length;
    frame.gasUsed = Number(execResult.executionGasUsed);
    const { exceptionError } = execResult;
    if (exceptionError === undefined || exceptionError.error === EVMError.errorMessages.REVERT)
      frame.output = execResult.returnValue;
    if (frame.isCreation) {
      if (createdAddress !== undefined) frame.address = frame.codeAddress = createdAddress.toString();
    } else this.#setCode(frame, message);
    if (exceptionError === undefined) return;
    frame.status = exceptionError.error === EVMError.errorMessages.REVERT ? 'reverted' : 'exceptional';
    if (frame.status === 'reverted') return;
    frame.haltReason = this.#getHaltReason(frame, exceptionError.error);
  }

  #getHaltReason({ precompile }: TraceFrame, error: string): HaltReason {
    // The package adds the place.
    if (error.startsWith(EVMError.errorMessages.INVALID_JUMP)) return 'badJump';
    const reason = HALT_REASONS.get(error) ?? 'other';
    if (precompile !== undefined && reason !== 'outOfGas') return 'precompile';
    return reason === 'outOfGas' && this.#outOfBoundsStep === this.#lastStep ? 'returnDataOutOfBounds' : reason;
  }

  /** Code that runs beyond its end stops there: nodes have a step for that. */
  #addImplicitStop({ index, firstStep }: TraceFrame, { gas = 0n, runState }: EVMResult['execResult']): void {
    let step = this.#lastStep;
    while (step >= firstStep && this.steps.frame[step] !== index) step--;
    const op = this.steps.op[step];
    if (step < firstStep || op === undefined || STOPPING.has(op)) return;
    const isPush = op >= OPCODES.push0 && op <= OPCODES.push32;
    const pc = (this.steps.pc[step] ?? 0) + 1 + (isPush ? op - OPCODES.push0 : 0);
    const stop = this.steps.add(pc, Number(gas), OPCODES.stop, index);
    if (this.#window !== null && stop >= this.#window.from && runState !== undefined)
      this.#recordState(this.#window, stop, runState as unknown as RunState);
  }

  #setCode(frame: OpenFrame['frame'], message: Message): void {
    if (message.code instanceof Uint8Array) frame.code = message.code;
    const name = getPrecompileName(frame.codeAddress);
    if (typeof message.code === 'function') frame.precompile = name ?? 'precompile';
    const delegation = this.#state.getKnownCode(frame.codeAddress);
    // EIP-7702: 0xef0100 and the address whose code runs.
    if (delegation.length === 23 && delegation[0] === 0xef && delegation[1] === 1)
      frame.codeAddress = bytesToHex(delegation.subarray(3));
  }

  async #onCall(kind: CallKind, state: RunState, run: () => void | Promise<void>): Promise<void> {
    const pending: PendingCall = { kind, step: this.#lastStep };
    this.#pending = pending;
    const isCreation = kind === 'CREATE' || kind === 'CREATE2';
    const stack = state.stack.peek(isCreation ? 3 : kind === 'CALL' || kind === 'CALLCODE' ? 5 : 4);
    const gasLimit = Number(state.messageGasLimit ?? 0n);
    await run();
    if (this.#pending !== pending) return;
    this.#pending = null;
    this.#addUnmadeCall(kind, state, stack, gasLimit);
  }

  /** A call that the EVM did not make: too deep, or more value than the caller has. */
  #addUnmadeCall(kind: CallKind, state: RunState, stack: readonly bigint[], gasLimit: number): void {
    const isCreation = kind === 'CREATE' || kind === 'CREATE2';
    const hasValue = kind === 'CALL' || kind === 'CALLCODE';
    const self = state.env.address.toString() as Hex;
    const target = toAddress(stack[1] ?? 0n);
    const value = isCreation ? (stack[0] ?? 0n) : hasValue ? (stack[2] ?? 0n) : 0n;
    const [offset = 0n, length = 0n] = isCreation ? stack.slice(1) : stack.slice(hasValue ? 3 : 2);
    const data = length === 0n ? NO_BYTES : state.memory.read(Number(offset), Number(length));
    const isTooDeep = state.env.depth >= MAX_DEPTH;
    const hasBalance = state.env.contract.balance >= value;
    this.frames.push({
      index: this.frames.length,
      parent: this.#frame,
      depth: state.env.depth + 1,
      kind,
      caller: self,
      address: isCreation ? '0x' : kind === 'CALL' || kind === 'STATICCALL' ? target : self,
      codeAddress: isCreation ? '0x' : target,
      code: isCreation ? data : NO_BYTES,
      isCreation,
      value,
      gasLimit,
      gasUsed: 0,
      input: isCreation ? NO_BYTES : data,
      output: NO_BYTES,
      status: 'exceptional',
      haltReason: isTooDeep ? 'depth' : hasBalance ? 'nonceOverflow' : 'insufficientBalance',
      firstStep: this.steps.length,
      endStep: this.steps.length,
      callStep: this.#lastStep,
    });
  }

  async #onStorageWrite(state: RunState, run: () => void | Promise<void>): Promise<void> {
    const [slot = 0n, newValue = 0n] = state.stack.peek(2);
    const address = state.env.address.toString() as Hex;
    const oldValue = bytesToBigInt(await this.#state.getStorageAt(address, toSlot(slot)));
    await run();
    this.#addWrite(address, slot, oldValue, newValue, false);
  }

  #onTransientWrite(state: RunState, run: () => void | Promise<void>): void | Promise<void> {
    const [slot = 0n, newValue = 0n] = state.stack.peek(2);
    const address = state.env.address.toString() as Hex;
    const { transientStorage } = this.#evm as unknown as {
      readonly transientStorage: { get(address: unknown, key: Uint8Array): Uint8Array };
    };
    const oldValue = bytesToBigInt(transientStorage.get(state.env.address, toSlot(slot)));
    const done = run();
    this.#addWrite(address, slot, oldValue, newValue, true);
    return done;
  }

  #addWrite(address: Hex, slot: bigint, oldValue: bigint, newValue: bigint, isTransient: boolean): void {
    this.writes.push({ step: this.#lastStep, frame: this.#frame, address, slot, oldValue, newValue, isTransient });
  }

  #onHash(state: RunState, run: () => void | Promise<void>): void | Promise<void> {
    const [offset = 0n, length = 0n] = state.stack.peek(2);
    const done = run();
    if (length > BigInt(MAX_PREIMAGE_BYTES)) return done;
    const input = length === 0n ? NO_BYTES : state.memory.read(Number(offset), Number(length));
    this.preimages.push({ step: this.#lastStep, input, hash: state.stack.peek(1)[0] ?? 0n });
    return done;
  }

  #onLog(state: RunState, topicCount: number, run: () => void | Promise<void>): void | Promise<void> {
    const [offset = 0n, length = 0n, ...topics] = state.stack.peek(2 + topicCount);
    const done = run();
    this.logs.push({
      step: this.#lastStep,
      frame: this.#frame,
      address: state.env.address.toString() as Hex,
      topics: topics.map(toWordHex),
      data: length === 0n ? NO_BYTES : state.memory.read(Number(offset), Number(length)),
    });
    return done;
  }

  async #onSelfDestruct(state: RunState, run: () => void | Promise<void>): Promise<void> {
    const [beneficiary = 0n] = state.stack.peek(1);
    this.selfDestructs.push({
      step: this.#lastStep,
      frame: this.#frame,
      address: state.env.address.toString() as Hex,
      beneficiary: toAddress(beneficiary),
      value: state.env.contract.balance,
    });
    await run();
  }
}
