// The options of `hexlens serve`, and the part of them that `hexlens call` has too.
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { toAddressBookConfiguration } from '../addressBook/addressBookIndex.ts';
import { BOOK_FILE_PATH, parseBookFile } from '../addressBook/bookFile.ts';
import { parseWrittenChain } from '../api/chainNames.ts';
import {
  type AddressBookConfiguration,
  type AptosNetwork,
  type Configuration,
  defaultConfiguration,
  MAX_CLOCK_SKEW_MS,
  normalizeDomain,
  parseIpfsGateway,
  publicAptosNetworks,
  siweDefaults,
} from '../api/configuration.ts';
import { DATED_CHANGES_DAY } from '../api/decisions.ts';
import { type NodeUrls, splitUrls, toNodeUrls } from '../api/nodeUrls.ts';
import type { ApiGroup } from '../api/operations/operation.ts';
import { isValidApiKey } from '../server/apiKey.ts';
import type { CheckedGroup } from '../service/checkReadiness.ts';
import { isPostgresUrl } from '../service/store/postgres/postgresUrl.ts';
import { type ConfigFile, createUsageError, readConfigFile } from './configFile.ts';
import { KEYS_FIELD } from './keysField.ts';
import { listOption, lowerCaseMatching, numberOption, switchOption } from './optionShapes.ts';
import { defineOptions, type OptionTable, type OptionValues, readOptions } from './options.ts';
import { readTextFile, type UnreadableFileError } from './readTextFile.ts';

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
    endpoints[network] = url === null ? null : url.href.replace(/(?<!\/)\/+$/, '');
  }
  return endpoints;
}

const getPublicNetwork = (network: string): AptosNetwork | undefined =>
  Object.hasOwn(publicAptosNetworks, network) ? publicAptosNetworks[network] : undefined;

