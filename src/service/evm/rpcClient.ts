// JSON-RPC calls to one node, singly and in batches as large as it takes, and which methods it turned out to lack.
import { getBasicAuthorization } from '../../base/basicAuthorization.ts';
import { createCancelledFault, type FaultOptions, HexLensError, isFault, toFault } from '../../base/errors.ts';
import type { HideKeys, HttpPort, HttpRequest } from '../../base/httpPort.ts';
import { localizable } from '../../base/localize.ts';
import { isLoopbackNode } from '../../base/loopback.ts';
import { mapConcurrently } from '../../base/mapConcurrently.ts';
import { toBatches } from '../../base/toBatches.ts';
import { BatchSize, COMMON_BATCH_LIMIT, LEARNED_LIMIT_MS } from './batchSize.ts';
import { NODE_SETTING, NodeFaults, nameChain } from './nodeFaults.ts';
import {
  isAboutBatch,
  isMethodNotFound,
  isNotFound,
  isNotification,
  isRateLimitError,
  parseBatchLimit,
  parseBatchResponse,
  parseMessage,
  parseSingleResponse,
  type RpcCall,
  type RpcResponse,
  toRpcRequest,
} from './rpcMessage.ts';
import type { RpcTransportDeps } from './rpcTransport.ts';
import { createRpcTransport, type RpcTransport } from './rpcTransport.ts';

/**
 * Measured on Anvil: up to some 25 small calls one batch takes as long as one call, and single calls 2 to 4 times as long;
 * 80 receipts take 3.9 ms in one batch, 2.3 ms in four, 7 ms singly. (Two large responses arrive sooner side by side than
 * in one batch: a block and its receipts are two requests.)
 */
const GOOD_BATCH_SIZE = 25;
/** HTTP requests under way at once for one `sendAll`. */
const MAX_CONCURRENT_REQUESTS = 8;
/** The same where they have few calls each, since a page has some forty. */
const MAX_CONCURRENT_SMALL_REQUESTS = 16;
/** A node may take long to trace a transaction of a million steps. */
const STREAM_TIMEOUT_MS = 120_000;
/** Of the next call to any node: clients share WebSockets, where the id alone tells which call a response answers. */
let nextId = 1;

export interface RpcClientDeps extends Pick<RpcTransportDeps, 'url' | 'http' | 'clock' | 'log' | 'timeoutMs'> {
  /** The chain's name in messages: `local`. */
  readonly selector: string;
  /** The URL is not configured: messages name it, and no chain. */
  readonly isTried?: boolean;
}

export type OnAnnouncedHead = (header: unknown, isOfOtherNode: boolean) => void;

export interface RpcClient {
  /** Host and port: as much of the URL as may appear in messages. */
  readonly host: string;
  readonly isLoopback: boolean;
  /** Its URL is ws: or wss:; of several nodes, that of the one that announces heads. */
  readonly isWebSocket: boolean;
  readonly faults: NodeFaults;
  /** The result of one call; rejects with `node-error` when the node returns an error. */
  request(method: string, params: readonly unknown[], signal?: AbortSignal): Promise<unknown>;
  /** The response to one call, whether result or error. */
  send(method: string, params: readonly unknown[], signal?: AbortSignal): Promise<RpcResponse>;
  /** The responses in the order of the calls, in one HTTP request where the node takes batches that long. */
  sendAll(calls: readonly RpcCall[], signal?: AbortSignal): Promise<readonly RpcResponse[]>;
  /** Passes the response on in pieces as they arrive, whatever its length; an error is in them too. */
  sendStreamed(
    method: string,
    params: readonly unknown[],
    onChunk: (bytes: Uint8Array) => void,
    signal?: AbortSignal,
  ): Promise<void>;
  /**
   * Calls `onHead` with the header of each new head, after `onSubscribed`; of several nodes, another one than that which
   * responds to requests may announce them, and have the block earlier or later. Ends by rejecting: `cancelled` when the signal
   * aborts, else when the node refused or the WebSocket was lost. Absent where nothing opens a WebSocket to the node: of an
   * HTTP URL only one on loopback is tried.
   */
  readonly subscribeToHeads?:
    | ((onSubscribed: () => void, onHead: OnAnnouncedHead, signal: AbortSignal) => Promise<never>)
    | undefined;
  /** False once the node has returned that it does not have the method. */
  isAvailable(method: string): boolean;
  /** Forgets what is known of the node: another one may run at its address now. */
  reset(): void;
  /** A `node-answer` fault for a response that cannot be true. */
  invalidResponse(method: string, why: string, options?: FaultOptions): HexLensError;
}

interface NodeAddress {
  readonly url: string;
  readonly host: string;
  readonly isLoopback: boolean;
  readonly headers: Readonly<Record<string, string>>;
}

