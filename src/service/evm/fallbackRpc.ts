// One chain behind several nodes: the first usable one is queried, another one when it fails, is slow or is behind.
import type { Clock } from '../../base/clock.ts';
import { type FaultOptions, HexLensError, isFault, toFault } from '../../base/errors.ts';
import { HEADER_METHOD, parseAnnouncedHead } from './blockHeader.ts';
import {
  type Endpoint,
  EndpointPool,
  type EndpointPoolDeps,
  HEAD_CALL,
  type Observation,
  SLOW_NODE_MS,
} from './endpointPool.ts';
import type { NodeFaults } from './nodeFaults.ts';
import type { OnAnnouncedHead, RpcClient } from './rpcClient.ts';
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
export class FallbackRpc implements RpcClient {
  readonly isLoopback: boolean;
  readonly #clock: Clock;
  readonly #pool: EndpointPool;
  /** Requests so far. */
  #attempts = 0;
  /** Requests that are sent to a second node at present. */
  #hedges = 0;

  constructor(deps: EndpointPoolDeps) {
    this.#clock = deps.clock;
    this.#pool = new EndpointPool(deps);
    this.isLoopback = deps.clients.every(({ isLoopback }) => isLoopback);
  }

  get host(): string {
    return this.#current.rpc.host;
  }

  get isWebSocket(): boolean {
    return this.#announcing.rpc.isWebSocket;
  }

