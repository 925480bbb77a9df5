// Repeats a request that may succeed later: with backoff while an endpoint is overloaded, once after a broken response.
import { getBackOffMs } from '../base/backOff.ts';
import type { Clock } from '../base/clock.ts';
import type { HexLensError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';

/** The result of one attempt: a value, or a fault and whether another attempt may help. */
export type AttemptOutcome<T> =
  | { readonly value: T }
  | { readonly fault: HexLensError; readonly retry: 'withBackoff' | 'once' | 'never' };

export interface RetryOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** Names the request in the log, without parameters. */
  readonly logLabel: string;
  readonly signal: AbortSignal | undefined;
}

/** Retries while an endpoint is overloaded (429, 502, 503, 504). */
const MAX_BACKOFF_RETRIES = 4;
/** Retries after a broken connection or a malformed response. */
const MAX_IMMEDIATE_RETRIES = 1;
const IMMEDIATE_RETRY_DELAY_MS = 40;
const BACKOFF = { firstMs: 250, maxMs: 4_000 };
/** An endpoint that asks for a longer pause is reported to the caller instead of waited for. */
export const MAX_RETRY_AFTER_MS = 10_000;

/** Rejects with the fault of the last attempt, or with `cancelled`. Waits at least the fault's `retryAfterMs`. */
export async function retryEndpointRequest<T>(
  attempt: () => Promise<AttemptOutcome<T>>,
  { clock, log, logLabel, signal }: RetryOptions,
): Promise<T> {
  let backoffRetries = 0;
  let immediateRetries = 0;
  for (;;) {
    const outcome = await attempt();
    if ('value' in outcome) return outcome.value;
    const { fault, retry } = outcome;
    const shouldRetry =
      retry === 'withBackoff'
        ? ++backoffRetries <= MAX_BACKOFF_RETRIES
        : retry === 'once' && ++immediateRetries <= MAX_IMMEDIATE_RETRIES;
    if (!shouldRetry) throw fault;
    log.debug(`${logLabel}: ${fault.message} Trying again.`);
    // At random, so that many clients do not retry at the same time.
    const delayMs =
      retry === 'once'
        ? IMMEDIATE_RETRY_DELAY_MS
        : Math.max(getBackOffMs(backoffRetries, BACKOFF) * (0.5 + Math.random() / 2), fault.retryAfterMs ?? 0);
    await clock.sleep(delayMs, signal);
  }
}
