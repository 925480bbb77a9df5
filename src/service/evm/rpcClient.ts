// JSON-RPC calls to one node, singly and in batches as large as it takes, and which methods it turned out to lack.
import { getBasicAuthorization } from '../../base/basicAuthorization.ts';
import { createCancelledFault, type FaultOptions, HexLensError } from '../../base/errors.ts';
import type { HideKeys, HttpPort, HttpRequest } from '../../base/httpPort.ts';
import { localizable } from '../../base/localize.ts';
import { isLoopbackNode } from '../../base/loopback.ts';
import { mapConcurrently } from '../../base/mapConcurrently.ts';
import { BatchSize, LEARNED_LIMIT_MS } from './batchSize.ts';
import { NODE_SETTING, NodeFaults, nameChain } from './nodeFaults.ts';
import {
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
    const response = await this.#transport.post(body, call.method, parse, signal, call.readBody);
    return this.#interpret(call, response);
  }

  /** Many calls in one HTTP request; `null` when the node does not take them like this. */
  async #sendBatch(
    calls: readonly RpcCall[],
    signal: AbortSignal | undefined,
  ): Promise<readonly (RpcResponse | null)[] | null> {
    const { log, selector } = this.#deps;
    const firstId = nextId;
    nextId += calls.length;
    const body = JSON.stringify(calls.map((call, index) => toRpcRequest(call, firstId + index)));
    const parse = (value: unknown, hideKeys?: HideKeys) => parseBatchResponse(value, firstId, calls.length, hideKeys);
    const batch = await this.#transport.post(body, getBatchLabel(calls), parse, signal);
    if ('responses' in batch) return batch.responses;
    const limit = parseBatchLimit(batch.error, calls.length);
    if (limit !== null) {
      this.#batches.onNamed(limit);
      const accepted = limit === 1 ? 'no batches' : `${this.#batches.limit} calls at once`;
      log.debug(`The node of ${selector} (${this.host}) takes ${accepted}.`);
    }
    return null;
  }

  #sendOneByOne(calls: readonly RpcCall[], signal: AbortSignal | undefined): Promise<RpcResponse[]> {
    return mapConcurrently(calls, MAX_CONCURRENT_REQUESTS, call => this.#sendSingle(call, signal));
  }

  /** A batch, and singly what the batch did not answer. */
  async #sendBatchOrSingles(calls: readonly RpcCall[], signal: AbortSignal | undefined): Promise<RpcResponse[]> {
    const { log, selector } = this.#deps;
    const [first] = calls;
    if (calls.length === 1 && first !== undefined) return [await this.#sendSingle(first, signal)];
    let responses: readonly (RpcResponse | null)[] | null = null;
    const limitBefore = this.#batches.limit;
    let batchFault: unknown = null;
    try {
      responses = await this.#sendBatch(calls, signal);
    } catch (error) {
      // An error status or a malformed body may only mean that the node does not know batches.
      if (!(error instanceof HexLensError) || (error.code !== 'node-answer' && error.code !== 'too-large')) throw error;
      batchFault = error;
    }
    if (responses === null) {
      if (this.#batches.limit < limitBefore && this.#batches.limit > 1) return this.#sendInBatches(calls, signal);
      const singles = await this.#sendOneByOne(calls, signal).catch(error => {
        throw batchFault ?? error;
      });
      if (this.#batches.limit > 2)
        log.info(`The node of ${selector} (${this.host}) takes no batches: calls are sent one by one.`);
      this.#batches.onFailed();
      return singles;
    }
    this.#batches.onAnswered();
    const received = responses;
    const isAnswered = (response: RpcResponse | null): response is RpcResponse =>
      response !== null && !mayWorkAlone(response);
    if (received.every(isAnswered))
      return received.map((response, index) => this.#interpret(calls[index] as RpcCall, response));
    return mapConcurrently(calls, MAX_CONCURRENT_REQUESTS, async (call, index) => {
      const response = received[index] ?? null;
      return isAnswered(response) ? this.#interpret(call, response) : this.#sendSingle(call, signal);
    });
  }

  async #sendInBatches(calls: readonly RpcCall[], signal: AbortSignal | undefined): Promise<RpcResponse[]> {
    if (this.#batches.limit === 1) {
      const tried = calls.length > 1 && this.#batches.tryBatch() ? calls.slice(0, 2) : [];
      const [together, singles] = await Promise.all([
        tried.length > 0 ? this.#sendBatchOrSingles(tried, signal) : [],
        this.#sendOneByOne(calls.slice(tried.length), signal),
      ]);
      this.#batches.onSinglesAnswered(singles.length);
      return [...together, ...singles];
    }
    const goodSize =
      calls.length <= 2 * GOOD_BATCH_SIZE
        ? calls.length
        : Math.max(GOOD_BATCH_SIZE, Math.ceil(calls.length / MAX_CONCURRENT_REQUESTS));
    const size = Math.min(goodSize, this.#batches.limit);
    if (size >= calls.length) return this.#sendBatchOrSingles(calls, signal);
    const batches: (readonly RpcCall[])[] = [];
    for (let from = 0; from < calls.length; from += size) batches.push(calls.slice(from, from + size));
    return (
      await mapConcurrently(batches, MAX_CONCURRENT_REQUESTS, batch => this.#sendBatchOrSingles(batch, signal))
    ).flat();
  }
}

/** Whether a call failed only because of its batch: too many at once, or the batch's response grew too long. */
function mayWorkAlone({ error }: RpcResponse): boolean {
  return error !== undefined && (isRateLimitError(error) || /batch|response too large/i.test(error.message));
}

function getBatchLabel(calls: readonly RpcCall[]): string {
  const names = [...new Set(calls.map(call => call.method))];
  return `${names.slice(0, 3).join(' + ')}${names.length > 3 ? ' + …' : ''} (batch of ${calls.length})`;
}
