// Requests of hovers: those that take long are announced, and can be cancelled.
import type { Clock } from '../../base/clock.ts';
import { createCancelledFault } from '../../base/errors.ts';

/** A hover says so when its node takes longer. */
export const SLOW_MS = 2_000;

/** A pointer that only passes over a literal must not cause a request to a remote node. */
export const REMOTE_DELAY_MS = 120;

type Request = (signal: AbortSignal) => Promise<string | null>;

/** Requests with the same key are one, which is aborted when the signals of all who joined it have aborted. */
export type HoverRequests = ReturnType<typeof createHoverRequests>;

interface Running {
  readonly promise: Promise<string | null>;
  readonly controller: AbortController;
  joined: number;
}

export function createHoverRequests(clock: Clock) {
  const running = new Map<string, Running>();

  const start = (key: string, request: Request): Running => {
    const controller = new AbortController();
    const aborted = new Promise<never>((_, reject) => {
      controller.signal.addEventListener('abort', () => reject(createCancelledFault()), { once: true });
    });
    const promise = Promise.race([request(controller.signal), aborted]);
    const entry: Running = { promise, controller, joined: 0 };
    running.set(key, entry);
    const forget = () => {
      if (running.get(key) === entry) running.delete(key);
    };
    promise.then(forget, forget);
    return entry;
  };

  const join = (key: string, request: Request, signal: AbortSignal) => {
    const entry = running.get(key) ?? start(key, request);
    entry.joined++;
    const leave = () => {
      signal.removeEventListener('abort', leave);
      entry.joined--;
      if (entry.joined === 0) entry.controller.abort();
    };
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave, { once: true });
    return { promise: entry.promise, leave };
  };

  return {
    /** The text; rejects with `cancelled` when `signal` aborts. */
    run: (key: string, request: Request, signal: AbortSignal): Promise<string | null> =>
      join(key, request, signal).promise,
    /** Resolves with true when the request takes longer than `SLOW_MS`, else with false when it ends. Never rejects. */
    async isSlow(key: string, request: Request, signal: AbortSignal): Promise<boolean> {
      const { promise, leave } = join(key, request, signal);
      const timer = new AbortController();
      const ended = promise.then(
        () => false,
        () => false,
      );
      const slow = clock.sleep(SLOW_MS, timer.signal).then(
        () => true,
        () => false,
      );
      const result = await Promise.race([ended, slow]);
      timer.abort();
      // Who announces a request does not wait for it: only those who want its text do.
      if (result && !signal.aborted) leave();
      return result;
    },
    /** Whether it was running. */
    cancel(key: string): boolean {
      const entry = running.get(key);
      entry?.controller.abort();
      return entry !== undefined;
    },
  };
}
