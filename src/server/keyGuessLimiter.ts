// How often an address may guess at keys: wrong ones are counted per peer, and answered later and later.
import { BlockList, isIPv6 } from 'node:net';
import type { Clock } from '../base/clock.ts';
import { HexLensError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import { createLru } from '../base/lru.ts';
import { createTokenBucket, type TokenBucket } from './tokenBucket.ts';

/** Wrong keys of one address that are answered as such per minute; as many may come at once. */
export const MAX_WRONG_KEYS_PER_MINUTE = 30;
/** Addresses that are remembered, 5 MB: the one that guessed last longest ago is forgotten first. */
const PEERS = 10_000;

/** Addresses that many callers share: programs of this machine, and what stands in front of it in its own network. */
const shared = new BlockList();
for (const [network, prefix] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
] as const)
  shared.addSubnet(network, prefix, 'ipv4');
shared.addAddress('::1', 'ipv6');
shared.addSubnet('fc00::', 7, 'ipv6');
shared.addSubnet('fe80::', 10, 'ipv6');

const isShared = (address: string): boolean => shared.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');

export interface KeyGuessLimiter {
  /**
   * Throws `rate-limited` for an address that guessed too often: not even a right key is looked at, so that guessing goes
   * no faster. Never for this machine and its own network, where one address may be a proxy with everybody behind it.
   */
  check(peer: { readonly peer: string }): void;
  /** Counts a wrong key of that address; what it is answered. */
  recordWrongKey(peer: string): HexLensError;
}

interface Peer {
  readonly bucket: TokenBucket;
  /** The log has it. */
  told: boolean;
}

/** One name for all addresses that one machine may choose from: a network of 64 bits of IPv6 is one customer's. */
export function toPeerName(address: string): string {
  const mapped = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (!isIPv6(address) || address === '::1') return address;
  const [left = '', right] = address.toLowerCase().replace(/%.*$/, '').split('::');
  const head = left === '' ? [] : left.split(':');
  const tail = right === undefined || right === '' ? [] : right.split(':');
  const zeros = right === undefined ? 0 : Math.max(0, 8 - head.length - tail.length);
  return `${[...head, ...Array<string>(zeros).fill('0'), ...tail].slice(0, 4).join(':')}::/64`;
}

export function createKeyGuessLimiter({ clock, log }: { readonly clock: Clock; readonly log: Log }): KeyGuessLimiter {
  const peers = createLru<string, Peer>({ maxEntries: PEERS });

  const limited = (waitMs: number) =>
    new HexLensError('rate-limited', 'Too many wrong API keys came from this address.', {
      retryAfterMs: waitMs,
      fix: `Try again in ${Math.ceil(waitMs / 1000)} s with the key that this service was started with.`,
    });

  return {
    check(from) {
      if (peers.size === 0) return;
      const name = toPeerName(from.peer);
      const waitMs = peers.get(name)?.bucket.waitMs() ?? 0;
      if (waitMs > 0 && !isShared(from.peer)) throw limited(waitMs);
    },
    recordWrongKey(address) {
      const name = toPeerName(address);
      const peer = peers.get(name) ?? {
        bucket: createTokenBucket(MAX_WRONG_KEYS_PER_MINUTE, 60_000, clock),
        told: false,
      };
      peers.set(name, peer);
      const waitMs = peer.bucket.waitMs();
      if (waitMs > 0) {
        if (!peer.told) log.warn(`Too many wrong API keys come from ${name}: they are answered with 429 for a while.`);
        peer.told = true;
        return limited(waitMs);
      }
      peer.bucket.take();
      return new HexLensError('unauthorized', 'The API key is not valid.', {
        fix: 'Send the key that this service was started with in the X-API-Key header.',
      });
    },
  };
}
