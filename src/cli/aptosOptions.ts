// The options that say where Aptos is read: a node, an indexer, or both per network.
import { type AptosNetwork, defaultConfiguration, publicAptosNetworks } from '../api/configuration.ts';
import type { Option } from './options.ts';
import { createUsageError } from './usageError.ts';

/** Network in lower case -> URL; `null` where only the network was named. */
type Ends = Readonly<Record<string, string | null>>;

function readEnds(texts: readonly string[], name: string, port: string): Ends {
  const ends: Record<string, string | null> = {};
  for (const text of texts) {
    const [, written = '', address] = /^([^=]*)(?:=(.*))?$/s.exec(text) ?? [];
    const example = `Write it as local=http://127.0.0.1:${port}.`;
    const network = written.toLowerCase();
    if (!/^[a-z][a-z0-9-]{0,31}$/.test(network))
      throw createUsageError(`${name} needs NAME=URL, not "${text}".`, example);
    if (Object.hasOwn(ends, network))
      throw createUsageError(`${name}: ${network} is given twice.`, 'Give one URL per network.');
    const url = address === undefined ? null : URL.parse(address);
    if (address !== undefined && (url === null || !/^https?:$/.test(url.protocol)))
      throw createUsageError(`${name}: the URL of ${network} must begin with http:// or https://.`, example);
    ends[network] = url === null ? null : url.href.replace(/\/+$/, '');
  }
  return ends;
}

const known = (network: string): AptosNetwork | undefined =>
  Object.hasOwn(publicAptosNetworks, network) ? publicAptosNetworks[network] : undefined;

export const aptosOption: Option<Ends> = {
  flag: 'aptos',
  valueName: 'NAME=URL',
  isRepeatable: true,
  env: 'HEXLENS_APTOS',
  field: 'aptos',
  jsonType: 'map',
  help: 'Aptos network and the REST API of its node, may be repeated; the first one answers requests that name no network (default: local=http://127.0.0.1:8080/v1). mainnet, testnet and devnet need no URL: then it is the public node with its indexer',
  parse(texts, { name }) {
    const ends = readEnds(texts, name, '8080/v1');
    const alone = Object.keys(ends).find(network => ends[network] === null && known(network) === undefined);
    if (alone !== undefined)
      throw createUsageError(
        `${name}: ${alone} needs the URL of its node.`,
        'Only mainnet, testnet and devnet are known.',
      );
    return ends;
  },
};

export const aptosIndexerOption: Option<Ends> = {
  flag: 'aptos-indexer',
  valueName: 'NAME=URL',
  isRepeatable: true,
  env: 'HEXLENS_APTOS_INDEXER',
  field: 'aptosIndexer',
  jsonType: 'map',
  help: 'Indexer GraphQL API of an Aptos network, may be repeated (default: the node alone is read, which takes a small chain)',
  parse(texts, { name }) {
    const ends = readEnds(texts, name, '8090/v1/graphql');
    const alone = Object.keys(ends).find(network => ends[network] === null);
    if (alone !== undefined) throw createUsageError(`${name}: ${alone} needs a URL.`, 'Write NAME=URL.');
    return ends;
  },
};

/** The networks of both options together; the default ones when neither was given. */
export function toAptosNetworks(nodes: Ends = {}, indexers: Ends = {}): Readonly<Record<string, AptosNetwork>> {
  const networks: Record<string, AptosNetwork> = {};
  for (const [network, node] of Object.entries(nodes)) {
    const named = node === null ? known(network) : { node, indexer: null };
    if (named !== undefined) networks[network] = named;
  }
  for (const [network, indexer] of Object.entries(indexers))
    networks[network] = { node: networks[network]?.node ?? null, indexer };
  return Object.keys(networks).length === 0 ? (defaultConfiguration.aptos ?? {}) : networks;
}
