// The options for Aptos networks: the node, the indexer, or both of each network.
import { type AptosNetwork, defaultConfiguration, publicAptosNetworks } from '../api/configuration.ts';
import type { Option } from './options.ts';
import { createUsageError } from './usageError.ts';

/** Network in lower case -> URL; `null` when only the network was given. */
type EndpointUrls = Readonly<Record<string, string | null>>;

function parseEndpoints(texts: readonly string[], optionName: string, examplePath: string): EndpointUrls {
  const endpoints: Record<string, string | null> = {};
  for (const text of texts) {
    const [, name = '', urlText] = /^([^=]*)(?:=(.*))?$/s.exec(text) ?? [];
    const example = `Write it as local=http://127.0.0.1:${examplePath}.`;
    const network = name.toLowerCase();
    if (!/^[a-z][a-z0-9-]{0,31}$/.test(network))
      throw createUsageError(`${optionName} needs NAME=URL, not "${text}".`, example);
    if (Object.hasOwn(endpoints, network))
      throw createUsageError(`${optionName}: ${network} is given twice.`, 'Give one URL per network.');
    const url = urlText === undefined ? null : URL.parse(urlText);
    if (urlText !== undefined && (url === null || !/^https?:$/.test(url.protocol)))
      throw createUsageError(`${optionName}: the URL of ${network} must begin with http:// or https://.`, example);
    endpoints[network] = url === null ? null : url.href.replace(/\/+$/, '');
  }
  return endpoints;
}

const getPublicNetwork = (network: string): AptosNetwork | undefined =>
  Object.hasOwn(publicAptosNetworks, network) ? publicAptosNetworks[network] : undefined;

export const aptosOption: Option<EndpointUrls> = {
  flag: 'aptos',
  valueName: 'NAME=URL',
  isRepeatable: true,
  env: 'HEXLENS_APTOS',
  field: 'aptos',
  jsonType: 'map',
  help: 'Aptos network and the REST API of its node, may be repeated; the first one answers requests that name no network (default: local=http://127.0.0.1:8080/v1). mainnet, testnet and devnet need no URL: then it is the public node with its indexer',
  parse(texts, { name }) {
    const endpoints = parseEndpoints(texts, name, '8080/v1');
    const withoutUrl = Object.keys(endpoints).find(
      network => endpoints[network] === null && getPublicNetwork(network) === undefined,
    );
    if (withoutUrl !== undefined)
      throw createUsageError(
        `${name}: ${withoutUrl} needs the URL of its node.`,
        'Only mainnet, testnet and devnet are known.',
      );
    return endpoints;
  },
};

export const aptosIndexerOption: Option<EndpointUrls> = {
  flag: 'aptos-indexer',
  valueName: 'NAME=URL',
  isRepeatable: true,
  env: 'HEXLENS_APTOS_INDEXER',
  field: 'aptosIndexer',
  jsonType: 'map',
  help: 'Indexer GraphQL API of an Aptos network, may be repeated (default: only the node is read, which suits small chains)',
  parse(texts, { name }) {
    const endpoints = parseEndpoints(texts, name, '8090/v1/graphql');
    const withoutUrl = Object.keys(endpoints).find(network => endpoints[network] === null);
    if (withoutUrl !== undefined) throw createUsageError(`${name}: ${withoutUrl} needs a URL.`, 'Write NAME=URL.');
    return endpoints;
  },
};

/** The networks of both options; the default ones when neither was given. */
export function toAptosNetworks(
  nodes: EndpointUrls = {},
  indexers: EndpointUrls = {},
): Readonly<Record<string, AptosNetwork>> {
  const networks: Record<string, AptosNetwork> = {};
  for (const [name, node] of Object.entries(nodes)) {
    const network = node === null ? getPublicNetwork(name) : { node, indexer: null };
    if (network !== undefined) networks[name] = network;
  }
  for (const [name, indexer] of Object.entries(indexers))
    networks[name] = { node: networks[name]?.node ?? null, indexer };
  return Object.keys(networks).length === 0 ? (defaultConfiguration.aptos ?? {}) : networks;
}
