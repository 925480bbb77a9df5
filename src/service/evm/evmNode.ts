// One chain behind one node: its identity, its head, what of it is final, and whether it is still the same chain.
import { LRUCache } from 'lru-cache';
import { type Chain, DEVELOPMENT_CHAIN_IDS, getSelectorChainId, resolveChain } from '../../api/chains.ts';
import { findChain } from '../../api/chainTable.ts';
import type { Clock } from '../../base/clock.ts';
import { type Hex, parseSafeQuantity } from '../../base/hex.ts';
import type { Log } from '../../base/log.ts';
import { RequestDeduplicator } from '../../base/requestDeduplicator.ts';
import {
  type BlockHeader,
  HEADER_METHOD,
  parseAnnouncedHead,
  parseHeader,
  parseHeaderAt,
  toHeaderCall,
} from './blockHeader.ts';
import { type Fork, fetchFork } from './fetchFork.ts';
import { type Anchor, createFinalityTracker, type FinalityState } from './finality.ts';
import { createHeadSubscription } from './headSubscription.ts';
import { createWrongChainFault } from './nodeFaults.ts';
import { InvalidResponseError } from './responseFields.ts';
import { LEARNED_LIMIT_MS, type OnAnnouncedHead, type RpcClient } from './rpcClient.ts';
import { type RpcCall, type RpcResponse, toPrintable } from './rpcMessage.ts';

/** For how long a node's state is used again: a request over loopback costs nothing, a remote one may be billed. */
const STATE_MAX_AGE_MS = { loopback: 1_000, remote: 5_000 } as const;
/**
 * While the node announces new heads, the head is requested this often all the same: development nodes announce neither a
 * reset nor a rollback, and a WebSocket may be half open.
 */
const ANNOUNCED_HEAD_MAX_AGE_MS = { development: 3_000, other: 30_000 } as const;
/** Block times, which are small: 3 MB for the two caches of a node together. */
const MAX_CACHED_TIMES = 10_000;
/** As `max`, the cache would allocate all entries at once. */
const CACHED_TIMES = { maxSize: MAX_CACHED_TIMES, sizeCalculation: () => 1 };
const MAX_UNTRACEABLE = 1_000;
/** After that, they are traced again. */
const UNTRACEABLE_MS = 5 * 60_000;

export interface NodeState extends FinalityState {
  readonly chain: Chain;
  readonly head: BlockHeader;
  /** `web3_clientVersion`, printable; `null` when the node does not tell it. */
  readonly clientVersion: string | null;
  /** Of a development chain: the other chain that it continues; `null` when it is no fork. */
  readonly fork: Fork | null;
  /**
   * Only this machine knows the chain: a development chain that is no fork, of a node on loopback. Other nodes on loopback
   * may belong to a chain where anybody creates contracts, and a fork sends what it does not know to another node.
   */
  readonly isLocal: boolean;
}

/** What was read of a chain and stays true as long as it is the same chain. */
export interface NodeCache {
  /** Time by block hash, which holds for blocks that a reorg removed too. */
  readonly timeByHash: LRUCache<Hex, Date>;
  /** Time in seconds by block number, for finalized blocks only. */
  readonly timeByNumber: LRUCache<number, number>;
  /** The largest number of blocks per `eth_getLogs`, for a while after the node has refused more. */
  maxLogRange: number | null;
  /** Whether `eth_getBalance` takes a block hash (EIP-1898); `null` until tried. */
  takesBlockHash: boolean | null;
  /** Why the calls inside a transaction could not be read a moment ago, by its hash. */
  readonly untraceable: LRUCache<Hex, string>;
}

