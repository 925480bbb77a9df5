// Sends one JSON-RPC body to a node and reads the response's JSON: HTTP statuses, broken bodies, waiting and retrying.
import type { Clock } from '../../base/clock.ts';
import { isFault } from '../../base/errors.ts';
import type { HideKeys, HttpPort, HttpResponse } from '../../base/httpPort.ts';
import { isObject } from '../../base/isObject.ts';
import type { Log } from '../../base/log.ts';
import { createHostJsonParser, type HostJson } from '../../base/parseHostJson.ts';
import { parseRetryAfterMs } from '../../base/retryAfter.ts';
import { type AttemptOutcome, MAX_RETRY_AFTER_MS, retryEndpointRequest } from '../retryEndpointRequest.ts';
import type { NodeFaults } from './nodeFaults.ts';
import {
  isAboutBatch,
  isRateLimitError,
  type JsonBody,
  type MalformedResponse,
  type RpcCall,
  type RpcError,
  toJsonBody,
} from './rpcMessage.ts';

/** A traced block of a busy chain is tens of megabytes. */
const MAX_RESPONSE_BYTES = 64 * 1024 * 1024;

const parser = createHostJsonParser();

export interface RpcTransportDeps {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly http: HttpPort;
  readonly clock: Clock;
  readonly log: Log;
  readonly faults: NodeFaults;
  readonly timeoutMs: number;
}

/** What a body may be parsed to: the results, or one error for the whole body. */
interface ParsedBody {
  readonly error?: RpcError | undefined;
}

const isBusy = (status: number) => status === 429 || status === 502 || status === 503;
/** A gateway that limits calls per batch may say so with the status of a rate limit: to wait does not help. */
const saysTooManyCalls = (parsed: ParsedBody | MalformedResponse): boolean =>
  'error' in parsed && parsed.error !== undefined && isAboutBatch(parsed.error);
const isDenied = (status: number) => status === 401 || status === 403;
const hasRpcError = (body: unknown): boolean =>
  Array.isArray(body) ? body.some(hasRpcError) : isObject(body) && isObject(body['error']);
/** 408, 504, and 524 of Cloudflare: the node behind a gateway took too long, as it would again. */
const isTimeout = (status: number) => status === 408 || status === 504 || status === 524;

interface PostOptions<T> {
  readonly signal: AbortSignal | undefined;
  readonly parseBytes?: RpcCall['readBody'];
  /** Bytes that the response may have: `MAX_RESPONSE_BYTES` by default. */
  readonly maxBytes?: number | undefined;
  /** Resolved with after the wait that a rate limit requires, in place of the same request again. */
  readonly afterRateLimit?: T;
}

export type RpcTransport = ReturnType<typeof createRpcTransport>;

export function createRpcTransport(deps: RpcTransportDeps) {
  const { url, headers, http, clock, log, faults, timeoutMs } = deps;

  async function attemptPost<T extends ParsedBody | MalformedResponse>(
    body: string,
    logLabel: string,
    parse: (value: unknown, hideKeys: HideKeys | undefined) => T,
    { signal, parseBytes, maxBytes = MAX_RESPONSE_BYTES }: PostOptions<Exclude<T, MalformedResponse>>,
  ): Promise<AttemptOutcome<Exclude<T, MalformedResponse>>> {
    let response: HttpResponse;
    let json: JsonBody;
    try {
      response = await http.send({
        method: 'POST',
        url,
        headers,
        body,
        signal,
        timeoutMs,
        logLabel,
        maxBytes,
        parser,
        parseBytes,
      });
      // What `parseBytes` makes is a `JsonBody` already.
      const parsed = (response.parsed as HostJson | JsonBody | undefined) ?? (await parser.parse(response.body));
      json = 'invalid' in parsed ? toJsonBody(parsed) : parsed;
    } catch (error) {
      const fault = faults.fromHttpFault(error, Math.round(timeoutMs / 1000), logLabel);
      return { fault, retry: isFault(fault, 'node-unreachable') ? 'once' : 'never' };
    }
    const { status } = response;
    const parsed = 'problem' in json ? json : parse(json.value, response.hideKeys);
    if (isBusy(status) && !saysTooManyCalls(parsed)) {
      const retryAfterMs = parseRetryAfterMs(response.headers, clock.now());
      const fault = faults.fromStatus(status, retryAfterMs);
      return { fault, retry: (retryAfterMs ?? 0) > MAX_RETRY_AFTER_MS ? 'never' : 'withBackoff' };
    }
    if (isTimeout(status)) return { fault: faults.fromStatus(status), retry: 'once' };
    // What a gateway says of keys is no JSON-RPC error, which would be about the method.
    if (isDenied(status) && 'value' in json && !hasRpcError(json.value))
      return { fault: faults.fromStatus(status), retry: 'never' };
    if (!('problem' in parsed)) {
      const value = parsed as Exclude<T, MalformedResponse>; // only malformed ones have `problem`
      const isRateLimited = value.error !== undefined && isRateLimitError(value.error);
      return isRateLimited ? { fault: faults.fromStatus(429), retry: 'withBackoff' } : { value };
    }
    // A node may send a JSON-RPC response with an error status: the status counts only where the body is malformed.
    if (status >= 300) return { fault: faults.fromStatus(status), retry: status >= 500 ? 'once' : 'never' };
    return { fault: faults.invalidResponse(parsed.problem), retry: 'once' };
  }

  return {
    /**
     * Sends the body and resolves with what `parse` makes of the response's JSON. A body that is not JSON-RPC, or that
     * `parse` calls malformed, is requested once more: everything that is sent only reads, so it may be repeated. A rate
     * limit is waited for, whether it comes as HTTP status or as JSON-RPC error. Rejects with a HexLensError.
     */
    post<T extends ParsedBody | MalformedResponse>(
      body: string,
      logLabel: string,
      parse: (value: unknown, hideKeys: HideKeys | undefined) => T,
      options: PostOptions<Exclude<T, MalformedResponse>>,
    ): Promise<Exclude<T, MalformedResponse>> {
      const { signal, afterRateLimit } = options;
      let isLimited = false;
      const attempt = async () => {
        if (isLimited && afterRateLimit !== undefined) return { value: afterRateLimit };
        const outcome = await attemptPost(body, logLabel, parse, options);
        isLimited = 'fault' in outcome && isFault(outcome.fault, 'rate-limited');
        return outcome;
      };
      return retryEndpointRequest(attempt, { clock, log, logLabel, signal });
    },
  };
}
