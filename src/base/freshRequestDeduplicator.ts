// Work whose answer must be newer than the question: whoever asks while some is under way shares the next.
import { RequestDeduplicator } from './requestDeduplicator.ts';

interface Key {
  /** Number of the round that has not begun. */
  open: number;
  running: Promise<void> | null;
}

/**
 * Like `Flights`, but a caller is answered by work that began after it asked: per key one round is under way at a time,
 * and answers everybody who had asked before it began. A round is aborted when all of them have gone.
 */
export class FreshRequestDeduplicator<T> {
  readonly #flights = new RequestDeduplicator<T>();
  readonly #keys = new Map<string, Key>();
  readonly #gather: () => Promise<unknown>;

  /** `gather` resolves when whoever asks at this moment has asked: a round waits for it before it begins. */
  constructor(gather: () => Promise<unknown> = () => Promise.resolve()) {
    this.#gather = gather;
  }

  join(key: string, work: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const state: Key = this.#keys.get(key) ?? { open: 0, running: null };
    this.#keys.set(key, state);
    const name = () => `${state.open} ${key}`;
    const begin = async (shared: AbortSignal): Promise<T> => {
      await this.#gather();
      while (state.running !== null) await state.running;
      state.open++;
      const run = work(shared);
      const end = () => {
        state.running = null;
        if (!this.#flights.has(name()) && this.#keys.get(key) === state) this.#keys.delete(key);
      };
      state.running = run.then(end, end);
      return run;
    };
    return this.#flights.join(name(), begin, signal);
  }
}
