// A token bucket, which limits a rate and lets short bursts through.
import type { Clock } from '../base/clock.ts';

export type TokenBucket = ReturnType<typeof createTokenBucket>;

/** Holds at most `capacity` tokens and refills as many evenly over `periodMs`. It starts full. */
export function createTokenBucket(capacity: number, periodMs: number, clock: Clock) {
  let tokens = capacity;
  let refilledAt = clock.now();
  const refill = () => {
    const now = clock.now();
    // A clock that is set back adds no tokens, and must not block the caller until it has caught up.
    if (now > refilledAt) tokens = Math.min(capacity, tokens + ((now - refilledAt) * capacity) / periodMs);
    refilledAt = now;
  };
  return {
    /** Milliseconds until a token is available; 0 when there is one. */
    waitMs(): number {
      refill();
      return tokens >= 1 ? 0 : Math.ceil(((1 - tokens) * periodMs) / capacity);
    },
    take() {
      tokens -= 1;
    },
  };
}
