// What decoding a log or a call gives: the port behind which ABIs of the workspace and well-known signatures stand.
import type { SeaportTrade } from '../decode/seaportTrade.ts';

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

export interface DecodedArgument {
  /** Empty when the ABI gives none. */
  readonly name: string;
  /** As in a canonical signature: `uint256`, `(address,uint256)[]`. */
  readonly type: string;
  /** Decimal numbers, hex for addresses and bytes, text as it is (hostile); empty for what has parts of its own. */
  readonly value: string;
  /** Parts of the one before stand deeper than it. */
  readonly depth: number;
  /** Only the hash of the value is known: an indexed parameter of a dynamic type. */
  readonly hashed: boolean;
  /** An amount: of which token (lower-case address), or of the chain's coin (`NATIVE`). */
  readonly unit?: string;
}

/** One possible reading. `source`: the file of an ABI in the workspace, or the standard the signature is known from. */
export interface DecodedCandidate {
  readonly signature: string;
  readonly source: string;
  readonly args: readonly DecodedArgument[];
  /** What was exchanged, where the log is a market's. */
  readonly trade?: SeaportTrade;
}

/** Empty: unknown. More than one: ambiguous, none of them is a guess of ours. */
export type Decoding = readonly DecodedCandidate[];

export interface Decoder {
  decodeLog(log: RawLog): Decoding | Promise<Decoding>;
  decodeCall(call: RawCall): Decoding | Promise<Decoding>;
  /** What a failed call returned. */
  decodeRevert(output: string): Decoding | Promise<Decoding>;
  /** Canonical signatures of events with this topic0, the workspace's first. */
  getEventSignatures(topic0: string): readonly string[];
  /** False where functions with the input's selector are known, and it holds the arguments of none of them. */
  isPossibleCall(input: string): boolean;
  /** Canonical signatures of functions with this selector, the workspace's first. */
  getFunctionSignatures(selector: string): readonly string[];
}
