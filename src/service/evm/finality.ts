// Which blocks of a chain are final: by the node's `finalized` tag, or by their depth; and for how long replies hold.
import type { ChainState, Freshness } from '../../api/freshness.ts';
import type { Clock } from '../../base/clock.ts';
import type { Hex } from '../../base/hex.ts';
import type { BlockHeader } from './blockHeader.ts';

/** Blocks behind the head that count as final where the node has no `finalized` tag. */
export const FINALITY_DEPTH = 64;
/** The anchor is replaced by a newer final block at most this often. */
const ANCHOR_INTERVAL_MS = 60_000;

/** A final block, whose hash must stay the same: if it changes, this is another chain. */
export interface Anchor {
  readonly number: number;
  readonly hash: Hex;
}

export interface FinalityState extends ChainState {
  /** Blocks up to this one will not change; -1 when that is certain of none. */
  readonly finalized: number;
  /** Whether any block may be undone at any time (Anvil, Hardhat, Ganache). */
  readonly isDevelopment: boolean;
}

/** The first headers that a node returned; `null` where it has no such block. */
export interface FirstHeaders {
  readonly isDevelopment: boolean;
  readonly genesis: BlockHeader | null;
  readonly finalized: BlockHeader | null;
  readonly head: BlockHeader;
}

export type FinalityTracker = ReturnType<typeof createFinalityTracker>;

export function createFinalityTracker(clock: Clock) {
  let anchor: Anchor | null = null;
  let anchoredAt = 0;
  let usesTag = true;

  return {
    /** The final block whose hash each check compares; `null` when none is known. */
    get anchor() {
      return anchor;
    },
    start({ isDevelopment, genesis, finalized, head }: FirstHeaders) {
      usesTag = finalized !== null && !isDevelopment;
      // A final block close to the head may be missing on one node behind a load balancer: block 0 is not.
      const isDeep = !isDevelopment && finalized !== null && finalized.number <= head.number - FINALITY_DEPTH / 2;
      const first = isDeep ? finalized : genesis;
      anchor = first === null ? null : { number: first.number, hash: first.hash };
      anchoredAt = isDeep ? clock.now() : 0;
    },
    /** The blocks one of which may become the anchor, when it is time for a newer one. */
    getAnchorBlocks(headNumber: number): readonly (number | 'finalized')[] {
      const deepBlock = headNumber - FINALITY_DEPTH;
      if (clock.now() - anchoredAt < ANCHOR_INTERVAL_MS || deepBlock <= (anchor?.number ?? 0)) return [];
      return usesTag ? [deepBlock, 'finalized'] : [deepBlock];
    },
    /** Takes the lowest of these blocks as anchor; `null` is one that the node did not return. */
    moveAnchor(headers: readonly (BlockHeader | null)[], head: BlockHeader) {
      anchoredAt = clock.now();
      const found = headers.filter(header => header !== null);
      const lowest = found.sort((a, b) => a.number - b.number)[0];
      if (lowest !== undefined && lowest.number > (anchor?.number ?? -1) && lowest.number <= head.number)
        anchor = { number: lowest.number, hash: lowest.hash };
    },
    /** The newest block that is final, given the head; -1 when none is for certain. */
    getFinalized: (headNumber: number): number =>
      anchor === null || anchor.number === 0 ? -1 : Math.min(anchor.number, headNumber),
    /** Forgets the anchor: this is another chain. */
    reset() {
      anchor = null;
    },
  };
}

/** The node that a reply came from, by its chain selector. */
interface FreshnessSource {
  readonly selector: string;
}

/** The freshness of a reply that depends on `block` (its number), or on the head alone (`null`). */
export function getFreshness(node: FreshnessSource, state: FinalityState, block: number | null): Freshness {
  const { genesisHash, headHash, headNumber } = state;
  const isFinal = block !== null && block <= state.finalized;
  return {
    validity: isFinal ? 'finalized' : 'untilNextHead',
    chain: node.selector,
    state: { genesisHash, headHash, headNumber },
  };
}

/** The freshness of what never changes on this chain, such as the decimals of a token. */
export const getPermanentFreshness = (node: FreshnessSource, state: FinalityState): Freshness => ({
  ...getFreshness(node, state, null),
  validity: 'finalized',
});

/** The freshness of balances and the like: seconds on a public chain, until the head changes on a development chain. */
export function getLiveFreshness(node: FreshnessSource, state: FinalityState): Freshness {
  const freshness = getFreshness(node, state, null);
  return { ...freshness, validity: state.isDevelopment ? 'untilStateChange' : 'fewSeconds' };
}
