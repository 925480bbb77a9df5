// One chain behind one node: its identity, its head, what of it is final, and whether it is still the same chain.
import { DEVELOPMENT_CHAIN_IDS } from '../../api/chains.ts';
import { isFault } from '../../base/errors.ts';
import { parseSafeQuantity } from '../../base/hex.ts';
import { RequestDeduplicator } from '../../base/requestDeduplicator.ts';
import { type BlockHeader, parseAnnouncedHead, toHeaderCall } from './blockHeader.ts';
import { CHAIN_ID_CALL, type ChainIdentity, createIdentityCalls, identifyChain } from './chainIdentity.ts';
import { type Anchor, createFinalityTracker, type FinalityState, type FinalityTracker } from './finality.ts';
import type { HeadSubscriptionDeps } from './headSubscription.ts';
import { createHeadSubscription, type HeadSubscription } from './headSubscription.ts';
import { NodeCache } from './nodeCache.ts';
import { createRepeatedResultReader } from './repeatedResultReader.ts';
import type { RpcClient } from './rpcClient.ts';
import type { RpcCall, RpcResponse } from './rpcMessage.ts';
import { findHeader, getResult, requireHead, validateResult } from './rpcResults.ts';

/** For how long a node's state is used again: a request over loopback costs nothing, a remote one may be billed. */
const STATE_MAX_AGE_MS = { loopback: 1_000, remote: 5_000 } as const;
/**
 * While the node announces new heads, the head is requested this often all the same: development nodes announce neither a
 * reset nor a rollback, and a WebSocket may be half open.
 */
const ANNOUNCED_HEAD_MAX_AGE_MS = { development: 3_000, other: 30_000 } as const;

export interface NodeState extends FinalityState, ChainIdentity {
  readonly head: BlockHeader;
}

export interface StateAndResponses {
  readonly state: NodeState;
  /** In the order of the calls. */
  readonly responses: readonly RpcResponse[];
}

export interface EvmNodeDeps extends Pick<HeadSubscriptionDeps, 'selector' | 'rpc' | 'clock' | 'log'> {
  /** The node announced another head, or was found to have one, or stopped to announce them: it is time to poll. */
  readonly onHeadChange?: (() => void) | undefined;
}

/** Anvil, Hardhat or Ganache, also as a fork of a public chain; or a chain with an id of theirs. */
export const isDevelopmentChain = ({ chain, isDevelopment }: Pick<NodeState, 'chain' | 'isDevelopment'>): boolean =>
  isDevelopment || DEVELOPMENT_CHAIN_IDS.includes(chain.id);

export class EvmNode {
  readonly selector: string;
  readonly rpc: RpcClient;
  readonly #deps: EvmNodeDeps;
  readonly #pollCall: RpcCall = { ...toHeaderCall('latest'), readBody: createRepeatedResultReader() };
  readonly #stateRequests = new RequestDeduplicator<NodeState>();
  readonly #finality: FinalityTracker;
  readonly #heads: HeadSubscription;
  #cache: NodeCache;
  /** `null` until the node has responded, and after a reset. */
  #identity: ChainIdentity | null = null;
  /** The first request to the node while it is under way, which identifies it. */
  #first: Promise<unknown> | null = null;
  /** The newest state; requests are numbered in the order in which they were begun. */
  #last: { readonly state: NodeState; readonly at: number; readonly order: number } | null = null;
  #nextOrder = 1;
  #headChanges = 0;
  /** Since when each change of the head is known from announcements; `null` while one may have been missed. */
  #announcedSince: number | null = null;
  /** Counts what may have been missed. */
  #missedHeads = 0;
  /** Announced by a node that is not read: the one that is may get it a moment later, and is polled until then. */
  #awaitedHead: BlockHeader | null = null;
  /** Nothing was announced since the last poll. */
  #isSilent = true;