/** Credentials in the URL become a header: HTTP clients refuse them in the URL. */
function parseNodeAddress(text: string): NodeAddress | null {
  const url = URL.parse(text);
  if (url === null || !/^(https?|wss?):$/.test(url.protocol)) return null;
  const headers: Record<string, string> = { 'content-type': 'application/json', accept: 'application/json' };
  const authorization = getBasicAuthorization(url);
  if (authorization !== null) headers['authorization'] = authorization;
  url.username = '';
  url.password = '';
  return { url: url.href, host: url.host, isLoopback: isLoopbackNode(url.hostname), headers };
}

export class JsonRpcClient implements RpcClient {
  readonly host: string;
  readonly isLoopback: boolean;
  readonly isWebSocket: boolean;
  readonly faults: NodeFaults;
  readonly subscribeToHeads: RpcClient['subscribeToHeads'];
  readonly #deps: RpcClientDeps;
  /** `null` for a URL that cannot be used. */
  readonly #address: NodeAddress | null;
  readonly #transport: RpcTransport;
  readonly #batches: BatchSize;
  /** Method -> time at which the node returned that it does not have it. */
  readonly #missingMethods = new Map<string, number>();

  constructor(deps: RpcClientDeps) {
    const { selector, http, clock, log, timeoutMs } = deps;
    const address = parseNodeAddress(deps.url);
    this.#deps = deps;
    this.#address = address;
    this.host = address?.host ?? 'no valid address';
    this.isLoopback = address?.isLoopback ?? false;
    this.isWebSocket = address?.url.startsWith('ws') ?? false;
    this.faults = new NodeFaults(deps.isTried === true ? null : selector, this.host, this.isLoopback);
    const { url = '', headers = {} } = address ?? {};
    this.#transport = createRpcTransport({ url, headers, http, clock, log, faults: this.faults, timeoutMs });
    this.#batches = new BatchSize(clock);
    const subscribe = this.isWebSocket || this.isLoopback ? http.subscribe?.bind(http) : undefined;
    if (address !== null && subscribe !== undefined)
      this.subscribeToHeads = (onSubscribed, onHead, signal) =>
        this.#subscribe(subscribe, address, { onSubscribed, onHead }, signal);
  }

