// Head requests shared by many callers: each gets a response that was requested after it called.

import type { ChainState } from '../../api/freshness.ts';
import { getOrInsert } from '../../base/getOrInsert.ts';

/** How long a request waits for more callers: it costs the node and this process more than many replies do. */
const GATHER_MS = 2;

class HeadRequests {
  readonly #fetchState: () => Promise<ChainState>;
  /** The one that has not started: callers of this moment share it. */
  #pending: Promise<ChainState> | null = null;
  #waitingCallers = 0;
  /**
   * How many the pending request waits for: the callers of the last one, who call again when they have their replies, and
   * those who called while it ran. Otherwise two groups would form, each with a request of its own.
   */
  #expectedCallers = 1;
  /** Called when they have. */
  #stopGathering = () => {};
  #running: Promise<unknown> | null = null;

  constructor(fetchState: () => Promise<ChainState>) {
    this.#fetchState = fetchState;
  }

  join(): Promise<ChainState> {
    this.#pending ??= this.#start();
    if (++this.#waitingCallers >= this.#expectedCallers) this.#stopGathering();
    return this.#pending;
  }

  async #start(): Promise<ChainState> {
    await this.#running; // at least until the end of this turn, for the other callers of it
    // A single caller, one call after the other, never waits.
    if (this.#waitingCallers < this.#expectedCallers && this.#expectedCallers > 1) await this.#gather();
    this.#pending = null;
    const callers = this.#waitingCallers;
    this.#waitingCallers = 0;
    const run = this.#fetchState();
    const end = () => {
      this.#running = null;
      this.#expectedCallers = callers + this.#waitingCallers;
    };
    this.#running = run.then(end, end);
    return run;
  }

  #gather(): Promise<void> {
    return new Promise(resolve => {
      const timer = setTimeout(resolve, GATHER_MS);
      this.#stopGathering = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

/** `fetchState` requests the state of a chain at that moment. */
export function createHeadDeduplicator(
  fetchState: (chain: string) => Promise<ChainState>,
): (chain: string) => Promise<ChainState> {
  const requestsByChain = new Map<string, HeadRequests>();
  return chain => getOrInsert(requestsByChain, chain, () => new HeadRequests(() => fetchState(chain))).join();
}
