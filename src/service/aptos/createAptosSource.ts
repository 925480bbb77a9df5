// Chooses the data source of a network: its public indexer, or a local index of its fullnode.
import type { Clock } from '../../base/clock.ts';
import { HexLensError, isFault } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import type { AptosSource } from './aptosSource.ts';
import type { FullnodeClient } from './fullnode/fullnodeClient.ts';
import type { GraphqlClient } from './graphql/graphqlClient.ts';
import { createGraphqlSource } from './graphql/graphqlSource.ts';
import { createLocalIndexSource, type LocalIndexProgress } from './indexer/localIndexSource.ts';
import type { OpenAptosStore } from './store/aptosStore.ts';

/** The clients of a network; at least one of them is configured. */
export interface AptosEndpoints {
  readonly name: string;
  readonly fullnode: FullnodeClient | null;
  readonly graphql: GraphqlClient | null;
}

export interface AptosSourceOptions {
  readonly openStore: OpenAptosStore;
  readonly clock: Clock;
  readonly log: Log;
}

export interface CreatedAptosSource {
  readonly source: AptosSource;
  getIndexProgress(): LocalIndexProgress | null;
}

export function createAptosSource(
  { name, fullnode, graphql }: AptosEndpoints,
  { openStore, clock, log }: AptosSourceOptions,
): CreatedAptosSource {
  if (graphql !== null)
    return { source: createGraphqlSource({ graphql, fullnode, clock }), getIndexProgress: () => null };
  if (fullnode === null)
    throw new HexLensError('no-node', `Aptos ${name} has neither a node nor an indexer.`, {
      fix: 'Add one to the setting hexlens.aptos.networks.',
    });
  const localIndex = createLocalIndexSource({ name, fullnode, openStore, clock, log });
  const fullnodeOnly = createGraphqlSource({ graphql: createMissingIndexer(name), fullnode, clock });
  return { source: withFallback(localIndex, fullnodeOnly), getIndexProgress: localIndex.getProgress };
}

/** A short chain is indexed completely. For a chain that is too long, only what its fullnode can answer is available. */
function withFallback(localIndex: AptosSource, fullnodeOnly: AptosSource): AptosSource {
  const read = async <T>(request: (source: AptosSource) => Promise<T>): Promise<T> => {
    try {
      return await request(localIndex);
    } catch (error) {
      if (!isFault(error, 'not-implemented')) throw error;
      return request(fullnodeOnly);
    }
  };
  return {
    getCoinActivitiesByType: (query, page, signal) =>
      read(source => source.getCoinActivitiesByType(query, page, signal)),
    getCoinActivitiesByOwner: (query, page, signal) =>
      read(source => source.getCoinActivitiesByOwner(query, page, signal)),
    getCoinActivitiesByBlock: (query, page, signal) =>
      read(source => source.getCoinActivitiesByBlock(query, page, signal)),
    getTokenActivities: (query, page, signal) => read(source => source.getTokenActivities(query, page, signal)),
    getTokensByCreator: (query, page, signal) => read(source => source.getTokensByCreator(query, page, signal)),
    getCollectionOwners: (query, page, signal) => read(source => source.getCollectionOwners(query, page, signal)),
    getOwnedTokens: (query, page, signal) => read(source => source.getOwnedTokens(query, page, signal)),
    async stop() {
      await Promise.all([localIndex.stop(), fullnodeOnly.stop()]);
    },
  };
}

function createMissingIndexer(name: string): GraphqlClient {
  return {
    host: 'no indexer',
    isLoopback: false,
    async fetchRows() {
      throw new HexLensError(
        'not-implemented',
        `Aptos ${name} has no indexer, and its chain is too long to be indexed from its node.`,
        { fix: 'Add its indexer to the setting hexlens.aptos.networks, or with --aptos-indexer NAME=URL.' },
      );
    },
  };
}