  isAvailable(method: string): boolean {
    const since = this.#missingMethods.get(method);
    if (since !== undefined && this.#deps.clock.now() - since < LEARNED_LIMIT_MS) return false;
    this.#missingMethods.delete(method);
    return true;
  }

  async sendStreamed(
    method: string,
    params: readonly unknown[],
    onChunk: (bytes: Uint8Array) => void,
    signal?: AbortSignal,
  ): Promise<void> {
    this.#assertReady(signal);
    const body = JSON.stringify(toRpcRequest({ method, params }, nextId++));
    const { url = '', headers = {} } = this.#address ?? {};
    try {
      const request = { url, headers, body, signal, timeoutMs: STREAM_TIMEOUT_MS, logLabel: method, onChunk };
      const response = await this.#deps.http.send({ method: 'POST', ...request });
      // Where the body does not come in pieces: in a browser, and over WebSockets.
      if (response.body !== '') onChunk(new TextEncoder().encode(response.body));
    } catch (error) {
      throw this.faults.fromHttpFault(error, Math.round(STREAM_TIMEOUT_MS / 1000), method);
    }
  }

  async send(method: string, params: readonly unknown[], signal?: AbortSignal): Promise<RpcResponse> {
    this.#assertReady(signal);
    return this.#sendSingle({ method, params }, signal);
  }

  async request(method: string, params: readonly unknown[], signal?: AbortSignal): Promise<unknown> {
    const response = await this.send(method, params, signal);
    if (response.error !== undefined) throw this.faults.fromRpcError(method, response.error);
    return response.result;
  }

  async sendAll(calls: readonly RpcCall[], signal?: AbortSignal): Promise<readonly RpcResponse[]> {
    this.#assertReady(signal);
    return calls.length === 0 ? [] : this.#sendInBatches(calls, signal);
  }

  reset(): void {
    this.#missingMethods.clear();
    this.#batches.reset();
  }

  invalidResponse(method: string, why: string, options?: FaultOptions): HexLensError {
    return this.faults.invalidResponse(`gave an answer to ${method} that cannot be true: ${why}`, options);
  }

  /** What does not exist is `null`, and a missing method is noted. */
  #interpret(call: RpcCall, response: RpcResponse): RpcResponse {
    const { clock, log, selector } = this.#deps;
    const { method } = call;
    if (response.error !== undefined && isNotFound(call, response.error)) return { result: null };
    if (response.error !== undefined && isMethodNotFound(response.error)) {
      if (!this.#missingMethods.has(method))
        log.debug(`The node of ${selector} (${this.host}) does not have ${method}.`);
      this.#missingMethods.set(method, clock.now());
    }
    return response;
  }

  #assertReady(signal: AbortSignal | undefined): void {
    if (signal?.aborted) throw createCancelledFault();
    if (this.#address !== null) return;
    throw new HexLensError(
      'no-node',
      localizable(
        'The address of the node of {0} is not an http, https, ws or wss URL.',
        nameChain(this.#deps.selector),
      ),
      { fix: localizable('Correct it in {0}.', NODE_SETTING) },
    );
  }

  /** Subscribes over a WebSocket of the HTTP port. */
  #subscribe(
    subscribe: NonNullable<HttpPort['subscribe']>,
    address: NodeAddress,
    { onSubscribed, onHead }: { onSubscribed(): void; readonly onHead: OnAnnouncedHead },
    signal: AbortSignal,
  ): Promise<never> {
    const { timeoutMs } = this.#deps;
    const id = nextId++;
    const ending = new AbortController();
    let isSubscribed = false;
    let failure: HexLensError | null = null;
    const onResponse = (value: unknown, hideKeys?: HideKeys) => {
      const response = parseSingleResponse(value, id, hideKeys);
      isSubscribed = !('problem' in response) && response.error === undefined;
      if (isSubscribed) return onSubscribed();
      if ('problem' in response) failure = this.faults.invalidResponse(response.problem);
      else if (response.error !== undefined) failure = this.faults.fromRpcError('eth_subscribe', response.error);
      ending.abort();
    };
    const request: HttpRequest = {
      method: 'POST',
      url: address.url.replace(/^http/, 'ws'),
      headers: address.headers,
      body: JSON.stringify(toRpcRequest({ method: 'eth_subscribe', params: ['newHeads'] }, id)),
      signal: AbortSignal.any([signal, ending.signal]),
      timeoutMs,
      logLabel: 'eth_subscribe',
    };
    return subscribe(request, (text, hideKeys) => {
      const value = parseMessage(text);
      if (!isSubscribed) onResponse(value, hideKeys);
      else if (isNotification(value)) onHead(value.params.result, false);
    }).catch(error => {
      throw failure ?? this.faults.fromHttpFault(error, Math.round(timeoutMs / 1000), 'eth_subscribe');
    });
  }

  /** One call in one HTTP request. */
  async #sendSingle(call: RpcCall, signal: AbortSignal | undefined): Promise<RpcResponse> {
    const id = nextId++;
    const body = JSON.stringify(toRpcRequest(call, id));
    const parse = (value: unknown, hideKeys?: HideKeys) => parseSingleResponse(value, id, hideKeys);
    const response = await this.#transport.post(body, call.method, parse, {
      signal,
      maxBytes: call.maxBytes,
      ...(call.readBody !== undefined && { parseBytes: call.readBody }),
    });
    return this.#interpret(call, response);
  }

  /** Many calls in one HTTP request. */
  async #sendBatch(calls: readonly RpcCall[], signal: AbortSignal | undefined): Promise<SentBatch> {
    const firstId = nextId;
    nextId += calls.length;
    const body = JSON.stringify(calls.map((call, index) => toRpcRequest(call, firstId + index)));
    const parse = (value: unknown, hideKeys?: HideKeys) => parseBatchResponse(value, firstId, calls.length, hideKeys);
    const maxBytes = calls.find(call => call.maxBytes !== undefined)?.maxBytes;
    try {
      const batch = await this.#transport.post(body, getBatchLabel(calls), parse, {
        signal,
        maxBytes,
        // Most providers count calls, and refuse a batch that has more than are left.
        ...(calls.length > COMMON_BATCH_LIMIT && { afterRateLimit: TOO_MANY_CALLS }),
      });
      if (batch.error !== undefined)
        return { refused: { limit: parseBatchLimit(batch.error, calls.length), fault: null } };
      const responses = batch.responses.map((response, index) =>
        response === null || mayWorkAlone(response) ? null : this.#interpret(calls[index] as RpcCall, response),
      );
      const refused = findPartialRefusal(batch.responses, responses);
      if (refused === undefined) this.#batches.onAnswered();
      return { responses, refused };
    } catch (error) {
      const fault = toFault(error);
      // An error status or a malformed body may only mean that the node does not take such batches.
      if (!isFault(fault, 'node-answer', 'too-large') || (maxBytes !== undefined && fault.code === 'too-large'))
        throw fault;
      return { refused: { limit: null, fault } };
    }
  }

  /** As many calls at once as the node takes, and again in smaller parts, or singly, those that it did not answer. */
  async #sendInParts(calls: readonly RpcCall[], size: number, signal: AbortSignal | undefined): Promise<RpcResponse[]> {
    const concurrency = size > COMMON_BATCH_LIMIT ? MAX_CONCURRENT_REQUESTS : MAX_CONCURRENT_SMALL_REQUESTS;
    const parts = [...toBatches(calls, size)];
    const sent = await mapConcurrently(parts, concurrency, async ([first, ...others]): Promise<SentBatch> => {
      if (first === undefined) return { responses: [] };
      return others.length === 0
        ? { responses: [await this.#sendSingle(first, signal)] }
        : this.#sendBatch([first, ...others], signal);
    });
    const responses = sent.flatMap(
      (part, index) => part.responses ?? new Array<null>(parts[index]?.length ?? 0).fill(null),
    );
    const refusals = sent.flatMap(({ refused }) => refused ?? []);
    const unanswered = calls.filter((_, index) => responses[index] === null);
    if (unanswered.length > 0) {
      const again = await this.#sendAgain(unanswered, size, refusals, signal);
      for (const [index, response] of responses.entries())
        if (response === null) responses[index] = again.shift() ?? null;
    }
    return responses.filter(response => response !== null);
  }

  /** What batches of `size` did not answer, in smaller ones where the node refused these. */
  async #sendAgain(
    calls: readonly RpcCall[],
    size: number,
    refusals: readonly Refusal[],
    signal: AbortSignal | undefined,
  ): Promise<RpcResponse[]> {
    const { log, selector } = this.#deps;
    const named = refusals.map(({ limit }) => limit).filter(limit => limit !== null);
    const limit = named.length > 0 ? Math.min(...named) : null;
    const partSize = refusals.length === 0 ? 1 : (limit ?? (size > COMMON_BATCH_LIMIT ? COMMON_BATCH_LIMIT : 1));
    if (limit !== null) this.#batches.onNamed(limit);
    const responses = await this.#sendInParts(calls, partSize, signal).catch(error => {
      throw isFault(error, 'cancelled') ? error : (refusals.find(({ fault }) => fault !== null)?.fault ?? error);
    });
    if (refusals.length === 0) return responses;
    if (limit === null) this.#batches.onSmallerAnswered(size, partSize);
    const accepted = partSize === 1 ? 'no batches' : `${partSize} calls at once`;
    log.debug(`The node of ${selector} (${this.host}) takes ${accepted}.`);
    return responses;
  }

  async #sendInBatches(calls: readonly RpcCall[], signal: AbortSignal | undefined): Promise<RpcResponse[]> {
    if (this.#batches.limit === 1) {
      const tried = calls.length > 1 && this.#batches.tryBatch() ? 2 : 0;
      const [together, singles] = await Promise.all([
        this.#sendInParts(calls.slice(0, tried), 2, signal),
        this.#sendInParts(calls.slice(tried), 1, signal),
      ]);
      this.#batches.onSinglesAnswered(singles.length);
      return [...together, ...singles];
    }
    const goodSize =
      calls.length <= 2 * GOOD_BATCH_SIZE
        ? calls.length
        : Math.max(GOOD_BATCH_SIZE, Math.ceil(calls.length / MAX_CONCURRENT_REQUESTS));
    return this.#sendInParts(calls, Math.min(goodSize, this.#batches.limit), signal);
  }
}

