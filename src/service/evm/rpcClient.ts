// JSON-RPC calls to one node, singly and in batches as large as it takes, and which methods it turned out to lack.
import { getBasicAuthorization } from '../../base/basicAuthorization.ts';
import type { Clock } from '../../base/clock.ts';
import { createCancelledFault, type FaultOptions, HexLensError } from '../../base/errors.ts';
import type { HideKeys, HttpPort } from '../../base/httpPort.ts';
import { localizable } from '../../base/localize.ts';
import type { Log } from '../../base/log.ts';
import { isLoopbackHost } from '../../base/loopback.ts';
import { mapConcurrently } from '../../base/mapConcurrently.ts';
import { createNodeFaults, NODE_SETTING, type NodeFaults } from './nodeFaults.ts';
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
import { createRpcTransport } from './rpcTransport.ts';

/** Calls per batch until a node names another limit: the smallest that providers usually have. */
const DEFAULT_BATCH_LIMIT = 100;
/**
 * Measured on Anvil: up to some 25 small calls one batch takes as long as one call, and single calls 2 to 4 times as long;
 * 80 receipts take 3.9 ms in one batch, 2.3 ms in four, 7 ms singly. (Two large responses arrive sooner side by side than
 * in one batch: a block and its receipts are two requests.)
 */
const GOOD_BATCH_SIZE = 25;
/** HTTP requests under way at once for one `sendAll`. */
const MAX_CONCURRENT_REQUESTS = 8;
/**
 * After a batch failed although its calls work singly, so many calls are sent singly before a batch of two is tried; twice
 * as many after each such batch that fails too, for nodes that never take one.
 */
const SINGLES_BEFORE_BATCH = 25;
const MAX_SINGLES_BEFORE_BATCH = 10_000;
/** By so much the batch size grows again with each batch that was answered. */
const BATCH_SIZE_STEP = 4;
/** A node may take long to trace a transaction of a million steps. */
const STREAM_TIMEOUT_MS = 120_000;
const SUBSCRIBE_METHOD = 'eth_subscribe';
/** A limit that was named, or a method that was missing, is tried again after this: nodes are restarted with other flags. */
export const LEARNED_LIMIT_MS = 10 * 60_000;

/** Of the next call to any node: clients share WebSockets, where the id alone tells which call a response answers. */
let nextId = 1;

export interface RpcClientDeps {
  /** The chain's name in messages: `local`. */
  readonly selector: string;
  /** The URL is not configured: messages name it, and no chain. */
  readonly isTried?: boolean;
  readonly url: string;
  readonly http: HttpPort;
  readonly clock: Clock;
  readonly log: Log;
  readonly timeoutMs: number;
  /** Returns a number from 0 to 1; `Math.random` when absent. */
  readonly random?: () => number;
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
  return { url: url.href, host: url.host, isLoopback: isLoopbackHost(url.hostname), headers };
}

