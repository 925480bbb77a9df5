// Work that several callers ask for at the same moment is done once, and ends when the last of them leaves.
import { cancelledFault } from './errors.ts';

interface Flight<T> {
  readonly promise: Promise<T>;
  readonly controller: AbortController;
  waiting: number;
}

/**
 * Coalesces calls by key: the first starts the work, later ones join it. Each caller has its own signal; the work itself
 * is aborted when every caller has gone. Nothing is remembered after it settles.
 */
export class RequestDeduplicator<T> {
  readonly #flights = new Map<string, Flight<T>>();

  get size(): number {
    return this.#flights.size;
  }

  has(key: string): boolean {
    return this.#flights.has(key);
  }

  join(key: string, work: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T> {
    if (signal?.aborted) return Promise.reject(cancelledFault());
    let flight = this.#flights.get(key);
    if (flight === undefined) {
      const controller = new AbortController();
      const created: Flight<T> = {
        controller,
        waiting: 0,
        promise: work(controller.signal).finally(() => {
          if (this.#flights.get(key) === created) this.#flights.delete(key);
        }),
      };
      created.promise.catch(() => {}); // every caller may have left before it fails
      this.#flights.set(key, created);
      flight = created;
    }
    const joined = flight;
    joined.waiting++;
    return new Promise((resolve, reject) => {
      const leave = () => {
        signal?.removeEventListener('abort', abort);
        joined.waiting--;
      };
      const abort = () => {
        leave();
        reject(cancelledFault());
        if (joined.waiting === 0) {
          if (this.#flights.get(key) === joined) this.#flights.delete(key);
          joined.controller.abort();
        }
      };
      signal?.addEventListener('abort', abort, { once: true });
      joined.promise.then(
        value => {
          leave();
          resolve(value);
        },
        error => {
          leave();
          reject(error);
        },
      );
    });
  }
}
