// The Aptos operations of a node alone: its transactions are read into an index of our own, from which all seven are served.
import type { Clock } from '../../../base/clock.ts';
import type { HexLensError } from '../../../base/errors.ts';
import type { Log } from '../../../base/log.ts';
import { createOnDemand } from '../../indexer/onDemandSync.ts';
import type { AptosRows, AptosSlice, AptosSource } from '../aptosSource.ts';
import type { AptosRest } from '../rest.ts';
import type { AptosStore, OpenAptosStore } from '../store/aptosStore.ts';
import { type AptosPosition, createAptosFollower } from './aptosIndexer.ts';

export interface NodeSourceDeps {
  /** Of the network, for sentences and the log. */
  readonly name: string;
  readonly rest: AptosRest;
  readonly open: OpenAptosStore;
  readonly clock: Clock;
  readonly log: Log;
}

export interface NodeSourceProgress {
  /** Whether transactions are being read at this moment. */
  readonly running: boolean;
  /** The oldest and the newest version in the index; `null` while it is empty. */
  readonly first: bigint | null;
  readonly indexed: bigint | null;
  /** The node's newest version when it was last looked at. */
  readonly head: bigint | null;
  /** Why the last run ended, when it was by a fault. */
  readonly fault: HexLensError | null;
}

export interface NodeSource extends AptosSource {
  progress(): NodeSourceProgress;
}

/** Nothing is polled: each question looks at the node once, reads on for a moment, and lets the rest follow in the background. */
export function createNodeSource({ name, rest, open, clock, log }: NodeSourceDeps): NodeSource {
  let position: () => AptosPosition | null = () => null;
  let target: () => bigint | null = () => null;
  const index = createOnDemand<AptosPosition>({
    title: `the Aptos network ${name}`,
    clock,
    log,
    create(moved) {
      const follower = createAptosFollower({ name, rest, open, clock, log, moved });
      position = () => follower.position;
      target = () => follower.target;
      return follower;
    },
  });

  const problemOf = ({ first, next }: AptosPosition['progress'], synced: boolean): string | null => {
    const parts: string[] = [];
    if (!synced) parts.push(`the index of ${name} is at version ${next - 1n} of ${target() ?? 'unknown'} and reads on`);
    if (first > 0n) parts.push(`the node has pruned everything before version ${first}`);
    const sentence = parts.join('; ');
    return sentence === '' ? null : `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`;
  };

  /** One row more than asked tells whether there is another page. */
  const page = async <Row, Key>(
    read: (store: AptosStore, slice: AptosSlice<Key>) => Promise<readonly Row[]>,
    slice: AptosSlice<Key>,
    signal: AbortSignal | undefined,
  ): Promise<AptosRows<Row>> => {
    const { position, synced } = await index.current(signal);
    const rows = await read(position.store, { ...slice, limit: slice.limit + 1 });
    return {
      rows: rows.slice(0, slice.limit),
      hasNext: rows.length > slice.limit,
      problem: problemOf(position.progress, synced),
    };
  };

  return {
    coinTransfers: (query, slice, signal) => page((store, wanted) => store.coinsByType(query, wanted), slice, signal),
    walletCoinTransfers: (query, slice, signal) =>
      page((store, wanted) => store.coinsOfWallets(query, wanted), slice, signal),
    blockCoinTransfers: (query, slice, signal) =>
      page((store, wanted) => store.coinsInBlocks(query, wanted), slice, signal),
    walletTokenTransfers: (query, slice, signal) =>
      page((store, wanted) => store.tokenTransfers(query, wanted), slice, signal),
    tokensByCreators: (query, slice, signal) =>
      page((store, wanted) => store.tokensByCreators(query, wanted), slice, signal),
    collectionOwners: (query, slice, signal) =>
      page((store, wanted) => store.collectionOwners(query, wanted), slice, signal),
    walletTokens: (query, slice, signal) => page((store, wanted) => store.walletTokens(query, wanted), slice, signal),
    progress: () => {
      const progress = position()?.progress;
      return {
        running: index.running,
        first: progress?.first ?? null,
        indexed: progress === undefined ? null : progress.next - 1n,
        head: target(),
        fault: index.fault,
      };
    },
    stop: index.stop,
  };
}
