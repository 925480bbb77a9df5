// One chain behind several nodes: the first usable one is queried, another one when it fails, is slow or is behind.
import { HexLensError, isFault, toFault } from '../../base/errors.ts';
import { HEADER_METHOD, parseAnnouncedHead } from './blockHeader.ts';
import {
  type Endpoint,
  EndpointPool,
  type EndpointPoolDeps,
  HEAD_CALL,
  type Observation,
  SLOW_NODE_MS,
} from './endpointPool.ts';
import type { RpcClient } from './rpcClient.ts';
import type { RpcCall, RpcResponse } from './rpcMessage.ts';
import { findHeader } from './rpcResults.ts';

/** Requests that are sent to a second node at the same time. */
const MAX_HEDGES = 8;

interface Attempt extends Observation {
  readonly responses: readonly RpcResponse[];
}

const isHeadCall = ({ method, params }: RpcCall) => method === HEADER_METHOD && params[0] === 'latest';

const createSlowFault = ({ faults }: RpcClient) =>
  faults.fromHttpFault(
    new HexLensError('node-timeout', 'It is slower than another one.'),
    SLOW_NODE_MS / 1_000,
    HEADER_METHOD,
  );

/** A fault that every node would have, or of a request that was cancelled. */
const isFinal = (fault: HexLensError) => isFault(fault, 'cancelled', 'too-large');
/** A fault that may be of this request only: a check tells whether the node works. */
const mayBeOfRequest = (fault: HexLensError) => isFault(fault, 'node-answer', 'node-timeout');