export function createRpcClient(deps: RpcClientDeps): RpcClient {
  const { selector, http, clock, log, timeoutMs, random = Math.random } = deps;
  const address = parseNodeAddress(deps.url);
  const host = address?.host ?? 'no valid address';
  const isLoopback = address?.isLoopback ?? false;
  const faults = createNodeFaults(deps.isTried === true ? null : selector, host, isLoopback);
  const transport = createRpcTransport({
    url: address?.url ?? '',
    headers: address?.headers ?? {},
    ...{ http, clock, log, faults, timeoutMs, random },
  });
  /** Calls that the node takes at once, by its own words, and since when: it may be the limit of one gateway. */
  let named = { batchLimit: DEFAULT_BATCH_LIMIT, at: 0 };
  const getNamedLimit = () => (clock.now() - named.at < LEARNED_LIMIT_MS ? named.batchLimit : DEFAULT_BATCH_LIMIT);
  /** Calls that are sent at once at present. */
  let batchLimit = DEFAULT_BATCH_LIMIT;
  let singlesBeforeBatch = SINGLES_BEFORE_BATCH;
  let singlesSinceFailure = 0;
  /** Method -> time at which the node returned that it does not have it. */
  const missingMethods = new Map<string, number>();

  const isAvailable = (method: string) => {
    const since = missingMethods.get(method);
    if (since !== undefined && clock.now() - since < LEARNED_LIMIT_MS) return false;
    missingMethods.delete(method);
    return true;
  };
  /** What does not exist is `null`, and a missing method is noted. */
  const interpret = (call: RpcCall, response: RpcResponse): RpcResponse => {
    const { method } = call;
    if (response.error !== undefined && isNotFound(call, response.error)) return { result: null };
    if (response.error !== undefined && isMethodNotFound(response.error)) {
      if (!missingMethods.has(method)) log.debug(`The node of ${selector} (${host}) does not have ${method}.`);
      missingMethods.set(method, clock.now());
    }
    return response;
  };
  const setNamedBatchLimit = (limit: number) => {
    named = { batchLimit: Math.min(getNamedLimit(), limit), at: clock.now() };
    batchLimit = Math.min(batchLimit, named.batchLimit);
  };
  const onBatchAnswered = () => {
    singlesBeforeBatch = SINGLES_BEFORE_BATCH;
    batchLimit = Math.min(getNamedLimit(), batchLimit + BATCH_SIZE_STEP);
  };
  const onBatchFailed = () => {
    if (batchLimit === 2) singlesBeforeBatch = Math.min(2 * singlesBeforeBatch, MAX_SINGLES_BEFORE_BATCH);
    else if (batchLimit > 2) log.info(`The node of ${selector} (${host}) takes no batches: calls are sent one by one.`);
    batchLimit = 1;
    singlesSinceFailure = 0;
  };
  const onSinglesAnswered = (count: number) => {
    singlesSinceFailure += count;
    if (singlesSinceFailure >= singlesBeforeBatch) batchLimit = Math.min(getNamedLimit(), 2);
  };
  const assertReady = (signal: AbortSignal | undefined) => {
    if (signal?.aborted) throw createCancelledFault();
    if (address !== null) return;
    throw new HexLensError(
      'no-node',
      localizable('The address of the node of {0} is not an http, https, ws or wss URL.', selector),
      { fix: localizable('Correct it in {0}.', NODE_SETTING) },
    );
  };

  /** One call in one HTTP request. */
  async function sendSingle(call: RpcCall, signal: AbortSignal | undefined): Promise<RpcResponse> {
    const id = nextId++;
    const body = JSON.stringify(toRpcRequest(call, id));
    const parse = (value: unknown, hideKeys?: HideKeys) => parseSingleResponse(value, id, hideKeys);
    const response = await transport.post(body, call.method, parse, signal);
    return interpret(call, response);
  }

  /** Many calls in one HTTP request; `null` when the node does not take them like this. */
  async function sendBatch(
    calls: readonly RpcCall[],
    signal: AbortSignal | undefined,
  ): Promise<readonly (RpcResponse | null)[] | null> {
    const firstId = nextId;
    nextId += calls.length;
    const body = JSON.stringify(calls.map((call, index) => toRpcRequest(call, firstId + index)));
    const parse = (value: unknown, hideKeys?: HideKeys) => parseBatchResponse(value, firstId, calls.length, hideKeys);
    const batch = await transport.post(body, getBatchLabel(calls), parse, signal);
    if ('responses' in batch) return batch.responses;
    const limit = parseBatchLimit(batch.error, calls.length);
    if (limit !== null) {
      setNamedBatchLimit(limit);
      const accepted = limit === 1 ? 'no batches' : `${batchLimit} calls at once`;
      log.debug(`The node of ${selector} (${host}) takes ${accepted}.`);
    }
    return null;
  }

  const sendOneByOne = (calls: readonly RpcCall[], signal: AbortSignal | undefined) =>
    mapConcurrently(calls, MAX_CONCURRENT_REQUESTS, call => sendSingle(call, signal));

  /** A batch, and singly what the batch did not answer. */
  async function sendBatchOrSingles(
    calls: readonly RpcCall[],
    signal: AbortSignal | undefined,
  ): Promise<RpcResponse[]> {
    const [first] = calls;
    if (calls.length === 1 && first !== undefined) return [await sendSingle(first, signal)];
    let responses: readonly (RpcResponse | null)[] | null = null;
    const limitBefore = batchLimit;
    let batchFault: unknown = null;
    try {
      responses = await sendBatch(calls, signal);
    } catch (error) {
      // An error status or a malformed body may only mean that the node does not know batches.
      if (!(error instanceof HexLensError) || (error.code !== 'node-answer' && error.code !== 'too-large')) throw error;
      batchFault = error;
    }
    if (responses === null) {
      if (batchLimit < limitBefore && batchLimit > 1) return sendInBatches(calls, signal);
      const singles = await sendOneByOne(calls, signal).catch(error => {
        throw batchFault ?? error;
      });
      onBatchFailed();
      return singles;
    }
    onBatchAnswered();
    const received = responses;
    return mapConcurrently(calls, MAX_CONCURRENT_REQUESTS, async (call, index) => {
      const response = received[index] ?? null;
      return response === null || mayWorkAlone(response) ? sendSingle(call, signal) : interpret(call, response);
    });
  }

  async function sendInBatches(calls: readonly RpcCall[], signal: AbortSignal | undefined): Promise<RpcResponse[]> {
    if (batchLimit === 1) {
      const singles = await sendOneByOne(calls, signal);
      onSinglesAnswered(calls.length);
      return singles;
    }
    const goodSize =
      calls.length <= 2 * GOOD_BATCH_SIZE
        ? calls.length
        : Math.max(GOOD_BATCH_SIZE, Math.ceil(calls.length / MAX_CONCURRENT_REQUESTS));
    const size = Math.min(goodSize, batchLimit);
    const batches: (readonly RpcCall[])[] = [];
    for (let from = 0; from < calls.length; from += size) batches.push(calls.slice(from, from + size));
    return (await mapConcurrently(batches, MAX_CONCURRENT_REQUESTS, batch => sendBatchOrSingles(batch, signal))).flat();
  }

  const isWebSocket = address?.url.startsWith('ws') ?? false;
  const subscribe = isWebSocket || isLoopback ? http.subscribe?.bind(http) : undefined;
  const subscribeToHeads: RpcClient['subscribeToHeads'] =
    address === null || subscribe === undefined
      ? undefined
      : async (onSubscribed, onHead, signal) => {
          const id = nextId++;
          const ending = new AbortController();
          let isSubscribed = false;
          let failure: HexLensError | null = null;
          const onResponse = (value: unknown, hideKeys?: HideKeys) => {
            const response = parseSingleResponse(value, id, hideKeys);
            isSubscribed = !('problem' in response) && response.error === undefined;
            if (isSubscribed) return onSubscribed();
            if ('problem' in response) failure = faults.invalidResponse(response.problem);
            else if (response.error !== undefined) failure = faults.fromRpcError(SUBSCRIBE_METHOD, response.error);
            ending.abort();
          };
          const request = {
            url: address.url.replace(/^http/, 'ws'),
            headers: address.headers,
            body: JSON.stringify(toRpcRequest({ method: SUBSCRIBE_METHOD, params: ['newHeads'] }, id)),
            signal: AbortSignal.any([signal, ending.signal]),
            ...{ timeoutMs, logLabel: SUBSCRIBE_METHOD },
          };
          return subscribe({ method: 'POST', ...request }, (text, hideKeys) => {
            const value = parseMessage(text);
            if (!isSubscribed) onResponse(value, hideKeys);
            else if (isNotification(value)) onHead(value.params.result, false);
          }).catch(error => {
            throw failure ?? faults.fromHttpFault(error, Math.round(timeoutMs / 1000), SUBSCRIBE_METHOD);
          });
        };

  const sendStreamed: RpcClient['sendStreamed'] = async (method, params, onChunk, signal) => {
    assertReady(signal);
    const body = JSON.stringify(toRpcRequest({ method, params }, nextId++));
    const { url = '', headers = {} } = address ?? {};
    try {
      const request = { url, headers, body, signal, timeoutMs: STREAM_TIMEOUT_MS, logLabel: method, onChunk };
      const response = await http.send({ method: 'POST', ...request });
      // Where the body does not come in pieces: in a browser, and over WebSockets.
      if (response.body !== '') onChunk(new TextEncoder().encode(response.body));
    } catch (error) {
      throw faults.fromHttpFault(error, Math.round(STREAM_TIMEOUT_MS / 1000), method);
    }
  };
  const send: RpcClient['send'] = async (method, params, signal) => {
    assertReady(signal);
    return sendSingle({ method, params }, signal);
  };
  return {
    host,
    isLoopback,
    isWebSocket,
    faults,
    isAvailable,
    send,
    sendStreamed,
    ...(subscribeToHeads !== undefined && { subscribeToHeads }),
    async request(method, params, signal) {
      const response = await send(method, params, signal);
      if (response.error !== undefined) throw faults.fromRpcError(method, response.error);
      return response.result;
    },
    async sendAll(calls, signal) {
      assertReady(signal);
      return calls.length === 0 ? [] : sendInBatches(calls, signal);
    },
    reset() {
      missingMethods.clear();
      named = { batchLimit: DEFAULT_BATCH_LIMIT, at: 0 };
      batchLimit = DEFAULT_BATCH_LIMIT;
      singlesBeforeBatch = SINGLES_BEFORE_BATCH;
    },
    invalidResponse: (method, why, options) =>
      faults.invalidResponse(`gave an answer to ${method} that cannot be true: ${why}`, options),
  };
}

/** Whether a call failed only because of its batch: too many at once, or the batch's response grew too long. */
function mayWorkAlone({ error }: RpcResponse): boolean {
  return error !== undefined && (isRateLimitError(error) || /batch|response too large/i.test(error.message));
}

function getBatchLabel(calls: readonly RpcCall[]): string {
  const names = [...new Set(calls.map(call => call.method))];
  return `${names.slice(0, 3).join(' + ')}${names.length > 3 ? ' + …' : ''} (batch of ${calls.length})`;
}
