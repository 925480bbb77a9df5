// The index of one node's chain, kept at its head on demand: who asks waits a moment, the rest is done in the background.
import type { Clock } from '../../base/clock.ts';
import type { HexLensError } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import type { EvmNode } from '../evm/evmNode.ts';
import type { BlockRow } from '../store/rows.ts';
import type { OpenStore, Store } from '../store/store.ts';
import { createFollower, type Follower } from './chainFollower.ts';
import { type SyncPlan, wholeChain } from './indexPlan.ts';
import { createOnDemand } from './onDemandSync.ts';

export interface IndexDeps {
  readonly node: EvmNode;
  /** What is read of the node's chain; all of it when absent. */
  readonly plan?: SyncPlan | undefined;
  readonly open: OpenStore;
  readonly clock: Clock;
  readonly log: Log;
  /** Milliseconds after the last request at which the background work rests; `REST_MS` when absent. */
  readonly restMs?: number | undefined;
  /** Hears of every step. */
  readonly progressed?: ((progress: IndexProgress) => void) | undefined;
}

export interface Current {
  /** Closed when the chain turns out to be another one, or the index is stopped: ask again for each request. */
  readonly store: Store;
  /** The newest block in the store. */
  readonly head: BlockRow;
  /** Whether that was the node's head at some moment after the question. */
  readonly synced: boolean;
}

export interface IndexProgress {
  /** The block at which the index begins. */
  readonly from: number | null;
  /** Whether blocks are being read at this moment. */
  readonly running: boolean;
  /** Newest block in the store; `null` when there is none, or none is known yet. */
  readonly indexed: number | null;
  /** Head of the node when it was last looked at. */
  readonly head: number | null;
  /** Why the last run ended, when it was by a fault. */
  readonly fault: HexLensError | null;
}

export interface Index {
  /**
   * Brings the store to the node's head, waiting 1.5 s at most (the first time, until there is a block), and goes on in
   * the background after that. Rejects with the node's and the store's faults, `cancelled`, `backend-stopped`; the next
   * call tries again.
   */
  current(signal?: AbortSignal): Promise<Current>;
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

export function createIndex(deps: IndexDeps): Index {
  const { node, plan = wholeChain(node), open, clock, log, restMs, progressed } = deps;
  let follower: Follower | null = null;
  const reached = () => follower?.position?.head?.number ?? null;
  const index = createOnDemand<Indexed>({
    title: `the chain ${node.selector}`,
    clock,
    log,
    restMs,
    stepped: () => progressed?.(progress()),
    // The history of a contract or wallet of a public chain takes many minutes.
    ...(plan.subject !== undefined && { reached }),
    create(moved) {
      const created = createFollower({ node, plan, open, clock, log, moved });
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
    from: follower?.first ?? null,
    running: index.running,
    indexed: reached(),
    head: follower?.target ?? null,
    fault: index.fault,
  });
  return {
    async current(signal) {
      const { position, synced } = await index.current(signal);
      return { ...position, synced };
    },
    progress,
    pause: index.pause,
    stop: index.stop,
  };
}
