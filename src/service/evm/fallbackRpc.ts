// One chain behind several nodes: the first usable one is queried, another one when it fails, is slow or is behind.
import type { Clock } from '../../base/clock.ts';
import { HexLensError, isFault, toFault } from '../../base/errors.ts';
import { type Hex, parseSafeQuantity } from '../../base/hex.ts';
import type { Log } from '../../base/log.ts';
import { raceAbort } from '../../base/raceAbort.ts';
import { RequestDeduplicator } from '../../base/requestDeduplicator.ts';
import { type BlockHeader, HEADER_METHOD, parseAnnouncedHead, parseHeader, toHeaderCall } from './blockHeader.ts';
import { createNodeBehindFault, createOtherGenesisFault, createWrongChainFault } from './nodeFaults.ts';
import { InvalidResponseError } from './responseFields.ts';
import type { RpcClient } from './rpcClient.ts';
import type { RpcCall, RpcResponse } from './rpcMessage.ts';

/** A node that is slower than this has another one asked beside it: longer than almost all responses take. */
const HEDGE_MS = 1_500;
/** Requests that are sent to a second node at the same time. */
const MAX_HEDGES = 8;
/** A node that failed is checked again after this, then after twice as long, up to the maximum. */
const FIRST_RETRY_MS = 1_000;
const MAX_RETRY_MS = 60_000;
/** Nodes of one chain are rarely at the same block: a preferred one may be so many behind the others when they are compared. */
const MAX_LAG_BLOCKS = 2;
/** When the head has not changed for so long, and at most so often, the other nodes are queried for theirs. */
const STUCK_HEAD_MS = 30_000;
/** When the node that the newest block came from has failed for so long, the others are used although they do not have it. */
const LOST_HEAD_MS = 60_000;

export interface FallbackRpcDeps {
  readonly selector: string;
  /** The preferred one first. */
  readonly clients: readonly [RpcClient, ...RpcClient[]];
  /** That of the selector; `null` where any chain may be there: then the first node decides. */
  readonly expectedChainId: number | null;
  readonly clock: Clock;
  readonly log: Log;
}

/** What all nodes of a chain have in common. */
interface Identity {
  readonly chainId: number;
  /** `null` where the node no longer has the first block. */
  readonly genesisHash: Hex | null;
}

interface CheckedNode extends Identity {
  readonly head: number;
}

interface Endpoint {
  readonly rpc: RpcClient;
  /** `suspected`: a request failed in a way that may be due to the request. */
  state: 'unchecked' | 'ready' | 'suspected' | 'failed';
  /** Why it can not be used. */
  fault: HexLensError | null;
  failures: number;
  /** Since when it can not be used, while it can not. */
  failedSince: number;
  /** When it may be checked again. */
  retryAt: number;
  checking: Promise<void> | null;
}

interface Attempt {
  readonly endpoint: Endpoint;
  /** Attempts are numbered in the order in which they were begun. */
  readonly order: number;
  readonly generation: number;
  /** The newest block, where it was requested. */
  readonly head: number | null;
  readonly responses: readonly RpcResponse[];
}

const HEAD_CALL = toHeaderCall('latest');
const CHECK_CALLS: readonly RpcCall[] = [{ method: 'eth_chainId', params: [] }, toHeaderCall(0), HEAD_CALL];

const isHeadCall = ({ method, params }: RpcCall) => method === HEADER_METHOD && params[0] === 'latest';

function parseHeaderOf(rpc: RpcClient, response: RpcResponse | undefined): BlockHeader | null {
  try {
    return response?.error === undefined ? parseHeader(response?.result) : null;
  } catch (error) {
    if (error instanceof InvalidResponseError) throw rpc.invalidResponse(HEADER_METHOD, error.message);
    throw error;
  }
}

const createSlowFault = ({ faults }: RpcClient) =>
  faults.fromHttpFault(new HexLensError('node-timeout', 'It is slower than another one.'), HEDGE_MS / 1_000);

/** A fault that every node would have, or of a request that was cancelled. */
const isFinal = (fault: HexLensError) => isFault(fault, 'cancelled', 'too-large');
/** A fault that may be of this request only: a check tells whether the node works. */
const mayBeOfRequest = (fault: HexLensError) => isFault(fault, 'node-answer', 'node-timeout');

async function fetchCheckedNode(rpc: RpcClient): Promise<CheckedNode> {
  const [id, genesis, latest] = await rpc.sendAll(CHECK_CALLS);
  const chainId = parseSafeQuantity(id?.result);
  if (id?.error !== undefined) throw rpc.faults.fromRpcError('eth_chainId', id.error);
  if (chainId === null) throw rpc.invalidResponse('eth_chainId', 'it is not a chain id');
  const head = parseHeaderOf(rpc, latest);
  if (head === null) throw rpc.invalidResponse(HEADER_METHOD, 'there is no latest block');
  return { chainId, genesisHash: parseHeaderOf(rpc, genesis)?.hash ?? null, head: head.number };
}

