// How many calls a node takes at once, as far as it has shown.
import type { Clock } from '../../base/clock.ts';

/** Calls per batch until a node shows another limit. */
const DEFAULT_BATCH_LIMIT = 100;
/** The limit of a node that refused more and did not name it: what many providers take at least. */
export const COMMON_BATCH_LIMIT = 10;
/** After a batch failed although its calls work singly, so many calls are sent singly before a batch of two is tried. */
const SINGLES_BEFORE_BATCH = 25;
/** By so much the batch size grows again with each batch that was answered. */
const BATCH_SIZE_STEP = 4;
/** A limit that was learned, or a method that was missing, is tried again after this: nodes are restarted with other flags. */
export const LEARNED_LIMIT_MS = 10 * 60_000;

export class BatchSize {
  readonly #clock: Clock;
  /** Named by the node, or found by trying, and since when: it may be the limit of one gateway. */
  #learned = { limit: DEFAULT_BATCH_LIMIT, at: 0 };
  /** Calls that are sent at once at present. */
  #limit = DEFAULT_BATCH_LIMIT;
  #singlesSinceFailure = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Calls that are sent at once at present; 1 for single calls without a batch. */
  get limit(): number {
    return this.#limit;
  }

  /** The node named a limit. */
  onNamed(limit: number): void {
    this.#learned = { limit: Math.min(this.#learnedLimit, limit), at: this.#clock.now() };
    this.#limit = Math.min(this.#limit, limit);
  }

  onAnswered(): void {
    this.#limit = Math.min(this.#learnedLimit, this.#limit + BATCH_SIZE_STEP);
  }

  /** A batch of `size` was refused without a limit, and its calls worked `partSize` at once. */
  onSmallerAnswered(size: number, partSize: number): void {
    // Where singles worked, a few together may work too.
    this.onNamed(partSize > 1 ? partSize : Math.floor(size / 2));
    this.#limit = Math.min(this.#limit, partSize);
    this.#singlesSinceFailure = 0;
  }

  onSinglesAnswered(count: number): void {
    this.#singlesSinceFailure += count;
  }

  /** Whether it is time to try one batch of two, while the other calls are sent singly. */
  tryBatch(): boolean {
    if (this.#singlesSinceFailure < SINGLES_BEFORE_BATCH || this.#learnedLimit === 1) return false;
    this.#singlesSinceFailure = 0;
    return true;
  }

  reset(): void {
    this.#learned = { limit: DEFAULT_BATCH_LIMIT, at: 0 };
    this.#limit = DEFAULT_BATCH_LIMIT;
  }

  get #learnedLimit(): number {
    return this.#clock.now() - this.#learned.at < LEARNED_LIMIT_MS ? this.#learned.limit : DEFAULT_BATCH_LIMIT;
  }
}
