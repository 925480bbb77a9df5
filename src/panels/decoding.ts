// What decoding a log or a call gives: the port behind which ABIs of the workspace and well-known signatures stand.

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
  /** Readable text: decimal numbers, hex for bytes; hostile. An indexed dynamic value is its hash. */
  readonly value: string;
  readonly indexed: boolean;
}

/** `source`: the file of an ABI in the workspace, or the standard the signature is known from. */
export interface Decoded {
  readonly kind: 'decoded';
  readonly signature: string;
  readonly source: string;
  readonly args: readonly DecodedArgument[];
}

/** Several signatures fit, or the values could not be read by any of them: none is a guess of ours. */
export interface Ambiguous {
  readonly kind: 'ambiguous';
  readonly candidates: readonly { readonly signature: string; readonly source: string }[];
}

export type Description = Decoded | Ambiguous | null;

export interface Describer {
  describeLog(log: RawLog): Description | Promise<Description>;
  describeCall(call: RawCall): Description | Promise<Description>;
  /** Canonical signatures of events with this topic0, the workspace's first. */
  eventsOf(topic0: string): readonly string[];
  /** Canonical signatures of functions with this selector, the workspace's first. */
  methodsOf(selector: string): readonly string[];
}
