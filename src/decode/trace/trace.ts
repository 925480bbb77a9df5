// A traced transaction: its steps as columns, its calls as frames, and what they wrote, logged and hashed.
import type { FixedGas } from '../../api/transactionGas.ts';
import type { CallKind, CallStatus, HaltReason, TraceSource } from '../../api/transactionTrace.ts';
import type { Hex } from '../../base/hex.ts';

/** Opcodes that begin a call or creation. */
export const CALL_KINDS: Readonly<Record<number, CallKind>> = {
  240: 'CREATE',
  241: 'CALL',
  242: 'CALLCODE',
  244: 'DELEGATECALL',
  245: 'CREATE2',
  250: 'STATICCALL',
};

export type FrameStatus = CallStatus;

/** One call or creation; the transaction itself is the first. */
export interface TraceFrame {
  /** Index in `Trace.frames`, which are in the order of execution: callers before what they call. */
  readonly index: number;
  /** Index of the caller's frame; -1 for the transaction itself. */
  readonly parent: number;
  /** 0 for the transaction itself. */
  readonly depth: number;
  readonly kind: CallKind;
  readonly caller: Hex;
  /** Whose storage and balance it works on; for a creation the new contract, also where the creation failed. */
  readonly address: Hex;
  /** Whose code runs; for a creation the same as `address`, for an EIP-7702 account where it delegates to. */
  readonly codeAddress: Hex;
  /** The code that ran: init code for a creation; empty for an account without code and for a precompile. */
  readonly code: Uint8Array;
  readonly isCreation: boolean;
  readonly value: bigint;
  readonly gasLimit: number;
  readonly gasUsed: number;
  /** Call data; for a creation empty, as its arguments are at the end of `code`. */
  readonly input: Uint8Array;
  /** What it returned: the new contract's code for a creation that succeeded, the error's data for one that reverted. */
  readonly output: Uint8Array;
  readonly status: FrameStatus;
  /** With `status` `exceptional`. */
  readonly haltReason?: HaltReason;
  /** Its steps, with those of the frames inside it, are `firstStep` to `endStep` (exclusive); equal where there are none. */
  readonly firstStep: number;
  readonly endStep: number;
  /** The step of the calling instruction in the parent; -1 for the transaction itself. Without steps only an order. */
  readonly callStep: number;
  /** Name of the precompile that was called, such as `ecrecover`. */
  readonly precompile?: string;
}

/** One entry per executed instruction, in the order of execution; each array has at least `length` entries. */
export interface TraceColumns {
  readonly length: number;
  readonly pc: Uint32Array;
  /** Gas left before the step. */
  readonly gas: Float64Array;
  readonly op: Uint8Array;
  readonly frame: Uint32Array;
}

/** In the order of execution, also those that were undone later. */
export interface StorageWrite {
  readonly step: number;
  readonly frame: number;
  readonly address: Hex;
  readonly slot: bigint;
  readonly oldValue: bigint;
  readonly newValue: bigint;
  /** TSTORE (EIP-1153). */
  readonly isTransient: boolean;
}

/** A word of storage that the transaction read. */
export interface StoredWord {
  readonly address: Hex;
  readonly slot: bigint;
  readonly value: bigint;
}

/** In the order of execution, also those that were undone later. */
export interface TraceLog {
  readonly step: number;
  readonly frame: number;
  readonly address: Hex;
  readonly topics: readonly Hex[];
  readonly data: Uint8Array;
}

/** A SELFDESTRUCT that was executed. */
export interface TraceSelfDestruct {
  readonly step: number;
  readonly frame: number;
  readonly address: Hex;
  readonly beneficiary: Hex;
  readonly value: bigint;
}

/** Input and result of a KECCAK256. Inputs longer than 256 bytes are left out: no mapping key is that long. */
export interface KeccakPreimage {
  readonly step: number;
  readonly input: Uint8Array;
  readonly hash: bigint;
}

export interface AccountState {
  readonly balance: bigint;
  readonly nonce: bigint;
  readonly code: Uint8Array;
}

/** An account that the transaction changed; `null` where it does not exist. Storage is in the writes. */
export interface AccountChange {
  readonly address: Hex;
  readonly before: AccountState | null;
  readonly after: AccountState | null;
}

/** What a step paid more since it was the first access to an account or slot (EIP-2929). */
export interface ColdAccess {
  readonly step: number;
  readonly gas: number;
}

/** Size of memory before a step, in words of 32 bytes. */
export interface MemorySize {
  readonly step: number;
  readonly words: number;
}

export interface Trace {
  readonly by: TraceSource;
  /** See `TransactionTrace.verified`. */
  readonly isVerified: boolean;
  /** The code is another one than that of the chain: gas of calls is that of the transaction, gas of steps means nothing. */
  readonly isSubstituted?: true;
  readonly frames: readonly TraceFrame[];
  /** Empty (`length` 0) for `callTracer`; for `jsTracer` only the steps that it records. */
  readonly steps: TraceColumns;
  readonly writes: readonly StorageWrite[];
  readonly logs: readonly TraceLog[];
  readonly selfDestructs: readonly TraceSelfDestruct[];
  readonly preimages: readonly KeccakPreimage[];
  /** What it read; of those that `writes` changed too, the value means nothing. Only of a replay. */
  readonly readWords?: readonly StoredWord[];
  /** Only of a replay. */
  readonly accounts?: readonly AccountChange[];
  /** Where memory had another size than at the step before. Only of a replay. */
  readonly memorySizes?: readonly MemorySize[];
  /** A step may have several, as a call to an account that delegates. Only of a replay. */
  readonly coldAccesses?: readonly ColdAccess[];
  /** What was paid beside the steps. Only of a replay. */
  readonly fixedGas?: FixedGas;
}

/** Whether its effects were undone: it failed, or a call around it did. */
export function isUndone(frames: readonly TraceFrame[], frame: TraceFrame): boolean {
  for (let current: TraceFrame | undefined = frame; current !== undefined; current = frames[current.parent])
    if (current.status !== 'success') return true;
  return false;
}