export interface EvmNode {
  /** Canonical chain selector under which it is configured. */
  readonly selector: string;
  readonly rpc: RpcClient;
  /** Emptied when the chain is reset. */
  readonly cache: NodeCache;
  /** How often the head that was read was another one than before: grown, replaced or undone. */
  readonly headChanges: number;
  /** The state, at most a second old (five for a node that is not on loopback). Rejects with the node's faults. */
  getState(signal?: AbortSignal): Promise<NodeState>;
  /** The state of this moment. */
  fetchState(signal?: AbortSignal): Promise<NodeState>;
  /** The same, for callers that ask again and again: as long as blocks only follow on each other, only the head is requested. */
  pollState(signal?: AbortSignal): Promise<NodeState>;
  /**
   * The same, for callers that poll to show the head: without a request while the node announces new heads, see
   * `onHeadChange`. A head that was mined a moment ago may not be announced yet.
   */
  followState(signal?: AbortSignal): Promise<NodeState>;
  /**
   * The responses to the calls, and a state that is not newer than they are: the cached one, or where that is too old, one
   * requested in the same round trip.
   */
  sendWithState(calls: readonly RpcCall[], signal?: AbortSignal): Promise<StateAndResponses>;
  /** The responses to the calls and the state of this moment, in one round trip. */
  sendWithFreshState(calls: readonly RpcCall[], signal?: AbortSignal): Promise<StateAndResponses>;
  /** Runs `parse` over the result of `method`; an `InvalidResponseError` becomes a `node-answer` fault. */
  validate<T>(method: string, parse: () => T): T;
  /** The result in a response; throws `node-error` when it is an error, `node-answer` when there is no response. */
  getResult(method: string, response: RpcResponse | undefined): unknown;
  /** Ends the subscription to new heads. */
  close(): void;
}

export interface StateAndResponses {
  readonly state: NodeState;
  /** In the order of the calls. */
  readonly responses: readonly RpcResponse[];
}

export interface EvmNodeDeps {
  readonly selector: string;
  readonly rpc: RpcClient;
  readonly clock: Clock;
  readonly log: Log;
  /** The node announced another head, or was found to have one, or stopped to announce them: it is time to poll. */
  readonly onHeadChange?: (() => void) | undefined;
}

interface ChainIdentity {
  readonly chainId: number;
  readonly chain: Chain;
  readonly genesisHash: Hex;
  readonly clientVersion: string | null;
  readonly isDevelopment: boolean;
  readonly fork: Fork | null;
}

/** Anvil, Hardhat or Ganache, also as a fork of a public chain; or a chain with an id of theirs. */
export const isDevelopmentChain = ({ chain, isDevelopment }: Pick<NodeState, 'chain' | 'isDevelopment'>): boolean =>
  isDevelopment || DEVELOPMENT_CHAIN_IDS.includes(chain.id);

const MAX_GENESIS_ATTEMPTS = 2;
const DEVELOPMENT_CLIENT = /anvil|hardhat|ganache|testrpc|foundry|ethereumjs/i;
const CHAIN_ID_CALL: RpcCall = { method: 'eth_chainId', params: [] };
/** The first calls to a node, in the order in which `identify` reads the responses. */
const IDENTITY_CALLS: readonly RpcCall[] = [
  CHAIN_ID_CALL,
  { method: 'web3_clientVersion', params: [] },
  toHeaderCall(0),
  toHeaderCall('latest'),
  toHeaderCall('finalized'),
];

class ExpiringCache implements NodeCache {
  readonly timeByHash = new LRUCache<Hex, Date>(CACHED_TIMES);
  readonly timeByNumber = new LRUCache<number, number>(CACHED_TIMES);
  takesBlockHash: boolean | null = null;
  readonly untraceable = new LRUCache<Hex, string>({ max: MAX_UNTRACEABLE, ttl: UNTRACEABLE_MS });
  readonly #clock: Clock;
  /** The blocks, and when the node refused more: it may have been the limit of one gateway, or of a busy moment. */
  #logRange: { readonly blocks: number | null; readonly at: number } = { blocks: null, at: 0 };

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get maxLogRange(): number | null {
    return this.#clock.now() - this.#logRange.at < LEARNED_LIMIT_MS ? this.#logRange.blocks : null;
  }

  set maxLogRange(blocks: number | null) {
    this.#logRange = { blocks, at: this.#clock.now() };
  }
}

