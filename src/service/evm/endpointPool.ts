// The nodes of one chain: which of them can be used, which one is, and which has the newest block.
import { getBackOffMs } from '../../base/backOff.ts';
import type { Clock } from '../../base/clock.ts';
import { type HexLensError, toFault } from '../../base/errors.ts';
import { type Hex, parseSafeQuantity } from '../../base/hex.ts';
import type { Log } from '../../base/log.ts';
import { raceAbort } from '../../base/raceAbort.ts';
import { RequestDeduplicator } from '../../base/requestDeduplicator.ts';
import { HEADER_METHOD, toHeaderCall } from './blockHeader.ts';
import { createNodeBehindFault, createOtherGenesisFault, createWrongChainFault } from './nodeFaults.ts';
import type { RpcClient } from './rpcClient.ts';
import type { RpcCall } from './rpcMessage.ts';
import { findHeader, getResult, requireHead } from './rpcResults.ts';

/** A node that is slower than this is slow: longer than almost all responses take. */
export const SLOW_NODE_MS = 1_500;
/** A node that failed is checked again after this. */
const RETRY_WAIT = { firstMs: 1_000, maxMs: 60_000 };
/** Nodes of one chain are rarely at the same block: a preferred one may be so many behind the others when they are compared. */
const MAX_LAG_BLOCKS = 2;
/** When the head has not changed for so long, and at most so often, the other nodes are queried for theirs. */
const STUCK_HEAD_MS = 30_000;
/** When the node that the newest block came from has failed for so long, the others are used although they do not have it. */
const LOST_HEAD_MS = 60_000;

export interface EndpointPoolDeps {
  readonly selector: string;
  /** The preferred one first. */
  readonly clients: readonly [RpcClient, ...RpcClient[]];
  /** The chain id that the selector names; `null` for `local`, which may be any chain: there the first node decides. */
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

export interface Endpoint {
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

/** A response of a node, as far as the pool needs it. */
export interface Observation {
  readonly endpoint: Endpoint;
  /** Requests are numbered in the order in which they were begun. */
  readonly order: number;
  readonly generation: number;
  /** The newest block, where it was requested. */
  readonly head: number | null;
}

const UNCHECKED = { state: 'unchecked', fault: null, failures: 0, failedSince: 0, retryAt: 0 } as const;

export const HEAD_CALL = toHeaderCall('latest');
const CHECK_CALLS: readonly RpcCall[] = [{ method: 'eth_chainId', params: [] }, toHeaderCall(0), HEAD_CALL];

async function fetchCheckedNode(rpc: RpcClient): Promise<CheckedNode> {
  const [id, genesis, latest] = await rpc.sendAll(CHECK_CALLS);
  const chainId = parseSafeQuantity(getResult(rpc, 'eth_chainId', id));
  if (chainId === null) throw rpc.invalidResponse('eth_chainId', 'it is not a chain id');
  const head = requireHead(rpc, latest);
  return { chainId, genesisHash: findHeader(rpc, genesis)?.hash ?? null, head: head.number };
}

/** The head never goes back: a node is used only while it has the newest block that was seen of the chain. */
export class EndpointPool {
  readonly endpoints: readonly Endpoint[];
  readonly preferred: Endpoint;
  /** The node that responded last. */
  active: Endpoint | null = null;
  /** Counts resets: what was begun before one is void. */
  generation = 0;
  readonly #deps: EndpointPoolDeps;
  readonly #opening = new RequestDeduplicator<void>();
  #identity: Identity | null = null;
  /** The newest block that was returned, and the node that returned it. */
  #newestHead: {
    readonly head: number;
    readonly from: Endpoint;
    readonly since: number;
    readonly order: number;
  } | null = null;
  #comparedAt = 0;
  /** The node that announces heads, and what ends its subscription. */
  #subscription: { readonly endpoint: Endpoint; readonly ending: AbortController } | null = null;

  constructor(deps: EndpointPoolDeps) {
    this.#deps = deps;
    this.endpoints = deps.clients.map((rpc): Endpoint => ({ rpc, ...UNCHECKED, checking: null }));
    [this.preferred] = this.endpoints as [Endpoint, ...Endpoint[]];
  }

