// What the lookup `transactionGas` gives: which gas a transaction paid for what, by line and function of its source.
import type { Hex } from '../base/hex.ts';
import type { LocalizableText } from '../base/localize.ts';

/** Gas of steps, with what of it was paid for the first access to an account or slot (EIP-2929) and for more memory. */
export interface GasShare {
  readonly gas: number;
  /**
   * Of helper code that the compiler generated and that has no line, such as code that writes a packed variable: it counts to
   * the statement that ran before it.
   */
  readonly helpers: number;
  readonly coldAccess: number;
  readonly memory: number;
}

/** Lines of one source. Line numbers are zero-based. */
export interface SourceGas {
  /** As the compiler named it, such as `src/Vault.sol`. */
  readonly source: string;
  /** Path of the file below the project's folder; `null` where there is none. */
  readonly file: string | null;
  /** The file was edited after the build: the lines are those of the text that was built. */
  readonly isChanged: boolean;
  readonly lines: readonly (GasShare & { readonly line: number })[];
  /** Lines of contracts that ran which have code that did not run. */
  readonly unreached: readonly number[];
}

export interface FunctionGas extends GasShare {
  /** The contract whose source has the function; `null` for a free function. */
  readonly contract: string | null;
  readonly functionName: string;
  /** As written; functions of one name differ in them. */
  readonly parameterTypes: readonly string[];
  readonly source: string;
  readonly file: string | null;
  /** Zero-based. */
  readonly line: number;
  /** Runs of the function, also those inside each other; 0 for a modifier, which runs as part of functions. */
  readonly calls: number;
  /** Gas of the function and of all that it called. */
  readonly total: number;
}

/** A line of `TransactionGas.sources`, by its index there. */
export interface GasTreeLine {
  readonly source: number;
  readonly line: number;
  readonly gas: number;
}

/** One function inside those that called it; equal ones of one caller are one entry. */
export interface GasTreeEntry {
  readonly contract: string | null;
  /** Index in `TransactionGas.functions`; `null` for code of no function, as without a build. */
  readonly function: number | null;
  readonly address: Hex;
  readonly calls: number;
  /** With what is inside it. */
  readonly total: number;
  /** What its own lines cost, the most expensive first; what is missing from `total` is that of code without a line. */
  readonly lines: readonly GasTreeLine[];
  readonly children: readonly GasTreeEntry[];
}

/** What a transaction pays beside its steps. */
export interface FixedGas {
  /** 21,000, and 32,000 more for a creation. */
  readonly transaction: number;
  /** Bytes of the call data, and words of init code (EIP-3860). */
  readonly data: number;
  /** EIP-2930. */
  readonly accessList: number;
  /** EIP-7702. */
  readonly authorizations: number;
  /** Returned for slots that were cleared and the like; at most a fifth of the gas. */
  readonly refund: number;
  /** Added where the data costs more than everything else together (EIP-7623). */
  readonly floor: number;
}

/** All parts together are `gasUsed`: `fixed` (its refund counts negative), `codeDeposit`, the lines, `unmapped` and `unknown`. */
export interface TransactionGas {
  readonly kind: 'gas';
  readonly gasUsed: number;
  readonly fixed: FixedGas;
  /** For storing the code of new contracts, 200 a byte. */
  readonly codeDeposit: number;
  readonly sources: readonly SourceGas[];
  readonly functions: readonly FunctionGas[];
  /** Code that the compiler added around the functions of a contract: the choice of the function, its arguments and results. By contract. */
  readonly unmapped: readonly (GasShare & { readonly contract: string })[];
  /** Code that no build of the project is known for. By address. */
  readonly unknown: readonly (GasShare & { readonly address: Hex })[];
  /** The call of the transaction; children beyond `MAX_GAS_TREE_ENTRIES` are left out. */
  readonly tree: GasTreeEntry | null;
}

/** A transaction whose steps are not known. */
export interface NoTransactionGas {
  readonly kind: 'noGas';
  /** What is missing, in a sentence. */
  readonly reason: LocalizableText;
}

export const MAX_GAS_TREE_ENTRIES = 2_000;
