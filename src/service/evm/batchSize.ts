// How many calls a node takes at once, as far as it has shown.
import type { Clock } from '../../base/clock.ts';

/** Calls per batch until a node names another limit: the smallest that providers usually have. */
const DEFAULT_BATCH_LIMIT = 100;
/**
 * After a batch failed although its calls work singly, so many calls are sent singly before a batch of two is tried; twice
 * as many after each such batch that fails too, for nodes that never take one.
 */
const SINGLES_BEFORE_BATCH = 25;
const MAX_SINGLES_BEFORE_BATCH = 10_000;
/** By so much the batch size grows again with each batch that was answered. */
const BATCH_SIZE_STEP = 4;
/** A limit that was named, or a method that was missing, is tried again after this: nodes are restarted with other flags. */
export const LEARNED_LIMIT_MS = 10 * 60_000;

export class BatchSize {
  readonly #clock: Clock;
  /** By the node's own words, and since when: it may be the limit of one gateway. */
  #named = { limit: DEFAULT_BATCH_LIMIT, at: 0 };
  /** Calls that are sent at once at present. */
  #limit = DEFAULT_BATCH_LIMIT;
  #singlesBeforeBatch = SINGLES_BEFORE_BATCH;
  #singlesSinceFailure = 0;
  /** A batch of two is tried after a failure. */
  #isTrying = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Calls that are sent at once at present; 1 for single calls without a batch. */
  get limit(): number {
    return this.#limit;
  }

  /** The node named a limit. */
  onNamed(limit: number): void {
    this.#named = { limit: Math.min(this.#namedLimit, limit), at: this.#clock.now() };
    this.#limit = Math.min(this.#limit, this.#named.limit);
  }

  onAnswered(): void {
    this.#isTrying = false;
    this.#singlesBeforeBatch = SINGLES_BEFORE_BATCH;
    this.#limit = Math.min(this.#namedLimit, this.#limit + BATCH_SIZE_STEP);
  }

  /** A batch failed whose calls work singly. */
  onFailed(): void {
    if (this.#isTrying) this.#singlesBeforeBatch = Math.min(2 * this.#singlesBeforeBatch, MAX_SINGLES_BEFORE_BATCH);
    this.#isTrying = false;
    this.#limit = 1;
    this.#singlesSinceFailure = 0;
  }

  onSinglesAnswered(count: number): void {
    this.#singlesSinceFailure += count;
  }

  /** Whether it is time to try one batch of two, while the other calls are sent singly. */
  tryBatch(): boolean {
    if (this.#singlesSinceFailure < this.#singlesBeforeBatch || this.#namedLimit === 1) return false;
    this.#singlesSinceFailure = 0;
    this.#isTrying = true;
    return true;
  }

  reset(): void {
    this.#named = { limit: DEFAULT_BATCH_LIMIT, at: 0 };
    this.#limit = DEFAULT_BATCH_LIMIT;
    this.#singlesBeforeBatch = SINGLES_BEFORE_BATCH;
    this.#isTrying = false;
  }

  get #namedLimit(): number {
    return this.#clock.now() - this.#named.at < LEARNED_LIMIT_MS ? this.#named.limit : DEFAULT_BATCH_LIMIT;
  }
}
