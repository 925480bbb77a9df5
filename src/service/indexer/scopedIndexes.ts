// The sparse indexes of one node's chain: one per contract and wallet that was asked for, the last used of them kept open.
import type { Clock } from '../../base/clock.ts';
import type { Hex } from '../../base/hex.ts';
import type { Log } from '../../base/log.ts';
import type { EvmNode } from '../evm/evmNode.ts';
import { getScopeName, type IndexScope, type OpenStore } from '../store/store.ts';
import { type ChainIndex, createChainIndex, type IndexProgress } from './chainIndex.ts';
import type { QueryScope } from './queryScope.ts';
import { createScopePlan, type ScopePlan } from './scopePlan.ts';

export interface ScopedIndexes {
  /** The index of the scope, made when it is not open; the one that was not used for longest is closed for it. */
  getOrCreate(scope: Exclude<QueryScope, { kind: 'chain' | 'page' }>): ChainIndex;
  /** Those that are open, by the name of their subject. */
  getOpen(): ReadonlyMap<string, ChainIndex>;
  stop(): Promise<void>;
}

export interface ScopedIndexesDeps {
  readonly node: EvmNode;
  readonly open: OpenStore;
  readonly clock: Clock;
  readonly log: Log;
  /** Hears of every step of the index of a subject. */
  onProgress?(subject: IndexScope): (progress: IndexProgress) => void;
}

/** Each holds an open file; one that is at work is never closed for another. */
const MOST_OPEN = 24;
/** Nobody asks again and again while a long history is read: it goes on for this long, in milliseconds. */
export const SCOPED_IDLE_MS = 15 * 60_000;

interface Entry {
  readonly index: ChainIndex;
  readonly plan: ScopePlan;
}

export function createScopedIndexes({
  node,
  open,
  clock,
  log,
  onProgress: progressed,
}: ScopedIndexesDeps): ScopedIndexes {
  /** By the name of the subject, the last used last. */
  const entries = new Map<string, Entry>();
  const closing = new Set<Promise<void>>();

  const make = (subject: IndexScope): Entry => {
    const plan = createScopePlan(node, subject, log);
    const deps = { node, plan, open, clock, log, restMs: SCOPED_IDLE_MS };
    return { plan, index: createChainIndex({ ...deps, onProgress: progressed?.(subject) }) };
  };
  const closeOldest = () => {
    if (entries.size < MOST_OPEN) return;
    for (const [name, { index }] of entries) {
      if (index.progress().isRunning) continue;
      entries.delete(name);
      const closed: Promise<void> = index.stop().finally(() => closing.delete(closed));
      closing.add(closed);
      return;
    }
  };

  return {
    getOrCreate(scope) {
      const subject: IndexScope = { kind: scope.kind, address: scope.address.toLowerCase() as Hex };
      const name = getScopeName(subject);
      let entry = entries.get(name);
      if (entry === undefined) {
        closeOldest();
        entry = make(subject);
      }
      entries.delete(name);
      entries.set(name, entry);
      if (scope.kind === 'trades') entry.plan.requireDays(scope.days);
      return entry.index;
    },
    getOpen: () => new Map([...entries].map(([name, { index }]) => [name, index])),
    async stop() {
      await Promise.allSettled([...[...entries.values()].map(({ index }) => index.stop()), ...closing]);
      entries.clear();
    },
  };
}
