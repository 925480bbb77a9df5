// Long work of many tasks on one thread: together they hold a turn of the event loop for some milliseconds only.
import { yieldToEventLoop } from './yieldToEventLoop.ts';

/** In a turn, before what waits has to wait for the next one. */
const MAX_BUSY_MS = 5;

export class SharedPacer {
  /** When the work of this turn began; `null` before. Then `#startTurn` is called at the end of the turn. */
  #busySince: number | null = null;
  readonly #waiting: (() => void)[] = [];

  /** `undefined` where the task may continue at once; else a promise that resolves in a later turn, in the order of the calls. */
  pause(): Promise<void> | undefined {
    if (this.#waiting.length === 0 && !this.#isBusy()) return undefined;
    return new Promise(resolve => this.#waiting.push(resolve));
  }

  #isBusy(): boolean {
    if (this.#busySince !== null) return performance.now() - this.#busySince >= MAX_BUSY_MS;
    this.#busySince = performance.now();
    void yieldToEventLoop().then(() => this.#startTurn());
    return false;
  }

  async #startTurn(): Promise<void> {
    this.#busySince = null;
    while (this.#waiting.length > 0 && !this.#isBusy()) {
      this.#waiting.shift()?.();
      await null; // the task continues here, until it waits again
    }
  }
}

/** Reading, decompressing and parsing what hosts send. */
export const responsePacer = new SharedPacer();
