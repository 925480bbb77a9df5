// Secrets in the URLs of nodes and hosts: found in what users paste, and replaced in the settings by placeholders such as ${secret:infura}.
import type { Configuration, GroupConfiguration } from '../api/configuration.ts';
import { findPossibleKeys, formatPlaceholder, getSecretNames, SECRET_PLACEHOLDER, toUrlList } from '../api/nodeUrls.ts';
import { isLoopbackUrl } from '../base/loopback.ts';

export interface UrlSecret {
  readonly secret: string;
  /** A name for it, from the host: `infura` of `mainnet.infura.io`. */
  readonly suggestedName: string;
  /** The URL with a placeholder of this name in the secret's place. */
  withPlaceholder(name: string): string;
}

/** The key in the URL of a node, which is in its path or query; `null` for URLs without one and for this machine. */
export function findUrlSecret(text: string): UrlSecret | null {
  const url = URL.parse(text);
  if (url === null || isLoopbackUrl(text) || getSecretNames(text).length > 0) return null;
  const secret = findPossibleKeys(url).find(({ isLikely }) => isLikely)?.text;
  if (secret === undefined) return null;
  const at = text.lastIndexOf(secret);
  if (at < 0) return null; // percent-encoded in the text
  const labels = url.hostname.split('.');
  return {
    secret,
    suggestedName: labels.at(-2) ?? url.hostname,
    withPlaceholder: name => `${text.slice(0, at)}${formatPlaceholder(name)}${text.slice(at + secret.length)}`,
  };
}

/** The secret that a URL may have in place of the name's placeholder; `undefined` when none is stored for its host. */
export type GetUrlSecret = (name: string, url: string) => string | undefined;

/** A placeholder without a secret stays. */
const resolveUrl = (url: string, getSecret: GetUrlSecret): string =>
  url.replace(SECRET_PLACEHOLDER, (placeholder: string, name: string) => {
    const secret = getSecret(name, url);
    return secret === undefined ? placeholder : encodeURIComponent(secret);
  });

/** The configuration with the stored secrets in the URLs of its nodes, networks and hosts: only for what sends the requests. */
export function resolveUrlSecrets(configuration: Configuration, getStoredSecret: GetUrlSecret): Configuration {
  const used = new Set<string>();
  const getSecret: GetUrlSecret = (name, url) => {
    const secret = getStoredSecret(name, url);
    if (secret !== undefined) used.add(secret);
    return secret;
  };
  const resolve = (url: string | null) => (url === null ? null : resolveUrl(url, getSecret));
  const { nodes, aptos, groups } = configuration;
  const resolveGroup = (group: GroupConfiguration) => ({ ...group, baseUrl: resolveUrl(group.baseUrl, getSecret) });
  return {
    ...configuration,
    groups: { auth: resolveGroup(groups.auth), evm: resolveGroup(groups.evm), aptos: resolveGroup(groups.aptos) },
    nodes: Object.fromEntries(
      Object.entries(nodes).map(([name, urls]) => [
        name,
        typeof urls === 'string' ? resolveUrl(urls, getSecret) : urls.map(url => resolveUrl(url, getSecret)),
      ]),
    ),
    ...(aptos !== undefined && {
      aptos: Object.fromEntries(
        Object.entries(aptos).map(([name, { node, indexer }]) => [
          name,
          { node: resolve(node), indexer: resolve(indexer) },
        ]),
      ),
    }),
    ...(used.size > 0 && { urlSecrets: [...used] }), // the last property: those above look the secrets up
  };
}

/** URLs of all nodes, networks and hosts of a configuration. */
export const getConfiguredUrls = ({
  nodes,
  aptos = {},
  groups,
}: Pick<Configuration, 'nodes' | 'aptos' | 'groups'>): readonly string[] =>
  [
    ...Object.values(nodes).flatMap(toUrlList),
    ...Object.values(aptos).flatMap(({ node, indexer }) => [node, indexer]),
    ...Object.values(groups).map(({ baseUrl }) => baseUrl),
  ].filter((url): url is string => url !== null && url !== '');