  constructor(deps: EvmNodeDeps) {
    const { selector, rpc, clock, log } = deps;
    this.#deps = deps;
    this.selector = selector;
    this.rpc = rpc;
    this.#cache = new NodeCache(clock);
    this.#finality = createFinalityTracker(clock);
    this.#heads = createHeadSubscription({
      selector,
      rpc,
      clock,
      log,
      onOpen: () => this.#noteMissedHead(),
      onHead: (header, isOfOtherNode) => this.#onAnnouncedHead(header, isOfOtherNode),
      onLost: () => this.#noteMissedHead(),
    });
  }

  /** Emptied when the chain is reset. */
  get cache(): NodeCache {
    return this.#cache;
  }

  /** How often the head that was read was another one than before: grown, replaced or undone. */
  get headChanges(): number {
    return this.#headChanges;
  }

  /** How many requests for the state or the head were begun: see `hasStateSince`. */
  get stateRequestCount(): number {
    return this.#nextOrder;
  }

  /** Whether the state that `getState` returns was requested after `stateRequestCount` was `count`. */
  hasStateSince(count: number): boolean {
    return this.#recentState !== null && this.#last !== null && this.#last.order >= count;
  }

  /** The state, at most a second old (five for a node that is not on loopback). Rejects with the node's faults. */
  async getState(signal?: AbortSignal): Promise<NodeState> {
    return this.#recentState ?? this.#stateRequests.join('state', shared => this.fetchState(shared), signal);
  }

  async fetchState(signal?: AbortSignal): Promise<NodeState> {
    return (await this.sendWithFreshState([], signal)).state;
  }

  /** The same, for callers that ask again and again: as long as blocks only follow on each other, only the head is requested. */
  async pollState(signal?: AbortSignal): Promise<NodeState> {
    // Without a state to compare with, or when it is time for a newer anchor, the whole check is due.
    if (this.#last === null || this.#anchorCalls.length > 0) return this.fetchState(signal);
    const order = this.#nextOrder++;
    const [response] = await this.rpc.sendAll([this.#pollCall], signal);
    const head = requireHead(this.rpc, response);
    const last = this.#getLastState();
    // A block's hash covers all blocks below it: with the same head, or one on top of it, it is the same chain.
    if (last?.headHash === head.hash) return this.#keepState(last, order);
    return last?.headHash === head.parentHash && this.#identity !== null
      ? this.#keepState(this.#toState(this.#identity, head), order)
      : this.fetchState(signal);
  }

  /**
   * The same, for callers that poll to show the head: without a request while the node announces new heads, see
   * `onHeadChange`. A head that was mined a moment ago may not be announced yet.
   */
  async followState(signal?: AbortSignal): Promise<NodeState> {
    const before = this.#getLastState();
    if (before !== undefined && this.#isHeadAnnounced(before)) {
      this.#heads.notePoll();
      return before;
    }
    const missedBefore = this.#missedHeads;
    const wasAnnounced = this.#announcedSince !== null;
    const polled = await this.pollState(signal);
    // An announcement that came meanwhile is newer.
    const state = this.#getLastState() ?? polled;
    if (this.#missedHeads !== missedBefore) return state;
    // The head has changed, and nothing was announced: the WebSocket is half open, or the node has dropped the subscription.
    if (wasAnnounced && this.#isSilent && state.headHash !== before?.headHash) this.#heads.renew();
    else if (this.#heads.isOpen && this.#hasAwaitedHead(state)) this.#announcedSince = this.#deps.clock.now();
    this.#isSilent = true;
    if (this.rpc.isWebSocket || state.isDevelopment) this.#heads.notePoll();
    return state;
  }

  /**
   * The responses to the calls, and a state that is not newer than they are: the cached one, or where that is too old, one
   * requested in the same round trip.
   */
  async sendWithState(calls: readonly RpcCall[], signal?: AbortSignal): Promise<StateAndResponses> {
    const state = this.#recentState;
    return state === null
      ? this.sendWithFreshState(calls, signal)
      : { state, responses: await this.rpc.sendAll(calls, signal) };
  }

  /** The responses to the calls and the state of this moment, in one round trip. */
  async sendWithFreshState(calls: readonly RpcCall[], signal?: AbortSignal): Promise<StateAndResponses> {
    const order = this.#nextOrder++;
    const known = this.#identity;
    if (known === null)
      return this.#first === null
        ? this.#sendFirst(calls, order, signal)
        : this.#sendBesideFirst(this.#first, calls, order, signal);
    const knownAnchor = this.#finality.anchor;
    const ownCalls = this.#getCheckCalls(known);
    const all = await this.rpc.sendAll([...ownCalls, ...calls], signal);
    const ownResponses = all.slice(0, ownCalls.length);
    const responses = all.slice(ownCalls.length);
    if (known !== this.#identity) {
      // Reset meanwhile by another call.
      const current = await this.rpc.sendAll(createIdentityCalls(this.selector), signal);
      return { state: this.#keepState(await this.#identify(current, signal), order), responses };
    }
    let state = this.#recheck(ownResponses, known, knownAnchor);
    if (state !== null && knownAnchor !== null && state.headNumber < knownAnchor.number) {
      // Without the block that would tell, the first one does.
      const genesis = findHeader(this.rpc, (await this.rpc.sendAll([toHeaderCall(0)], signal))[0], 0);
      if (genesis !== null && genesis.hash !== known.genesisHash) state = this.#reset('it has another genesis block');
    }
    // This call noticed the reset, so its responses may be of either chain: they are requested again.
    return state === null
      ? this.sendWithFreshState(calls, signal)
      : { state: this.#keepState(state, order), responses };
  }

  /** Runs `parse` over the result of `method`; an `InvalidResponseError` becomes a `node-answer` fault. */
  validate<T>(method: string, parse: () => T): T {
    return validateResult(this.rpc, method, parse);
  }

  /** The result in a response; throws `node-error` when it is an error, `node-answer` when there is no response. */
  getResult(method: string, response: RpcResponse | undefined): unknown {
    return getResult(this.rpc, method, response);
  }

  /** Ends the subscription to new heads. */
  close(): void {
    this.#heads.close();
  }

  /** Identifies the node in the same round trip. */
  async #sendFirst(
    calls: readonly RpcCall[],
    order: number,
    signal: AbortSignal | undefined,
  ): Promise<StateAndResponses> {
    const send = async () => {
      const own = createIdentityCalls(this.selector);
      const all = await this.rpc.sendAll([...own, ...calls], signal);
      const state = await this.#identify(all.slice(0, own.length), signal);
      return { state: this.#keepState(state, order), responses: all.slice(own.length) };
    };
    const first = send();
    this.#first = first;
    try {
      return await first;
    } finally {
      if (this.#first === first) this.#first = null;
    }
  }

  /** At the same time as the request that identifies the node: only the head is requested along. */
  async #sendBesideFirst(
    first: Promise<unknown>,
    calls: readonly RpcCall[],
    order: number,
    signal: AbortSignal | undefined,
  ): Promise<StateAndResponses> {
    const sent = this.rpc.sendAll([toHeaderCall('latest'), ...calls], signal);
    sent.catch(() => {}); // what is wrong with the node, the first request says
    await first.catch(error => {
      if (!isFault(error, 'cancelled')) throw error;
    });
    if (this.#identity === null) return this.#sendFirst(calls, order, signal);
    const [headResponse, ...responses] = await sent;
    const state = this.#toState(this.#identity, requireHead(this.rpc, headResponse));
    return { state: this.#keepState(state, order), responses };
  }

  get #recentState(): NodeState | null {
    const { clock, rpc } = this.#deps;
    const maxAgeMs = STATE_MAX_AGE_MS[rpc.isLoopback ? 'loopback' : 'remote'];
    return this.#last !== null && clock.now() - this.#last.at < maxAgeMs ? this.#last.state : null;
  }

  #getLastState(): NodeState | undefined {
    return this.#last?.state;
  }

  #toState(identity: ChainIdentity, head: BlockHeader): NodeState {
    return {
      ...identity,
      headHash: head.hash,
      headNumber: head.number,
      head,
      finalized: identity.isDevelopment ? -1 : this.#finality.getFinalized(head.number),
    };
  }

  #keepState(state: NodeState, order: number): NodeState {
    // A response that took long must not bring back an old head.
    if (this.#last !== null && order <= this.#last.order) return state;
    const isOther = this.#last?.state.headHash !== state.headHash;
    this.#last = { state, at: this.#deps.clock.now(), order };
    if (isOther) {
      this.#headChanges++;
      if (this.#heads.isOpen) this.#deps.onHeadChange?.();
    }
    return state;
  }

  #noteMissedHead(awaited: BlockHeader | null = null): void {
    this.#awaitedHead = awaited;
    this.#announcedSince = null;
    this.#missedHeads++;
    this.#deps.onHeadChange?.();
  }

  #onAnnouncedHead(value: unknown, isOfOtherNode: boolean): void {
    this.#isSilent = false;
    const head = parseAnnouncedHead(value);
    const last = this.#getLastState();
    if (head !== null && last?.headHash === head.hash) return;
    if (isOfOtherNode) this.#noteMissedHead(head);
    else if (head !== null && this.#identity !== null && last?.headHash === head.parentHash)
      this.#keepState(this.#toState(this.#identity, head), this.#nextOrder++);
    else this.#noteMissedHead(); // a reorganization, or blocks in between
  }

  #hasAwaitedHead({ headNumber, headHash }: NodeState): boolean {
    const awaited = this.#awaitedHead;
    return awaited === null || headNumber > awaited.number || headHash === awaited.hash;
  }

  #isHeadAnnounced({ isDevelopment }: NodeState): boolean {
    if (this.#announcedSince === null || this.#anchorCalls.length > 0) return false;
    const ageMs = this.#deps.clock.now() - this.#announcedSince;
    // Negative after the clock was set back.
    return ageMs >= 0 && ageMs < ANNOUNCED_HEAD_MAX_AGE_MS[isDevelopment ? 'development' : 'other'];
  }

  async #identify(responses: readonly RpcResponse[], signal: AbortSignal | undefined): Promise<NodeState> {
    const { identity, first } = await identifyChain(this.rpc, this.selector, responses, signal);
    this.#identity = identity;
    this.#finality.start(first);
    return this.#toState(identity, first.head);
  }

  get #anchorCalls(): readonly RpcCall[] {
    return this.#finality.getAnchorBlocks(this.#last?.state.headNumber ?? 0).map(toHeaderCall);
  }

  /** The calls that check a known node, in the order in which `#recheck` reads the responses. */
  #getCheckCalls({ isDevelopment }: ChainIdentity): readonly RpcCall[] {
    return [
      toHeaderCall(this.#finality.anchor?.number ?? 0),
      toHeaderCall('latest'),
      // Two development chains may have the same first block; on a public chain one call more may be billed.
      ...(isDevelopment ? [CHAIN_ID_CALL] : []),
      ...this.#anchorCalls,
    ];
  }

  /** `null` when the node turned out to have another chain than before. */
  #recheck(responses: readonly RpcResponse[], known: ChainIdentity, knownAnchor: Anchor | null): NodeState | null {
    const [anchorResponse, headResponse, ...rest] = responses;
    const head = requireHead(this.rpc, headResponse);
    const chainId = known.isDevelopment ? parseSafeQuantity(rest.shift()?.result) : null;
    if (chainId !== null && chainId !== known.chain.id)
      return this.#reset(`it has the chain id ${chainId}, no longer ${known.chain.id}`);
    if (knownAnchor !== null) {
      const { number, hash } = knownAnchor;
      const found = findHeader(this.rpc, anchorResponse, number);
      // A public node below its final block is one that is behind: as long as it has no other block, it is the same chain.
      if (head.number < number && known.isDevelopment)
        return this.#reset(`its head is block ${head.number}, below block ${number}, which was final`);
      if (found !== null && found.hash !== hash)
        return this.#reset(
          number === 0 ? 'it has another genesis block' : `block ${number}, which was final, is another one`,
        );
    }
    if (rest.length > 0)
      this.#finality.moveAnchor(
        rest.map(response => findHeader(this.rpc, response)),
        head,
      );
    return this.#toState(known, head);
  }

  #reset(reason: string): null {
    const { clock, log } = this.#deps;
    log.warn(`The chain ${this.selector} was reset (${reason}): everything known of it is forgotten.`);
    this.#identity = null;
    this.#heads.renew();
    this.#finality.reset();
    this.#last = null;
    this.#cache = new NodeCache(clock);
    this.rpc.reset();
    return null;
  }
}
