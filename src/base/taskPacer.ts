// A long task that lets other work of its thread run, and ends where it was cancelled.
import { createCancelledFault } from './errors.ts';
import { yieldToEventLoop } from './yieldToEventLoop.ts';

/** For so long a task holds the thread at most. */
const MAX_BUSY_MS = 40;

export class TaskPacer {
  readonly #signal: AbortSignal | undefined;
  #busySince = performance.now();

  constructor(signal: AbortSignal | undefined) {
    this.#signal = signal;
  }

  /** `undefined` where the task may continue at once. The promise rejects with `cancelled`. */
  pause(): Promise<void> | undefined {
    return performance.now() - this.#busySince < MAX_BUSY_MS ? undefined : this.#yield();
  }

  async #yield(): Promise<void> {
    await yieldToEventLoop();
    if (this.#signal?.aborted) throw createCancelledFault();
    this.#busySince = performance.now();
  }
}
