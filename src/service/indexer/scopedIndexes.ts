// The sparse indexes of one node's chain: one per contract and wallet that was asked for, the last used of them kept open.
import type { Clock } from '../../base/clock.ts';
import type { Hex } from '../../base/hex.ts';
import type { Log } from '../../base/log.ts';
import type { EvmNode } from '../evm/evmNode.ts';
import { type OpenStore, type Subject, subjectName } from '../store/store.ts';
import { createIndex, type Index, type IndexProgress } from './chainIndex.ts';
import type { Scope } from './queryScope.ts';
import { type SubjectPlan, subjectPlan } from './scopePlan.ts';

export interface SubjectIndexes {
  /** The index of the scope, made when it is not open; the one that was not used for longest is closed for it. */
  of(scope: Exclude<Scope, { kind: 'chain' | 'page' }>): Index;
  /** Those that are open, by the name of their subject. */
  open(): ReadonlyMap<string, Index>;
  stop(): Promise<void>;
}

export interface SubjectIndexesDeps {
  readonly node: EvmNode;
  readonly open: OpenStore;
  readonly clock: Clock;
  readonly log: Log;
  /** Hears of every step of the index of a subject. */
  progressed?(subject: Subject): (progress: IndexProgress) => void;
}

/** Each holds an open file; one that is at work is never closed for another. */
const MOST_OPEN = 24;
/** Nobody asks again and again while a long history is read: it goes on for this long, in milliseconds. */
export const SUBJECT_REST_MS = 15 * 60_000;

interface Entry {
  readonly index: Index;
  readonly plan: SubjectPlan;
}

export function createSubjectIndexes({ node, open, clock, log, progressed }: SubjectIndexesDeps): SubjectIndexes {
  /** By the name of the subject, the last used last. */
  const entries = new Map<string, Entry>();
  const closing = new Set<Promise<void>>();

  const make = (subject: Subject): Entry => {
    const plan = subjectPlan(node, subject, log);
    const deps = { node, plan, open, clock, log, restMs: SUBJECT_REST_MS };
    return { plan, index: createIndex({ ...deps, progressed: progressed?.(subject) }) };
  };
  const closeOldest = () => {
    if (entries.size < MOST_OPEN) return;
    for (const [name, { index }] of entries) {
      if (index.progress().running) continue;
      entries.delete(name);
      const closed: Promise<void> = index.stop().finally(() => closing.delete(closed));
      closing.add(closed);
      return;
    }
  };

  return {
    of(scope) {
      const subject: Subject = { kind: scope.kind, address: scope.address.toLowerCase() as Hex };
      const name = subjectName(subject);
      let entry = entries.get(name);
      if (entry === undefined) {
        closeOldest();
        entry = make(subject);
      }
      entries.delete(name);
      entries.set(name, entry);
      if (scope.kind === 'trades') entry.plan.reachBack(scope.days);
      return entry.index;
    },
    open: () => new Map([...entries].map(([name, { index }]) => [name, index])),
    async stop() {
      await Promise.allSettled([...[...entries.values()].map(({ index }) => index.stop()), ...closing]);
      entries.clear();
    },
  };
}
