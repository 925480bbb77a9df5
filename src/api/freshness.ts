// How long data read from a chain stays valid, for caches.
import type { Hex } from '../base/hex.ts';

/**
 * - `finalized`: valid for good, since its block is finalized.
 * - `untilNextHead`: until the chain has another head.
 * - `untilStateChange`: as `untilNextHead`, but a dev chain's state may also be changed without a new block (balances,
 *   nonces, code), so that it is requested again after a second.
 * - `fewSeconds`: for a few seconds, even if the head changes (balances on public chains). Replies to programs over HTTP are
 *   never older than the head: for them it is `untilNextHead`.
 *
 * Nothing stays valid when the genesis hash changes.
 */
export type Validity = 'finalized' | 'untilNextHead' | 'untilStateChange' | 'fewSeconds';

/** The chain when the data was read. */
export interface ChainState {
  readonly genesisHash: Hex;
  readonly headHash: Hex;
  readonly headNumber: number;
}

export interface Freshness {
  readonly validity: Validity;
  /** Canonical chain selector. */
  readonly chain: string;
  readonly state: ChainState;
}
