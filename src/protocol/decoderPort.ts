// What decoding a log or a call gives, and the port to the decoder that knows the workspace's ABIs.
import type { DecodedItem } from '../decode/decodeAbi.ts';
import type { DecodedValue } from '../decode/decodeValues.ts';
import type { SeaportTrade } from '../decode/seaportTrade.ts';
import type { AmountUnits } from './amountUnits.ts';

/** An event as a chain has it; `topics` in their order, absent ones left out. */
export interface RawLog {
  readonly chain: string;
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
}

/** A call: `to` is `null` for a contract creation. */
export interface RawCall {
  readonly chain: string;
  readonly to: string | null;
  readonly input: string;
}

/** A call and what came back. */
export interface ReturnedCall extends RawCall {
  /** Whose storage it used, where that is not the called contract: amounts are in the units of its token. */
  readonly account?: string | null;
  readonly output: string | null;
  readonly hasFailed: boolean;
}

/** One line each, untrusted; `null` for what is unknown. */
export interface CallDescription {
  readonly call: string | null;
  /** The returned values, or the decoded error. */
  readonly result: string | null;
}

/** A call and what came back with all values; `null` for what is unknown. */
export interface DecodedCall {
  readonly call: DecodedItem | null;
  readonly returned: readonly DecodedValue[] | null;
  readonly error: DecodedItem | null;
}

export type DecodedSource =
  | { readonly kind: 'log'; readonly log: RawLog }
  | { readonly kind: 'call'; readonly call: RawCall };

export interface DecodedArgument {
  /** Empty when the ABI gives none. */
  readonly name: string;
  /** As in a canonical signature: `uint256`, `(address,uint256)[]`. */
  readonly type: string;
  /** Decimal numbers, hex for addresses and bytes, untrusted text as it is; empty for tuples and arrays. */
  readonly value: string;
  /** Members of a tuple or array follow it, one level deeper. */
  readonly depth: number;
  /** The value is its hash: an indexed parameter of a dynamic type. */
  readonly isHash: boolean;
  /** The error or call that `bytes` encode, or the text that a hash is of, in one line; untrusted. */
  readonly meaning?: string;
  /** The unit of an amount: a token (lower-case address), or the chain's coin (`NATIVE_COIN`). */
  readonly unit?: string;
}

/** One declaration that fits the data. */
export interface DecodedCandidate {
  readonly signature: string;
  /** The ABI file of the workspace, or the standard that declares it. */
  readonly source: string;
  readonly args: readonly DecodedArgument[];
  /** All of it in one line, with names: `deposit(to: Alice, amount: 5)`; untrusted. */
  readonly text: string;
  /** The arguments of a log in one line, a transfer's as `Alice → Bob · 12 MFT`; untrusted. */
  readonly values?: string;
  /** The same with its addresses marked (`linkedText.ts`). */
  readonly linkedValues?: string;
  /** What was exchanged, where the log is Seaport's. */
  readonly trade?: SeaportTrade;
}

/** All declarations that fit: none when it is unknown, several when it is ambiguous. */
export type Decoding = readonly DecodedCandidate[];

export interface Decoder {
  decodeLog(log: RawLog): Decoding | Promise<Decoding>;
  /**
   * The logs of a table, with the names and units that their values need; `undefined` where no declaration fits. `texts` are
   * those that hashes in them may be of.
   */
  decodeLogs(logs: readonly RawLog[], texts?: readonly string[]): Promise<readonly (DecodedCandidate | undefined)[]>;
  /** Units of token contracts; `null` for one that is no ERC-20 or does not answer. */
  fetchUnits(contracts: Iterable<string>, chain: string): Promise<AmountUnits>;
  decodeCall(call: RawCall): Decoding | Promise<Decoding>;
  /** The calls of a table, with the names and units that their values need. */
  describeCalls(calls: readonly ReturnedCall[]): Promise<readonly CallDescription[]>;
  /** A log with all values; `null` when no declaration fits. */
  readLog(log: RawLog): Promise<DecodedItem | null>;
  readCall(call: ReturnedCall): Promise<DecodedCall>;
  /** Canonical signatures of events with this topic0, the workspace's first. */
  getEventSignatures(topic0: string): readonly string[];
  /** Canonical signatures of functions with this selector, the workspace's first. */
  getFunctionSignatures(selector: string): readonly string[];
  /** False where functions with the input's selector are known, but the input holds the arguments of none of them. */
  isPossibleCall(input: string): boolean;
}
