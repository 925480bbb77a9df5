// A bound on how often something happens: a bucket of tokens that refills evenly, so that short bursts pass.
import type { Clock } from '../base/clock.ts';

export interface TokenBucket {
  /** Milliseconds until there is a token; 0 when there is one. Takes none. */
  waitMs(): number;
  take(): void;
}

/** `burst` tokens at most, and as many anew in every `periodMs`. It begins full. */
export function createTokenBucket(burst: number, periodMs: number, clock: Clock): TokenBucket {
  let tokens = burst;
  let at = clock.now();
  const refill = () => {
    const now = clock.now();
    // A clock that goes back gives nothing for that time, and locks nobody out afterwards.
    if (now > at) tokens = Math.min(burst, tokens + ((now - at) * burst) / periodMs);
    at = now;
  };
  return {
    waitMs() {
      refill();
      return tokens >= 1 ? 0 : Math.ceil(((1 - tokens) * periodMs) / burst);
    },
    take() {
      tokens -= 1;
    },
  };
}
