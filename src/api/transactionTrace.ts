// What the lookup `transactionTrace` gives: the calls of a transaction as they ran, without the single steps.
import type { Hex } from '../base/hex.ts';
import type { LocalizableText } from '../base/localize.ts';
import type { Chain } from './chains.ts';
import type { Simulation } from './traceTarget.ts';

/** How a trace was obtained, and with it what may be claimed of it. */
export type TraceSource =
  /** Run again in our own EVM on the state before it. */
  | 'replay'
  /** The node's opcode trace. */
  | 'structLogs'
  /** A tracer in JavaScript that runs in the node: jumps, calls, storage writes and hashes, no other steps. */
  | 'jsTracer'
  /** Calls only, without steps. */
  | 'callTracer';

export type CallKind = 'CALL' | 'CALLCODE' | 'DELEGATECALL' | 'STATICCALL' | 'CREATE' | 'CREATE2';

/** Why the EVM halted a call; all of its gas is used then, but for calls that were not made. */
export type HaltReason =
  | 'outOfGas'
  | 'stackUnderflow'
  | 'stackOverflow'
  /** Also what `assert` was before Solidity 0.8: opcode 0xfe. */
  | 'invalidOpcode'
  | 'badJump'
  | 'staticStateChange'
  /** EIP-211: RETURNDATACOPY beyond the data. */
  | 'returnDataOutOfBounds'
  /** EIP-170: the new contract's code is too long. */
  | 'codeSizeLimit'
  /** EIP-3860: the init code is too long. */
  | 'initCodeSizeLimit'
  /** EIP-3541: the new contract's code begins with 0xEF. */
  | 'codeBeginsWithEf'
  /** There is a contract at the address already. */
  | 'addressCollision'
  /** The call was not made: 1024 calls are open. */
  | 'depth'
  /** The call was not made: the caller has less than it sends. */
  | 'insufficientBalance'
  /** The creation was not made: the creator's nonce is at its end. */
  | 'nonceOverflow'
  /** A precompile rejected its input. */
  | 'precompile'
  | 'other';

export type CallStatus = 'success' | 'reverted' | 'exceptional';

/** Calls of a trace that are sent at most; the first ones are. */
export const MAX_TRACED_CALLS = 5_000;
/** Longer data of calls and logs is cut to so many bytes. */
export const MAX_TRACE_DATA_BYTES = 8_192;

export interface TracedLog {
  /** Of all steps: where among the calls it belongs. */
  readonly step: number;
  readonly address: Hex;
  readonly topics: readonly Hex[];
  readonly data: Hex;
}

export interface TracedWrite {
  readonly step: number;
  readonly address: Hex;
  readonly slot: Hex;
  readonly oldValue: Hex;
  readonly newValue: Hex;
  /** TSTORE (EIP-1153). */
  readonly isTransient: boolean;
}

/** One call or creation; the transaction itself is the first. */
export interface TracedCall {
  readonly index: number;
  /** Index of the caller; -1 for the transaction itself. */
  readonly parent: number;
  readonly depth: number;
  readonly kind: CallKind;
  readonly caller: Hex;
  /** Whose storage it works on; for a creation the new contract; `null` for a creation that was not made. */
  readonly address: Hex | null;
  /** Whose code ran. */
  readonly codeAddress: Hex | null;
  /** keccak-256 of the code that ran, which is init code for a creation; `null` where there was none. */
  readonly codeHash: Hex | null;
  readonly value: bigint;
  /** Of the transaction itself: without what it costs before its first step. */
  readonly gasLimit: number;
  readonly gasUsed: number;
  /** At most `MAX_TRACE_DATA_BYTES`; init code for a creation. */
  readonly input: Hex;
  readonly inputSize: number;
  /** What it returned: the error's data where it reverted. */
  readonly output: Hex;
  readonly outputSize: number;
  readonly status: CallStatus;
  readonly haltReason: HaltReason | null;
  /** Its effects were undone: it failed, or a call around it did. */
  readonly isUndone: boolean;
  /** Name of the precompile that was called, such as `ecrecover`. */
  readonly precompile: string | null;
  /** Step of the calling instruction; -1 where there is none. */
  readonly step: number;
  /** Emitted by this call itself, also those that were undone. */
  readonly logs: readonly TracedLog[];
  readonly writes: readonly TracedWrite[];
  /** SELFDESTRUCT was executed: who got what was left. */
  readonly selfDestructs: readonly { readonly step: number; readonly beneficiary: Hex; readonly value: bigint }[];
}

/** The call in which a failed transaction failed first: all calls around it failed because of it. */
export interface TraceFailure {
  readonly call: number;
  readonly status: Exclude<CallStatus, 'success'>;
  readonly haltReason: HaltReason | null;
  /** What the transaction itself returned: an ABI-encoded error, or `0x`. */
  readonly data: Hex;
}

export interface TransactionTrace {
  readonly kind: 'trace';
  readonly chain: Chain;
  /** `null` for a simulated call, which is not on the chain. */
  readonly hash: Hex | null;
  /** As it was run, so that it can be run again in the same way; absent for a transaction of the chain. */
  readonly simulation?: Simulation;
  /** For a simulated call, the block that it would be in. */
  readonly blockNumber: number;
  /** `null` for a simulated call. */
  readonly blockHash: Hex | null;
  readonly status: 'success' | 'failed';
  readonly gasUsed: bigint;
  readonly by: TraceSource;
  /**
   * Gas used and status are those of the receipt; for a replay also logs and the created contract, for what the node traced
   * nothing else was compared. A simulated call gave what the node's own `eth_call` gave.
   */
  readonly verified: boolean;
  /** Steps that were executed; 0 where they are not known. */
  readonly steps: number;
  readonly calls: readonly TracedCall[];
  /** Those beyond `MAX_TRACED_CALLS`. */
  readonly omittedCalls: number;
  readonly failure: TraceFailure | null;
  /** What a reader should know, one sentence each. */
  readonly notes: readonly LocalizableText[];
}

export interface NoTransactionTrace {
  readonly kind: 'noTrace';
  readonly chain: Chain;
  /** `null` for a simulated call. */
  readonly hash: Hex | null;
  /** `pending`: not mined yet. */
  readonly problem: 'pending' | 'unavailable';
  /** What is missing and how to get it, in a sentence. */
  readonly reason: LocalizableText;
}
