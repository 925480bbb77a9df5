// The sparse indexes of one node's chain: one per contract or wallet that a request needed; the last used stay open.
import type { Clock } from '../../base/clock.ts';
import type { Hex } from '../../base/hex.ts';
import type { Log } from '../../base/log.ts';
import type { EvmNode } from '../evm/evmNode.ts';
import { getScopeName, type IndexScope, type OpenStore } from '../store/store.ts';
import { type ChainIndex, createChainIndex, type IndexProgress } from './chainIndex.ts';
import type { ScopedQueryScope } from './queryScope.ts';
import { createScopePlan, type ScopePlan } from './scopePlan.ts';

export interface ScopedIndexes {
  /** The index of the scope; opened, and the least recently used one closed for it, when it is not open. */
  getOrCreate(scope: ScopedQueryScope): ChainIndex;
  /** Those that are open, by the name of their scope. */
  getOpen(): ReadonlyMap<string, ChainIndex>;
  stop(): Promise<void>;
}

export interface ScopedIndexesDeps {
  readonly node: EvmNode;
  readonly open: OpenStore;
  readonly clock: Clock;
  readonly log: Log;
  /** Returns what is called at every step of the index of a scope. */
  onProgress?(scope: IndexScope): (progress: IndexProgress) => void;
}

/** Each holds an open file; a running one is never closed for another. */
const MAX_OPEN_INDEXES = 24;
/** Clients do not repeat their request while a long history is read: the work continues for this long without one. */
export const SCOPED_IDLE_MS = 15 * 60_000;

interface OpenScopedIndex {
  readonly index: ChainIndex;
  readonly plan: ScopePlan;
}

export function createScopedIndexes({ node, open, clock, log, onProgress }: ScopedIndexesDeps): ScopedIndexes {
  /** By the name of the scope, the most recently used last. */
  const openIndexes = new Map<string, OpenScopedIndex>();
  const closing = new Set<Promise<void>>();

  const create = (scope: IndexScope): OpenScopedIndex => {
    const plan = createScopePlan(node, scope, log);
    const deps = { node, plan, open, clock, log, idleMs: SCOPED_IDLE_MS };
    return { plan, index: createChainIndex({ ...deps, onProgress: onProgress?.(scope) }) };
  };
  const closeLeastRecentlyUsed = () => {
    if (openIndexes.size < MAX_OPEN_INDEXES) return;
    for (const [name, { index }] of openIndexes) {
      if (index.progress().isRunning) continue;
      openIndexes.delete(name);
      const closed: Promise<void> = index.stop().finally(() => closing.delete(closed));
      closing.add(closed);
      return;
    }
  };

  return {
    getOrCreate(queryScope) {
      const scope: IndexScope = { kind: queryScope.kind, address: queryScope.address.toLowerCase() as Hex };
      const name = getScopeName(scope);
      let opened = openIndexes.get(name);
      if (opened === undefined) {
        closeLeastRecentlyUsed();
        opened = create(scope);
      }
      openIndexes.delete(name);
      openIndexes.set(name, opened);
      if (queryScope.kind === 'trades') opened.plan.requireDays(queryScope.days);
      return opened.index;
    },
    getOpen: () => new Map([...openIndexes].map(([name, { index }]) => [name, index])),
    async stop() {
      await Promise.allSettled([...[...openIndexes.values()].map(({ index }) => index.stop()), ...closing]);
      openIndexes.clear();
    },
  };
}
