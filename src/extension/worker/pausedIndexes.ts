import type { Progress } from '../../api/workerProtocol.ts';

/** Which indexes of chains the user has paused: a request would resume them. */
export function createPausedIndexes() {
  const paused = new Set<string>();
  return {
    has: (selector: string): boolean => paused.has(selector),
    update({ kind, chain, address, isPaused = false }: Progress) {
      if (kind !== 'index' || chain === null || address !== null) return;
      if (isPaused) paused.add(chain);
      else paused.delete(chain);
    },
    clear: () => paused.clear(),
  };
}