/** The networks of both options; the default ones when neither was given. */
function toAptosNetworks(
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

const getSingle = (texts: readonly string[]) => texts[0] ?? '';

const MAX_BOOK_BYTES = 64 * 1024 * 1024;

/** Entries with a minor flaw are read as in the editor; what can not be read ends the program. */
function readAddressBook(path: string, optionName: string): AddressBookConfiguration {
  const createError = (problem: string) => createUsageError(`${optionName}: ${path} ${problem}`, 'Correct the file.');
  let text: string;
  try {
    text = readTextFile(path, MAX_BOOK_BYTES);
  } catch (error) {
    throw createError(`${(error as UnreadableFileError).message}.`);
  }
  const { state, issues } = parseBookFile(text.replace(/^\ufeff/, ''));
  const issue = issues.find(({ severity }) => severity === 'error');
  if (issue !== undefined)
    throw createError(`is wrong in line ${text.slice(0, issue.offset).split('\n').length}: ${issue.message}`);
  return toAddressBookConfiguration(state.entries);
}

/** Where data comes from: common to `serve` and an embedded `call`. */
export const sourceOptions = defineOptions({
  node: {
    flag: 'node',
    valueName: 'NAME=URL,…',
    isRepeatable: true,
    field: 'nodes',
    jsonType: 'map',
    help: 'JSON-RPC node of a chain, may be repeated; the first one answers requests that name no chain (default: local=http://127.0.0.1:8545). NAME is local, another name of a node of your own such as anvil or fork-mainnet, a name such as eth or base, or a chain id such as 8453 or 0x2105. Of several URLs the others are used when the first fails, is slow or is behind',
    parse(texts, { name: sourceName }) {
      const nodes: Record<string, NodeUrls> = {};
      for (const text of texts) {
        const at = text.indexOf('=');
        const example = 'Write it as --node local=http://127.0.0.1:8545.';
        if (at < 1) throw createUsageError(`${sourceName} needs NAME=URL, not "${text}".`, example);
        const name = text.slice(0, at);
        const chain = parseWrittenChain(name);
        if (chain === null) {
          throw createUsageError(
            `${sourceName}: "${name}" is not a chain.`,
            'Use a name such as eth, base or local, or a chain id such as 8453 or 0x2105.',
          );
        }
        const urls = new Set<string>();
        for (const part of splitUrls(text.slice(at + 1))) {
          const url = URL.parse(part);
          if (url === null || !/^(https?|wss?):$/.test(url.protocol))
            throw createUsageError(
              `${sourceName}: the URL of ${chain} must begin with http://, https://, ws:// or wss://.`,
              example,
            );
          urls.add(url.href);
        }
        if (Object.hasOwn(nodes, chain))
          throw createUsageError(
            `${sourceName}: ${chain} is given twice.`,
            `Give its URLs together: ${chain}=URL1,URL2.`,
          );
        nodes[chain] = toNodeUrls([...urls]);
      }
      return nodes;
    },
  },
  aptos: {
    flag: 'aptos',
    valueName: 'NAME=URL',
    isRepeatable: true,
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
  },
  aptosIndexer: {
    flag: 'aptos-indexer',
    valueName: 'NAME=URL',
    isRepeatable: true,
    jsonType: 'map',
    help: 'Indexer GraphQL API of an Aptos network, may be repeated (default: only the node is read, which suits small chains)',
    parse(texts, { name }) {
      const endpoints = parseEndpoints(texts, name, '8090/v1/graphql');
      const withoutUrl = Object.keys(endpoints).find(network => endpoints[network] === null);
      if (withoutUrl !== undefined) throw createUsageError(`${name}: ${withoutUrl} needs a URL.`, 'Write NAME=URL.');
      return endpoints;
    },
  },
  domain: listOption(
    {
      flag: 'domain',
      field: 'domains',
      help: 'Domain that sign-in messages must name, as example.com or localhost:3000, may be repeated (default: any domain)',
    },
    {
      valueName: 'DOMAIN',
      kind: 'a host',
      fix: 'Write it as in the first line of the message, without scheme or path: --domain example.com.',
      parse: normalizeDomain,
    },
  ),
  repeatSignIn: switchOption({
    flag: 'repeat-sign-in',
    help: 'A sign-in message may be verified again until it expires (default: once; nonces are stored in the folder of --data or the database of --store, else in memory)',
  }),
  requireChecksum: switchOption({
    flag: 'require-checksum',
    help: 'Addresses of sign-in messages must have their EIP-55 checksum (default: all lower case is accepted too)',
  }),
  compactSignatures: switchOption({
    flag: 'compact-signatures',
    help: 'Accept sign-in signatures of 64 bytes too, EIP-2098 (default: 65 bytes)',
  }),
  clockSkew: numberOption(
    {
      flag: 'clock-skew',
      help: `Milliseconds that the clock of a signer may be ahead, from 0 to ${MAX_CLOCK_SKEW_MS} (default: ${siweDefaults.clockSkewMs})`,
    },
    { valueName: 'MS', min: 0, max: MAX_CLOCK_SKEW_MS, fix: 'The unit is milliseconds.' },
  ),
  data: {
    flag: 'data',
    valueName: 'DIR',
    jsonType: 'string',
    help: 'Folder for the indexes of chains; it is created if needed and may be deleted at any time (default: in memory)',
    parse(texts, { name, folder }) {
      const text = getSingle(texts);
      if (text === '') throw createUsageError(`${name} needs a folder.`, 'Leave it out to keep everything in memory.');
      return resolve(folder, text);
    },
  },
  store: {
    flag: 'store',
    valueName: 'URL',
    jsonType: 'string',
    isSecret: true,
    help: 'PostgreSQL database for the indexes instead of --data (postgres://user:password@host:5432/database); several processes may share it. It holds a password: prefer --store-file',
    parse(texts, { name }) {
      const text = getSingle(texts);
      // The text may contain a password, so the message does not repeat it.
      if (!/^postgres(ql)?:\/\/\S+$/.test(text) || !isPostgresUrl(text)) {
        throw createUsageError(
          `${name} needs the URL of a PostgreSQL database.`,
          'Write postgres://user:password@host:5432/database, with % codes for special characters of the password; ?schema=NAME in lower case.',
        );
      }
      return text;
    },
  },
  addressBook: {
    flag: 'address-book',
    valueName: 'FILE',
    jsonType: 'string',
    help: `Address book, as the extension writes it to ${BOOK_FILE_PATH}, read at the start: names for the *_label fields, trust for verified_collection and possible_spam, logos for token_logo (default: none)`,
    parse: (texts, { name, folder }) => readAddressBook(resolve(folder, getSingle(texts)), name),
  },
  strictDates: switchOption({
    flag: 'strict-dates',
    help: `Reject what hosts have dropped on ${DATED_CHANGES_DAY}: logs without topic0, topic1 to topic3, direction, ERC-20 mints (default: everything is served)`,
  }),
  metadataHost: listOption(
    {
      flag: 'metadata-host',
      field: 'metadataHosts',
      help: 'Host that metadata of NFTs may be fetched from (example.com, *.example.com, or * for every public one), may be repeated (default: none)',
    },
    {
      valueName: 'HOST',
      kind: 'a host name',
      fix: 'Write it without scheme, port or path: example.com.',
      parse: lowerCaseMatching(/^(\*|(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)+)$/),
    },
  ),
  ipfsGateway: {
    flag: 'ipfs-gateway',
    valueName: 'URL',
    jsonType: 'string',
    help: 'Gateway for ipfs:// metadata of NFTs, such as https://ipfs.io/ipfs/ (default: it is not fetched)',
    parse(texts, { name }) {
      const gateway = parseIpfsGateway(getSingle(texts));
      if (gateway !== null) return gateway;
      throw createUsageError(
        `${name} needs an https address.`,
        'Write it with its path, such as https://ipfs.io/ipfs/.',
      );
    },
  },
  loopbackMetadata: switchOption({
    flag: 'loopback-metadata',
    help: 'Contracts of a development chain on this machine, which is no fork and has not the id of a public chain, may name metadata on this machine (default: it is not fetched)',
  }),
  timeout: numberOption(
    {
      flag: 'timeout',
      help: 'Milliseconds that one request to a node may take, from 1000 to 120000 (default: 20000)',
    },
    { valueName: 'MS', min: 1_000, max: 120_000, fix: 'The unit is milliseconds.' },
  ),
});

const { aptos, aptosIndexer, domain, repeatSignIn, requireChecksum, compactSignatures, clockSkew, ...evmOptions } =
  sourceOptions;
const { node, timeout, data, store } = evmOptions;

/** What an operation of each group depends on. */
export const groupOptions = {
  auth: { node, domain, repeatSignIn, requireChecksum, compactSignatures, clockSkew, data, store, timeout },
  evm: evmOptions,
  aptos: { aptos, aptosIndexer, data, store, timeout },
} as const satisfies Readonly<Record<ApiGroup, OptionTable>>;

/** Of the commands that read a chain without an index. */
export const chainOptions = { node, timeout } as const;

export const serveOptions = defineOptions({
  port: numberOption(
    {
      flag: 'port',
      help: 'Port to listen on; 0 takes a free one (default: 8547)',
    },
    { valueName: 'PORT', min: 0, max: 65_535, fix: 'Use 0 for a free one.' },
  ),
  key: {
    flag: 'key',
    valueName: 'KEY',
    env: 'HEXLENS_API_KEY',
    jsonType: 'string',
    isSecret: true,
    help: 'Key that clients send as X-API-Key (default: a new random key); other users of the machine may see flags, so prefer --key-file',
    parse(texts, { name }) {
      const key = getSingle(texts);
      if (isValidApiKey(key)) return key;
      throw createUsageError(
        `${name} can not be sent in a header.`,
        'Use 1 to 256 letters, digits and signs without spaces, or leave it out: then one is generated.',
      );
    },
  },
  ...sourceOptions,
  host: {
    flag: 'host',
    valueName: 'ADDRESS',
    jsonType: 'string',
    help: 'Address to listen on (default: 127.0.0.1). Any other opens the service to other machines, unencrypted: it needs a key of yours of 16 characters or more',
    parse(texts, { name }) {
      const host = getSingle(texts);
      if (host === 'localhost') return '127.0.0.1';
      if (isIP(host) !== 0) return host;
      throw createUsageError(
        `${name} must be an address of this machine, not "${host}".`,
        'Use 0.0.0.0 for every interface, or leave it out for this machine only.',
      );
    },
  },
  hostName: listOption(
    {
      flag: 'host-name',
      field: 'hostNames',
      help: 'Host name that other machines use (data.example), may be repeated; other names are rejected',
    },
    {
      valueName: 'NAME',
      kind: 'a name',
      fix: 'Write it without scheme, port or path: data.example.',
      parse: lowerCaseMatching(/^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/),
    },
  ),
  cors: listOption(
    {
      flag: 'cors',
      help: 'Origin of web pages that may send requests (http://localhost:3000), may be repeated (default: none)',
    },
    {
      valueName: 'ORIGIN',
      kind: 'the origin of a page',
      fix: 'Write scheme, host and port only, such as http://localhost:3000; there is no * on purpose.',
      parse(text) {
        const url = URL.parse(text);
        return url !== null && /^https?:$/.test(url.protocol) && url.origin === text.toLowerCase() ? url.origin : null;
      },
    },
  ),
  log: {
    flag: 'log',
    valueName: 'FORMAT',
    jsonType: 'string',
    help: 'Format of the log on standard error: text, or json for one object per line (default: text)',
    parse(texts, { name }) {
      const form = getSingle(texts);
      if (form === 'text' || form === 'json') return form;
      throw createUsageError(`${name} must be text or json, not "${form}".`);
    },
  },
});

/**
 * The configuration of the service from the values of its options.
 *
 * @param values `timeout` in milliseconds; absent options have the defaults of `defaultConfiguration`.
 *
 * @example
 * ```ts
 * import { parseFlags, readOptions } from './options.ts';
 * import { sourceOptions, toConfiguration } from './serveOptions.ts';
 *
 * const { values: flags } = parseFlags(['--node', 'eth=http://127.0.0.1:8545', '--timeout', '5000'], sourceOptions);
 * const values = readOptions(sourceOptions, { flags, env: process.env, file: null, folder: process.cwd() });
 * const { nodes, timeoutMs } = toConfiguration(values);
 * ```
 */
export function toConfiguration(values: Partial<OptionValues<typeof sourceOptions>>): Configuration {
  return {
    ...defaultConfiguration,
    nodes: values.node ?? defaultConfiguration.nodes,
    aptos: toAptosNetworks(values.aptos, values.aptosIndexer),
    siwe: {
      expectedDomains: values.domain ?? [],
      singleUse: values.repeatSignIn !== true,
      lowerCaseAddresses: values.requireChecksum !== true,
      compactSignatures: values.compactSignatures === true,
      ...(values.clockSkew !== undefined && { clockSkewMs: values.clockSkew }),
    },
    dataFolder: values.data ?? null,
    storeUrl: values.store ?? null,
    ...(values.addressBook !== undefined && { addressBook: values.addressBook }),
    strictDates: values.strictDates === true,
    metadata: {
      hosts: values.metadataHost ?? [],
      ipfsGateway: values.ipfsGateway ?? null,
      allowsLoopback: values.loopbackMetadata === true,
    },
    timeoutMs: values.timeout ?? defaultConfiguration.timeoutMs,
  };
}

/** The groups that `/ready` checks: those that were configured, or EVM when none was. */
export function getCheckedGroups({
  node,
  aptos,
  aptosIndexer,
}: OptionValues<typeof sourceOptions>): readonly CheckedGroup[] {
  const hasAptos = aptos !== undefined || aptosIndexer !== undefined;
  const hasEvm = node !== undefined || !hasAptos;
  return [...(hasEvm ? (['evm'] as const) : []), ...(hasAptos ? (['aptos'] as const) : [])];
}

/** By flags, environment and configuration file, which may have fields of `serve` that the command has no use for. */
export function readConfigured<O extends OptionTable>(
  options: O,
  flags: Readonly<Record<string, unknown>>,
  env: NodeJS.ProcessEnv,
): { readonly file: ConfigFile | null; readonly options: OptionValues<O> } {
  const path = flags['config'] ?? (env['HEXLENS_CONFIG'] || undefined);
  const fields = [...Object.values({ ...serveOptions, ...options }).map(({ field }) => field), KEYS_FIELD];
  const file = path === undefined ? null : readConfigFile(String(path), fields);
  return { file, options: readOptions(options, { flags, env, file, folder: process.cwd() }) };
}
