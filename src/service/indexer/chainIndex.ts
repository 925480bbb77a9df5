// The index of one node's chain, kept at its head on demand: who asks waits a moment, the rest is done in the background.
import type { Clock } from '../../base/clock.ts';
import type { HexLensError } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import type { EvmNode } from '../evm/evmNode.ts';
import type { BlockRow } from '../store/rows.ts';
import type { OpenStore, Store } from '../store/store.ts';
import { type ChainFollower, createChainFollower } from './chainFollower.ts';
import { createChainPlan, type IndexPlan } from './indexPlan.ts';
import { createOnDemandSync } from './onDemandSync.ts';

export interface ChainIndexDeps {
  readonly node: EvmNode;
  /** What is read of the node's chain; all of it when absent. */
  readonly plan?: IndexPlan | undefined;
  readonly open: OpenStore;
  readonly clock: Clock;
  readonly log: Log;
  /** Milliseconds after the last request at which the background work rests; `REST_MS` when absent. */
  readonly idleMs?: number | undefined;
  /** Hears of every step. */
  readonly onProgress?: ((progress: IndexProgress) => void) | undefined;
}

export interface IndexPosition {
  /** Closed when the chain turns out to be another one, or the index is stopped: ask again for each request. */
  readonly store: Store;
  /** The newest block in the store. */
  readonly head: BlockRow;
  /** Whether that was the node's head at some moment after the question. */
  readonly isSynced: boolean;
}

export interface IndexProgress {
  /** The block at which the index begins. */
  readonly fromBlock: number | null;
  /** Whether blocks are being read at this moment. */
  readonly isRunning: boolean;
  /** Newest block in the store; `null` when there is none, or none is known yet. */
  readonly indexedBlock: number | null;
  /** Head of the node when it was last looked at. */
  readonly nodeHead: number | null;
  /** Why the last run ended, when it was by a fault. */
  readonly fault: HexLensError | null;
}

export interface ChainIndex {
  /**
   * Brings the store to the node's head, waiting 1.5 s at most (the first time, until there is a block), and goes on in
   * the background after that. Rejects with the node's and the store's faults, `cancelled`, `backend-stopped`; the next
   * call tries again.
   */
  current(signal?: AbortSignal): Promise<IndexPosition>;
  progress(): IndexProgress;
  /** Ends the background work after the step it is at; the next request goes on from there. */
  pause(): void;
  /** Aborts what is under way and closes the store. */
  stop(): Promise<void>;
}

interface Indexed {
  readonly store: Store;
  readonly head: BlockRow;
}

export function createChainIndex(deps: ChainIndexDeps): ChainIndex {
  const { node, plan = createChainPlan(node), open, clock, log, idleMs: restMs, onProgress: progressed } = deps;
  let follower: ChainFollower | null = null;
  const reached = () => follower?.position?.head?.number ?? null;
  const index = createOnDemandSync<Indexed>({
    title: `the chain ${node.selector}`,
    clock,
    log,
    idleMs: restMs,
    onProgress: () => progressed?.(progress()),
    // The history of a contract or wallet of a public chain takes many minutes.
    ...(plan.scope !== undefined && { getReached: reached }),
    create(moved) {
      const created = createChainFollower({ node, plan, open, clock, log, onPositionChange: moved });
      follower = created;
      return {
        get position() {
          const { store, head } = created.position ?? { store: null, head: null };
          return store === null || head === null ? null : { store, head };
        },
        async follow(resting, signal) {
          const outcome = await created.follow(resting, signal);
          if (outcome === 'there') void created.position?.store.prepareReads?.();
          return outcome;
        },
        close: created.close,
      };
    },
  });
  const progress = (): IndexProgress => ({
    fromBlock: follower?.first ?? null,
    isRunning: index.isRunning,
    indexedBlock: reached(),
    nodeHead: follower?.target ?? null,
    fault: index.fault,
  });
  return {
    async current(signal) {
      const { position, synced } = await index.current(signal);
      return { ...position, isSynced: synced };
    },
    progress,
    pause: index.pause,
    stop: index.stop,
  };
}
