// Consumed nonces of sign-in messages, in a store that several processes share.
import type { Hex } from '../../base/hex.ts';

/** When each message expires, by the key of its nonce: milliseconds since 1970; `null` when it never does. */
export type NewNonces = ReadonlyMap<Hex, number | null>;

export interface SharedNonces {
  /** All or none, in one statement or transaction. Resolves with the keys that no process had inserted before. */
  insert(nonces: NewNonces, now: number): ReadonlySet<Hex> | Promise<ReadonlySet<Hex>>;
  close(): void | Promise<void>;
}

/** Nonces outlive their message by this, since the clocks of the machines that share a store differ. */
export const NONCE_MARGIN_MS = 10 * 60_000;
export const NONCE_CLEANUP_INTERVAL_MS = 60_000;
