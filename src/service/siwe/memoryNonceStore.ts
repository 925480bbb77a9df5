// Consumed nonces in bounded memory: no message is accepted twice, even after evictions.
import type { Clock } from '../../base/clock.ts';
import { bytesToHex } from '../../base/hex.ts';
import { encodeText } from './encodeText.ts';
import { type Digest, type NonceMessage, type NonceResult, type NonceStore, toNonceText } from './nonceStore.ts';

/** Each takes about 200 bytes, all of them 20 MB. */
const MAX_NONCES = 100_000;
/** Longer texts of domain and nonce are stored as their hash, which has no line feed as they have. */
const MAX_TEXT_LENGTH = 66;

export interface MemoryNonceStore extends NonceStore {
  readonly size: number;
  consume(message: NonceMessage, digest: Digest): NonceResult;
}

interface Entry {
  /** Milliseconds since 1970. */
  readonly issued: number;
  /** Infinity for messages that never expire. */
  readonly expires: number;
}

export interface MemoryNonceStoreDeps {
  readonly clock: Clock;
  readonly capacity?: number;
}

/**
 * A full store evicts its oldest nonce. From then on it rejects every message that was issued no later than an evicted
 * one, until all evicted messages have expired. So many sign-ins may make others fail, but none is accepted twice.
 */
export function createMemoryNonceStore({ clock, capacity = MAX_NONCES }: MemoryNonceStoreDeps): MemoryNonceStore {
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
      const text = toNonceText(message);
      const key = text.length > MAX_TEXT_LENGTH ? bytesToHex(digest(encodeText(text))) : text;
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
