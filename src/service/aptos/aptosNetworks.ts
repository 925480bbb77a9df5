// The configured Aptos networks: the clients of their endpoints and the data source of their operations.

import { type AptosNetwork, publicAptosNetworks } from '../../api/configuration.ts';
import { HexLensError, isFault } from '../../base/errors.ts';
import { getOrInsert } from '../../base/getOrInsert.ts';
import type { HttpPort } from '../../base/httpPort.ts';
import { localizable } from '../../base/localize.ts';
import type { AptosSource } from './aptosSource.ts';
import { APTOS_SETTING } from './endpointErrors.ts';
import { FullnodeClient } from './fullnode/fullnodeClient.ts';
import { createGraphqlClient, type GraphqlClient } from './graphql/graphqlClient.ts';
import { GraphqlSource } from './graphql/graphqlSource.ts';
import { coinActivityTable, createTableQuery } from './graphql/indexerTables.ts';
import {
  createLocalIndexSource,
  type LocalIndexProgress,
  type LocalIndexSourceOptions,
} from './indexer/localIndexSource.ts';

/** The clients of a network; at least one of them is configured. */
interface AptosEndpoints {
  readonly name: string;
  readonly fullnode: FullnodeClient | null;
  readonly graphql: GraphqlClient | null;
}

type AptosSourceOptions = Pick<LocalIndexSourceOptions, 'openStore' | 'clock' | 'log' | 'tasks'>;

interface CreatedAptosSource {
  readonly source: AptosSource;
  getIndexProgress(): LocalIndexProgress | null;
}

/** The data source of a network: its public indexer where it has one, else a local index of its fullnode. */
function createAptosSource(
  { name, fullnode, graphql }: AptosEndpoints,
  { openStore, clock, log, tasks }: AptosSourceOptions,
): CreatedAptosSource {
  if (graphql !== null)
    return { source: new GraphqlSource({ graphql, fullnode, clock }), getIndexProgress: () => null };
  if (fullnode === null)
    throw new HexLensError('no-node', `Aptos ${name} has neither a node nor an indexer.`, {
      fix: localizable('Add one to {0}.', APTOS_SETTING),
    });
  const localIndex = createLocalIndexSource({ name, fullnode, openStore, clock, log, tasks });
  const fullnodeOnly = new GraphqlSource({ graphql: createMissingIndexer(name), fullnode, clock });
  return { source: withFallback(localIndex, fullnodeOnly), getIndexProgress: localIndex.getProgress };
}

/** A short chain is indexed completely. For a chain that is too long, only what its fullnode can answer is available. */
const withFallback = (localIndex: AptosSource, fullnodeOnly: AptosSource): AptosSource => ({
  async fetchPage(...request) {
    try {
      return await localIndex.fetchPage(...request);
    } catch (error) {
      if (!isFault(error, 'not-implemented')) throw error;
      return fullnodeOnly.fetchPage(...request);
    }
  },
  async stop() {
    await Promise.all([localIndex.stop(), fullnodeOnly.stop()]);
  },
});

function createMissingIndexer(name: string): GraphqlClient {
  return {
    async fetchRows() {
      throw new HexLensError(
        'not-implemented',
        `Aptos ${name} has no indexer, and its chain is too long to be indexed from its node.`,
        { fix: localizable('Add its indexer to the setting hexlens.aptos.networks.') },
      );
    },
  };
}

export interface AptosNetworkAccess extends AptosEndpoints {
  readonly source: AptosSource;
  /** Progress of the local index; `null` when the network has an indexer of its own. */
  getIndexProgress(): LocalIndexProgress | null;
}

export type AptosNetworks = ReturnType<typeof createAptosNetworks>;

interface AptosNetworksOptions extends AptosSourceOptions {
  readonly networks: Readonly<Record<string, AptosNetwork>>;
  /** API keys by origin. */
  readonly keys: Readonly<Record<string, string>>;
  readonly http: HttpPort;
  readonly timeoutMs: number;
}

const SDK_DEFAULT_NETWORK = 'mainnet';
const isPublicNetwork = (name: string) => Object.hasOwn(publicAptosNetworks, name);

export function createAptosNetworks(options: AptosNetworksOptions) {
  const { networks, keys, http, clock, log, timeoutMs } = options;
  const accesses = new Map<string, AptosNetworkAccess>();
  const names = Object.keys(networks);

  const createAccess = (name: string, { node, indexer }: AptosNetwork): AptosNetworkAccess => {
    const toClientOptions = (url: string) => ({
      network: name,
      url,
      apiKey: getApiKey(url, keys),
      http,
      clock,
      log,
      timeoutMs,
    });
    const endpoints = {
      name,
      fullnode: node === null ? null : new FullnodeClient(toClientOptions(node)),
      graphql: indexer === null ? null : createGraphqlClient(toClientOptions(indexer)),
    };
    return { ...endpoints, ...createAptosSource(endpoints, options) };
  };

  return {
    /** In the order of the configuration; the first network is the default. */
    names,
    /**
     * The network of this name, or the default. `mainnet`, which the official SDK sends by default, also means a development
     * network that is the default; never another public one. Throws `no-node`.
     */
    get(requestedName?: string): AptosNetworkAccess {
      const [defaultName] = names;
      if (defaultName === undefined)
        throw new HexLensError('no-node', 'No Aptos network is configured.', {
          fix: localizable('Add one to {0}.', APTOS_SETTING),
        });
      const lowerName = requestedName?.toLowerCase() ?? defaultName;
      const isConfigured = Object.hasOwn(networks, lowerName);
      const isSdkDefault = lowerName === SDK_DEFAULT_NETWORK && !isPublicNetwork(defaultName);
      if (!isConfigured && !isSdkDefault)
        throw new HexLensError('no-node', `The Aptos network ${lowerName} is not configured.`, {
          fix: localizable('Name one of {0}, or add it to {1}.', names.join(', '), APTOS_SETTING),
        });
      const name = isConfigured ? lowerName : defaultName;
      return getOrInsert(accesses, name, () => createAccess(name, networks[name] ?? { node: null, indexer: null }));
    },
    /** Aborts requests in progress and closes local indexes. */
    async stop() {
      await Promise.allSettled([...accesses.values()].map(({ source }) => source.stop()));
      accesses.clear();
    },
  };
}

function getApiKey(url: string, keys: Readonly<Record<string, string>>): string | undefined {
  const origin = URL.parse(url)?.origin;
  return origin !== undefined && Object.hasOwn(keys, origin) ? keys[origin] : undefined;
}

/** Resolves when every configured endpoint of the network responds. Rejects with the fault of one that does not. */
export async function checkAptosNetwork({ fullnode, graphql }: AptosNetworkAccess, signal: AbortSignal): Promise<void> {
  await Promise.all([
    fullnode?.fetchLedgerInfo(signal),
    graphql?.fetchRows(createTableQuery(coinActivityTable, {}, 1, 0), signal),
  ]);
}
