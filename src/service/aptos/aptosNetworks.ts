// The configured Aptos networks: the clients of their endpoints and the data source of their operations.
import type { AptosNetwork } from '../../api/configuration.ts';
import { HexLensError } from '../../base/errors.ts';
import type { HttpPort } from '../../base/httpPort.ts';
import type { AptosSource } from './aptosSource.ts';
import { type AptosEndpoints, type AptosSourceOptions, createAptosSource } from './createAptosSource.ts';
import { createFullnodeClient } from './fullnode/fullnodeClient.ts';
import { createGraphqlClient } from './graphql/graphqlClient.ts';
import { coinActivityTable, createTableQuery } from './graphql/indexerTables.ts';
import type { LocalIndexProgress } from './indexer/localIndexSource.ts';

export interface AptosNetworkAccess extends AptosEndpoints {
  readonly source: AptosSource;
  /** Progress of the local index; `null` when the network has an indexer of its own. */
  getIndexProgress(): LocalIndexProgress | null;
}

export interface AptosNetworks {
  /** In the order of the configuration; the first network is the default. */
  readonly names: readonly string[];
  /**
   * The network of this name, or the default. `mainnet`, which the official SDK sends by default, means the default
   * network when it is not configured. Throws `no-node`.
   */
  get(name?: string): AptosNetworkAccess;
  /** Aborts requests in progress and closes local indexes. */
  stop(): Promise<void>;
}

export interface AptosNetworksOptions extends AptosSourceOptions {
  readonly networks: Readonly<Record<string, AptosNetwork>>;
  /** API keys by origin. */
  readonly keys: Readonly<Record<string, string>>;
  readonly http: HttpPort;
  readonly timeoutMs: number;
}

const SDK_DEFAULT_NETWORK = 'mainnet';

export function createAptosNetworks(options: AptosNetworksOptions): AptosNetworks {
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
      fullnode: node === null ? null : createFullnodeClient(toClientOptions(node)),
      graphql: indexer === null ? null : createGraphqlClient(toClientOptions(indexer)),
    };
    return { ...endpoints, ...createAptosSource(endpoints, options) };
  };

  return {
    names,
    get(requestedName) {
      const [defaultName] = names;
      if (defaultName === undefined)
        throw new HexLensError('no-node', 'No Aptos network is configured.', {
          fix: 'Add one to the setting hexlens.aptos.networks, or --aptos local=http://127.0.0.1:8080/v1.',
        });
      const lowerName = requestedName?.toLowerCase() ?? defaultName;
      const isConfigured = Object.hasOwn(networks, lowerName);
      if (!isConfigured && lowerName !== SDK_DEFAULT_NETWORK)
        throw new HexLensError('no-node', `The Aptos network ${lowerName} is not configured.`, {
          fix: `Name one of ${names.join(', ')}, or add it to the setting hexlens.aptos.networks or with --aptos ${lowerName}=URL.`,
        });
      const name = isConfigured ? lowerName : defaultName;
      let access = accesses.get(name);
      if (access === undefined) {
        access = createAccess(name, networks[name] ?? { node: null, indexer: null });
        accesses.set(name, access);
      }
      return access;
    },
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
