// Where a replay reads the state before its transaction.
import type { Hex } from '../../../base/hex.ts';

export interface SourceAccount {
  readonly nonce: bigint;
  readonly balance: bigint;
  readonly code: Uint8Array;
}

/** Addresses and slots are lower case; each is requested once. */
export interface StateSource {
  /** It has only what the transaction used: everything else is empty there, whatever the chain has. */
  readonly isPartial?: true;
  /** Whether a partial source has an account, or a slot of it. */
  isListed?(address: Hex, slot: Hex | null): boolean;
  /** `null` for an account that does not exist. */
  fetchAccount(address: Hex): Promise<SourceAccount | null>;
  /** Without leading zeros. */
  fetchStorage(address: Hex, slot: Hex): Promise<Uint8Array>;
  /** Of a block before that of the transaction. */
  fetchBlockHash(number: number): Promise<Uint8Array>;
}
