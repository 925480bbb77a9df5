// What the lookups `tracedCodes` and `transactionSource` give: the codes that a transaction ran, and its lines of Solidity.
import type { Hex } from '../base/hex.ts';
import type { ContractDeclarations } from './contractDeclarations.ts';

/** Code that a transaction ran. */
export interface TracedCode {
  /** keccak-256 of `code`. */
  readonly hash: Hex;
  readonly code: Hex;
  /** Code that creates a contract, with the constructor's arguments. */
  readonly isCreation: boolean;
}

export interface BuiltSource {
  /** Source id of the compiler's run. */
  readonly id: number;
  /** As the compiler named it, such as `src/Vault.sol`. */
  readonly path: string;
  /** As it was built; `null` where that is not known. */
  readonly text: string | null;
  /** Path of the file below the project's folder; `null` where there is none. */
  readonly file: string | null;
  /** Whether the file has another text than when it was built. */
  readonly isChanged: boolean;
}

/** What a compiler knows of one contract: all that is needed to find lines in its code. */
export interface ContractBuild {
  readonly name: string;
  /** Path of the contract's source, as the compiler named it. */
  readonly path: string;
  /** As in the artifact. */
  readonly abi: readonly unknown[];
  /**
   * Selectors without `0x` by signature, `withdraw(uint256)`; empty where the build has none. Only they have a library's
   * functions that take references to storage.
   */
  readonly methodIdentifiers: Readonly<Record<string, string>>;
  /** Source map of the code that creates the contract. */
  readonly creationMap: string;
  /** Source map of its code. */
  readonly runtimeMap: string;
  readonly sources: readonly BuiltSource[];
  /** How it was compiled: by way of Yul (via-IR), and with the optimizer. */
  readonly pipeline: { readonly isViaIR: boolean; readonly isOptimized: boolean };
  /** Only where they were asked for, and the build has them. */
  readonly declarations?: ContractDeclarations;
}

/** The build of a code that a transaction ran. */
export interface MatchedCode {
  readonly hash: Hex;
  readonly isCreation: boolean;
  readonly build: ContractBuild;
}

/** Zero-based; characters count UTF-16 code units. */
export interface SourcePosition {
  readonly line: number;
  readonly character: number;
}

export interface SourceLocation {
  /** As the compiler named the source, such as `src/Vault.sol`. */
  readonly source: string;
  /** Path of the file below the project's folder; `null` where there is none. */
  readonly file: string | null;
  /** The file was edited after the build: the position is that of the text that was built. */
  readonly isChanged: boolean;
  /** Names the text that was built, where only the build has it: the file was edited, or there is none. */
  readonly textHash?: string;
  readonly start: SourcePosition;
  readonly end: SourcePosition;
}

/** A function that was running when the transaction failed. */
export interface StackFrame {
  /** The contract whose source has the function; `null` for a free function, and where no build is known. */
  readonly contract: string | null;
  /** `null`: no build is known for the code, or the contract has no function for the call. */
  readonly functionName: string | null;
  /** The account whose storage was used. */
  readonly address: Hex;
  /** `null`: the function is known, the line is not. */
  readonly location: SourceLocation | null;
  /** Concluded from the source: the compiler left no trace of this function or line in the code. */
  readonly isInferred: boolean;
  /** The lines around the place, as they were built; `null` without a place. */
  readonly excerpt: SourceExcerpt | null;
}

export interface SourceExcerpt {
  /** Zero-based. */
  readonly firstLine: number;
  readonly lines: readonly string[];
}

/** Why the innermost call failed. */
export type FailureReason =
  /** With the data that it returned. */
  | 'reverted'
  /** Ether was sent to a function that takes none. */
  | 'notPayable'
  /** The contract has no function with that selector, and no fallback function. */
  | 'unknownFunction'
  /** It was called without data, and the contract has no receive function, and no fallback function. */
  | 'noReceive'
  /** The arguments do not fit the function's types. */
  | 'invalidCalldata'
  /** It called an address without code. */
  | 'noCode'
  /** A contract that it called returned less than its type needs. */
  | 'shortReturnData'
  | 'outOfGas'
  /** The EVM halted: the trace has the reason. */
  | 'halted';

/** The stack of a transaction at its failure. */
export interface TransactionStack {
  /** Outermost first. */
  readonly frames: readonly StackFrame[];
  readonly reason: FailureReason;
  /** Index of the call in the trace that failed with this reason. */
  readonly call: number;
}

/** `Vault.deposit`; the part that is known where one is `null`. */
export const formatFunctionName = ({
  contract,
  functionName,
}: {
  readonly contract: string | null;
  readonly functionName: string | null;
}): string => [contract, functionName].filter(part => part !== null).join('.');

/** One call of a trace in the source. */
export interface CallSource {
  /** Index of the call in the trace. */
  readonly call: number;
  /** The contract whose code ran, as its build names it; `null` where none is known. */
  readonly calledContract: string | null;
  /** The contract whose source has the function: the same, or one that it inherits from. */
  readonly contract: string | null;
  /** The function that was entered; `null` where the contract has none for the call. */
  readonly functionName: string | null;
  readonly definition: SourceLocation | null;
  /** The expression in the caller's source; `null` where the compiler does not say. */
  readonly callSite: SourceLocation | null;
}

/** Internal calls of a trace that are sent at most; the first ones are. */
export const MAX_INTERNAL_CALLS = 5_000;

/** A call of a function or modifier inside its contract, which the EVM knows only as a jump. */
export interface InternalCall {
  /** Index of the call in the trace in which it happened. */
  readonly call: number;
  /** 1 for functions that the called function calls itself. */
  readonly depth: number;
  /** The step of the jump in the trace. */
  readonly step: number;
  /** The first step of its call behind it: what the function did, called and emitted is between the two. */
  readonly endStep: number;
  /** `null` for a free function. */
  readonly contract: string | null;
  readonly functionName: string;
  readonly definition: SourceLocation | null;
  /** `null` where the compiler does not say. */
  readonly callSite: SourceLocation | null;
}

/** What the source says about a transaction. */
export interface TransactionSource {
  /** `null` where the transaction was successful, and where its steps are not known. */
  readonly stack: TransactionStack | null;
  /** Calls of code whose build is known, or from such code. */
  readonly calls: readonly CallSource[];
  /** Where they were requested. Functions that the optimizer inlined are not among them. */
  readonly internalCalls?: readonly InternalCall[];
  /** The functions that made the call of `callersOf`, outermost first; empty where no build of its caller is known. */
  readonly callers?: readonly StackFrame[];
}

/** What is read beside the stack and the calls. */
export interface TransactionSourceOptions {
  readonly hasInternalCalls?: boolean;
  /** Index of a call in the trace. */
  readonly callersOf?: number;
}
