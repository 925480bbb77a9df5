// Which chains may be asked, and whether asking stays on this machine.

import type { Configuration } from '../../api/configuration.ts';
import { isLoopbackUrl } from '../../base/loopback.ts';

// Which Aptos networks may be asked, whether asking stays on this machine, and whether the user named them.
export interface ConfiguredAptosNetwork {
  readonly name: string;
  /** Every end of it is on this machine. */
  readonly local: boolean;
  /** It stands in the user's settings; the public networks are there by default, and nobody asked for them yet. */
  readonly isUserConfigured: boolean;
  /** Lists can be asked for: it has an indexer, or it is small enough for an index of our own. */
  readonly canList: boolean;
  /** Summaries can be asked for. */
  readonly hasNode: boolean;
}

/** In the settings' order. Where a remote host answers, it is the host that would learn what is asked. */
export function getConfiguredAptosNetworks(
  { aptos = {}, groups }: Pick<Configuration, 'aptos' | 'groups'>,
  chosen: ReadonlySet<string>,
): readonly ConfiguredAptosNetwork[] {
  const { mode, baseUrl } = groups.aptos;
  const host = mode === 'remote' ? [baseUrl] : [];
  return Object.entries(aptos).map(([name, { node, indexer }]) => {
    const ends = [node, indexer].filter(url => url !== null);
    const local = [...ends, ...host].every(isLoopbackUrl);
    return {
      name,
      local,
      chosen: chosen.has(name),
      listed: local || indexer !== null || mode === 'remote',
      hasNode: node !== null,
    };
  });
}

export interface ConfiguredChain {
  readonly selector: string;
  /** On this machine: asking costs nobody anything and tells nobody anything. */
  readonly local: boolean;
}

/** In the settings' order. Where a remote host answers for the nodes, it is the host that would learn what is asked. */
export function getConfiguredChains({
  nodes,
  groups,
}: Pick<Configuration, 'nodes' | 'groups'>): readonly ConfiguredChain[] {
  const { mode, baseUrl } = groups.evm;
  return Object.entries(nodes).map(([selector, url]) => ({
    selector,
    local: isLoopbackUrl(mode === 'remote' ? baseUrl : url),
  }));
}
