// Functions of a contract, and what calls of them returned.
import type { Simulation } from '../api/traceTarget.ts';
import type { DecodedArgument } from './decoderPort.ts';
import type { HexNames } from './hexNames.ts';

export interface FunctionParameter {
  /** Empty when the ABI gives none. */
  readonly name: string;
  /** Canonical: `uint256`, `(address,uint256)[]`. */
  readonly type: string;
}

export interface ContractFunction {
  /** `balanceOf(address)`; of a function that the user declared, the declaration as it was typed. */
  readonly signature: string;
  readonly name: string;
  /** The contract of the workspace or the standard that declares it; `null` for the user's own declaration. */
  readonly source: string | null;
  readonly inputs: readonly FunctionParameter[];
  readonly outputs: readonly FunctionParameter[];
  /** It changes the state of the chain: it is simulated, never sent. */
  readonly isWriting: boolean;
}

export interface FunctionCall {
  readonly signature: string;
  /** One text per parameter, as it was typed. */
  readonly args: readonly string[];
}

/** What came of one call. Texts are untrusted. */
export interface FunctionResult {
  readonly signature: string;
  /** `invalid`: an argument is not of its type, so that nothing was sent. */
  readonly outcome: 'returned' | 'reverted' | 'failed' | 'invalid';
  readonly values: readonly DecodedArgument[];
  /** Names of the addresses in the values. */
  readonly names: HexNames['addresses'];
  /** Why there are no values; empty when there are. */
  readonly message: string;
  /** What is wrong with each argument; empty unless `invalid`. */
  readonly issues: readonly (string | null)[];
  /** Values that are left out, because there are too many to show. */
  readonly omitted: number;
  /** All of the result for the clipboard. */
  readonly text: string;
  /** What was run, where the call was simulated. */
  readonly simulation?: Simulation;
  /** Gas that it would use. */
  readonly gasUsed?: string;
}

/** Calls that one request may hold. */
export const MAX_CALLS_PER_READ = 64;
export const MAX_CALL_ARGUMENTS = 64;
/** Declarations that the user added to one contract. */
export const MAX_DECLARED_FUNCTIONS = 32;
export const MAX_SIGNATURE_LENGTH = 4_000;
export const MAX_ARGUMENT_LENGTH = 16_384;
