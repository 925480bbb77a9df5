// Hosts that are this machine regardless of name resolution, so that requests to them never leave it.

/** The node of the sample workspace, which HexLens answers itself: no request to this name leaves the process. */
export const SAMPLE_CHAIN_HOST = 'sample-chain.localhost';

/**
 * Whether `URL.hostname` is `localhost`, in 127.0.0.0/8, or `[::1]`. Names below `localhost` do not count (resolvers
 * differ), nor does 0.0.0.0 (all interfaces).
 */
export function isLoopbackHost(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}

/** Whether requests to a node at `URL.hostname` stay on this machine: those to the sample chain do, as they are not sent. */
export const isLoopbackNode = (hostname: string): boolean => isLoopbackHost(hostname) || hostname === SAMPLE_CHAIN_HOST;

/** Whether the URL is of a node on this machine; false for text that is not a URL. */
export function isLoopbackUrl(url: string): boolean {
  const parsed = URL.parse(url);
  return parsed !== null && isLoopbackNode(parsed.hostname);
}

/** Whether the address of an interface, without brackets, is a loopback address: `127.0.0.1`, `::1`, `localhost`. */
export function isLoopbackAddress(address: string): boolean {
  return address === '::1' || isLoopbackHost(address);
}

/**
 * Whether `URL.hostname` is a name that no public server has: without a dot, or of a domain for this machine or local networks
 * (RFC 6761, 6762, 8375).
 */
export function isPrivateName(hostname: string): boolean {
  return /^[^.:]*$|\.(?:localhost|local|internal|home\.arpa)$/i.test(hostname.replace(/\.$/, ''));
}
