// HTTP requests to the fullnode or the indexer of an Aptos network: lossless JSON, retries, faults. Requests only read.
import type { Clock } from '../../base/clock.ts';
import { createCancelledFault, HexLensError, isFault } from '../../base/errors.ts';
import type { HideKeys, HttpPort, HttpResponse } from '../../base/httpPort.ts';
import { localizable } from '../../base/localize.ts';
import type { Log } from '../../base/log.ts';
import { isLoopbackHost } from '../../base/loopback.ts';
import { createHostJsonParser, type HostJson } from '../../base/parseHostJson.ts';
import { parseRetryAfterMs } from '../../base/retryAfter.ts';
import { type AttemptOutcome, MAX_RETRY_AFTER_MS, retryEndpointRequest } from '../retryEndpointRequest.ts';
import { APTOS_SETTING, createEndpointErrors } from './endpointErrors.ts';
import { asString, getField, type Json } from './jsonFields.ts';

/**
 * An integer of 16 or more digits at the start of a value. 18446744073709551615 has 20 digits. A number with a fraction
 * or an exponent stays a double. Leading zeros, and numbers before a colon, are invalid JSON and must stay invalid, so
 * they are not quoted.
 */
const LONG_NUMBER = /(?:^|[:,[\s])(-?[1-9]\d{15,})(?![\d.eE]|\s*:)/g;

/** Index of the closing quote of the string whose first character is at `from`; -1 when it is not closed. */
function endOfString(text: string, from: number): number {
  for (let end = text.indexOf('"', from); end >= 0; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === 0x5c) slashes++;
    if (slashes % 2 === 0) return end;
  }
  return -1;
}

/**
 * The same JSON with quotes around every integer that a double cannot represent, as nodes write every u64.
 * Measured with the parsing: a reviver that reads `context.source` reaches 0.1 to 0.3 of the speed of `JSON.parse`, a parser
 * written in JavaScript 0.3 to 0.6, this 0.5 to 0.9.
 */
export function quoteLongNumbers(text: string): string {
  const numbers = new RegExp(LONG_NUMBER);
  let quote = text.indexOf('"'); // of the next string: what is before it has been scanned
  let copied = 0;
  const parts: string[] = [];
  for (let match = numbers.exec(text); match !== null; match = numbers.exec(text)) {
    const digits = match[1] ?? '';
    const start = match.index + match[0].length - digits.length;
    let inside = false;
    while (quote >= 0 && quote < start) {
      const end = endOfString(text, quote + 1);
      if (end < 0) return text; // invalid JSON: JSON.parse throws
      quote = text.indexOf('"', end + 1);
      if (end < start) continue;
      inside = true;
      numbers.lastIndex = end + 1;
      break;
    }
    if (inside || Number.isSafeInteger(Number(digits))) continue;
    parts.push(text.slice(copied, start), '"', digits, '"');
    copied = start + digits.length;
  }
  return copied === 0 ? text : parts.join('') + text.slice(copied);
}

/** What a node sent, with such integers as strings of their digits. */
const parser = createHostJsonParser(part => JSON.parse(quoteLongNumbers(part)));

/** Enough for a page of 100 transactions that each publish a package, or for a block of 10,000 small transactions. */
const MAX_RESPONSE_BYTES = 64 * 1024 * 1024;
const MAX_ERROR_MESSAGE_LENGTH = 300;

export interface AptosHttpClientOptions {
  readonly network: string;
  readonly endpoint: 'node' | 'indexer';
  /** The REST base URL with its version (`…/v1`), or the GraphQL URL. */
  readonly url: string;
  /** Sent to this endpoint as `Authorization: Bearer`. */
  readonly apiKey: string | undefined;
  readonly http: HttpPort;
  readonly clock: Clock;
  readonly log: Log;
  readonly timeoutMs: number;
}

export interface AptosHttpRequest {
  readonly method: 'GET' | 'POST';
  /** Relative to the base URL, with encoded values and query. */
  readonly path: string;
  readonly body?: string;
  /** Names the request in the log, without addresses and hashes. */
  readonly logLabel: string;
}

/** A response with JSON and a status below 500, except 401, 403 and 429. */
export interface AptosHttpResponse {
  readonly status: number;
  readonly headers: HttpResponse['headers'];
  readonly value: Json;
  readonly hideKeys: HideKeys;
  /** Characters of the body: the weight of its values in a cache. */
  readonly bodyLength: number;
}

export type AptosHttpClient = ReturnType<typeof createAptosHttpClient>;

