// How long data read from a chain stays valid, for caches.
import type { Hex } from '../base/hex.ts';

/**
 * - `final`: valid for good, since its block is finalized.
 * - `head`: until the chain has another head.
 * - `now`: as `head`, but a dev chain's state may also be changed without a new block (balances, nonces).
 * - `seconds`: for a few seconds, even if the head changes (balances on public chains); for programs as `head`.
 *
 * Nothing stays valid when the genesis hash changes.
 */
export type FinalityClass = 'final' | 'head' | 'now' | 'seconds';

/** The chain when the data was read. */
export interface ChainState {
  readonly genesisHash: Hex;
  readonly headHash: Hex;
  readonly headNumber: number;
}

export interface Freshness {
  readonly class: FinalityClass;
  /** Canonical chain selector. */
  readonly chain: string;
  readonly state: ChainState;
}
