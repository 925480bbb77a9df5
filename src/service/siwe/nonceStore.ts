// Which sign-in messages were used: bounded memory that never forgets one that could still be used again.

import type { SiweMessage } from '../../api/siwe/siweMessage.ts';
import type { Clock } from '../../base/clock.ts';
import { bytesToHex } from '../../base/hex.ts';

/** Nonces that are remembered; each takes some 200 bytes, all of them 20 MB. */
export const MAX_NONCES = 100_000;

export interface NonceStore {
  readonly size: number;
  /**
   * Marks the nonce of a message as used, under its domain. `used`: it was before. `forgotten`: the message is as old as
   * ones that had to be forgotten, so nobody can say. Only for messages whose signature was found good: else anyone could
   * use up the nonces of others. Nonces may be thousands of characters long, so `digest` (of 32 bytes) is kept of them.
   */
  consume(
    message: Pick<SiweMessage, 'domain' | 'nonce' | 'issuedAt' | 'expirationTime'>,
    digest: (bytes: Uint8Array) => Uint8Array,
  ): 'first' | 'used' | 'forgotten';
}

interface Entry {
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
 * When it is full the oldest is forgotten, and with it every message that was issued no later is refused until all the
 * forgotten ones have expired: a flood of sign-ins may cost others a sign-in, never let one in twice.
 */
export function createNonceStore({ clock, capacity = MAX_NONCES }: NonceStoreDeps): NonceStore {
  const entries = new Map<string, Entry>();
  let forgotten: Entry = { issued: Number.NEGATIVE_INFINITY, expires: Number.NEGATIVE_INFINITY };

  const makeRoom = (now: number) => {
    for (const [key, { issued, expires }] of entries) {
      if (entries.size < capacity) return;
      entries.delete(key);
      if (expires <= now) continue;
      const before = forgotten.expires > now ? forgotten : { issued, expires };
      forgotten = { issued: Math.max(before.issued, issued), expires: Math.max(before.expires, expires) };
    }
  };

  return {
    get size() {
      return entries.size;
    },
    consume({ domain, nonce, issuedAt, expirationTime }, digest) {
      const now = clock.now();
      // No domain holds a line feed.
      const key = bytesToHex(digest(encoder.encode(`${domain.toLowerCase()}\n${nonce}`)));
      const known = entries.get(key);
      if (known !== undefined && known.expires > now) return 'used';
      if (issuedAt.time <= forgotten.issued && forgotten.expires > now) return 'forgotten';
      entries.delete(key); // so that it goes to the end
      makeRoom(now);
      entries.set(key, { issued: issuedAt.time, expires: expirationTime?.time ?? Number.POSITIVE_INFINITY });
      return 'first';
    },
  };
}
