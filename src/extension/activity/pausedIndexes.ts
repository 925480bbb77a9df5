// Which indexes of chains the user has paused: a request would resume them.
import type { Progress } from '../../api/workerProtocol.ts';
import type { Clock } from '../../base/clock.ts';

export interface PausedIndexes {
  /** Before a request that needs the index of the chain: false when the user has paused it. */
  mayRequest(selector: string): boolean;
  update(progress: Progress): void;
  /** What is known of these chains is outdated; all when absent. */
  forget(selectors?: readonly string[]): void;
}

/** The service pauses an index for which no request comes for longer than this. */
const REQUESTED_MS = 25_000;

export function createPausedIndexes(clock: Pick<Clock, 'now'>): PausedIndexes {
  const requestedAt = new Map<string, number>();
  const paused = new Set<string>();
  return {
    mayRequest(selector) {
      if (paused.has(selector)) return false;
      requestedAt.set(selector, clock.now());
      return true;
    },
    update({ kind, chain, address, isRunning, done, total }) {
      if (kind !== 'index' || chain === null || address !== null) return;
      const isUnfinished = total !== null && done < total;
      const isRequested = clock.now() - (requestedAt.get(chain) ?? 0) < REQUESTED_MS;
      if (!isRunning && isUnfinished && isRequested) paused.add(chain);
      else paused.delete(chain);
    },
    forget(selectors = [...paused]) {
      for (const selector of selectors) paused.delete(selector);
    },
  };
}
