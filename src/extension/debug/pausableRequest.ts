import { isFault } from '../../base/errors.ts';

/** A request that the user can end before it is answered, such as a run with conditions that take long. */
export class PausableRequest {
  /** `null` while nothing runs. */
  #controller: AbortController | null = null;

  /** Whether something ran that ends now. */
  pause(): boolean {
    this.#controller?.abort();
    return this.#controller !== null;
  }

  /** `null` where it was paused. */
  async run<T>(send: (signal: AbortSignal) => Promise<T>): Promise<T | null> {
    this.#controller = new AbortController();
    try {
      return await send(this.#controller.signal);
    } catch (error) {
      if (isFault(error, 'cancelled')) return null;
      throw error;
    } finally {
      this.#controller = null;
    }
  }
}
