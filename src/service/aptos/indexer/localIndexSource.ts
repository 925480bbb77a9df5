// The data source over a fullnode alone: its transactions are read into a local index, which answers all operations.
import type { HexLensError } from '../../../base/errors.ts';
import { OnDemandSync } from '../../indexer/onDemandSync.ts';
import type { ProgressStep, TaskRegistry } from '../../taskRegistry.ts';
import type { AptosSource } from '../aptosSource.ts';
import type { AptosProgress } from '../store/aptosStore.ts';
import type { AptosIndexerDeps } from './aptosIndexer.ts';
import { AptosIndexer, type IndexedLedger } from './aptosIndexer.ts';

export interface LocalIndexSourceOptions extends Omit<AptosIndexerDeps, 'sync'> {
  /** Gets the progress, and pauses the work. */
  readonly tasks: TaskRegistry;
}

export interface LocalIndexProgress {
  /** Whether transactions are being read at the moment. */
  readonly isRunning: boolean;
  readonly isPaused: boolean;
  /** The oldest and the newest version in the index; `null` while it is empty. */
  readonly firstVersion: bigint | null;
  readonly indexedVersion: bigint | null;
  /** The newest version of the node at the last request. */
  readonly headVersion: bigint | null;
  /** Why the last run failed; `null` when it did not. */
  readonly fault: HexLensError | null;
}

export interface LocalIndexSource extends AptosSource {
  getProgress(): LocalIndexProgress;
}

/** Without polling: each query brings the index up to date, waits for a moment, and leaves the rest to the background. */
export function createLocalIndexSource(options: LocalIndexSourceOptions): LocalIndexSource {
  const { name, fullnode, openStore, clock, log, tasks } = options;
  let indexer: AptosIndexer | null = null;
  const sync = new OnDemandSync<IndexedLedger>({
    title: `the Aptos network ${name}`,
    clock,
    log,
    onProgress: () => task.report(toProgressStep(getProgress())),
    create(context) {
      indexer = new AptosIndexer({ name, fullnode, openStore, clock, log, sync: context });
      return indexer;
    },
  });
  const getHeadVersion = () => indexer?.targetVersion ?? null;
  const getProgress = (): LocalIndexProgress => {
    const progress = indexer?.position?.progress;
    return {
      isRunning: sync.isRunning,
      isPaused: sync.isPaused,
      firstVersion: progress?.firstVersion ?? null,
      indexedVersion: progress === undefined ? null : progress.nextVersion - 1n,
      headVersion: getHeadVersion(),
      fault: sync.fault,
    };
  };
  const task = tasks.add(
    {
      task: `index aptos ${name}`,
      kind: 'index',
      chain: null,
      aptosNetwork: name,
      address: null,
      unit: 'transactions',
    },
    // Only starts the work: the next query gets its faults.
    { pause: () => sync.pause(), resume: () => void sync.current().catch(() => {}) },
  );

  const getPartialReason = ({ firstVersion, nextVersion }: AptosProgress, isSynced: boolean): string | null => {
    const reasons: string[] = [];
    if (!isSynced)
      reasons.push(
        `the index of ${name} is at version ${nextVersion - 1n} of ${getHeadVersion() ?? 'unknown'} and is still being built`,
      );
    if (firstVersion > 0n) reasons.push(`the node has pruned everything before version ${firstVersion}`);
    const sentence = reasons.join('; ');
    return sentence === '' ? null : `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`;
  };

  return {
    async fetchPage(list, query, page, signal) {
      const { position, isSynced } = await sync.current(signal);
      // One extra row tells whether there is a next page.
      const rows = await position.store.read(list, query, { ...page, limit: page.limit + 1 });
      return {
        rows: rows.slice(0, page.limit),
        hasNext: rows.length > page.limit,
        partialReason: getPartialReason(position.progress, isSynced),
      };
    },
    getProgress,
    async stop() {
      task.remove();
      await sync.stop();
    },
  };
}

function toProgressStep({
  isRunning,
  isPaused,
  firstVersion,
  indexedVersion,
  headVersion,
}: LocalIndexProgress): ProgressStep {
  const first = firstVersion ?? 0n;
  const done = indexedVersion === null ? 0 : Number(indexedVersion - first + 1n);
  return {
    isRunning,
    isPaused,
    done,
    total: headVersion === null ? null : Math.max(done, Number(headVersion - first + 1n)),
  };
}
