// Whether watched addresses may be sent to the nodes of a chain again and again.
import type { Configuration } from '../../api/configuration.ts';
import { toUrlList } from '../../api/nodeUrls.ts';
import { isLoopbackUrl } from '../../base/loopback.ts';

/**
 * All nodes of the chain, and the remote host where one serves the lists, are on this machine or allowed.
 *
 * @param allowedHosts `hexlens.watch.allowedHosts`: in lower case, with the port where the URL has one.
 */
export function canPoll(
  selector: string,
  { nodes, groups }: Pick<Configuration, 'nodes' | 'groups'>,
  allowedHosts: readonly string[],
): boolean {
  const { mode, baseUrl } = groups.evm;
  const urls = [...toUrlList(nodes[selector]), ...(mode === 'remote' ? [baseUrl] : [])];
  return urls.every(url => isLoopbackUrl(url) || allowedHosts.includes(URL.parse(url)?.host.toLowerCase() ?? ''));
}
