// Sends one JSON-RPC body to a node and reads the response's JSON: HTTP statuses, broken bodies, waiting and retrying.
import type { Clock } from '../../base/clock.ts';
import { type HexLensError, isFault } from '../../base/errors.ts';
import type { HttpPort, HttpResponse } from '../../base/httpPort.ts';
import type { Log } from '../../base/log.ts';
import { parseRetryAfterMs } from '../../base/retryAfter.ts';
import type { NodeFaults } from './nodeFaults.ts';
import { type MalformedResponse, parseJsonBody } from './rpcMessage.ts';

/** Retries for a node that is busy for now (429, 502, 503, 504). */
const MAX_BUSY_RETRIES = 4;
/** Retries for a broken connection or a malformed response: the next one may be complete. */
const MAX_BROKEN_RETRIES = 1;
const FIRST_WAIT_MS = 250;
const MAX_WAIT_MS = 4_000;
const BROKEN_WAIT_MS = 40;
/** A node that wants a longer pause than this is reported to the caller instead of waited for. */
const MAX_RETRY_AFTER_MS = 10_000;
const MAX_RESPONSE_BYTES = 256 * 1024 * 1024;

export interface RpcTransportDeps {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly http: HttpPort;
  readonly clock: Clock;
  readonly log: Log;
  readonly faults: NodeFaults;
  readonly timeoutMs: number;
  /** Returns a number from 0 to 1: spreads the retries of many callers. */
  readonly random: () => number;
}

export interface RpcTransport {
  /**
   * Sends the body and resolves with what `parse` makes of the response's JSON. A body that is not JSON-RPC, or that
   * `parse` calls malformed, is requested once more: everything that is sent only reads, so it may be repeated. Rejects
   * with a HexLensError.
   */
  post<T extends object>(
    body: string,
    logLabel: string,
    parse: (value: unknown) => T,
    signal: AbortSignal | undefined,
  ): Promise<Exclude<T, MalformedResponse>>;
  /** Waits before retry number `attempt` (from 1); rejects with `rate-limited` after the last one. */
  waitBeforeRetry(attempt: number, signal: AbortSignal | undefined): Promise<void>;
}

const isBusy = (status: number) => status === 429 || status === 502 || status === 503 || status === 504;

/** `busy` may be retried several times with growing waits, `broken` once, `final` never. */
interface FailedAttempt {
  readonly fault: HexLensError;
  readonly kind: 'busy' | 'broken' | 'final';
}

export function createRpcTransport(deps: RpcTransportDeps): RpcTransport {
  const { url, headers, http, clock, log, faults, timeoutMs, random } = deps;

  const getBackoffMs = (attempt: number) =>
    Math.min(FIRST_WAIT_MS * 2 ** (attempt - 1), MAX_WAIT_MS) * (0.5 + random() / 2);

  async function attemptPost<T extends object>(
    body: string,
    logLabel: string,
    parse: (value: unknown) => T,
    signal: AbortSignal | undefined,
  ): Promise<{ readonly value: Exclude<T, MalformedResponse> } | FailedAttempt> {
    let response: HttpResponse;
    try {
      response = await http.send({
        method: 'POST',
        ...{ url, headers, body, signal, timeoutMs, logLabel },
        maxBytes: MAX_RESPONSE_BYTES,
      });
    } catch (error) {
      const fault = faults.fromHttpFault(error, Math.round(timeoutMs / 1000));
      return { fault, kind: isFault(fault, 'node-unreachable') ? 'broken' : 'final' };
    }
    const { status } = response;
    if (isBusy(status)) {
      const retryAfterMs = parseRetryAfterMs(response.headers, clock.now());
      const fault = faults.fromStatus(status, retryAfterMs);
      return { fault, kind: (retryAfterMs ?? 0) > MAX_RETRY_AFTER_MS ? 'final' : 'busy' };
    }
    const json = parseJsonBody(response.body);
    const parsed = 'problem' in json ? json : parse(json.value);
    if (!('problem' in parsed)) return { value: parsed as Exclude<T, MalformedResponse> }; // only malformed ones have `problem`
    // A node may send a JSON-RPC response with an error status: the status counts only where the body is malformed.
    if (status >= 300) return { fault: faults.fromStatus(status), kind: status >= 500 ? 'broken' : 'final' };
    return { fault: faults.invalidResponse(parsed.problem), kind: 'broken' };
  }

  return {
    async post(body, logLabel, parse, signal) {
      let busyRetries = 0;
      let brokenRetries = 0;
      for (;;) {
        const outcome = await attemptPost(body, logLabel, parse, signal);
        if ('value' in outcome) return outcome.value;
        const { fault, kind } = outcome;
        const shouldRetry =
          kind === 'busy'
            ? ++busyRetries <= MAX_BUSY_RETRIES
            : kind === 'broken' && ++brokenRetries <= MAX_BROKEN_RETRIES;
        if (!shouldRetry) throw fault;
        log.debug(`${logLabel}: ${fault.message} Trying again.`);
        const waitMs =
          kind === 'broken' ? BROKEN_WAIT_MS : Math.max(getBackoffMs(busyRetries), fault.retryAfterMs ?? 0);
        await clock.sleep(waitMs, signal);
      }
    },
    async waitBeforeRetry(attempt, signal) {
      if (attempt > MAX_BUSY_RETRIES) throw faults.fromStatus(429);
      await clock.sleep(getBackoffMs(attempt), signal);
    },
  };
}