  /** Ready nodes in order. Those that failed are checked again in the background; where none is ready, that is waited for. */
  async findReady(signal: AbortSignal | undefined): Promise<readonly Endpoint[]> {
    this.#forgetLostHead();
    if (this.endpoints.every(({ state }) => state === 'unchecked'))
      await this.#opening.join(`${this.generation}`, shared => this.#open(shared), signal);
    const now = this.#deps.clock.now();
    for (const endpoint of this.endpoints)
      if (endpoint.state === 'failed' && now >= endpoint.retryAt) void this.#check(endpoint);
    if (this.getReady().length === 0) await raceAbort(this.#checkAll(), signal);
    return this.getReady();
  }

  getReady(): readonly Endpoint[] {
    return this.endpoints.filter(({ state }) => state === 'ready');
  }

  /** Why a head that another node than the active one returned cannot be used; `null` when it can. */
  findHeadFault({ rpc }: Endpoint, head: number | null): HexLensError | null {
    if (this.#newestHead === null) return null;
    if (head === null) return rpc.invalidResponse(HEADER_METHOD, 'there is no latest block');
    const behind = this.#newestHead.head - head;
    return behind > 0 ? createNodeBehindFault(this.#deps.selector, rpc.host, behind) : null;
  }

  fail(endpoint: Endpoint, fault: HexLensError): void {
    const { clock, log, selector } = this.#deps;
    const isNew = endpoint.fault?.message !== fault.message;
    const now = clock.now();
    if (endpoint.state === 'ready' || endpoint.state === 'unchecked') endpoint.failedSince = now;
    // Requests that fail at the same time are one failure.
    if (endpoint.state !== 'failed' || now >= endpoint.retryAt)
      endpoint.retryAt = now + getBackOffMs(++endpoint.failures, RETRY_WAIT);
    endpoint.state = 'failed';
    endpoint.fault = fault;
    if (endpoint === this.#subscription?.endpoint) this.#subscription.ending.abort(); // its heads would be ahead of the nodes that are used
    if (isNew) log.warn(`${fault.message} Until that changes, the other nodes of ${selector} are used.`);
  }

  /** Not used until a check has shown that the node works. */
  suspect(endpoint: Endpoint): void {
    if (endpoint.state === 'ready')
      Object.assign(endpoint, { state: 'suspected', failedSince: this.#deps.clock.now() } satisfies Partial<Endpoint>);
    void this.#check(endpoint);
  }

  /** The node has responded. */
  observe({ endpoint, order, generation, head }: Observation): void {
    if (generation !== this.generation) return;
    const { clock, log, selector } = this.#deps;
    const isOlder = this.#newestHead !== null && order < this.#newestHead.order;
    if (this.active !== endpoint && !isOlder) {
      log.debug(`Requests of ${selector} go to ${endpoint.rpc.host}.`);
      this.active = endpoint;
      this.#subscription?.ending.abort(); // another node may be ahead of the one that announces its heads
    }
    const now = clock.now();
    if (head === null || isOlder) return;
    const since = this.#newestHead?.head === head ? this.#newestHead.since : now;
    this.#newestHead = { head, from: endpoint, order, since };
    if (now - since >= STUCK_HEAD_MS && now - this.#comparedAt >= STUCK_HEAD_MS)
      void this.#compareHeads(endpoint, head);
  }

  /** Aborted when the node fails or another one is used. */
  subscribe(endpoint: Endpoint): AbortController {
    const ending = new AbortController();
    this.#subscription = { endpoint, ending };
    return ending;
  }

  reset(): void {
    this.generation++;
    this.#identity = null;
    this.active = null;
    this.#newestHead = null;
    for (const endpoint of this.endpoints) {
      endpoint.rpc.reset();
      Object.assign(endpoint, UNCHECKED);
    }
  }

  /** The first node that was checked decides which chain it is. */
  #findIdentityFault({ rpc }: Endpoint, { chainId, genesisHash }: Identity): HexLensError | null {
    const { selector, expectedChainId } = this.#deps;
    const expected = expectedChainId ?? this.#identity?.chainId ?? chainId;
    if (chainId !== expected) return createWrongChainFault(selector, rpc.host, expected, chainId);
    const genesis = this.#identity?.genesisHash ?? genesisHash;
    return genesisHash === null || genesisHash === genesis ? null : createOtherGenesisFault(selector, rpc.host);
  }

  #applyCheck(endpoint: Endpoint, checked: CheckedNode): void {
    const identityFault = this.#findIdentityFault(endpoint, checked);
    if (identityFault === null)
      this.#identity = { chainId: checked.chainId, genesisHash: this.#identity?.genesisHash ?? checked.genesisHash };
    const fault = identityFault ?? (endpoint === this.active ? null : this.findHeadFault(endpoint, checked.head));
    if (fault !== null) {
      this.fail(endpoint, fault);
      return;
    }
    const { selector, log } = this.#deps;
    if (endpoint.state === 'failed') log.info(`The node of ${selector} (${endpoint.rpc.host}) can be used again.`);
    endpoint.state = 'ready';
    endpoint.fault = null;
  }

  #settle(endpoint: Endpoint, result: CheckedNode | HexLensError, begun: number): void {
    if (begun !== this.generation) return;
    if (result instanceof Error) this.fail(endpoint, result);
    else this.#applyCheck(endpoint, result);
  }

  /** Not cancelled with the request that began it: several may wait for it. */
  #check(endpoint: Endpoint): Promise<void> {
    const begun = this.generation;
    endpoint.checking ??= fetchCheckedNode(endpoint.rpc)
      .catch(toFault)
      .then(result => this.#settle(endpoint, result, begun))
      .finally(() => {
        endpoint.checking = null;
      });
    return endpoint.checking;
  }

  /** Checks all nodes until one is ready. */
  #checkAll(): Promise<void> {
    return new Promise(resolve => {
      let left = this.endpoints.length;
      for (const endpoint of this.endpoints)
        void this.#check(endpoint).then(() => {
          if (--left === 0 || this.getReady().length > 0) resolve();
        });
    });
  }

  /** Checks all nodes, waiting for slow ones only as long as for any response; the first one in order decides which chain it is. */
  async #open(signal: AbortSignal): Promise<void> {
    const { clock, selector } = this.#deps;
    const begun = this.generation;
    const done = new Map<Endpoint, CheckedNode | HexLensError>();
    let isOver = false;
    const checks = this.endpoints.map(async endpoint => {
      const result = await fetchCheckedNode(endpoint.rpc).catch(toFault);
      if (isOver) this.#settle(endpoint, result, begun);
      else done.set(endpoint, result);
      if (result instanceof Error) throw result;
    });
    for (const [index, endpoint] of this.endpoints.entries()) {
      const checking = checks[index]?.catch(() => {}) ?? Promise.resolve();
      endpoint.checking = checking.finally(() => {
        endpoint.checking = null;
      });
    }
    const ending = new AbortController();
    const late = Promise.any(checks)
      .then(() => clock.sleep(SLOW_NODE_MS, ending.signal))
      .catch(() => Promise.allSettled(checks));
    await raceAbort(Promise.race([Promise.allSettled(checks), late]), signal).finally(() => ending.abort());
    isOver = true;
    for (const endpoint of this.endpoints) {
      const result = done.get(endpoint);
      if (result !== undefined) this.#settle(endpoint, result, begun);
    }
    const heads = new Map(
      [...done].flatMap(([endpoint, result]) =>
        result instanceof Error || endpoint.state !== 'ready' ? [] : [[endpoint, result.head] as const],
      ),
    );
    const best = Math.max(...heads.values());
    for (const [endpoint, head] of heads)
      if (head < best - MAX_LAG_BLOCKS)
        this.fail(endpoint, createNodeBehindFault(selector, endpoint.rpc.host, best - head));
  }

