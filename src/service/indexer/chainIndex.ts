// The index of one node's chain, brought to the node's head on demand: a request waits a moment, the rest is background work.
import type { HexLensError } from '../../base/errors.ts';
import type { BlockRow } from '../store/rows.ts';
import { getScopeName, type IndexScope, type Store } from '../store/store.ts';
import type { ProgressStep, TaskInfo, TaskRegistry } from '../taskRegistry.ts';
import type { ChainFollowerDeps } from './chainFollower.ts';
import { ChainFollower } from './chainFollower.ts';
import { createChainPlan, type IndexPlan } from './indexPlan.ts';
import { OnDemandSync } from './onDemandSync.ts';

export interface ChainIndexDeps extends Pick<ChainFollowerDeps, 'node' | 'open' | 'clock' | 'log'> {
  /** What is read of the node's chain; all of it when absent. */
  readonly plan?: IndexPlan | undefined;
  /** Milliseconds after the last request at which the background work pauses; `IDLE_MS` when absent. */
  readonly idleMs?: number | undefined;
  /** Gets the progress, and pauses the background work; absent where neither is needed. */
  readonly tasks?: TaskRegistry | undefined;
}

export interface IndexPosition {
  /** Closed when the chain turns out to be another one, or the index is stopped: call `current` for each request. */
  readonly store: Store;
  /** The newest block in the store. */
  readonly head: BlockRow;
  /** Whether that was the node's head at some moment after the call. */
  readonly isSynced: boolean;
  /** `removals` of the index at that moment. */
  readonly removals: number;
}

export interface IndexProgress {
  /** The block at which the index begins; `null` until its store is open. */
  readonly fromBlock: number | null;
  /** Whether blocks are being read at this moment. */
  readonly isRunning: boolean;
  readonly isPaused: boolean;
  /** The newest block in the store; `null` when it is empty or not open. */
  readonly indexedBlock: number | null;
  /** The node's head when it was last requested. */
  readonly nodeHead: number | null;
  /** Why the last run ended, when it was by a fault. */
  readonly fault: HexLensError | null;
}

export interface ChainIndex {
  /**
   * Brings the store to the node's head, waiting at most 1.5 s (the first time, until there is a block), and continues in
   * the background. Rejects with the faults of node and store, `cancelled`, `backend-stopped`; the next call tries again.
   *
   * @param isStateNew See `SyncSource.follow`.
   */
  current(signal?: AbortSignal, isStateNew?: boolean): Promise<IndexPosition>;
  progress(): IndexProgress;
  /** How often a reorg has removed blocks from the store. */
  readonly removals: number;
  /** Aborts the work under way and closes the store. */
  stop(): Promise<void>;
}

export function createChainIndex(deps: ChainIndexDeps): ChainIndex {
  const { node, plan = createChainPlan(node), open, clock, log, idleMs, tasks } = deps;
  let follower: ChainFollower | null = null;
  const getIndexedBlock = () => follower?.position?.head?.number ?? null;
  const sync = new OnDemandSync<Omit<IndexPosition, 'isSynced'>>({
    title: `the chain ${node.selector}`,
    clock,
    log,
    idleMs,
    onProgress: () => task?.report(toProgressStep(getProgress())),
    // The history of a contract or wallet of a public chain takes many minutes: its work survives passing faults.
    ...(plan.scope !== undefined && { getReached: getIndexedBlock }),
    create(context) {
      const created = new ChainFollower({ node, plan, open, clock, log, sync: context });
      follower = created;
      return {
        get position() {
          const { store, head, removals } = created.position ?? { store: null, head: null, removals: 0 };
          return store === null || head === null ? null : { store, head, removals };
        },
        async follow(signal, isStateNew) {
          const outcome = await created.follow(signal, isStateNew);
          if (outcome === 'synced') void created.position?.store.prepareReads?.();
          return outcome;
        },
        close: () => created.close(),
      };
    },
  });
  const getProgress = (): IndexProgress => ({
    fromBlock: follower?.firstBlock ?? null,
    isRunning: sync.isRunning,
    isPaused: sync.isPaused,
    indexedBlock: getIndexedBlock(),
    nodeHead: follower?.nodeHead ?? null,
    fault: sync.fault,
  });
  const task = tasks?.add(createTaskInfo(node.selector, plan.scope), {
    pause: () => sync.pause(),
    // Only starts the work: the next request of a client gets its faults.
    resume: () => void sync.current().catch(() => {}),
  });
  return {
    async current(signal, isStateNew) {
      const { position, isSynced } = await sync.current(signal, isStateNew);
      return { ...position, isSynced };
    },
    progress: getProgress,
    get removals() {
      return follower?.position?.removals ?? 0;
    },
    async stop() {
      task?.remove();
      await sync.stop();
    },
  };
}

const createTaskInfo = (chain: string, scope: IndexScope | undefined): TaskInfo => ({
  task: ['index', chain, getScopeName(scope)].join(' ').trimEnd(),
  kind: 'index',
  chain,
  address: scope?.address ?? null,
  ...(scope !== undefined && { scope: scope.kind }),
});

export function toProgressStep({
  isRunning,
  isPaused,
  fromBlock,
  indexedBlock,
  nodeHead,
}: IndexProgress): ProgressStep {
  const first = fromBlock ?? 0;
  const done = indexedBlock === null ? 0 : Math.max(0, indexedBlock - first + 1);
  return { isRunning, isPaused, done, total: nodeHead === null ? null : Math.max(done, nodeHead - first + 1) };
}