/** That the node did not take a batch. */
interface Refusal {
  /** Calls that it takes at once, if it named them. */
  readonly limit: number | null;
  /** `null` for an error of JSON-RPC. */
  readonly fault: HexLensError | null;
}

/** The responses to the calls of one batch, `null` where one is missing; none where the node refused all of it. */
interface SentBatch {
  readonly responses?: readonly (RpcResponse | null)[];
  readonly refused?: Refusal | undefined;
}

const TOO_MANY_CALLS = { error: { code: 429, message: '', data: undefined } } as const;

/** Whether a call failed only because of its batch: too many at once, or the batch's response grew too long. */
const mayWorkAlone = ({ error }: RpcResponse): boolean =>
  error !== undefined && (isRateLimitError(error) || isAboutBatch(error) || /response too large/i.test(error.message));

/** Where a part of a batch was refused: what says so of one call only may be about batches of a rollup. */
function findPartialRefusal(
  received: readonly (RpcResponse | null)[],
  used: readonly (RpcResponse | null)[],
): Refusal | undefined {
  const error = received.find(response => response?.error !== undefined && isAboutBatch(response.error))?.error;
  if (error === undefined) return undefined;
  const limit = parseBatchLimit(error, received.length) ?? used.filter(response => response !== null).length;
  return limit > 1 ? { limit, fault: null } : undefined;
}

function getBatchLabel(calls: readonly RpcCall[]): string {
  const names = [...new Set(calls.map(call => call.method))];
  return `${names.slice(0, 3).join(' + ')}${names.length > 3 ? ' + …' : ''} (batch of ${calls.length})`;
}
