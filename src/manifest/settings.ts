// Parses the user's settings: valid values are used, problems are reported with a fix.

import { getEntriesByChain, parseWrittenChain } from '../api/chainNames.ts';
import { isOwnNode, LOCAL_CHAIN, toHexChainId } from '../api/chains.ts';
import {
  type AptosNetwork,
  type GroupConfiguration,
  MAX_CLOCK_SKEW_MS,
  type MetadataConfiguration,
  parseIpfsGateway,
  publicAptosNetworks,
  type SiwePolicy,
} from '../api/configuration.ts';
import { type NodeUrls, splitUrls, toNodeUrls } from '../api/nodeUrls.ts';
import type { ApiGroup } from '../api/operations/operation.ts';
import { quote } from '../base/displayText.ts';
import { formatInteger } from '../base/formatUnits.ts';
import { isObject, type UnknownRecord } from '../base/isObject.ts';
import { lazyFields } from '../base/lazyFields.ts';
import { isLoopbackHost, isLoopbackUrl } from '../base/loopback.ts';
import {
  type ChecksumSeverity,
  checksumSeverities,
  defaults,
  type HoverPart,
  HTTP_PORT,
  hoverPartNames,
  MAX_CONTRACT_VALUES,
  type SettingKey,
  settingKeys,
  TIMEOUT_MS,
} from './settingDefaults.ts';
import { describeValue, type ReportProblem, validateUrl } from './validateUrl.ts';

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || (typeof value === 'string' && value.trim() === '');

/** The indexer of a public node, so that the node's URL is sufficient. */
const findPublicIndexer = (node: string): string | null =>
  Object.values(publicAptosNetworks).find(known => known.node === node)?.indexer ?? null;

/** A node, an indexer or both per network, named in lower case, in the order of the setting; invalid ones are left out. */
function readAptosNetworks(value: unknown, report: ReportProblem): Readonly<Record<string, AptosNetwork>> {
  const name = 'hexlens.aptos.networks';
  if (!isObject(value)) {
    report(
      `${name} must be an object of networks and URLs, such as { "local": "http://127.0.0.1:8080/v1" }; the default is used.`,
    );
    return readAptosNetworks(defaults[name], report);
  }
  const networks: Record<string, AptosNetwork> = {};
  for (const [written, entry] of Object.entries(value)) {
    const network = written.trim().toLowerCase();
    const urls = isObject(entry) ? entry : { node: entry };
    const readUrl = (endpoint: 'node' | 'indexer', example: string): string | null | undefined => {
      if (isEmpty(urls[endpoint])) return null;
      const validated = validateUrl(urls[endpoint]);
      if ('url' in validated) return validated.url.href.replace(/(?<!\/)\/+$/, '');
      report(
        `The ${endpoint} of ${quote(written)} in ${name} ${validated.wrong}: write its whole address, such as ${example}.`,
      );
      return undefined;
    };
    const node = readUrl('node', 'http://127.0.0.1:8080/v1');
    const indexer = readUrl('indexer', 'http://127.0.0.1:8090/v1/graphql');
    if (node === undefined || indexer === undefined || (node === null && indexer === null)) continue; // reported, or removed on purpose
    if (!/^[a-z][a-z0-9-]{0,31}$/.test(network))
      report(
        `${quote(written)} in ${name} is not the name of a network: use mainnet, testnet, devnet, local or your own word.`,
      );
    else if (Object.hasOwn(networks, network))
      report(`${quote(written)} in ${name} is ${network} once more: keep one of the two; the first is used.`);
    else
      networks[network] = {
        node,
        indexer: indexer ?? (node === null || isObject(entry) ? null : findPublicIndexer(node)),
      };
  }
  return networks;
}

const HOST = /^(\*|(\*\.)?[a-z0-9]([a-z0-9-]{0,62}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,62}[a-z0-9])?)+)$/;

