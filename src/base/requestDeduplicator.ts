// Runs work that several callers request at the same time only once ("single flight").
import { cancelledFault } from './errors.ts';

interface SharedRequest<T> {
  readonly promise: Promise<T>;
  readonly controller: AbortController;
  callers: number;
}

/**
 * Deduplicates calls by key: the first one starts the work, later ones join it. Each caller has its own signal; the work
 * is aborted when all callers have cancelled. Nothing is cached after it settles.
 */
export class RequestDeduplicator<T> {
  readonly #requests = new Map<string, SharedRequest<T>>();

  get size(): number {
    return this.#requests.size;
  }

  has(key: string): boolean {
    return this.#requests.has(key);
  }

  join(key: string, work: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T> {
    if (signal?.aborted) return Promise.reject(cancelledFault());
    const request = this.#requests.get(key) ?? this.#start(key, work);
    request.callers++;
    return new Promise((resolve, reject) => {
      const leave = () => {
        signal?.removeEventListener('abort', abort);
        request.callers--;
      };
      const abort = () => {
        leave();
        reject(cancelledFault());
        if (request.callers === 0) {
          if (this.#requests.get(key) === request) this.#requests.delete(key);
          request.controller.abort();
        }
      };
      signal?.addEventListener('abort', abort, { once: true });
      request.promise.then(
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

  #start(key: string, work: (signal: AbortSignal) => Promise<T>): SharedRequest<T> {
    const controller = new AbortController();
    const request: SharedRequest<T> = {
      controller,
      callers: 0,
      promise: work(controller.signal).finally(() => {
        if (this.#requests.get(key) === request) this.#requests.delete(key);
      }),
    };
    request.promise.catch(() => {}); // all callers may have cancelled before it fails
    this.#requests.set(key, request);
    return request;
  }
}
