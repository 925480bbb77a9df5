// Retries of requests: which responses and failures are retried, after how long, within which time.
import { getBackOffMs } from '../base/backOff.ts';
import type { Clock } from '../base/clock.ts';
import { toFault } from '../base/errors.ts';
import type { HttpResponse } from '../base/httpPort.ts';
import { parseRetryAfterMs } from '../base/retryAfter.ts';
import { isPermanentFailure } from './networkFault.ts';

/** Upper bound of the first delay. Full jitter: delays are between 0 and that. */
export const INITIAL_BACKOFF_MS = 300;
export const MAX_BACKOFF_MS = 5_000;
/** Including the first request. */
export const MAX_ATTEMPTS = 4;
/** With less time left nothing is sent again: timers end up to a millisecond before the clock shows it. */
const MIN_ATTEMPT_MS = 10;

export interface RetryOptions {
  readonly clock: Clock;
  /** From 0 to below 1. */
  readonly random: () => number;
  /** Milliseconds for all requests and delays together. */
  readonly budgetMs: number;
  readonly signal: AbortSignal | undefined;
}

/** 408, 429 and server errors, except 501 and 505, which are permanent. */
export function isRetryableStatus(status: number): boolean {
  return status === 408 || status === 429 || (status >= 500 && status !== 501 && status !== 505);
}

/**
 * Calls `send` until it succeeds, the attempts are used up, or the next delay would exceed the budget. The last response
 * or failure is the result.
 *
 * @param send Gets the remaining time in milliseconds.
 */
export async function sendWithRetries(
  send: (remainingMs: number) => Promise<HttpResponse>,
  { clock, random, budgetMs, signal }: RetryOptions,
): Promise<HttpResponse> {
  const deadline = clock.now() + budgetMs;
  for (let attempt = 1; ; attempt++) {
    const getDelayMs = (retryAfterMs: number | undefined): number | null => {
      if (attempt >= MAX_ATTEMPTS) return null;
      const backoffMs = random() * getBackOffMs(attempt, { firstMs: INITIAL_BACKOFF_MS, maxMs: MAX_BACKOFF_MS });
      const delayMs = Math.max(retryAfterMs ?? 0, backoffMs);
      return clock.now() + delayMs + MIN_ATTEMPT_MS <= deadline ? delayMs : null;
    };
    let delayMs: number | null;
    try {
      const response = await send(Math.max(1, deadline - clock.now()));
      if (!isRetryableStatus(response.status)) return response;
      delayMs = getDelayMs(parseRetryAfterMs(response.headers, clock.now()));
      if (delayMs === null) return response;
    } catch (error) {
      const fault = toFault(error);
      if (!fault.retryable || isPermanentFailure(fault)) throw fault;
      delayMs = getDelayMs(fault.retryAfterMs);
      if (delayMs === null) throw fault;
    }
    await clock.sleep(delayMs, signal);
  }
}