/** Hosts that token metadata may come from, in lower case; anything else is left out. */
function readMetadataHosts(value: unknown, report: ReportProblem): readonly string[] {
  const key = 'hexlens.metadata.hosts';
  if (!Array.isArray(value)) {
    report(`${key} must be a list of host names such as ["example.com"]; none is used.`);
    return [];
  }
  const hosts = (value as readonly unknown[]).flatMap(entry => {
    const host = typeof entry === 'string' ? entry.trim().toLowerCase() : '';
    if (HOST.test(host)) return [host];
    const shown = typeof entry === 'string' ? quote(entry) : `a value of type ${typeof entry}`;
    report(`${key} holds ${shown}, which is not a host name: write one without scheme and path, such as example.com.`);
    return [];
  });
  return [...new Set(hosts)];
}

/** Hosts of nodes in lower case, with the port where one is written; anything else is left out. */
function readNodeHosts(value: unknown, report: ReportProblem, key: SettingKey): readonly string[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list.flatMap(entry => {
    const host = typeof entry === 'string' ? entry.trim().toLowerCase() : '';
    if (/^(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(:\d{1,5})?$/.test(host)) return [host];
    report(`${key} must be a list of hosts such as ["mainnet.example.com"], without scheme and path.`);
    return [];
  });
}

/** Without those that are not URLs, not encrypted on their way to another machine, or with a password or query. */
function readVerifiedSources(value: unknown, report: ReportProblem): readonly string[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list.flatMap(entry => {
    const url = typeof entry === 'string' ? URL.parse(entry) : null;
    if (
      url !== null &&
      url.href === url.origin + url.pathname &&
      (url.protocol === 'https:' || isLoopbackUrl(url.href))
    )
      return url.href;
    report('hexlens.abi.verifiedSources must list URLs like https://sourcify.dev/server.');
    return [];
  });
}

/** The gateway that IPFS is read through, with a slash at its end; `null` when IPFS is not to be read. */
function readIpfsGateway(value: unknown, report: ReportProblem): string | null {
  const key = 'hexlens.metadata.ipfsGateway';
  const text = typeof value === 'string' ? value.trim() : null;
  if (text === '') return null;
  const gateway = text === null ? null : parseIpfsGateway(text);
  if (gateway !== null) return gateway;
  report(
    `${key} must be an https address that ends in the path of IPFS, such as ${defaults[key]}; IPFS is not read until then.`,
  );
  return null;
}

export type { ChecksumSeverity } from './settingDefaults.ts';

export interface Settings {
  /** Canonical chain selector -> JSON-RPC URL, or several, in the order they were written. */
  readonly nodes: Readonly<Record<string, NodeUrls>>;
  /** Block explorers by chain, in place of the known ones. */
  readonly explorers: Readonly<Record<string, string>>;
  readonly auth: GroupConfiguration;
  readonly evm: GroupConfiguration;
  readonly aptos: GroupConfiguration;
  /** Network name in lower case -> where it is read, in the order they were written. */
  readonly aptosNetworks: Readonly<Record<string, AptosNetwork>>;
  readonly hover: {
    readonly enabled: boolean;
    readonly parts: Readonly<Record<HoverPart, boolean>>;
    /** Canonical selectors of the chains that hovers read; `null`: all configured chains. */
    readonly chains: readonly string[] | null;
    /** Names or declarations of functions of contracts, at most `MAX_CONTRACT_VALUES`. */
    readonly contractValues: readonly string[];
  };
  /** How sign-in messages are verified. */
  readonly siwe: SiwePolicy;
  /** Where metadata of tokens may come from. */
  readonly metadata: MetadataConfiguration;
  /** Hosts of nodes besides this machine that agents may query. */
  readonly mcpAllowedHosts: readonly string[];
  readonly watch: {
    /** New activity of what is watched is announced by a notification, besides the badge. */
    readonly notify: boolean;
    /** Hosts of nodes besides this machine that watched addresses may be sent to, again and again. */
    readonly allowedHosts: readonly string[];
  };
  /** Patterns of compiler artifacts below each workspace folder. */
  readonly abiFiles: readonly string[];
  /** Base URLs of Sourcify-like hosts. */
  readonly verifiedSources: readonly string[];
  /** Severity of wrong and missing EIP-55 checksums. */
  readonly checksum: { readonly wrong: ChecksumSeverity; readonly none: ChecksumSeverity };
  /** Addresses that have nothing on the chain that their file names are marked. */
  readonly missingCode: boolean;
  readonly documentLinks: boolean;
  /** Lines above contracts in Solidity. */
  readonly codeLens: { readonly deployments: boolean };
  /** Saved names behind addresses in the editor, and values behind state variables. */
  readonly inlayHints: { readonly enabled: boolean; readonly values: boolean };
  readonly privacy: {
    /** When addresses may be sent to a node or host that is not on this machine. */
    readonly lookUp: 'automatic' | 'onClick';
    /** ENS names of addresses may be read from nodes that are not on this machine. */
    readonly ensNames: boolean;
  };
  /** Milliseconds. */
  readonly requestTimeoutMs: number;
  /** Port of the HTTP service; 0 takes a free one. */
  readonly httpPort: number;
  /** The HTTP service rejects what hosts have dropped by dated changes. */
  readonly httpStrictDates: boolean;
}

export interface SettingProblem {
  readonly setting: SettingKey;
  /** What is wrong and what to write instead; never a URL, since it may hold a key. */
  readonly message: string;
}

export interface SettingsResult {
  readonly settings: Settings;
  readonly problems: readonly SettingProblem[];
}

/** As written, except for the slash that is added where there is no path. */
const withoutRootSlash = ({ href, origin, pathname, search }: URL): string =>
  pathname === '/' && search === '' ? origin : href;

type Validated<T> = { readonly value: T } | { readonly wrong: string };

/** VS Code adds the default `local` to what is written: then a development node under its decimal id is another one. */
function parseNodeName(name: string, written: UnknownRecord): string | null {
  const selector = parseWrittenChain(name);
  const isDecimal = /^\s*\d+\s*$/.test(name);
  return selector === LOCAL_CHAIN && isDecimal && Object.hasOwn(written, LOCAL_CHAIN)
    ? toHexChainId(Number(name))
    : selector;
}

/** Values by chain; the first one where two names are of the same chain. */
function readByChain<T>(
  setting: 'hexlens.nodes' | 'hexlens.explorers',
  what: string,
  example: string,
  value: unknown,
  report: ReportProblem,
  validate: (address: unknown) => Validated<T>,
): Readonly<Record<string, T>> | null {
  if (!isObject(value)) {
    report(`${setting} must be an object of chains and URLs, such as { "local": "${example}" }; the default is used.`);
    return null;
  }
  const found: Record<string, T> = {};
  for (const [name, address] of getEntriesByChain(value)) {
    if (address === null || (typeof address === 'string' && address.trim() === '')) continue; // removed on purpose
    const selector = parseNodeName(name, value);
    const validated = validate(address);
    if (selector === null)
      report(
        `${quote(name)} in ${setting} is not a chain: use a name such as eth, base or local, or a chain id such as 8453 or 0x2105.`,
      );
    else if ('wrong' in validated)
      report(
        `The ${what} of ${quote(name)} in ${setting} ${validated.wrong}: write its whole address, such as ${example}.`,
      );
    else if (Object.hasOwn(found, selector))
      report(`${quote(name)} in ${setting} is ${selector} once more: keep one of the two; the first is used.`);
    else found[selector] = validated.value;
  }
  return found;
}

const validateOneUrl = (address: unknown, options?: { readonly allowsWebSocket: boolean }): Validated<string> => {
  const validated = validateUrl(address, options);
  return 'wrong' in validated ? validated : { value: withoutRootSlash(validated.url) };
};

/** One URL, or several with commas between them. */
function validateNodeUrls(address: unknown): Validated<NodeUrls> {
  const urls = new Set<string>();
  for (const text of typeof address === 'string' ? splitUrls(address) : [address]) {
    const validated = validateOneUrl(text, { allowsWebSocket: true });
    if ('wrong' in validated) return validated;
    urls.add(validated.value);
  }
  return { value: toNodeUrls([...urls]) };
}

/**
 * VS Code merges what is written with the default: a user who names development nodes of this machine has no `local` but a
 * written one.
 */
export function omitDefaultNode(merged: unknown, readWritten: () => readonly unknown[]): unknown {
  const isDefault = (name: string) => Object.hasOwn(defaults['hexlens.nodes'], name);
  // Then nothing is omitted, and VS Code takes long to tell what is written.
  if (!isObject(merged) || Object.keys(merged).every(isDefault)) return merged;
  const own = readWritten()
    .filter(isObject)
    .flatMap(value => Object.entries(value));
  const isNamed = own.some(
    ([name, url]) =>
      isOwnNode(name.trim().toLowerCase()) && typeof url === 'string' && splitUrls(url).some(isLoopbackUrl),
  );
  if (!isNamed) return merged;
  return Object.fromEntries(
    Object.entries(merged).filter(([name]) => !isDefault(name) || own.some(([each]) => each === name)),
  );
}

const readNodes = (value: unknown, report: ReportProblem): Settings['nodes'] =>
  readByChain('hexlens.nodes', 'node', 'http://127.0.0.1:8545', value, report, validateNodeUrls) ??
  defaults['hexlens.nodes'];

/** Without the slash at their end: the page's path follows. */
function readExplorers(value: unknown, report: ReportProblem): Settings['explorers'] {
  const urls: Settings['explorers'] =
    readByChain('hexlens.explorers', 'explorer', 'http://127.0.0.1:5100', value, report, address =>
      validateOneUrl(address),
    ) ?? defaults['hexlens.explorers'];
  return Object.fromEntries(Object.entries(urls).map(([chain, url]) => [chain, url.replace(/(?<!\/)\/+$/, '')]));
}

/** The chain that is used by default; `null` keeps the order of the nodes. */
function readFirst(value: unknown, report: ReportProblem): string | null {
  if (value === '') return null;
  const selector = typeof value === 'string' ? parseWrittenChain(value) : null;
  if (selector === null)
    report(
      `hexlens.chain must be a chain of hexlens.nodes, such as local or eth, not ${describeValue(value)}; the first node is used.`,
    );
  return selector;
}

/** A chain without a node is ignored: another workspace may have one for it. */
function withFirst(nodes: Settings['nodes'], first: string | null): Settings['nodes'] {
  const url = first === null ? undefined : nodes[first];
  return first === null || url === undefined ? nodes : { [first]: url, ...nodes };
}

function readGroup(
  group: ApiGroup,
  get: (key: SettingKey) => unknown,
  report: (key: SettingKey) => ReportProblem,
): GroupConfiguration {
  const [sourceKey, baseKey] = [`hexlens.${group}.source`, `hexlens.${group}.baseUrl`] as const;
  const mode = readChoice('embedded', 'remote')(get(sourceKey), report(sourceKey), sourceKey);
  const written = get(baseKey);
  const text = typeof written === 'string' ? written.trim() : written;
  if (text === '') {
    if (mode === 'remote')
      report(baseKey)(
        `${sourceKey} is remote but ${baseKey} is empty: write the host's address there; until then the embedded service is used.`,
      );
    return { mode: 'embedded', baseUrl: '' };
  }
  const validated = validateUrl(text);
  const wrong = 'wrong' in validated ? validated.wrong : wrongForKey(validated.url);
  if (wrong === null && 'url' in validated) {
    const { url } = validated;
    if (group === 'evm' && url.pathname === '/')
      report(baseKey)(
        `${baseKey} has no path prefix: hosts serve this group below one, such as ${url.origin}/api/v2.2.`,
      );
    return { mode, baseUrl: url.href.replace(/(?<!\/)\/+$/, '') };
  }
  report(baseKey)(
    `${baseKey} ${wrong}: write an https address with its path prefix, such as https://host.example/api/v2.2${mode === 'remote' ? '; until then the embedded service is used' : ''}.`,
  );
  return { mode: 'embedded', baseUrl: '' };
}

/** Why a key should not be sent there. */
function wrongForKey({ protocol, hostname, search }: URL): string | null {
  if (protocol === 'http:' && !isLoopbackHost(hostname))
    return 'is not encrypted, and your API key would be sent in the clear';
  return search === '' ? null : 'holds a query';
}

/** The first of the choices is used in place of anything else. */
const readChoice =
  <const T extends string>(...choices: readonly [T, ...T[]]) =>
  (value: unknown, report: ReportProblem, key: SettingKey): T => {
    const found = choices.find(choice => choice === value);
    if (found !== undefined) return found;
    report(`${key} must be ${choices.join(' or ')}, not ${describeValue(value)}; ${choices[0]} is used.`);
    return choices[0];
  };

function readFlag(value: unknown, report: ReportProblem, key: SettingKey): boolean {
  if (typeof value === 'boolean') return value;
  const fallback = defaults[key] === true;
  report(`${key} must be true or false, not ${describeValue(value)}; ${fallback} is used.`);
  return fallback;
}

const readSeverity = (fallback: ChecksumSeverity) =>
  readChoice(fallback, ...checksumSeverities.filter(word => word !== fallback));

function readParts(value: unknown, report: ReportProblem): Settings['hover']['parts'] {
  const parts = { ...defaults['hexlens.hover.parts'] } as Record<HoverPart, boolean>;
  if (!isObject(value)) {
    report('hexlens.hover.parts must be an object such as { "balance": false }; every part is shown.');
    return parts;
  }
  for (const [name, on] of Object.entries(value)) {
    const part = hoverPartNames.find(known => known === name);
    if (part === undefined)
      report(`${quote(name)} in hexlens.hover.parts is not a part of a hover: use ${hoverPartNames.join(', ')}.`);
    else if (typeof on === 'boolean') parts[part] = on;
    else report(`${name} in hexlens.hover.parts must be true or false, not ${describeValue(on)}; true is used.`);
  }
  return parts;
}

function readChains(value: unknown, report: ReportProblem): readonly string[] | null {
  if (!Array.isArray(value)) {
    report('hexlens.hover.chains must be a list such as ["local", "eth"]; all chains are read.');
    return null;
  }
  if (value.length === 0) return null;
  const selectors = new Set<string>();
  for (const entry of value as readonly unknown[]) {
    const selector = typeof entry === 'string' ? parseWrittenChain(entry) : null;
    if (selector === null)
      report(
        `hexlens.hover.chains holds ${describeValue(entry)}, which is not a chain: use a name such as eth, base or local, or a chain id such as 8453 or 0x2105.`,
      );
    else selectors.add(selector);
  }
  return [...selectors]; // may be empty: hovers then read no chain, rather than all against the user's wish
}

function readContractValues(value: unknown, report: ReportProblem): readonly string[] {
  const names = Array.isArray(value) ? (value as readonly unknown[]).filter(name => typeof name === 'string') : null;
  if (names === null || names.length !== (value as readonly unknown[]).length || names.length > MAX_CONTRACT_VALUES)
    report(`hexlens.hover.contractValues must be a list of up to ${MAX_CONTRACT_VALUES} functions such as ["owner"].`);
  return (names ?? []).slice(0, MAX_CONTRACT_VALUES);
}

function readPatterns(value: unknown, report: ReportProblem): readonly string[] {
  const key = 'hexlens.abi.files';
  const fallback = defaults[key];
  if (!Array.isArray(value)) {
    report(`${key} must be a list of patterns such as ["${fallback[0]}"]; the default is used.`);
    return fallback;
  }
  const patterns = (value as readonly unknown[]).filter(entry => {
    if (typeof entry === 'string' && entry.trim() !== '') return true;
    report(`${key} holds ${describeValue(entry)}, which is not a pattern: write one such as ${fallback[0]}.`);
    return false;
  });
  return [...new Set(patterns as readonly string[])];
}

interface MillisecondsRange {
  readonly min: number;
  readonly max: number;
  readonly default: number;
}

const CLOCK_SKEW_MS: MillisecondsRange = {
  min: 0,
  max: MAX_CLOCK_SKEW_MS,
  default: defaults['hexlens.auth.clockSkew'],
};

const readMilliseconds =
  ({ min, max, default: fallback }: MillisecondsRange) =>
  (value: unknown, report: ReportProblem, key: SettingKey): number => {
    const formatBounds = () => `from ${formatInteger(min)} to ${formatInteger(max)} milliseconds`;
    if (typeof value !== 'number' || !Number.isFinite(value)) {
      report(
        `${key} must be a number ${formatBounds()}, not ${describeValue(value)}; ${formatInteger(fallback)} is used.`,
      );
      return fallback;
    }
    const used = Math.min(max, Math.max(min, Math.round(value)));
    if (used !== value) report(`${key} must be a whole number ${formatBounds()}; ${formatInteger(used)} is used.`);
    return used;
  };

function readPort(value: unknown, report: ReportProblem): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 65_535) return value;
  report(
    `hexlens.http.port must be a whole number from 0 to 65535, not ${typeof value === 'number' ? value : describeValue(value)}; ${HTTP_PORT} is used.`,
  );
  return HTTP_PORT;
}

