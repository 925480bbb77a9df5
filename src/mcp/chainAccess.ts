// Which chains agents may query: those on this machine, and those at hosts that the user allows. Enforced by configuration.
import type { AptosNetwork, Configuration } from '../api/configuration.ts';
import { type NodeUrls, toUrlList } from '../api/nodeUrls.ts';
import { HexLensError } from '../base/errors.ts';
import { isLoopbackUrl } from '../base/loopback.ts';
import { createUnknownChainError, parseToolChain, selectToolChains } from '../view/tools/toolChains.ts';
import { getText, type McpChain, type McpSources, type ToolArguments } from './mcpTool.ts';

export interface AgentAccess {
  /** Without the nodes and hosts that agents may not query, so that no tool can reach them. */
  readonly configuration: Configuration;
  readonly chains: readonly McpChain[];
  readonly refusedChains: McpSources['refusedChains'];
}

const getHost = (url: string): string => URL.parse(url)?.host.toLowerCase() ?? '';

/**
 * @param allowedHosts Hosts besides this machine that agents may query: `mainnet.example.com`, with a port where the URL has one.
 */
export function restrictToAllowedHosts(configuration: Configuration, allowedHosts: readonly string[]): AgentAccess {
  const allowed = new Set(allowedHosts.map(host => host.toLowerCase()));
  const isAllowed = (url: string) => isLoopbackUrl(url) || allowed.has(getHost(url));
  const { nodes, aptos = {}, groups } = configuration;
  const isAllowedNetwork = ({ node, indexer }: AptosNetwork) =>
    [node, indexer].every(url => url === null || isAllowed(url));
  const entries = Object.entries(nodes);
  const areAllowed = (urls: NodeUrls) => toUrlList(urls).every(isAllowed);
  return {
    configuration: {
      ...configuration,
      nodes: Object.fromEntries(entries.filter(([, urls]) => areAllowed(urls))),
      aptos: Object.fromEntries(Object.entries(aptos).filter(([, network]) => isAllowedNetwork(network))),
      groups: Object.fromEntries(
        Object.entries(groups).map(([group, { mode, baseUrl }]) => [
          group,
          { mode: mode === 'remote' && isAllowed(baseUrl) ? 'remote' : 'embedded', baseUrl },
        ]),
      ) as Configuration['groups'], // the same groups
    },
    chains: entries
      .filter(([, urls]) => areAllowed(urls))
      .map(([selector, urls]) => ({ selector, isOnLoopback: toUrlList(urls).every(isLoopbackUrl) })),
    refusedChains: entries
      .filter(([, urls]) => !areAllowed(urls))
      .map(([selector, urls]) => ({
        selector,
        host: toUrlList(urls)
          .filter(url => !isAllowed(url))
          .map(getHost)
          .join(', '),
      })),
  };
}

/** The requested chain, or all whose nodes are on this machine, or the first. Throws for one that is unknown or not allowed. */
export function selectChains(
  { chains, refusedChains, allowHostHint }: Pick<McpSources, 'chains' | 'refusedChains' | 'allowHostHint'>,
  requested: string | undefined,
): readonly McpChain[] {
  const found = selectToolChains(chains, requested, ({ isOnLoopback }) => isOnLoopback);
  if (found.length > 0 || requested === undefined) return found;
  const selector = parseToolChain(requested);
  const refused = refusedChains.find(chain => chain.selector === selector);
  if (refused !== undefined) {
    const isOne = !refused.host.includes(', ');
    throw new HexLensError(
      'egress-refused',
      `Agents may not query ${refused.selector}: its ${isOne ? 'node is' : 'nodes are'} at ${refused.host}, not on this machine.`,
      { fix: `Ask the user to allow ${isOne ? 'this host' : 'these hosts'} ${allowHostHint}.` },
    );
  }
  throw createUnknownChainError(requested, chains);
}

/** The one chain that the argument `chain` names, or the first. */
export function selectChain(sources: McpSources, args: ToolArguments): McpChain {
  const [chain] = selectChains(sources, getText(args, 'chain'));
  if (chain === undefined) throw new HexLensError('no-node', 'No chain is configured that agents may query.', {});
  return chain;
}
