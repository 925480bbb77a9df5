// The Aptos operations of a node alone: its transactions are read into an index of our own, from which all seven are served.
import type { Clock } from '../../../base/clock.ts';
import type { HexLensError } from '../../../base/errors.ts';
import type { Log } from '../../../base/log.ts';
import { createOnDemandSync } from '../../indexer/onDemandSync.ts';
import type { AptosPage, AptosPageRequest, AptosSource } from '../aptosSource.ts';
import type { FullnodeReader } from '../fullnode/fullnodeClient.ts';
import type { AptosStore, OpenAptosStore } from '../store/aptosStore.ts';
import { createAptosIndexer, type IndexedLedger } from './aptosIndexer.ts';

export interface LocalIndexSourceOptions {
  /** Of the network, for sentences and the log. */
  readonly name: string;
  readonly fullnode: FullnodeReader;
  readonly openStore: OpenAptosStore;
  readonly clock: Clock;
  readonly log: Log;
}

export interface LocalIndexProgress {
  /** Whether transactions are being read at this moment. */
  readonly isRunning: boolean;
  /** The oldest and the newest version in the index; `null` while it is empty. */
  readonly firstVersion: bigint | null;
  readonly indexedVersion: bigint | null;
  /** The node's newest version when it was last looked at. */
  readonly headVersion: bigint | null;
  /** Why the last run ended, when it was by a fault. */
  readonly fault: HexLensError | null;
}

export interface LocalIndexSource extends AptosSource {
  getProgress(): LocalIndexProgress;
}

/** Nothing is polled: each question looks at the node once, reads on for a moment, and lets the rest follow in the background. */
export function createLocalIndexSource({
  name,
  fullnode: rest,
  openStore: open,
  clock,
  log,
}: LocalIndexSourceOptions): LocalIndexSource {
  let position: () => IndexedLedger | null = () => null;
  let target: () => bigint | null = () => null;
  const index = createOnDemandSync<IndexedLedger>({
    title: `the Aptos network ${name}`,
    clock,
    log,
    create(moved) {
      const follower = createAptosIndexer({ name, fullnode: rest, openStore: open, clock, log, onProgress: moved });
      position = () => follower.position;
      target = () => follower.targetVersion;
      return follower;
    },
  });

  const problemOf = (
    { firstVersion: first, nextVersion: next }: IndexedLedger['progress'],
    synced: boolean,
  ): string | null => {
    const parts: string[] = [];
    if (!synced) parts.push(`the index of ${name} is at version ${next - 1n} of ${target() ?? 'unknown'} and reads on`);
    if (first > 0n) parts.push(`the node has pruned everything before version ${first}`);
    const sentence = parts.join('; ');
    return sentence === '' ? null : `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`;
  };

  /** One row more than asked tells whether there is another page. */
  const page = async <Row, Key>(
    read: (store: AptosStore, slice: AptosPageRequest<Key>) => Promise<readonly Row[]>,
    slice: AptosPageRequest<Key>,
    signal: AbortSignal | undefined,
  ): Promise<AptosPage<Row>> => {
    const { position, synced } = await index.current(signal);
    const rows = await read(position.store, { ...slice, limit: slice.limit + 1 });
    return {
      rows: rows.slice(0, slice.limit),
      hasNext: rows.length > slice.limit,
      partialReason: problemOf(position.progress, synced),
    };
  };

  return {
    getCoinActivitiesByType: (query, slice, signal) =>
      page((store, wanted) => store.queryCoinActivitiesByType(query, wanted), slice, signal),
    getCoinActivitiesByOwner: (query, slice, signal) =>
      page((store, wanted) => store.queryCoinActivitiesByOwner(query, wanted), slice, signal),
    getCoinActivitiesByBlock: (query, slice, signal) =>
      page((store, wanted) => store.queryCoinActivitiesByBlock(query, wanted), slice, signal),
    getTokenActivities: (query, slice, signal) =>
      page((store, wanted) => store.queryTokenActivities(query, wanted), slice, signal),
    getTokensByCreator: (query, slice, signal) =>
      page((store, wanted) => store.queryTokensByCreator(query, wanted), slice, signal),
    getCollectionOwners: (query, slice, signal) =>
      page((store, wanted) => store.queryCollectionOwners(query, wanted), slice, signal),
    getOwnedTokens: (query, slice, signal) =>
      page((store, wanted) => store.queryOwnedTokens(query, wanted), slice, signal),
    getProgress: () => {
      const progress = position()?.progress;
      return {
        isRunning: index.isRunning,
        firstVersion: progress?.firstVersion ?? null,
        indexedVersion: progress === undefined ? null : progress.nextVersion - 1n,
        headVersion: target(),
        fault: index.fault,
      };
    },
    stop: index.stop,
  };
}
