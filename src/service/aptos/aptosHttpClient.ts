// One HTTP exchange with an end of an Aptos network, told as status and lossless JSON: waiting, and trying again. Reads only.
import type { Clock } from '../../base/clock.ts';
import { cancelledFault, HexLensError, isFault } from '../../base/errors.ts';
import type { HttpPort, HttpResponse } from '../../base/httpPort.ts';
import type { Log } from '../../base/log.ts';
import { isLoopbackHost } from '../../base/loopback.ts';
import { parseRetryAfter } from '../evm/rpcTransport.ts';
import { createEndpointErrors, type EndpointErrors } from './endpointErrors.ts';
import { parseLosslessJson } from './parseLosslessJson.ts';
import type { Json } from './transaction.ts';

/** Tries after the first, for an end that says "later" (429, 502, 503, 504). */
const LATER_TRIES = 4;
/** Tries after the first, for a broken connection or a broken answer: the next one may be whole. */
const BROKEN_TRIES = 1;
const FIRST_WAIT_MS = 300;
const BROKEN_WAIT_MS = 40;
const LONGEST_WAIT_MS = 5_000;
/** An end that asks for a longer pause than this is told to the caller instead of waited for. */
const LONGEST_RETRY_AFTER_MS = 10_000;
/** A page of 100 transactions that each publish a package; a block of 10,000 small ones. */
const MAX_BYTES = 128 * 1024 * 1024;

export interface AptosHttpClientOptions {
  readonly network: string;
  readonly endpoint: 'node' | 'indexer';
  /** Base of the node with its version, or the indexer's whole URL. */
  readonly url: string;
  /** Goes to this end as `Authorization: Bearer`. */
  readonly apiKey: string | undefined;
  readonly http: HttpPort;
  readonly clock: Clock;
  readonly log: Log;
  readonly timeoutMs: number;
  /** 0..1: spreads the tries of many callers. */
  readonly random?: (() => number) | undefined;
}

export interface AptosHttpRequest {
  readonly method: 'GET' | 'POST';
  /** Below the base, with its query; values in it are encoded. */
  readonly path: string;
  readonly body?: string;
  /** What the log says: no address, no hash. */
  readonly label: string;
}

/** A status below 500 other than 401, 403 and 429, with whatever JSON came with it. */
export interface AptosHttpResponse {
  readonly status: number;
  readonly headers: HttpResponse['headers'];
  readonly value: Json;
  /** Characters of the body, for whoever keeps what is in it. */
  readonly bodyLength: number;
}

/** What an answer means: the value, or why not and whether to try again. */
export type ResponseOutcome<T> =
  | { readonly value: T }
  | { readonly fault: HexLensError; readonly again: 'later' | 'broken' | 'never' };

export interface AptosHttpClient {
  /** Host and port: what may be named in messages. */
  readonly host: string;
  readonly loopback: boolean;
  readonly errors: EndpointErrors;
  /** Rejects with a HexLensError. Both methods only read, so both are sent again where that may help. */
  send<T>(
    ask: AptosHttpRequest,
    read: (answer: AptosHttpResponse) => ResponseOutcome<T>,
    signal: AbortSignal | undefined,
  ): Promise<T>;
}

interface Address {
  readonly base: string;
  readonly host: string;
  readonly loopback: boolean;
  readonly headers: Readonly<Record<string, string>>;
}

function addressOf(text: string, key: string | undefined): Address | null {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return null;
  const headers: Record<string, string> = { accept: 'application/json' };
  if (key !== undefined) headers['authorization'] = `Bearer ${key}`;
  return { base: url.href.replace(/\/+$/, ''), host: url.host, loopback: isLoopbackHost(url.hostname), headers };
}

/** The text of an error body `{message, error_code}`, or of whatever else says `message`. */
export function getErrorMessage(value: Json): string | null {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return null;
  const message = (value as { readonly message?: Json }).message;
  return typeof message === 'string' && message !== '' ? message.slice(0, 300) : null;
}

