// Which hosts are this very machine, whatever any name server says: asking them tells nobody anything.

/** `hostname` as `URL.hostname` writes it: `localhost` and names below it, 127.0.0.0/8, `[::1]`, and 127/8 mapped into IPv6. */
export function isLoopbackHost(hostname: string): boolean {
  const name = hostname.toLowerCase().replace(/\.$/, '');
  if (name === 'localhost' || name.endsWith('.localhost') || name === '[::1]' || name === '::1') return true;
  // A URL writes ::ffff:127.0.0.1 as [::ffff:7f00:1]. 0.0.0.0 is every interface, not this machine only.
  return /^127(\.\d{1,3}){3}$/.test(name) || /^\[?::ffff:(7f[0-9a-f]{2}:[0-9a-f]{1,4}|127\.[\d.]+)\]?$/.test(name);
}

/** The same of a whole URL; what is no URL is not this machine. */
export function isLoopbackUrl(url: string): boolean {
  const parsed = URL.parse(url);
  return parsed !== null && isLoopbackHost(parsed.hostname);
}