  get subscribeToHeads(): RpcClient['subscribeToHeads'] {
    return (
      this.#announcing.rpc.subscribeToHeads &&
      ((onSubscribed, onHead, signal) => this.#subscribeToHeads(onSubscribed, onHead, signal))
    );
  }

  get faults(): NodeFaults {
    return this.#current.rpc.faults;
  }

  isAvailable(method: string): boolean {
    return this.#current.rpc.isAvailable(method);
  }

  async send(method: string, params: readonly unknown[], signal?: AbortSignal): Promise<RpcResponse> {
    return (await this.#sendOne({ method, params }, signal)).response;
  }

  sendStreamed(
    method: string,
    params: readonly unknown[],
    onChunk: (bytes: Uint8Array) => void,
    signal?: AbortSignal,
  ): Promise<void> {
    return this.#current.rpc.sendStreamed(method, params, onChunk, signal);
  }

  async sendAll(calls: readonly RpcCall[], signal?: AbortSignal): Promise<readonly RpcResponse[]> {
    return calls.length === 0 ? [] : (await this.#sendToAny(calls, signal)).responses;
  }

  async request(method: string, params: readonly unknown[], signal?: AbortSignal): Promise<unknown> {
    const { response, faults } = await this.#sendOne({ method, params }, signal);
    if (response.error !== undefined) throw faults.fromRpcError(method, response.error);
    return response.result;
  }

  reset(): void {
    this.#pool.reset();
  }

  invalidResponse(method: string, why: string, options?: FaultOptions): HexLensError {
    return this.#current.rpc.invalidResponse(method, why, options);
  }

  async #attempt(endpoint: Endpoint, calls: readonly RpcCall[], signal: AbortSignal | undefined): Promise<Attempt> {
    const order = ++this.#attempts;
    const { generation } = this.#pool;
    const wasActive = endpoint === this.#pool.active;
    // Another node than before may have fallen behind since it was checked: its head is requested too.
    const needsNoHead = wasActive || calls.some(isHeadCall);
    const all = needsNoHead ? calls : [HEAD_CALL, ...calls];
    const responses = await endpoint.rpc.sendAll(all, signal);
    const at = all.findIndex(isHeadCall);
    const head = at < 0 ? null : (findHeader(endpoint.rpc, responses[at])?.number ?? null);
    const fault =
      endpoint === this.#pool.active || (head === null && wasActive) ? null : this.#pool.findHeadFault(endpoint, head);
    if (fault !== null) throw fault;
    return { endpoint, order, generation, head, responses: needsNoHead ? responses : responses.slice(1) };
  }

  /** Asks `second` too when `first` has not responded in time; the first response counts. Rejects with the fault of `first`. */
  async #race(
    first: Endpoint,
    second: Endpoint | undefined,
    calls: readonly RpcCall[],
    signal: AbortSignal | undefined,
    onSecondFailed: (fault: HexLensError) => void,
  ): Promise<Attempt> {
    if (second === undefined) return this.#attempt(first, calls, signal);
    const ending = new AbortController();
    const both = signal === undefined ? ending.signal : AbortSignal.any([signal, ending.signal]);
    const answered = new AbortController();
    const firstAttempt = this.#attempt(first, calls, both).finally(() => answered.abort());
    firstAttempt.catch(() => {}); // awaited below
    const isLate = await this.#clock.sleep(SLOW_NODE_MS, AbortSignal.any([both, answered.signal])).then(
      () => true,
      () => false,
    );
    if (!isLate || this.#hedges >= MAX_HEDGES) return firstAttempt;
    this.#hedges++;
    try {
      const winner = await Promise.any([firstAttempt, this.#attempt(second, calls, both)]);
      if (winner.endpoint === second) this.#pool.fail(first, createSlowFault(first.rpc));
      return winner;
    } catch (error) {
      if (!(error instanceof AggregateError)) throw error;
      onSecondFailed(toFault(error.errors[1]));
      throw error.errors[0];
    } finally {
      this.#hedges--;
      ending.abort();
    }
  }

  /** The attempt that got responses, with the node that they are of. */
  async #sendToAny(calls: readonly RpcCall[], signal: AbortSignal | undefined): Promise<Attempt> {
    /** Nodes that this request failed with, and why. */
    const tried = new Map<Endpoint, HexLensError>();
    for (;;) {
      const [first, second] = (await this.#pool.findReady(signal)).filter(endpoint => !tried.has(endpoint));
      if (first === undefined) {
        const [own] = tried.values();
        throw (
          own ??
          this.#pool.endpoints.find(({ fault }) => fault !== null)?.fault ??
          createSlowFault(this.#pool.preferred.rpc)
        );
      }
      const { generation } = this.#pool;
      const recordFailure = (endpoint: Endpoint, fault: HexLensError) => {
        if (isFinal(fault) || signal?.aborted === true) return;
        tried.set(endpoint, fault);
        if (generation !== this.#pool.generation) return;
        if (mayBeOfRequest(fault)) this.#pool.suspect(endpoint);
        else this.#pool.fail(endpoint, fault);
      };
      try {
        const attempted = await this.#race(
          first,
          second,
          calls,
          signal,
          fault => second && recordFailure(second, fault),
        );
        if (attempted.generation === this.#pool.generation) attempted.endpoint.failures = 0;
        this.#pool.observe(attempted);
        return attempted;
      } catch (error) {
        const fault = toFault(error);
        if (isFinal(fault) || signal?.aborted === true) throw fault;
        recordFailure(first, fault);
      }
    }
  }

  async #sendOne(
    call: RpcCall,
    signal: AbortSignal | undefined,
  ): Promise<{ response: RpcResponse; faults: NodeFaults }> {
    const { responses, endpoint } = await this.#sendToAny([call], signal);
    const [response] = responses;
    if (response === undefined) throw endpoint.rpc.invalidResponse(call.method, 'there is none');
    return { response, faults: endpoint.rpc.faults };
  }

  get #current(): Endpoint {
    return this.#pool.active ?? this.#pool.preferred;
  }

  /** The node that is used, unless only another one has a WebSocket. */
  get #announcing(): Endpoint {
    const used = this.#current;
    return used.rpc.isWebSocket ? used : (this.#pool.getReady().find(({ rpc }) => rpc.isWebSocket) ?? used);
  }

  /** Ends when the node that announces heads fails or another one is used, so that the caller subscribes again. */
  async #subscribeToHeads(onSubscribed: () => void, onHead: OnAnnouncedHead, signal: AbortSignal): Promise<never> {
    const endpoint = this.#announcing;
    const { rpc } = endpoint;
    const { generation } = this.#pool;
    const ending = this.#pool.subscribe(endpoint);
    const onAnnounced = (header: unknown) => {
      if (endpoint.state !== 'ready') ending.abort();
      if (ending.signal.aborted) return;
      if (endpoint !== this.#current) return onHead(header, true);
      const head = parseAnnouncedHead(header)?.number ?? null;
      this.#pool.observe({ endpoint, order: ++this.#attempts, generation, head });
      onHead(header, false);
    };
    if (rpc.subscribeToHeads === undefined) throw createSlowFault(rpc);
    return rpc.subscribeToHeads(onSubscribed, onAnnounced, AbortSignal.any([signal, ending.signal]));
  }
}
