import type { Progress } from '../../api/workerProtocol.ts';

/** Which indexes of chains the user has paused: a request would resume them. */
export interface PausedIndexes {
  has(selector: string): boolean;
  update(progress: Progress): void;
  clear(): void;
}

export function createPausedIndexes(): PausedIndexes {
  const paused = new Set<string>();
  return {
    has: selector => paused.has(selector),
    update({ kind, chain, address, isPaused = false }) {
      if (kind !== 'index' || chain === null || address !== null) return;
      if (isPaused) paused.add(chain);
      else paused.delete(chain);
    },
    clear: () => paused.clear(),
  };
}
