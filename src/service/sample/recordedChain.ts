// A chain as it was recorded from a node: blocks and receipts in the node's own JSON, and the state of each account by block.
import type { Hex } from '../../base/hex.ts';
import type { WireObject } from '../evm/responseFields.ts';

/** `[block, value]`: from that block on, until the next entry. */
export type RecordedValues = readonly (readonly [number, Hex])[];

export interface RecordedAccount {
  readonly balance: RecordedValues;
  readonly nonce: RecordedValues;
  readonly code: RecordedValues;
  /** By slot: 32 bytes. */
  readonly storage: Readonly<Record<Hex, RecordedValues>>;
}

export interface RecordedChain {
  readonly chainId: number;
  /** By number; each with its transactions. */
  readonly blocks: readonly { readonly block: WireObject; readonly receipts: readonly WireObject[] }[];
  /** By address in lower case. */
  readonly accounts: Readonly<Record<Hex, RecordedAccount>>;
}
