// Which chains may be asked, and whether asking stays on this machine.

import type { Configuration } from '../../api/configuration.ts';
import { isLoopbackUrl } from '../../base/loopback.ts';

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