interface Endpoint {
  readonly baseUrl: string;
  readonly host: string;
  readonly isLoopback: boolean;
  readonly headers: Readonly<Record<string, string>>;
}

function parseEndpoint(text: string, apiKey: string | undefined): Endpoint | null {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return null;
  const headers: Record<string, string> = { accept: 'application/json' };
  if (apiKey !== undefined) headers['authorization'] = `Bearer ${apiKey}`;
  return {
    baseUrl: url.href.replace(/(?<!\/)\/+$/, ''),
    host: url.host,
    isLoopback: isLoopbackHost(url.hostname),
    headers,
  };
}

/** The `message` of an error body such as `{message, error_code}`; `null` when there is none. */
export function getErrorMessage(body: Json | undefined, hideKeys: HideKeys): string | null {
  const message = asString(getField(body, 'message'));
  return message === null || message === '' ? null : hideKeys(message).slice(0, MAX_ERROR_MESSAGE_LENGTH);
}

export function createAptosHttpClient(options: AptosHttpClientOptions) {
  const { network, endpoint: endpointKind, http, clock, log, timeoutMs } = options;
  const endpoint = parseEndpoint(options.url, options.apiKey);
  const host = endpoint?.host ?? 'no valid address';
  const isLoopback = endpoint?.isLoopback ?? false;
  const errors = createEndpointErrors(network, endpointKind, host, isLoopback);

  async function sendOnce<T>(
    { baseUrl, headers }: Endpoint,
    { method, path, body, logLabel }: AptosHttpRequest,
    read: (response: AptosHttpResponse) => AttemptOutcome<T>,
    signal: AbortSignal | undefined,
  ): Promise<AttemptOutcome<T>> {
    let response: HttpResponse;
    let json: HostJson;
    try {
      response = await http.send({
        method,
        url: baseUrl + path,
        headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
        ...(body !== undefined && { body }),
        signal,
        timeoutMs,
        maxBytes: MAX_RESPONSE_BYTES,
        parser,
        logLabel,
      });
      json = (response.parsed as HostJson | undefined) ?? (await parser.parse(response.body));
    } catch (error) {
      const fault = errors.fromHttpError(error, Math.round(timeoutMs / 1000), logLabel);
      return { fault, retry: isFault(fault, 'node-unreachable') ? 'once' : 'never' };
    }
    const { status, hideKeys = text => text } = response;
    const value = 'value' in json ? (json.value as Json) : undefined; // any JSON value has this type
    const message = getErrorMessage(value, hideKeys);
    if (status === 429 || status === 502 || status === 503 || status === 504) {
      const retryAfterMs = parseRetryAfterMs(response.headers, clock.now());
      const fault = errors.fromStatus(status, message, retryAfterMs);
      return { fault, retry: (retryAfterMs ?? 0) > MAX_RETRY_AFTER_MS ? 'never' : 'withBackoff' };
    }
    if (status >= 500) return { fault: errors.fromStatus(status, message), retry: 'once' };
    if (status === 401 || status === 403 || (status >= 300 && value === undefined))
      return { fault: errors.fromStatus(status, message), retry: 'never' };
    if ('invalid' in json) return { fault: errors.invalidResponse(describeInvalidJson(json.invalid)), retry: 'once' };
    return read({ status, headers: response.headers, value: json.value as Json, hideKeys, bodyLength: json.length });
  }

  return {
    /** Host and port, which messages may name. */
    host,
    isLoopback,
    errors,
    /** Rejects with a `HexLensError`. Repeats the request when that may help. */
    async send<T>(
      request: AptosHttpRequest,
      read: (response: AptosHttpResponse) => AttemptOutcome<T>,
      signal: AbortSignal | undefined,
    ): Promise<T> {
      if (signal?.aborted) throw createCancelledFault();
      if (endpoint === null)
        throw new HexLensError(
          'no-node',
          `The address of the ${endpointKind} of Aptos ${network} is not an http or https URL.`,
          { fix: localizable('Correct it in {0}.', APTOS_SETTING) },
        );
      return retryEndpointRequest(() => sendOnce(endpoint, request, read, signal), {
        clock,
        log,
        logLabel: request.logLabel,
        signal,
      });
    },
  };
}

/** Continues "The node of Aptos local (127.0.0.1:8080) …". */
function describeInvalidJson(body: string): string {
  const text = body.trimStart();
  if (text === '') return 'sent an empty response';
  if (text.startsWith('<')) return 'sent an HTML page instead of JSON';
  if (text.startsWith('{') || text.startsWith('[')) return 'sent an incomplete response';
  return 'sent a response that is not JSON';
}
