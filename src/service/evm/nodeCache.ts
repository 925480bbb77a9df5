// What was read of a chain and stays true as long as it is the same chain.
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../base/clock.ts';
import type { Hex } from '../../base/hex.ts';
import { LEARNED_LIMIT_MS } from './batchSize.ts';

/** Block times, which are small: 3 MB for the two caches of a node together. */
const MAX_CACHED_TIMES = 10_000;
/** As `max`, the cache would allocate all entries at once. */
const CACHED_TIMES = { maxSize: MAX_CACHED_TIMES, sizeCalculation: () => 1 };
const MAX_UNTRACEABLE = 1_000;
/** After that, they are traced again. */
const UNTRACEABLE_MS = 5 * 60_000;

export class NodeCache {
  /** Time by block hash, which holds for blocks that a reorg removed too. */
  readonly timeByHash = new LRUCache<Hex, Date>(CACHED_TIMES);
  /** Time in seconds by block number, for finalized blocks only. */
  readonly timeByNumber = new LRUCache<number, number>(CACHED_TIMES);
  /** Whether `eth_getBalance` takes a block hash (EIP-1898); `null` until tried. */
  takesBlockHash: boolean | null = null;
  /** Why the calls inside a transaction could not be read a moment ago, by its hash. */
  readonly untraceable = new LRUCache<Hex, string>({ max: MAX_UNTRACEABLE, ttl: UNTRACEABLE_MS });
  readonly #clock: Clock;
  /** The blocks, and when the node refused more: it may have been the limit of one gateway, or of a busy moment. */
  #logRange: { readonly blocks: number | null; readonly at: number } = { blocks: null, at: 0 };

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The largest number of blocks per `eth_getLogs`, for a while after the node has refused more. */
  get maxLogRange(): number | null {
    return this.#clock.now() - this.#logRange.at < LEARNED_LIMIT_MS ? this.#logRange.blocks : null;
  }

  set maxLogRange(blocks: number | null) {
    this.#logRange = { blocks, at: this.#clock.now() };
  }
}