export function createAptosHttpClient(deps: AptosHttpClientOptions): AptosHttpClient {
  const { network, endpoint: end, http, clock, log, timeoutMs, random = Math.random } = deps;
  const address = addressOf(deps.url, deps.apiKey);
  const host = address?.host ?? 'no valid address';
  const loopback = address?.loopback ?? false;
  const faults = createEndpointErrors(network, end, host, loopback);
  const backOff = (attempt: number) =>
    Math.min(FIRST_WAIT_MS * 2 ** (attempt - 1), LONGEST_WAIT_MS) * (0.5 + random() / 2);

  async function once<T>(
    { base, headers }: Address,
    ask: AptosHttpRequest,
    read: (answer: AptosHttpResponse) => ResponseOutcome<T>,
    signal: AbortSignal | undefined,
  ): Promise<ResponseOutcome<T>> {
    let response: HttpResponse;
    try {
      response = await http.send({
        method: ask.method,
        url: base + ask.path,
        headers: ask.body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
        ...(ask.body !== undefined && { body: ask.body }),
        signal,
        timeoutMs,
        maxBytes: MAX_BYTES,
        logLabel: ask.label,
      });
    } catch (error) {
      const fault = faults.fromHttpError(error, Math.round(timeoutMs / 1000));
      return { fault, again: isFault(fault, 'node-unreachable') ? 'broken' : 'never' };
    }
    const { status } = response;
    const value = jsonOf(response.body);
    if (status === 429 || status === 502 || status === 503 || status === 504) {
      const asked = parseRetryAfter(response.headers['retry-after'], clock.now());
      const fault = faults.fromStatus(status, getErrorMessage(value ?? null), asked);
      return { fault, again: (asked ?? 0) > LONGEST_RETRY_AFTER_MS ? 'never' : 'later' };
    }
    if (status >= 500) return { fault: faults.fromStatus(status, getErrorMessage(value ?? null)), again: 'broken' };
    if (status === 401 || status === 403 || (status >= 300 && value === undefined))
      return { fault: faults.fromStatus(status, getErrorMessage(value ?? null)), again: 'never' };
    if (value === undefined) return { fault: faults.invalidResponse(notJson(response.body)), again: 'broken' };
    return read({ status, headers: response.headers, value, bodyLength: response.body.length });
  }

  return {
    host,
    loopback,
    errors: faults,
    async send(ask, read, signal) {
      if (signal?.aborted) throw cancelledFault();
      if (address === null)
        throw new HexLensError(
          'no-node',
          `The address of the ${end} of Aptos ${network} is not an http or https URL.`,
          {
            fix: 'Correct it in the setting hexlens.aptos.networks.',
          },
        );
      let later = 0;
      let broken = 0;
      for (;;) {
        const meaning = await once(address, ask, read, signal);
        if ('value' in meaning) return meaning.value;
        const { fault, again } = meaning;
        const more = again === 'later' ? ++later <= LATER_TRIES : again === 'broken' && ++broken <= BROKEN_TRIES;
        if (!more) throw fault;
        log.debug(`${ask.label}: ${fault.message} Trying again.`);
        const ms = again === 'broken' ? BROKEN_WAIT_MS : Math.max(backOff(later), fault.retryAfterMs ?? 0);
        await clock.sleep(ms, signal);
      }
    },
  };
}

/** `undefined` when the body is no JSON. */
function jsonOf(body: string): Json | undefined {
  try {
    return parseLosslessJson(body) as Json; // JSON, whatever its shape
  } catch {
    return undefined;
  }
}

function notJson(body: string): string {
  const start = body.trimStart();
  if (start === '') return 'answered with nothing';
  if (start.startsWith('<')) return 'answered with an HTML page, not JSON';
  if (start.startsWith('{') || start.startsWith('[')) return 'broke off in the middle of its answer';
  return 'answered with something that is not JSON';
}
