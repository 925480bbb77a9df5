// Trying again: which answers and failures deserve it, how long to wait, and when the time is used up.
import type { Clock } from '../base/clock.ts';
import { toFault } from '../base/errors.ts';
import type { HttpResponse } from '../base/httpPort.ts';
import { isPermanentFailure } from './networkFault.ts';

/** First wait at most; each further one may be twice as long. Full jitter: anywhere between nothing and that. */
export const INITIAL_BACKOFF_MS = 300;
export const MAX_BACKOFF_MS = 5_000;
/** Requests in all, the first included. */
export const MAX_ATTEMPTS = 4;

export interface RetryOptions {
  readonly clock: Clock;
  /** From 0 to below 1. */
  readonly random: () => number;
  /** Milliseconds for everything: requests and waits. */
  readonly budgetMs: number;
  readonly signal: AbortSignal | undefined;
}

/** 408, 429 and the server's own failures; 501 and 505 will be the same the next time. */
export function isRetryableStatus(status: number): boolean {
  return status === 408 || status === 429 || (status >= 500 && status !== 501 && status !== 505);
}

/**
 * Milliseconds that `Retry-After` asks to wait: seconds or an HTTP date (RFC 9110, 10.2.3), a date read against the
 * server's own clock where it says what that shows. `undefined` when there is no such header or it is nonsense.
 */
export function parseRetryAfterMs(headers: Readonly<Record<string, string>>, now: number): number | undefined {
  const text = headers['retry-after']?.trim();
  if (text === undefined || text === '') return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const until = Date.parse(text);
  if (Number.isNaN(until) || !/[a-z]{3}/i.test(text)) return undefined;
  const theirs = Date.parse(headers['date'] ?? '');
  return Math.max(0, until - (Number.isNaN(theirs) ? now : theirs));
}

/**
 * Calls `send` until it gives an answer that needs no retry, the attempts are used up, or the next wait would not fit
 * into the budget; the last answer or failure is the result. `send` gets the milliseconds that are left.
 */
export async function withRetry(
  send: (remainingMs: number) => Promise<HttpResponse>,
  { clock, random, budgetMs, signal }: RetryOptions,
): Promise<HttpResponse> {
  const deadline = clock.now() + budgetMs;
  for (let attempt = 1; ; attempt++) {
    const waitFor = (asked: number | undefined): number | null => {
      if (attempt >= MAX_ATTEMPTS) return null;
      const backoff = random() * Math.min(MAX_BACKOFF_MS, INITIAL_BACKOFF_MS * 2 ** (attempt - 1));
      const wait = Math.max(asked ?? 0, backoff);
      return clock.now() + wait < deadline ? wait : null;
    };
    let wait: number | null;
    try {
      const response = await send(Math.max(1, deadline - clock.now()));
      if (!isRetryableStatus(response.status)) return response;
      wait = waitFor(parseRetryAfterMs(response.headers, clock.now()));
      if (wait === null) return response;
    } catch (error) {
      const fault = toFault(error);
      if (!fault.retryable || isPermanentFailure(fault)) throw fault;
      wait = waitFor(fault.retryAfterMs);
      if (wait === null) throw fault;
    }
    await clock.sleep(wait, signal);
  }
}
