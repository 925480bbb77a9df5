// Consumed nonces of sign-in messages, and their store in bounded memory: no message is accepted twice, even after evictions.
import type { SiweMessage } from '../../api/siwe/siweMessage.ts';
import type { Clock } from '../../base/clock.ts';
import { bytesToHex } from '../../base/hex.ts';

/** Each takes about 200 bytes, all of them 20 MB. */
export const MAX_NONCES = 100_000;

export type NonceResult = 'accepted' | 'used' | 'evicted';

type NonceMessage = Pick<SiweMessage, 'domain' | 'nonce' | 'issuedAt' | 'expirationTime'>;
type Digest = (bytes: Uint8Array) => Uint8Array;

export interface NonceStore {
  /**
   * Consumes the nonce of a message for its domain. `used`: it was consumed before. `evicted`: the message is as old as
   * evicted ones, so it may have been used. Call it only after the signature is verified: otherwise anyone could consume
   * the nonces of others. Nonces may be thousands of characters long; only their 32-byte `digest` is stored.
   */
  consume(message: NonceMessage, digest: Digest): NonceResult | Promise<NonceResult>;
  close?(): Promise<void>;
}

export interface MemoryNonceStore extends NonceStore {
  readonly size: number;
  consume(message: NonceMessage, digest: Digest): NonceResult;
}

/** Domains contain no line feed, so different pairs have different keys. */
export function toNonceKey({ domain, nonce }: NonceMessage, digest: Digest): Uint8Array {
  return digest(encoder.encode(`${domain.toLowerCase()}\n${nonce}`));
}

interface Entry {
  /** Milliseconds since 1970. */
  readonly issued: number;
  /** Infinity for messages that never expire. */
  readonly expires: number;
}

const encoder = new TextEncoder();

export interface NonceStoreDeps {
  readonly clock: Clock;
  readonly capacity?: number;
}

/**
 * A full store evicts its oldest nonce. From then on it rejects every message that was issued no later than an evicted
 * one, until all evicted messages have expired. So many sign-ins may make others fail, but none is accepted twice.
 */
export function createMemoryNonceStore({ clock, capacity = MAX_NONCES }: NonceStoreDeps): MemoryNonceStore {
  const entries = new Map<string, Entry>();
  let evicted: Entry = { issued: Number.NEGATIVE_INFINITY, expires: Number.NEGATIVE_INFINITY };

  const evictOldest = (now: number) => {
    for (const [key, { issued, expires }] of entries) {
      if (entries.size < capacity) return;
      entries.delete(key);
      if (expires <= now) continue;
      const previous = evicted.expires > now ? evicted : { issued, expires };
      evicted = { issued: Math.max(previous.issued, issued), expires: Math.max(previous.expires, expires) };
    }
  };

  return {
    get size() {
      return entries.size;
    },
    consume(message, digest) {
      const { issuedAt, expirationTime } = message;
      const now = clock.now();
      const key = bytesToHex(toNonceKey(message, digest));
      const entry = entries.get(key);
      if (entry !== undefined && entry.expires > now) return 'used';
      if (issuedAt.time <= evicted.issued && evicted.expires > now) return 'evicted';
      entries.delete(key); // an expired one: the new one belongs at the end
      evictOldest(now);
      entries.set(key, { issued: issuedAt.time, expires: expirationTime?.time ?? Number.POSITIVE_INFINITY });
      return 'accepted';
    },
  };
}
