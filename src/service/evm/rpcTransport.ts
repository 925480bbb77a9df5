// One JSON-RPC body to one node and its answer's JSON value: statuses, broken bodies, waiting and trying again.
import type { Clock } from '../../base/clock.ts';
import { type HexLensError, isFault } from '../../base/errors.ts';
import type { HttpPort, HttpResponse } from '../../base/httpPort.ts';
import type { Log } from '../../base/log.ts';
import type { NodeFaults } from './nodeFaults.ts';
import { type MalformedResponse, parseJsonBody } from './rpcMessage.ts';

/** Tries after the first, for a node that says "later" (429, 502, 503, 504). */
const LATER_TRIES = 4;
/** Tries after the first, for a broken connection or a broken answer: the next one may be whole. */
const BROKEN_TRIES = 1;
const FIRST_WAIT_MS = 250;
const BROKEN_WAIT_MS = 40;
const LONGEST_WAIT_MS = 4_000;
/** A node that asks for a longer pause than this is told to the caller instead of waited for. */
const LONGEST_RETRY_AFTER_MS = 10_000;
const MAX_BYTES = 256 * 1024 * 1024;

export interface RpcTransportDeps {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly http: HttpPort;
  readonly clock: Clock;
  readonly log: Log;
  readonly faults: NodeFaults;
  readonly timeoutMs: number;
  /** 0..1: spreads the tries of many callers. */
  readonly random: () => number;
}

export interface RpcTransport {
  /**
   * The value that `read` makes of the answer's JSON. Reads only: all that is sent may be sent again. A body that is no
   * JSON-RPC (or that `read` calls bad) is asked for once more. Rejects with a HexLensError.
   */
  post<T extends object>(
    body: string,
    label: string,
    read: (value: unknown) => T,
    signal: AbortSignal | undefined,
  ): Promise<Exclude<T, MalformedResponse>>;
  /** Waits before try number `attempt` (from 1); rejects with `rate-limited` when the node has been asked often enough. */
  waitBeforeRetry(attempt: number, signal: AbortSignal | undefined): Promise<void>;
}

/** Seconds or an HTTP date as milliseconds from `now`; `undefined` when there is none. */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1000;
  const time = /[a-z]{3}/i.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(time) ? undefined : Math.max(0, time - now);
}

const isLater = (status: number) => status === 429 || status === 502 || status === 503 || status === 504;

/** The try failed; `later` asks for patience, `broken` for one more try, `for good` for neither. */
interface Failed {
  readonly fault: HexLensError;
  readonly kind: 'later' | 'broken' | 'for good';
}

export function createRpcTransport(deps: RpcTransportDeps): RpcTransport {
  const { url, http, clock, log, faults, timeoutMs, random } = deps;

  const backOff = (attempt: number) =>
    Math.min(FIRST_WAIT_MS * 2 ** (attempt - 1), LONGEST_WAIT_MS) * (0.5 + random() / 2);

  async function once<T extends object>(
    body: string,
    label: string,
    read: (value: unknown) => T,
    signal: AbortSignal | undefined,
  ): Promise<{ readonly value: Exclude<T, MalformedResponse> } | Failed> {
    let response: HttpResponse;
    try {
      response = await http.send({
        method: 'POST',
        url,
        headers: deps.headers,
        body,
        signal,
        timeoutMs,
        maxBytes: MAX_BYTES,
        logLabel: label,
      });
    } catch (error) {
      const fault = faults.fromHttpFault(error, Math.round(timeoutMs / 1000));
      return { fault, kind: isFault(fault, 'node-unreachable') ? 'broken' : 'for good' };
    }
    const { status } = response;
    if (isLater(status)) {
      const asked = parseRetryAfter(response.headers['retry-after'], clock.now());
      const fault = faults.fromStatus(status, asked);
      return { fault, kind: (asked ?? 0) > LONGEST_RETRY_AFTER_MS ? 'for good' : 'later' };
    }
    const parsed = parseJsonBody(response.body);
    const answer = 'problem' in parsed ? parsed : read(parsed.value);
    if (!('problem' in answer)) return { value: answer as Exclude<T, MalformedResponse> }; // `problem` is what tells them apart
    // A node may give an error status and a JSON-RPC answer at once; only without the answer the status says it all.
    if (status >= 300) return { fault: faults.fromStatus(status), kind: status >= 500 ? 'broken' : 'for good' };
    return { fault: faults.invalidResponse(answer.problem), kind: 'broken' };
  }

  return {
    async post(body, label, read, signal) {
      let later = 0;
      let broken = 0;
      for (;;) {
        const outcome = await once(body, label, read, signal);
        if ('value' in outcome) return outcome.value;
        const { fault, kind } = outcome;
        const more = kind === 'later' ? ++later <= LATER_TRIES : kind === 'broken' && ++broken <= BROKEN_TRIES;
        if (!more) throw fault;
        log.debug(`${label}: ${fault.message} Trying again.`);
        const ms = kind === 'broken' ? BROKEN_WAIT_MS : Math.max(backOff(later), fault.retryAfterMs ?? 0);
        await clock.sleep(ms, signal);
      }
    },
    async waitBeforeRetry(attempt, signal) {
      if (attempt > LATER_TRIES) throw faults.fromStatus(429);
      await clock.sleep(backOff(attempt), signal);
    },
  };
}
