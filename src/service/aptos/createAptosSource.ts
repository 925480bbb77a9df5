// Which source a network has: its indexer with its node, or our own index of a node alone while the chain is short enough.
import type { Clock } from '../../base/clock.ts';
import { HexLensError, isFault } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import type { AptosEndpoints, AptosNetworkAccess } from './aptosNetworks.ts';
import type { AptosSource } from './aptosSource.ts';
import type { GraphqlClient } from './graphql/graphqlClient.ts';
import { createGraphqlSource } from './graphql/graphqlSource.ts';
import { createLocalIndexSource } from './indexer/localIndexSource.ts';
import type { OpenAptosStore } from './store/aptosStore.ts';

export interface AptosSourceOptions {
  readonly open: OpenAptosStore;
  readonly clock: Clock;
  readonly log: Log;
}

type Made = Pick<AptosNetworkAccess, 'source' | 'progress'>;

export function createAptosSource(
  { name, graphql: indexer, fullnode: node }: AptosEndpoints,
  deps: AptosSourceOptions,
): Made {
  const { clock } = deps;
  if (indexer !== null)
    return { source: createGraphqlSource({ graphql: indexer, fullnode: node, clock }), getIndexProgress: () => null };
  if (node === null)
    throw new HexLensError('no-node', `Aptos ${name} has neither a node nor an indexer.`, {
      fix: 'Add one to the setting hexlens.aptos.networks.',
    });
  const whole = createLocalIndexSource({ name, fullnode: node, ...deps });
  const parts = createGraphqlSource({ graphql: noIndexer(name), fullnode: node, clock });
  return { source: wholeOrParts(whole, parts), getIndexProgress: whole.getProgress };
}

/** A short chain is read whole; of one that is too long for that, what its node can be asked for. */
function wholeOrParts(whole: AptosSource, parts: AptosSource): AptosSource {
  const either = async <T>(ask: (source: AptosSource) => Promise<T>): Promise<T> => {
    try {
      return await ask(whole);
    } catch (error) {
      if (!isFault(error, 'not-implemented')) throw error;
      return ask(parts);
    }
  };
  return {
    getCoinActivitiesByType: (query, slice, signal) =>
      either(source => source.getCoinActivitiesByType(query, slice, signal)),
    getCoinActivitiesByOwner: (query, slice, signal) =>
      either(source => source.getCoinActivitiesByOwner(query, slice, signal)),
    getCoinActivitiesByBlock: (query, slice, signal) =>
      either(source => source.getCoinActivitiesByBlock(query, slice, signal)),
    getTokenActivities: (query, slice, signal) => either(source => source.getTokenActivities(query, slice, signal)),
    getTokensByCreator: (query, slice, signal) => either(source => source.getTokensByCreator(query, slice, signal)),
    getCollectionOwners: (query, slice, signal) => either(source => source.getCollectionOwners(query, slice, signal)),
    getOwnedTokens: (query, slice, signal) => either(source => source.getOwnedTokens(query, slice, signal)),
    async stop() {
      await Promise.all([whole.stop(), parts.stop()]);
    },
  };
}

function noIndexer(name: string): GraphqlClient {
  return {
    host: 'no indexer',
    isLoopback: false,
    async fetchRows() {
      throw new HexLensError(
        'not-implemented',
        `Aptos ${name} has no indexer, and is too long to be read from its node.`,
        {
          fix: 'Add its indexer to the setting hexlens.aptos.networks, or with --aptos-indexer NAME=URL.',
        },
      );
    },
  };
}
