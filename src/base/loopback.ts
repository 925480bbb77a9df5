// Which hosts are this very machine, whatever any name server says: asking them tells nobody anything.

/**
 * `hostname` as `URL.hostname` writes it: `localhost`, 127.0.0.0/8 or `[::1]`. Names below `localhost` are not among them
 * (resolvers differ), and neither is 0.0.0.0 (every interface).
 */
export function isLoopbackHost(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}

/** The same of a whole URL; what is no URL is not this machine. */
export function isLoopbackUrl(url: string): boolean {
  const parsed = URL.parse(url);
  return parsed !== null && isLoopbackHost(parsed.hostname);
}

/** The same of the address of an interface, which has no brackets: `127.0.0.1`, `::1`, `localhost`. */
export function isLoopbackAddress(address: string): boolean {
  return address === '::1' || isLoopbackHost(address);
}
