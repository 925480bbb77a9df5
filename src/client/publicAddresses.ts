// Restricts requests to URLs of contracts to public addresses; checked where the connection is opened.
import { lookup } from 'node:dns';
import { lookup as resolve } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { HexLensError } from '../base/errors.ts';
import { isLoopbackHost, isPrivateName } from '../base/loopback.ts';
import { raceAbort } from '../base/raceAbort.ts';

/** What IANA has allocated for public addresses; all else is local, special or unused. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
/** IETF protocols and documentation (RFC 9637), which ipaddr.js counts as unicast. */
const SPECIAL_RANGES = ['2001::/23', '3fff::/20'].map(range => ipaddr.IPv6.parseCIDR(range));

/** A page of NFTs has many documents of one host. */
const NAME_TTL_MS = 10_000;
const MAX_CACHED_NAMES = 1_000;

/** Whether an IP address (not a name) is not reachable from the internet. IPv4 in IPv6 (mapped) counts as IPv4. */
export function isPrivateAddress(address: string): boolean {
  const plain = address.replace(/^\[|\]$/g, '').replace(/%.*/s, '');
  if (!ipaddr.isValid(plain) || (!plain.includes(':') && !ipaddr.IPv4.isValidFourPartDecimal(plain))) return false;
  const parsed = ipaddr.process(plain);
  if (parsed.range() !== 'unicast') return true;
  if (parsed instanceof ipaddr.IPv4) return false;
  return !parsed.match(GLOBAL_UNICAST) || SPECIAL_RANGES.some(range => parsed.match(range));
}

export function createPrivateAddressFault(host: string): HexLensError {
  return new HexLensError('egress-refused', `${host.slice(0, 120)} is an address of a private network.`, {
    fix: 'Token metadata is only fetched from public hosts, or from this machine for a chain of this machine.',
  });
}

/** Whether the host of a URL is a private address, or a name that only leads to such. */
export function isPrivateHost(hostname: string): boolean {
  return isLoopbackHost(hostname) || isPrivateAddress(hostname) || isPrivateName(hostname);
}

/**
 * Rejects a name that resolves to a private address, also beside others: a proxy resolves it again, and would connect. Names that only the
 * proxy can resolve are left to it.
 */
export async function refusePrivateName(
  hostname: string,
  resolveName: ResolveName,
  signal: AbortSignal,
): Promise<void> {
  const addresses = await raceAbort(resolveName(hostname), signal).catch(() => []);
  if (addresses.some(isPrivateAddress)) throw createPrivateAddressFault(hostname);
}

export type ResolveName = (hostname: string) => Promise<readonly string[]>;

export const resolveByDns: ResolveName = async hostname =>
  (await resolve(hostname, { all: true })).map(({ address }) => address);

/** Resolves a name once for some seconds; one that can not be resolved has no addresses. */
export function createNameCache(resolveName: ResolveName): ResolveName {
  const known = new Map<string, { readonly addresses: Promise<readonly string[]>; readonly expiresAt: number }>();
  return hostname => {
    const now = performance.now();
    const found = known.get(hostname);
    if (found !== undefined && now < found.expiresAt) return found.addresses;
    const addresses = resolveName(hostname).catch(() => []);
    if (known.size >= MAX_CACHED_NAMES) known.clear();
    known.set(hostname, { addresses, expiresAt: now + NAME_TTL_MS });
    return addresses;
  };
}

/** `dns.lookup` without private addresses. Used when connecting, so that a name cannot resolve differently later. */
export const publicLookup: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error !== null) return callback(error, '');
    const allowed = addresses.filter(({ address }) => !isPrivateAddress(address));
    const [first] = allowed;
    if (first === undefined) return callback(createPrivateAddressFault(hostname) as NodeJS.ErrnoException, '');
    if (options.all === true) callback(null, allowed);
    else callback(null, first.address, first.family);
  });
};
