// The index of one node's chain, kept at its head on demand: who asks waits a moment, the rest is done in the background.
import type { Clock } from '../../base/clock.ts';
import type { HexLensError } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import type { EvmNode } from '../evm/node.ts';
import type { BlockRow } from '../store/rows.ts';
import type { OpenStore, Store } from '../store/store.ts';
import { createFollower } from './follower.ts';
import { createOnDemand } from './onDemand.ts';

export interface IndexDeps {
  readonly node: EvmNode;
  readonly open: OpenStore;
  readonly clock: Clock;
  readonly log: Log;
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
  /** Aborts what is under way and closes the store. */
  stop(): Promise<void>;
}

interface Indexed {
  readonly store: Store;
  readonly head: BlockRow;
}

export function createIndex({ node, open, clock, log }: IndexDeps): Index {
  let target: () => number | null = () => null;
  let indexed: () => number | null = () => null;
  const index = createOnDemand<Indexed>({
    title: `the chain ${node.selector}`,
    clock,
    log,
    create(moved) {
      const follower = createFollower({ node, open, clock, log, moved });
      target = () => follower.target;
      indexed = () => follower.position?.head?.number ?? null;
      return {
        get position() {
          const { store, head } = follower.position ?? { store: null, head: null };
          return store === null || head === null ? null : { store, head };
        },
        follow: follower.follow,
        close: follower.close,
      };
    },
  });
  return {
    async current(signal) {
      const { position, synced } = await index.current(signal);
      return { ...position, synced };
    },
    progress: () => ({ running: index.running, indexed: indexed(), head: target(), fault: index.fault }),
    stop: index.stop,
  };
}
