// What a replay needs to know of a transaction and its block.
import type { Hex } from '../../../base/hex.ts';

/** Those that change what a transaction does; names as in `@ethereumjs/common`. */
export const HARDFORKS = [
  'chainstart',
  'homestead',
  'tangerineWhistle',
  'spuriousDragon',
  'byzantium',
  'constantinople',
  'petersburg',
  'istanbul',
  'berlin',
  'london',
  'paris',
  'shanghai',
  'cancun',
  'prague',
  'osaka',
] as const;
export type Hardfork = (typeof HARDFORKS)[number];

export interface ReplayBlock {
  readonly number: bigint;
  readonly hash: Hex;
  readonly parentHash: Hex;
  readonly timestamp: bigint;
  readonly beneficiary: Hex;
  readonly gasLimit: bigint;
  /** `null` before EIP-1559. */
  readonly baseFee: bigint | null;
  readonly difficulty: bigint;
  readonly prevRandao: Uint8Array;
  /** Price per blob gas; `null` before EIP-4844. */
  readonly blobBaseFee: bigint | null;
  /** The newest hardfork that its fields permit, and the oldest. */
  readonly hardforks: readonly Hardfork[];
}

export interface ReplayTransaction {
  readonly hash: Hex;
  readonly from: Hex;
  /** `null` for a creation. */
  readonly to: Hex | null;
  /** `null` where the node does not send it: a deposit of OP Stack. */
  readonly nonce: bigint | null;
  readonly gasLimit: bigint;
  /** What was paid per gas. */
  readonly gasPrice: bigint;
  readonly value: bigint;
  readonly input: Uint8Array;
  readonly accessList: readonly { readonly address: Hex; readonly slots: readonly Hex[] }[];
  readonly authorizations: readonly Authorization[];
  readonly blobVersionedHashes: readonly Hex[];
  /** A deposit of OP Stack (type 0x7e), which pays no fees. */
  readonly isDeposit: boolean;
  readonly mint: bigint;
}

/** EIP-7702. */
export interface Authorization {
  readonly chainId: bigint;
  readonly address: Hex;
  readonly nonce: bigint;
  readonly yParity: bigint;
  readonly r: bigint;
  readonly s: bigint;
}