/**
 * Behaves as one node. Reads only, so that any call may be sent twice. The head never goes back because another node
 * answers: what a node says is used only while it has the newest block that was seen of the chain.
 */
export function createFallbackRpc({ selector, clients, expectedChainId, clock, log }: FallbackRpcDeps): RpcClient {
  const endpoints = clients.map(
    (rpc): Endpoint => ({
      rpc,
      state: 'unchecked',
      fault: null,
      failures: 0,
      failedSince: 0,
      retryAt: 0,
      checking: null,
    }),
  );
  const [preferred] = endpoints as [Endpoint, ...Endpoint[]];
  const opening = new RequestDeduplicator<void>();
  let identity: Identity | null = null;
  /** The node that responded last. */
  let active: Endpoint | null = null;
  /** The newest block that was returned, and the node that returned it. */
  let newestHead: {
    readonly head: number;
    readonly from: Endpoint;
    readonly since: number;
    readonly order: number;
  } | null = null;
  let comparedAt = 0;
  let attempts = 0;
  let hedges = 0;
  /** Counts resets: checks from before one are void. */
  let generation = 0;
  /** The node that announces heads, and what ends its subscription. */
  let subscription: { readonly endpoint: Endpoint; readonly ending: AbortController } | null = null;

  const fail = (endpoint: Endpoint, fault: HexLensError) => {
    const isNew = endpoint.fault?.message !== fault.message;
    const now = clock.now();
    if (endpoint.state === 'ready' || endpoint.state === 'unchecked') endpoint.failedSince = now;
    // Requests that fail at the same time are one failure.
    if (endpoint.state !== 'failed' || now >= endpoint.retryAt)
      endpoint.retryAt = now + Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** endpoint.failures++);
    endpoint.state = 'failed';
    endpoint.fault = fault;
    if (endpoint === subscription?.endpoint) subscription.ending.abort(); // its heads would be ahead of the nodes that are used
    if (isNew) log.warn(`${fault.message} Until that changes, the other nodes of ${selector} are used.`);
  };

  const applyCheck = (endpoint: Endpoint, { chainId, genesisHash, head }: CheckedNode) => {
    const { host } = endpoint.rpc;
    const expected = expectedChainId ?? identity?.chainId ?? chainId;
    if (chainId !== expected) return fail(endpoint, createWrongChainFault(selector, host, expected, chainId));
    const genesis = identity?.genesisHash ?? genesisHash;
    if (genesisHash !== null && genesisHash !== genesis) return fail(endpoint, createOtherGenesisFault(selector, host));
    identity = { chainId, genesisHash: genesis };
    if (newestHead !== null && endpoint !== active && head < newestHead.head)
      return fail(endpoint, createNodeBehindFault(selector, host, newestHead.head - head));
    if (endpoint.state === 'failed') log.info(`The node of ${selector} (${host}) can be used again.`);
    endpoint.state = 'ready';
    endpoint.fault = null;
  };

  /** Not cancelled with the request that began it: several may wait for it. */
  const check = (endpoint: Endpoint): Promise<void> => {
    const begun = generation;
    endpoint.checking ??= fetchCheckedNode(endpoint.rpc)
      .then(
        checked => {
          if (begun === generation) applyCheck(endpoint, checked);
        },
        error => {
          if (begun === generation) fail(endpoint, toFault(error));
        },
      )
      .finally(() => {
        endpoint.checking = null;
      });
    return endpoint.checking;
  };

  /** Not used until a check has shown that the node works. */
  const suspect = (endpoint: Endpoint) => {
    if (endpoint.state === 'ready') Object.assign(endpoint, { state: 'suspected', failedSince: clock.now() });
    void check(endpoint);
  };

  /** Checks all nodes, waiting for slow ones only as long as for any response; the first one in order decides which chain it is. */
  const open = async (signal: AbortSignal) => {
    const begun = generation;
    const done = new Map<Endpoint, CheckedNode | HexLensError>();
    let isOver = false;
    const settle = (endpoint: Endpoint, result: CheckedNode | HexLensError) => {
      if (begun !== generation) return;
      if (result instanceof Error) fail(endpoint, result);
      else applyCheck(endpoint, result);
    };
    const checks = endpoints.map(async endpoint => {
      const result = await fetchCheckedNode(endpoint.rpc).catch(toFault);
      if (isOver) settle(endpoint, result);
      else done.set(endpoint, result);
      if (result instanceof Error) throw result;
    });
    for (const [index, endpoint] of endpoints.entries()) {
      const checking = checks[index]?.catch(() => {}) ?? Promise.resolve();
      endpoint.checking = checking.finally(() => {
        endpoint.checking = null;
      });
    }
    const ending = new AbortController();
    const late = Promise.any(checks)
      .then(() => clock.sleep(HEDGE_MS, ending.signal))
      .catch(() => Promise.allSettled(checks));
    await raceAbort(Promise.race([Promise.allSettled(checks), late]), signal).finally(() => ending.abort());
    isOver = true;
    for (const endpoint of endpoints) {
      const result = done.get(endpoint);
      if (result !== undefined) settle(endpoint, result);
    }
    const heads = new Map(
      [...done].flatMap(([endpoint, result]) =>
        result instanceof Error || endpoint.state !== 'ready' ? [] : [[endpoint, result.head] as const],
      ),
    );
    const best = Math.max(...heads.values());
    for (const [endpoint, head] of heads)
      if (head < best - MAX_LAG_BLOCKS) fail(endpoint, createNodeBehindFault(selector, endpoint.rpc.host, best - head));
  };

  /**
   * A block that only a stopped node had may never be in the chain of the others. Whether they contradict what is known to
   * be final is checked of every head, see `EvmNode`; the index undoes only blocks that they replaced.
   */
  const forgetLostHead = () => {
    if (
      newestHead === null ||
      newestHead.from.state !== 'failed' ||
      clock.now() - newestHead.from.failedSince < LOST_HEAD_MS
    )
      return;
    log.warn(
      `Block ${newestHead.head} of ${selector} is no longer waited for: only ${newestHead.from.rpc.host} had it.`,
    );
    newestHead = null;
  };

  const getReady = () => endpoints.filter(({ state }) => state === 'ready');
  /** Checks all nodes until one is ready. */
  const checkAll = () =>
    new Promise<void>(resolve => {
      let left = endpoints.length;
      for (const endpoint of endpoints)
        void check(endpoint).then(() => {
          if (--left === 0 || getReady().length > 0) resolve();
        });
    });
  /** Ready nodes in order. Those that failed are checked again in the background; where none is ready, that is waited for. */
  const findReady = async (signal: AbortSignal | undefined): Promise<readonly Endpoint[]> => {
    forgetLostHead();
    if (endpoints.every(({ state }) => state === 'unchecked')) await opening.join(`${generation}`, open, signal);
    const now = clock.now();
    for (const endpoint of endpoints) if (endpoint.state === 'failed' && now >= endpoint.retryAt) void check(endpoint);
    if (getReady().length === 0) await (signal === undefined ? checkAll() : raceAbort(checkAll(), signal));
    return getReady();
  };

  const attempt = async (endpoint: Endpoint, calls: readonly RpcCall[], signal: AbortSignal | undefined) => {
    const order = ++attempts;
    const begun = generation;
    const wasActive = endpoint === active;
    // Another node than before may have fallen behind since it was checked: its head is requested too.
    const needsNoHead = wasActive || calls.some(isHeadCall);
    const all = needsNoHead ? calls : [HEAD_CALL, ...calls];
    const responses = await endpoint.rpc.sendAll(all, signal);
    const at = all.findIndex(isHeadCall);
    const head = at < 0 ? null : (parseHeaderOf(endpoint.rpc, responses[at])?.number ?? null);
    if (endpoint !== active && newestHead !== null && (head === null ? !wasActive : head < newestHead.head))
      throw head === null
        ? endpoint.rpc.invalidResponse(HEADER_METHOD, 'there is no latest block')
        : createNodeBehindFault(selector, endpoint.rpc.host, newestHead.head - head);
    return { endpoint, order, generation: begun, head, responses: needsNoHead ? responses : responses.slice(1) };
  };

  /** The head of the node has not changed for long: whether others have newer blocks. */
  const compareHeads = async (compared: Endpoint, head: number) => {
    comparedAt = clock.now();
    const begun = generation;
    for (const endpoint of getReady()) {
      if (endpoint === compared) continue;
      const found = await fetchCheckedNode(endpoint.rpc).catch(toFault);
      if (begun !== generation || active !== compared) return;
      if (found instanceof Error) fail(endpoint, found);
      else {
        applyCheck(endpoint, found);
        if (endpoint.state === 'ready' && found.head > head + MAX_LAG_BLOCKS)
          return fail(compared, createNodeBehindFault(selector, compared.rpc.host, found.head - head));
      }
    }
  };

  const commit = ({ endpoint, order, generation: begun, head }: Attempt) => {
    if (begun !== generation) return;
    const isOlder = newestHead !== null && order < newestHead.order;
    if (active !== endpoint && !isOlder) {
      log.debug(`Requests of ${selector} go to ${endpoint.rpc.host}.`);
      active = endpoint;
      subscription?.ending.abort(); // another node may be ahead of the one that announces its heads
    }
    const now = clock.now();
    if (head === null || isOlder) return;
    newestHead = { head, from: endpoint, order, since: newestHead?.head === head ? newestHead.since : now };
    if (now - newestHead.since >= STUCK_HEAD_MS && now - comparedAt >= STUCK_HEAD_MS) void compareHeads(endpoint, head);
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
    const isLate = await clock.sleep(HEDGE_MS, AbortSignal.any([both, answered.signal])).then(
      () => true,
      () => false,
    );
    if (!isLate || hedges >= MAX_HEDGES) return firstAttempt;
    hedges++;
    try {
      const winner = await Promise.any([firstAttempt, attempt(second, calls, both)]);
      if (winner.endpoint === second) fail(first, createSlowFault(first.rpc));
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
      const [first, second] = (await findReady(signal)).filter(endpoint => !tried.has(endpoint));
      if (first === undefined) {
        const [own] = tried.values();
        throw own ?? endpoints.find(({ fault }) => fault !== null)?.fault ?? createSlowFault(preferred.rpc);
      }
      const begun = generation;
      const recordFailure = (endpoint: Endpoint, fault: HexLensError) => {
        if (isFinal(fault) || signal?.aborted === true) return;
        tried.set(endpoint, fault);
        if (begun !== generation) return;
        if (mayBeOfRequest(fault)) suspect(endpoint);
        else fail(endpoint, fault);
      };
      try {
        const attempted = await race(first, second, calls, signal, fault => second && recordFailure(second, fault));
        if (attempted.generation === generation) attempted.endpoint.failures = 0;
        commit(attempted);
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
  const getCurrent = () => (active ?? preferred).rpc;
  /** The node that is used, unless only another one has a WebSocket. */
  const getAnnouncing = () => {
    const used = active ?? preferred;
    return used.rpc.isWebSocket ? used : (getReady().find(({ rpc }) => rpc.isWebSocket) ?? used);
  };

  /** Ends when the node that announces heads fails or another one is used, so that the caller subscribes again. */
  const subscribeToHeads: RpcClient['subscribeToHeads'] = async (onSubscribed, onHead, signal) => {
    const endpoint = getAnnouncing();
    const { rpc } = endpoint;
    const begun = generation;
    const ending = new AbortController();
    subscription = { endpoint, ending };
    const onAnnounced = (header: unknown) => {
      if (endpoint.state !== 'ready') ending.abort();
      if (ending.signal.aborted) return;
      if (endpoint !== (active ?? preferred)) return onHead(header, true);
      const head = parseAnnouncedHead(header)?.number ?? null;
      commit({ endpoint, order: ++attempts, generation: begun, head, responses: [] });
      onHead(header, false);
    };
    if (rpc.subscribeToHeads === undefined) throw createSlowFault(rpc);
    return rpc.subscribeToHeads(onSubscribed, onAnnounced, AbortSignal.any([signal, ending.signal]));
  };

  return {
    get host() {
      return getCurrent().host;
    },
    isLoopback: clients.every(({ isLoopback }) => isLoopback),
    get isWebSocket() {
      return getAnnouncing().rpc.isWebSocket;
    },
    get subscribeToHeads() {
      return getAnnouncing().rpc.subscribeToHeads && subscribeToHeads;
    },
    get faults() {
      return getCurrent().faults;
    },
    isAvailable: method => getCurrent().isAvailable(method),
    async send(method, params, signal) {
      return (await sendOne({ method, params }, signal)).response;
    },
    async sendAll(calls, signal) {
      return calls.length === 0 ? [] : (await sendToAny(calls, signal)).responses;
    },
    async request(method, params, signal) {
      const { response, faults } = await sendOne({ method, params }, signal);
      if (response.error !== undefined) throw faults.fromRpcError(method, response.error);
      return response.result;
    },
    reset() {
      generation++;
      identity = null;
      active = null;
      newestHead = null;
      for (const endpoint of endpoints) {
        endpoint.rpc.reset();
        Object.assign(endpoint, {
          state: 'unchecked',
          fault: null,
          failures: 0,
          failedSince: 0,
          retryAt: 0,
        } satisfies Partial<Endpoint>);
      }
    },
    invalidResponse: (method, why, options) => getCurrent().invalidResponse(method, why, options),
  };
}