/**
 * Parses each setting when it is first read. Never throws: an invalid value becomes a problem, and the safest valid value is
 * used instead.
 *
 * @param get The value of a setting (`hexlens.nodes`); `undefined` means the default.
 */
export function readSettings(get: (key: SettingKey) => unknown): SettingsResult {
  const found: SettingProblem[] = [];
  const report = (setting: SettingKey) => (message: string) => void found.push({ setting, message });
  const value = (key: SettingKey): unknown => get(key) ?? defaults[key];
  const one = <T>(key: SettingKey, read: (value: unknown, report: ReportProblem, key: SettingKey) => T): T =>
    read(value(key), report(key), key);
  const group = (name: ApiGroup) => readGroup(name, value, report);
  const flag = (key: SettingKey) => one(key, readFlag);
  // A window that shows nothing of HexLens needs few of them.
  const settings = lazyFields<Settings>({
    explorers: () => one('hexlens.explorers', readExplorers),
    nodes: () => withFirst(one('hexlens.nodes', readNodes), one('hexlens.chain', readFirst)),
    auth: () => group('auth'),
    evm: () => group('evm'),
    aptos: () => group('aptos'),
    aptosNetworks: () => one('hexlens.aptos.networks', readAptosNetworks),
    hover: () => ({
      enabled: flag('hexlens.hover.enabled'),
      parts: one('hexlens.hover.parts', readParts),
      chains: one('hexlens.hover.chains', readChains),
      contractValues: one('hexlens.hover.contractValues', readContractValues),
    }),
    siwe: () => ({
      lowerCaseAddresses: !flag('hexlens.auth.requireChecksum'),
      compactSignatures: flag('hexlens.auth.compactSignatures'),
      clockSkewMs: one('hexlens.auth.clockSkew', readMilliseconds(CLOCK_SKEW_MS)),
    }),
    metadata: () => ({
      hosts: one('hexlens.metadata.hosts', readMetadataHosts),
      ipfsGateway: one('hexlens.metadata.ipfsGateway', readIpfsGateway),
      allowsLoopback: true,
    }),
    mcpAllowedHosts: () => one('hexlens.mcp.allowedHosts', readNodeHosts),
    watch: () => ({
      notify: flag('hexlens.watch.notify'),
      allowedHosts: one('hexlens.watch.allowedHosts', readNodeHosts),
    }),
    abiFiles: () => one('hexlens.abi.files', readPatterns),
    verifiedSources: () => one('hexlens.abi.verifiedSources', readVerifiedSources),
    checksum: () => ({
      wrong: one('hexlens.checksum.severity', readSeverity('warning')),
      none: one('hexlens.checksum.missing', readSeverity('off')),
    }),
    missingCode: () => flag('hexlens.missingCode.enabled'),
    documentLinks: () => flag('hexlens.documentLinks.enabled'),
    codeLens: () => ({ deployments: flag('hexlens.codeLens.deployments') }),
    inlayHints: () => ({ enabled: flag('hexlens.inlayHints.enabled'), values: flag('hexlens.inlayHints.values') }),
    privacy: () => ({
      ensNames: flag('hexlens.privacy.ensNames'),
      lookUp: one('hexlens.privacy.lookUp', readChoice('onClick', 'automatic')),
    }),
    requestTimeoutMs: () => one('hexlens.request.timeout', readMilliseconds(TIMEOUT_MS)),
    httpPort: () => one('hexlens.http.port', readPort),
    httpStrictDates: () => flag('hexlens.http.strictDates'),
  });
  return {
    settings,
    get problems() {
      Object.values(settings); // reads all
      return found.sort((a, b) => settingKeys.indexOf(a.setting) - settingKeys.indexOf(b.setting));
    },
  };
}
