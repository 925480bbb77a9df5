// Limits how often a network address may try wrong API keys.

import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../base/clock.ts';
import { HexLensError } from '../base/errors.ts';
import { getOrInsert } from '../base/getOrInsert.ts';
import type { Log } from '../base/log.ts';
import type { IncomingRequest } from './incomingRequest.ts';
import { createTokenBucket, type TokenBucket } from './tokenBucket.ts';

/** Wrong keys of one address that get 401 per minute, and the size of a burst; further ones get 429. */
export const MAX_WRONG_KEYS_PER_MINUTE = 30;
/** Addresses with wrong keys that are tracked at the same time, 5 MB; the least recently seen is dropped first. */
const MAX_TRACKED_PEERS = 10_000;

interface Peer {
  readonly bucket: TokenBucket;
  hasWarned: boolean;
}

const parseAddress = (address: string) => (ipaddr.isValid(address) ? ipaddr.process(address) : null);

const SHARED_RANGES: ReadonlySet<string> = new Set(['loopback', 'private', 'linkLocal', 'uniqueLocal']);

/** Whether many clients may come from this address: those of this machine, or those behind a proxy of its network. */
const isSharedAddress = (address: string): boolean => SHARED_RANGES.has(parseAddress(address)?.range() ?? '');

/** What an address is counted as: itself, or its /64 network for IPv6, in which one machine may choose its address. */
export function toPeerName(address: string): string {
  const parsed = parseAddress(address);
  if (parsed === null) return address;
  if (!(parsed instanceof ipaddr.IPv6) || parsed.range() === 'loopback') return parsed.toString();
  return `${parsed.parts
    .slice(0, 4)
    .map(part => part.toString(16))
    .join(':')}::/64`;
}

export type KeyGuessLimiter = ReturnType<typeof createKeyGuessLimiter>;

export function createKeyGuessLimiter({ clock, log }: { readonly clock: Clock; readonly log: Log }) {
  const peers = new LRUCache<string, Peer>({ max: MAX_TRACKED_PEERS });

  const createRateLimitedFault = (waitMs: number) =>
    new HexLensError('rate-limited', 'Too many wrong API keys came from this address.', {
      retryAfterMs: waitMs,
      fix: `Try again in ${Math.ceil(waitMs / 1000)} s with the key that this service was started with.`,
    });

  return {
    /**
     * Throws `rate-limited` for an address over its limit, before any key is compared, so that a right guess is
     * answered like a wrong one. Loopback and private addresses pass: one of them may be a proxy in front of many clients.
     */
    check({ remoteAddress }: Pick<IncomingRequest, 'remoteAddress'>): void {
      if (peers.size === 0) return;
      const waitMs = peers.get(toPeerName(remoteAddress))?.bucket.waitMs() ?? 0;
      if (waitMs > 0 && !isSharedAddress(remoteAddress)) throw createRateLimitedFault(waitMs);
    },
    /** Counts a wrong key and returns the fault to respond with. */
    recordWrongKey(remoteAddress: string): HexLensError {
      const name = toPeerName(remoteAddress);
      const peer = getOrInsert(peers, name, () => ({
        bucket: createTokenBucket(MAX_WRONG_KEYS_PER_MINUTE, 60_000, clock),
        hasWarned: false,
      }));
      const waitMs = peer.bucket.waitMs();
      if (waitMs > 0) {
        if (!peer.hasWarned) log.warn(`Too many wrong API keys come from ${name}: further ones get status 429.`);
        peer.hasWarned = true;
        return createRateLimitedFault(waitMs);
      }
      peer.bucket.take();
      return new HexLensError('unauthorized', 'The API key is not valid.', {
        fix: 'Send the key that this service was started with in the X-API-Key header.',
      });
    },
  };
}
