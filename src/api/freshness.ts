// How long something read from a chain stays true: what caches may keep, and until when.
import type { Hex } from '../base/hex.ts';

/**
 * `final`: until the chain is another one (its block is finalized). `head`: until the chain has another head. `now`: until
 * then too, or until someone turns a dev chain's state by hand (balances, nonces), which moves no head.
 * `seconds`: for a few seconds even if the head moves (public chains' balances). Nothing survives another genesis hash.
 */
export type FinalityClass = 'final' | 'head' | 'now' | 'seconds';

/** The chain at the moment of reading. */
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
