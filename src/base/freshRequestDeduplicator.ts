// Deduplicates requests whose response must be newer than the request.
import { RequestDeduplicator } from './requestDeduplicator.ts';

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

  /** Each run waits for `waitForCallers` before it starts, so that calls of the same moment share it. */
  constructor(waitForCallers: () => Promise<unknown> = () => Promise.resolve()) {
    this.#waitForCallers = waitForCallers;
  }

  join(key: string, work: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const state: KeyState = this.#states.get(key) ?? { nextRun: 0, running: null };
    this.#states.set(key, state);
    const getRunKey = () => `${state.nextRun} ${key}`;
    const start = async (sharedSignal: AbortSignal): Promise<T> => {
      await this.#waitForCallers();
      while (state.running !== null) await state.running;
      state.nextRun++;
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
