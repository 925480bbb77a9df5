// The configured Aptos networks: each one's node, indexer and the source that its rows come from.

import type { AptosNetwork } from '../../api/configuration.ts';
import type { Clock } from '../../base/clock.ts';
import { HexLensError } from '../../base/errors.ts';
import type { HttpPort } from '../../base/httpPort.ts';
import type { Log } from '../../base/log.ts';
import type { AptosSource } from './aptosSource.ts';
import { createFullnodeClient, type FullnodeClient } from './fullnode/fullnodeClient.ts';
import { createGraphqlClient, type GraphqlClient } from './graphql/graphqlClient.ts';
import { coinActivityTable, createTableQuery } from './graphql/indexerTables.ts';
import type { LocalIndexProgress } from './indexer/localIndexSource.ts';

export interface AptosNetworkAccess {
  readonly name: string;
  readonly fullnode: FullnodeClient | null;
  readonly graphql: GraphqlClient | null;
  readonly source: AptosSource;
  /** How far our own index of the node is, where rows come from one. */
  getIndexProgress(): LocalIndexProgress | null;
}

export interface AptosNetworks {
  /** In their order; the first one answers where none is named. */
  readonly names: readonly string[];
  /** Throws `no-node`. `mainnet` that is not configured is the first one: the official SDK names it without being told to. */
  get(name?: string): AptosNetworkAccess;
  /** Ends what is under way and closes what is open. */
  stop(): Promise<void>;
}

/** The ends that a source is made of; at least one is there. */
export interface AptosEndpoints {
  readonly name: string;
  readonly fullnode: FullnodeClient | null;
  readonly graphql: GraphqlClient | null;
}

export interface AptosNetworksOptions {
  readonly networks: Readonly<Record<string, AptosNetwork>>;
  /** Origin -> key that was entered for it. */
  readonly keys: Readonly<Record<string, string>>;
  readonly http: HttpPort;
  readonly clock: Clock;
  readonly log: Log;
  readonly timeoutMs: number;
  createSource(ends: AptosEndpoints): Pick<AptosNetworkAccess, 'source' | 'progress'>;
}

const DEFAULT_NETWORK = 'mainnet';

export function createAptosNetworks(deps: AptosNetworksOptions): AptosNetworks {
  const { networks, keys, http, clock, log, timeoutMs, createSource: makeSource } = deps;
  const open = new Map<string, AptosNetworkAccess>();
  const names = Object.keys(networks);

  const access = (name: string, { node, indexer }: AptosNetwork): AptosNetworkAccess => {
    const reach = (url: string) => ({ network: name, url, key: keyFor(url, keys), http, clock, log, timeoutMs });
    const ends = {
      name,
      node: node === null ? null : createFullnodeClient(reach(node)),
      indexer: indexer === null ? null : createGraphqlClient(reach(indexer)),
    };
    return { ...ends, ...makeSource(ends) };
  };

  return {
    names,
    get(wanted) {
      const [first] = names;
      if (first === undefined)
        throw new HexLensError('no-node', 'No Aptos network is configured.', {
          fix: 'Add one to the setting hexlens.aptos.networks, or --aptos local=http://127.0.0.1:8080/v1.',
        });
      const name = wanted === undefined ? first : wanted.toLowerCase();
      const known = Object.hasOwn(networks, name) ? name : name === DEFAULT_NETWORK ? first : null;
      if (known === null)
        throw new HexLensError('no-node', `The Aptos network ${name} is not configured.`, {
          fix: `Name one of ${names.join(', ')}, or add it to the setting hexlens.aptos.networks or with --aptos ${name}=URL.`,
        });
      let found = open.get(known);
      if (found === undefined) {
        found = access(known, networks[known] ?? { node: null, indexer: null });
        open.set(known, found);
      }
      return found;
    },
    async stop() {
      await Promise.allSettled([...open.values()].map(({ source }) => source.stop()));
      open.clear();
    },
  };
}

function keyFor(url: string, keys: Readonly<Record<string, string>>): string | undefined {
  const origin = URL.parse(url)?.origin;
  return origin !== undefined && Object.hasOwn(keys, origin) ? keys[origin] : undefined;
}

// Whether a network can be asked: both of its ends answer, as far as it has them.
/** Resolves when every end answers. Rejects with what is wrong with one. */
export async function checkAptosNetwork(
  { fullnode: node, graphql: indexer }: AptosNetworkAccess,
  signal: AbortSignal,
): Promise<void> {
  await Promise.all([
    node?.fetchLedgerInfo(signal),
    indexer?.fetchRows(createTableQuery(coinActivityTable, {}, 1, 0), signal),
  ]);
}
