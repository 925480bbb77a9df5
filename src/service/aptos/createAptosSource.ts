// Which source a network has: its indexer with its node, or our own index of a node alone while the chain is short enough.
import type { Clock } from '../../base/clock.ts';
import { HexLensError, isFault } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import type { NetworkAccess, SourceEnds } from './aptosNetworks.ts';
import type { AptosSource } from './aptosSource.ts';
import type { Indexer } from './graphql/graphqlClient.ts';
import { createIndexerSource } from './graphql/graphqlSource.ts';
import { createNodeSource } from './indexer/localIndexSource.ts';
import type { OpenAptosStore } from './store/aptosStore.ts';

export interface SourceDeps {
  readonly open: OpenAptosStore;
  readonly clock: Clock;
  readonly log: Log;
}

type Made = Pick<NetworkAccess, 'source' | 'progress'>;

export function createSource({ name, indexer, node }: SourceEnds, deps: SourceDeps): Made {
  const { clock } = deps;
  if (indexer !== null) return { source: createIndexerSource({ indexer, node, clock }), progress: () => null };
  if (node === null)
    throw new HexLensError('no-node', `Aptos ${name} has neither a node nor an indexer.`, {
      fix: 'Add one to the setting hexlens.aptos.networks.',
    });
  const whole = createNodeSource({ name, rest: node, ...deps });
  const parts = createIndexerSource({ indexer: noIndexer(name), node, clock });
  return { source: wholeOrParts(whole, parts), progress: whole.progress };
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
    coinTransfers: (query, slice, signal) => either(source => source.coinTransfers(query, slice, signal)),
    walletCoinTransfers: (query, slice, signal) => either(source => source.walletCoinTransfers(query, slice, signal)),
    blockCoinTransfers: (query, slice, signal) => either(source => source.blockCoinTransfers(query, slice, signal)),
    walletTokenTransfers: (query, slice, signal) => either(source => source.walletTokenTransfers(query, slice, signal)),
    tokensByCreators: (query, slice, signal) => either(source => source.tokensByCreators(query, slice, signal)),
    collectionOwners: (query, slice, signal) => either(source => source.collectionOwners(query, slice, signal)),
    walletTokens: (query, slice, signal) => either(source => source.walletTokens(query, slice, signal)),
    async stop() {
      await Promise.all([whole.stop(), parts.stop()]);
    },
  };
}

function noIndexer(name: string): Indexer {
  return {
    host: 'no indexer',
    loopback: false,
    async rows() {
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