/** Behaves as one node. Reads only, so that any call may be sent twice. */
export function createFallbackRpc(deps: EndpointPoolDeps): RpcClient {
  const { clock, clients } = deps;
  const pool = new EndpointPool(deps);
  let attempts = 0;
  let hedges = 0;

  const attempt = async (endpoint: Endpoint, calls: readonly RpcCall[], signal: AbortSignal | undefined) => {
    const order = ++attempts;
    const { generation } = pool;
    const wasActive = endpoint === pool.active;
    // Another node than before may have fallen behind since it was checked: its head is requested too.
    const needsNoHead = wasActive || calls.some(isHeadCall);
    const all = needsNoHead ? calls : [HEAD_CALL, ...calls];
    const responses = await endpoint.rpc.sendAll(all, signal);
    const at = all.findIndex(isHeadCall);
    const head = at < 0 ? null : (findHeader(endpoint.rpc, responses[at])?.number ?? null);
    const fault = endpoint === pool.active || (head === null && wasActive) ? null : pool.findHeadFault(endpoint, head);
    if (fault !== null) throw fault;
    return { endpoint, order, generation, head, responses: needsNoHead ? responses : responses.slice(1) };
  };

  /** Asks `second` too when `first` has not responded in time; the first response counts. Rejects with the fault of `first`. */
  const race = async (
    first: Endpoint,
    second: Endpoint | undefined,
    calls: readonly RpcCall[],
    signal: AbortSignal | undefined,
    onSecondFailed: (fault: HexLensError) => void,
  ): Promise<Attempt> => {
    if (second === undefined) return attempt(first, calls, signal);
    const ending = new AbortController();
    const both = signal === undefined ? ending.signal : AbortSignal.any([signal, ending.signal]);
    const answered = new AbortController();
    const firstAttempt = attempt(first, calls, both).finally(() => answered.abort());
    firstAttempt.catch(() => {}); // awaited below
    const isLate = await clock.sleep(SLOW_NODE_MS, AbortSignal.any([both, answered.signal])).then(
      () => true,
      () => false,
    );
    if (!isLate || hedges >= MAX_HEDGES) return firstAttempt;
    hedges++;
    try {
      const winner = await Promise.any([firstAttempt, attempt(second, calls, both)]);
      if (winner.endpoint === second) pool.fail(first, createSlowFault(first.rpc));
      return winner;
    } catch (error) {
      if (!(error instanceof AggregateError)) throw error;
      onSecondFailed(toFault(error.errors[1]));
      throw error.errors[0];
    } finally {
      hedges--;
      ending.abort();
    }
  };

  /** The attempt that got responses, with the node that they are of. */
  const sendToAny = async (calls: readonly RpcCall[], signal: AbortSignal | undefined): Promise<Attempt> => {
    /** Nodes that this request failed with, and why. */
    const tried = new Map<Endpoint, HexLensError>();
    for (;;) {
      const [first, second] = (await pool.findReady(signal)).filter(endpoint => !tried.has(endpoint));
      if (first === undefined) {
        const [own] = tried.values();
        throw own ?? pool.endpoints.find(({ fault }) => fault !== null)?.fault ?? createSlowFault(pool.preferred.rpc);
      }
      const { generation } = pool;
      const recordFailure = (endpoint: Endpoint, fault: HexLensError) => {
        if (isFinal(fault) || signal?.aborted === true) return;
        tried.set(endpoint, fault);
        if (generation !== pool.generation) return;
        if (mayBeOfRequest(fault)) pool.suspect(endpoint);
        else pool.fail(endpoint, fault);
      };
      try {
        const attempted = await race(first, second, calls, signal, fault => second && recordFailure(second, fault));
        if (attempted.generation === pool.generation) attempted.endpoint.failures = 0;
        pool.observe(attempted);
        return attempted;
      } catch (error) {
        const fault = toFault(error);
        if (isFinal(fault) || signal?.aborted === true) throw fault;
        recordFailure(first, fault);
      }
    }
  };
  const sendOne = async (call: RpcCall, signal: AbortSignal | undefined) => {
    const { responses, endpoint } = await sendToAny([call], signal);
    const [response] = responses;
    if (response === undefined) throw endpoint.rpc.invalidResponse(call.method, 'there is none');
    return { response, faults: endpoint.rpc.faults };
  };
  const getCurrent = () => pool.active ?? pool.preferred;
  /** The node that is used, unless only another one has a WebSocket. */
  const getAnnouncing = () => {
    const used = getCurrent();
    return used.rpc.isWebSocket ? used : (pool.getReady().find(({ rpc }) => rpc.isWebSocket) ?? used);
  };

  /** Ends when the node that announces heads fails or another one is used, so that the caller subscribes again. */
  const subscribeToHeads: RpcClient['subscribeToHeads'] = async (onSubscribed, onHead, signal) => {
    const endpoint = getAnnouncing();
    const { rpc } = endpoint;
    const { generation } = pool;
    const ending = pool.subscribe(endpoint);
    const onAnnounced = (header: unknown) => {
      if (endpoint.state !== 'ready') ending.abort();
      if (ending.signal.aborted) return;
      if (endpoint !== getCurrent()) return onHead(header, true);
      const head = parseAnnouncedHead(header)?.number ?? null;
      pool.observe({ endpoint, order: ++attempts, generation, head });
      onHead(header, false);
    };
    if (rpc.subscribeToHeads === undefined) throw createSlowFault(rpc);
    return rpc.subscribeToHeads(onSubscribed, onAnnounced, AbortSignal.any([signal, ending.signal]));
  };

  return {
    get host() {
      return getCurrent().rpc.host;
    },
    isLoopback: clients.every(({ isLoopback }) => isLoopback),
    get isWebSocket() {
      return getAnnouncing().rpc.isWebSocket;
    },
    get subscribeToHeads() {
      return getAnnouncing().rpc.subscribeToHeads && subscribeToHeads;
    },
    get faults() {
      return getCurrent().rpc.faults;
    },
    isAvailable: method => getCurrent().rpc.isAvailable(method),
    async send(method, params, signal) {
      return (await sendOne({ method, params }, signal)).response;
    },
    sendStreamed: (method, params, onChunk, signal) => getCurrent().rpc.sendStreamed(method, params, onChunk, signal),
    async sendAll(calls, signal) {
      return calls.length === 0 ? [] : (await sendToAny(calls, signal)).responses;
    },
    async request(method, params, signal) {
      const { response, faults } = await sendOne({ method, params }, signal);
      if (response.error !== undefined) throw faults.fromRpcError(method, response.error);
      return response.result;
    },
    reset: () => pool.reset(),
    invalidResponse: (method, why, options) => getCurrent().rpc.invalidResponse(method, why, options),
  };
}