  /**
   * A block that only a stopped node had may never be in the chain of the others. Whether they contradict what is known to
   * be final is checked of every head, see `EvmNode`; the index undoes only blocks that they replaced.
   */
  #forgetLostHead(): void {
    if (this.#newestHead === null) return;
    const { clock, log, selector } = this.#deps;
    const { head, from } = this.#newestHead;
    if (from.state !== 'failed' || clock.now() - from.failedSince < LOST_HEAD_MS) return;
    log.warn(`Block ${head} of ${selector} is no longer waited for: only ${from.rpc.host} had it.`);
    this.#newestHead = null;
  }

  /** The head of the node has not changed for long: whether others have newer blocks. */
  async #compareHeads(compared: Endpoint, head: number): Promise<void> {
    const { clock, selector } = this.#deps;
    this.#comparedAt = clock.now();
    const begun = this.generation;
    for (const endpoint of this.getReady()) {
      if (endpoint === compared) continue;
      const found = await fetchCheckedNode(endpoint.rpc).catch(toFault);
      if (begun !== this.generation || this.active !== compared) return;
      this.#settle(endpoint, found, begun);
      if (!(found instanceof Error) && endpoint.state === 'ready' && found.head > head + MAX_LAG_BLOCKS) {
        this.fail(compared, createNodeBehindFault(selector, compared.rpc.host, found.head - head));
        return;
      }
    }
  }
}
