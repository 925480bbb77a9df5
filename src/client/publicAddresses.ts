// Names that a stranger chose are resolved here: what leads to a private network is refused before a connection is made.
import { lookup as resolve } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { HexLensError } from '../base/errors.ts';

/** Not reachable from the internet at large: RFC 6890's registries, and what maps to them. */
const privateRanges = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const)
  privateRanges.addSubnet(network, prefix, 'ipv4');
for (const [network, prefix] of [
  ['::', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const)
  privateRanges.addSubnet(network, prefix, 'ipv6');

/** Whether an IP address (not a name) belongs to this machine or to a private network. IPv4 within IPv6 counts as IPv4. */
export function isPrivateAddress(address: string): boolean {
  const plain = address.replace(/^\[|\]$/g, '').replace(/%.*$/, '');
  const kind = isIP(plain);
  return kind !== 0 && privateRanges.check(plain, kind === 6 ? 'ipv6' : 'ipv4');
}

export function privateAddressFault(host: string): HexLensError {
  return new HexLensError('egress-refused', `${host.slice(0, 120)} is an address of a private network.`, {
    fix: 'Token metadata is only fetched from public hosts, or from this machine for a chain of this machine.',
  });
}

/** `dns.lookup` that knows no private addresses: checked where the connection is made, so that no name can change its mind. */
export const publicLookup: LookupFunction = (hostname, options, callback) => {
  resolve(hostname, { ...options, all: true }, (error, addresses) => {
    if (error !== null) return callback(error, '');
    const open = addresses.filter(({ address }) => !isPrivateAddress(address));
    const [first] = open;
    if (first === undefined) return callback(privateAddressFault(hostname) as NodeJS.ErrnoException, '');
    if (options.all === true) callback(null, open);
    else callback(null, first.address, first.family);
  });
};
