// Runs work that several callers request at the same time only once ("single flight").
import { createCancelledFault } from './errors.ts';

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
    if (signal?.aborted) return Promise.reject(createCancelledFault());
    const request = this.#requests.get(key) ?? this.#start(key, work);
    request.callers++;
    return new Promise((resolve, reject) => {
      const leave = () => {
        signal?.removeEventListener('abort', abort);
        request.callers--;
      };
      const abort = () => {
        leave();
        reject(createCancelledFault());
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

interface KeyState {
  /** Number of the run that has not started yet. */
  nextRun: number;
  running: Promise<void> | null;
}

/**
 * Like `RequestDeduplicator`, but a caller never shares a run that started before its call: callers that arrive during
 * a run share the next one. Per key one run is active at a time; it is aborted when all its callers have cancelled.
 */
export class FreshRequestDeduplicator<T> {
  readonly #requests = new RequestDeduplicator<T>();
  readonly #states = new Map<string, KeyState>();
  readonly #waitForCallers: () => Promise<unknown>;
  /** Of all keys: a request that has ended may still be there when its key is used again. */
  #runCount = 0;

  /** Each run waits for `waitForCallers` before it starts, so that calls of the same moment share it. */
  constructor(waitForCallers: () => Promise<unknown> = () => Promise.resolve()) {
    this.#waitForCallers = waitForCallers;
  }

  join(key: string, work: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const state: KeyState = this.#states.get(key) ?? { nextRun: this.#runCount++, running: null };
    this.#states.set(key, state);
    const getRunKey = () => `${state.nextRun} ${key}`;
    const start = async (sharedSignal: AbortSignal): Promise<T> => {
      await this.#waitForCallers();
      while (state.running !== null) await state.running;
      state.nextRun = this.#runCount++;
      const run = work(sharedSignal);
      const end = () => {
        state.running = null;
        if (!this.#requests.has(getRunKey()) && this.#states.get(key) === state) this.#states.delete(key);
      };
      state.running = run.then(end, end);
      return run;
    };
    return this.#requests.join(getRunKey(), start, signal);
  }
}