export function createEvmNode({ selector, rpc, clock, log, onHeadChange = () => {} }: EvmNodeDeps): EvmNode {
  const expectedId = getSelectorChainId(selector);
  const maxAgeMs = rpc.isLoopback ? STATE_MAX_AGE_MS.loopback : STATE_MAX_AGE_MS.remote;
  const stateRequests = new RequestDeduplicator<NodeState>();
  let identity: ChainIdentity | null = null;
  const finality = createFinalityTracker(clock);
  let cache: NodeCache = new ExpiringCache(clock);
  let last: { readonly state: NodeState; readonly at: number; readonly order: number } | null = null;
  let nextOrder = 1;
  let headChanges = 0;
  /** Since when each change of the head is known from announcements; `null` while one may have been missed. */
  let announcedSince: number | null = null;
  /** Counts what may have been missed. */
  let missedHeads = 0;
  /** Announced by a node that is not read: the one that is may get it a moment later, and is polled until then. */
  let awaitedHead: BlockHeader | null = null;
  /** Nothing was announced since the last poll. */
  let isSilent = true;

  const validate: EvmNode['validate'] = (method, parse) => {
    try {
      return parse();
    } catch (error) {
      if (error instanceof InvalidResponseError) throw rpc.invalidResponse(method, error.message, { cause: error });
      throw error;
    }
  };
  const getResult: EvmNode['getResult'] = (method, response) => {
    if (response === undefined) throw rpc.invalidResponse(method, 'there is none');
    if (response.error !== undefined) throw rpc.faults.fromRpcError(method, response.error);
    return response.result;
  };
  const getHeader = (response: RpcResponse | undefined, number: number | null): BlockHeader | null => {
    if (response === undefined || response.error !== undefined) return null;
    return validate(HEADER_METHOD, () =>
      number === null ? parseHeader(response.result) : parseHeaderAt(response.result, number),
    );
  };
  const requireHead = (response: RpcResponse | undefined): BlockHeader => {
    const head = getHeader(response, null);
    if (head !== null) return head;
    getResult(HEADER_METHOD, response); // throws what the node says, if it says why
    throw rpc.invalidResponse(HEADER_METHOD, 'there is no latest block');
  };

  const isLocal = ({ chainId, clientVersion, isDevelopment, fork }: ChainIdentity): boolean =>
    rpc.isLoopback &&
    fork === null &&
    (isDevelopment || (clientVersion !== null && DEVELOPMENT_CHAIN_IDS.includes(chainId)));
  const toState = (known: ChainIdentity, head: BlockHeader): NodeState => ({
    genesisHash: known.genesisHash,
    headHash: head.hash,
    headNumber: head.number,
    chain: known.chain,
    head,
    finalized: known.isDevelopment ? -1 : finality.getFinalized(head.number),
    clientVersion: known.clientVersion,
    isDevelopment: known.isDevelopment,
    fork: known.fork,
    isLocal: isLocal(known),
  });
  const getRecentState = (): NodeState | null =>
    last !== null && clock.now() - last.at < maxAgeMs ? last.state : null;
  const keepState = (state: NodeState, order: number): NodeState => {
    // A response that took long must not bring back an old head.
    if (last !== null && order <= last.order) return state;
    const isOther = last?.state.headHash !== state.headHash;
    last = { state, at: clock.now(), order };
    if (isOther) {
      headChanges++;
      if (heads.isOpen) onHeadChange();
    }
    return state;
  };
  const noteMissedHead = (awaited: BlockHeader | null = null) => {
    awaitedHead = awaited;
    announcedSince = null;
    missedHeads++;
    onHeadChange();
  };
  const onAnnouncedHead: OnAnnouncedHead = (value, isOfOtherNode) => {
    isSilent = false;
    const head = parseAnnouncedHead(value);
    if (head !== null && last?.state.headHash === head.hash) return;
    if (isOfOtherNode) noteMissedHead(head);
    else if (head !== null && identity !== null && last?.state.headHash === head.parentHash)
      keepState(toState(identity, head), nextOrder++);
    else noteMissedHead(); // a reorganization, or blocks in between
  };
  const heads = createHeadSubscription({
    ...{ selector, rpc, clock, log },
    onOpen: () => noteMissedHead(),
    onHead: onAnnouncedHead,
    onLost: () => noteMissedHead(),
  });
  const reset = (reason: string): null => {
    log.warn(`The chain ${selector} was reset (${reason}): everything known of it is forgotten.`);
    identity = null;
    heads.renew();
    finality.reset();
    last = null;
    cache = new ExpiringCache(clock);
    rpc.reset();
    return null;
  };

  /** Requests the first block again when it was missing: the node may have rejected that call for a moment only. */
  const fetchGenesis = async (signal: AbortSignal | undefined): Promise<BlockHeader | null> => {
    for (let attempt = 1; attempt <= MAX_GENESIS_ATTEMPTS; attempt++) {
      const [response] = await rpc.sendAll([toHeaderCall(0)], signal);
      const genesis = getHeader(response, 0);
      if (genesis !== null) return genesis;
    }
    return null;
  };

  const identify = async (responses: readonly RpcResponse[], signal: AbortSignal | undefined): Promise<NodeState> => {
    const [idResponse, versionResponse, genesisResponse, headResponse, finalizedResponse] = responses;
    const chainId = parseSafeQuantity(getResult('eth_chainId', idResponse));
    if (chainId === null) throw rpc.invalidResponse('eth_chainId', 'it is not a chain id');
    const found = DEVELOPMENT_CHAIN_IDS.includes(chainId) ? undefined : findChain(chainId);
    const chain = resolveChain(selector, chainId, found);
    if (expectedId !== null && chainId !== expectedId)
      throw createWrongChainFault(selector, rpc.host, expectedId, chainId);
    const head = requireHead(headResponse);
    const genesis = getHeader(genesisResponse, 0) ?? (await fetchGenesis(signal));
    const version = versionResponse?.result;
    const clientVersion = typeof version === 'string' ? toPrintable(version, 64) : null;
    const isDevelopment = clientVersion !== null && DEVELOPMENT_CLIENT.test(clientVersion);
    // Without it, the index of the same chain would start again under another identity.
    if (genesis === null && isDevelopment) throw rpc.invalidResponse(HEADER_METHOD, 'block 0 is missing');
    const fork = isDevelopment ? await fetchFork(rpc, clientVersion, signal) : null;
    identity = {
      chainId,
      chain,
      // A chain whose node no longer has the first block is identified by its chain id alone.
      genesisHash: genesis?.hash ?? `0x${chainId.toString(16).padStart(64, '0')}`,
      clientVersion,
      isDevelopment,
      fork,
    };
    finality.start({ isDevelopment, genesis, finalized: getHeader(finalizedResponse, null), head });
    return toState(identity, head);
  };

  const getAnchorCalls = (): readonly RpcCall[] =>
    finality.getAnchorBlocks(last?.state.headNumber ?? 0).map(toHeaderCall);
  /** The calls that check a known node, in the order in which `recheck` reads the responses. */
  const getCheckCalls = ({ isDevelopment }: ChainIdentity): readonly RpcCall[] => [
    toHeaderCall(finality.anchor?.number ?? 0),
    toHeaderCall('latest'),
    // Two development chains may have the same first block; on a public chain one call more may be billed.
    ...(isDevelopment ? [CHAIN_ID_CALL] : []),
    ...getAnchorCalls(),
  ];
  /** `null` when the node turned out to have another chain than before. */
  const recheck = (
    responses: readonly RpcResponse[],
    known: ChainIdentity,
    knownAnchor: Anchor | null,
  ): NodeState | null => {
    const [anchorResponse, headResponse, ...rest] = responses;
    const head = requireHead(headResponse);
    const chainId = known.isDevelopment ? parseSafeQuantity(rest.shift()?.result) : null;
    if (chainId !== null && chainId !== known.chainId)
      return reset(`it has the chain id ${chainId}, no longer ${known.chainId}`);
    if (knownAnchor !== null) {
      const { number, hash } = knownAnchor;
      const found = getHeader(anchorResponse, number);
      // A public node below its final block is one that is behind: as long as it has no other block, it is the same chain.
      if (head.number < number && known.isDevelopment)
        return reset(`its head is block ${head.number}, below block ${number}, which was final`);
      if (found !== null && found.hash !== hash)
        return reset(
          number === 0 ? 'it has another genesis block' : `block ${number}, which was final, is another one`,
        );
    }
    if (rest.length > 0)
      finality.moveAnchor(
        rest.map(response => getHeader(response, null)),
        head,
      );
    return toState(known, head);
  };

  const sendWithFreshState: EvmNode['sendWithFreshState'] = async (calls, signal) => {
    const order = nextOrder++;
    const known = identity;
    const knownAnchor = finality.anchor;
    const ownCalls = known === null ? IDENTITY_CALLS : getCheckCalls(known);
    const all = await rpc.sendAll([...ownCalls, ...calls], signal);
    const ownResponses = all.slice(0, ownCalls.length);
    const responses = all.slice(ownCalls.length);
    if (known === null || known !== identity) {
      // Not identified yet, or reset meanwhile by another call.
      const current = known === null ? ownResponses : await rpc.sendAll(IDENTITY_CALLS, signal);
      return { state: keepState(await identify(current, signal), order), responses };
    }
    let state = recheck(ownResponses, known, knownAnchor);
    if (state !== null && knownAnchor !== null && state.headNumber < knownAnchor.number) {
      // Without the block that would tell, the first one does.
      const genesis = getHeader((await rpc.sendAll([toHeaderCall(0)], signal))[0], 0);
      if (genesis !== null && genesis.hash !== known.genesisHash) state = reset('it has another genesis block');
    }
    // This call noticed the reset, so its responses may be of either chain: they are requested again.
    return state === null ? sendWithFreshState(calls, signal) : { state: keepState(state, order), responses };
  };

  const pollState: EvmNode['pollState'] = async signal => {
    // Without a state to compare with, or when it is time for a newer anchor, the whole check is due.
    if (last === null || getAnchorCalls().length > 0) return (await sendWithFreshState([], signal)).state;
    const order = nextOrder++;
    const head = requireHead(await rpc.send(HEADER_METHOD, ['latest', false], signal));
    // A block's hash covers all blocks below it: with the same head, or one on top of it, it is the same chain.
    if (last?.state.headHash === head.hash) return keepState(last.state, order);
    return last?.state.headHash === head.parentHash && identity !== null
      ? keepState(toState(identity, head), order)
      : (await sendWithFreshState([], signal)).state;
  };
  const hasAwaitedHead = ({ headNumber, headHash }: NodeState) =>
    awaitedHead === null || headNumber > awaitedHead.number || headHash === awaitedHead.hash;
  const isHeadAnnounced = ({ isDevelopment }: NodeState) => {
    if (announcedSince === null || getAnchorCalls().length > 0) return false;
    const ageMs = clock.now() - announcedSince;
    // Negative after the clock was set back.
    return ageMs >= 0 && ageMs < ANNOUNCED_HEAD_MAX_AGE_MS[isDevelopment ? 'development' : 'other'];
  };

  return {
    selector,
    rpc,
    get cache() {
      return cache;
    },
    get headChanges() {
      return headChanges;
    },
    sendWithFreshState,
    async sendWithState(calls, signal) {
      const state = getRecentState();
      return state === null
        ? sendWithFreshState(calls, signal)
        : { state, responses: await rpc.sendAll(calls, signal) };
    },
    async fetchState(signal) {
      return (await sendWithFreshState([], signal)).state;
    },
    pollState,
    async followState(signal) {
      if (last !== null && isHeadAnnounced(last.state)) {
        heads.notePoll();
        return last.state;
      }
      const before = last?.state;
      const missedBefore = missedHeads;
      const wasAnnounced = announcedSince !== null;
      const polled = await pollState(signal);
      // An announcement that came meanwhile is newer.
      const state: NodeState = last?.state ?? polled;
      if (missedHeads !== missedBefore) return state;
      // The head has changed, and nothing was announced: the WebSocket is half open, or the node has dropped the subscription.
      if (wasAnnounced && isSilent && state.headHash !== before?.headHash) heads.renew();
      else if (heads.isOpen && hasAwaitedHead(state)) announcedSince = clock.now();
      isSilent = true;
      if (rpc.isWebSocket || state.isDevelopment) heads.notePoll();
      return state;
    },
    async getState(signal) {
      const recent = getRecentState();
      if (recent !== null) return recent;
      return stateRequests.join('state', async shared => (await sendWithFreshState([], shared)).state, signal);
    },
    validate,
    getResult,
    close: heads.close,
  };
}
