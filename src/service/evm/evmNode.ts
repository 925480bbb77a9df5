// One chain behind one node: who it is, where its head is, what of it is final, and whether it is still the same chain.

import { type Chain, getChainByName, LOCAL_CHAIN, resolveChain } from '../../api/chains.ts';
import type { ChainState, Freshness } from '../../api/freshness.ts';
import type { Clock } from '../../base/clock.ts';
import { type Hex, parseSafeQuantity, toQuantity } from '../../base/hex.ts';
import type { Log } from '../../base/log.ts';
import { RequestDeduplicator } from '../../base/requestDeduplicator.ts';
import { createWrongChainFault } from './nodeFaults.ts';
import { type BlockHeader, InvalidResponseError, parseHeader, parseHeaderAt } from './responseFields.ts';
import type { RpcClient } from './rpcClient.ts';
import { type RpcCall, type RpcResponse, toPrintable } from './rpcMessage.ts';

// What was read of a chain once and need not be asked again: times of blocks, bounded in size.
/** Of small values: 3 MB for the two of a node together. */
const MOST_ENTRIES = 10_000;

/** A map that forgets its oldest entries. */
export class BoundedMap<K, V> {
  readonly #entries = new Map<K, V>();

  get(key: K): V | undefined {
    return this.#entries.get(key);
  }

  set(key: K, value: V): void {
    this.#entries.set(key, value);
    if (this.#entries.size <= MOST_ENTRIES) return;
    for (const oldest of this.#entries.keys()) {
      this.#entries.delete(oldest);
      break;
    }
  }
}

export interface NodeCache {
  /** Time by block hash: true for good, whatever happens to the chain. */
  readonly timeByHash: BoundedMap<Hex, Date>;
  /** Time in seconds by height, below the finalized block only. */
  readonly timeByNumber: BoundedMap<number, number>;
  /** Most blocks that the node lets one `eth_getLogs` span, once it has said so. */
  maxLogRange: number | null;
  /** Whether `eth_getBalance` takes a block hash (EIP-1898); `null` until tried. */
  takesBlockHash: boolean | null;
}

export function createNodeCache(): NodeCache {
  return { timeByHash: new BoundedMap(), timeByNumber: new BoundedMap(), maxLogRange: null, takesBlockHash: null };
}

/** How long a node's state is believed: a loopback call costs nothing, a remote one may be billed. */
const STATE_MS = { loopback: 1_000, remote: 5_000 } as const;
/** Blocks behind the head that count as final where the node has no `finalized` tag. */
export const FINALITY_DEPTH = 64;
/** The final block that is compared at each check is moved up at most this often. */
const ANCHOR_MS = 60_000;

export interface NodeState extends ChainState {
  readonly chain: Chain;
  readonly head: BlockHeader;
  /** Blocks up to this one will not change; -1 when that is not sure of any. */
  readonly finalized: number;
  /** `web3_clientVersion`, printable; `null` when the node does not say. */
  readonly clientVersion: string | null;
  /** A node on which anything may be undone at any time (Anvil, Hardhat, Ganache). */
  readonly isDevelopment: boolean;
}

export interface EvmNode {
  /** Canonical chain selector under which it is configured. */
  readonly selector: string;
  readonly rpc: RpcClient;
  /** What was read of this chain and stays true; emptied when the chain is reset. */
  readonly cache: NodeCache;
  /** The state, at most a second old (five for a node that is not on loopback). Rejects with the node's faults. */
  getState(signal?: AbortSignal): Promise<NodeState>;
  /** The state of this very moment. */
  fetchState(signal?: AbortSignal): Promise<NodeState>;
  /** The same for whoever expects no change: while the head is what it was, nothing but the head is asked for. */
  pollState(signal?: AbortSignal): Promise<NodeState>;
  /**
   * The calls' answers in one round trip, and a state that is not newer than they are: the one at hand, or one asked for
   * along with them when that is too old.
   */
  sendWithState(calls: readonly RpcCall[], signal?: AbortSignal): Promise<StateAndResponses>;
  /** The calls' answers and the state of this very moment, in one round trip. */
  sendWithFreshState(calls: readonly RpcCall[], signal?: AbortSignal): Promise<StateAndResponses>;
  /** Runs `read` over an answer to `method`; what it finds implausible becomes a `node-answer` fault. */
  validate<T>(method: string, read: () => T): T;
  /** The result in an answer; a refusal is thrown as `node-error`. */
  getResult(method: string, answer: RpcResponse | undefined): unknown;
}

export interface StateAndResponses {
  readonly state: NodeState;
  /** In the order of the calls. */
  readonly responses: readonly RpcResponse[];
}

interface Identity {
  readonly chainId: number;
  readonly chain: Chain;
  readonly genesisHash: Hex;
  readonly client: string | null;
  readonly development: boolean;
}

/** A block whose hash must stay what it is: if it changes, this is another chain. */
interface Anchor {
  readonly number: number;
  readonly hash: Hex;
}

export interface EvmNodeDeps {
  readonly selector: string;
  readonly rpc: RpcClient;
  readonly clock: Clock;
  readonly log: Log;
}

const DEVELOPMENT = /anvil|hardhat|ganache|testrpc|foundry|ethereumjs/i;

const headerCall = (block: number | string): RpcCall => ({
  method: 'eth_getBlockByNumber',
  params: [typeof block === 'number' ? toQuantity(block) : block, false],
});

const CHAIN_ID: RpcCall = { method: 'eth_chainId', params: [] };

export function createEvmNode(deps: EvmNodeDeps): EvmNode {
  const { selector, rpc, clock, log } = deps;
  const expectedId = selector === LOCAL_CHAIN ? null : (getChainByName(selector)?.id ?? Number(selector));
  const stateMs = rpc.isLoopback ? STATE_MS.loopback : STATE_MS.remote;
  const flights = new RequestDeduplicator<NodeState>();
  let identity: Identity | null = null;
  let anchor: Anchor | null = null;
  let anchoredAt = 0;
  let hasFinalTag = true;
  let memory = createNodeCache();
  let last: { readonly state: NodeState; readonly at: number; readonly order: number } | null = null;
  let nextOrder = 1;

  const believe: EvmNode['validate'] = (method, read) => {
    try {
      return read();
    } catch (error) {
      if (error instanceof InvalidResponseError) throw rpc.invalidResponse(method, error.message, { cause: error });
      throw error;
    }
  };
  const result: EvmNode['getResult'] = (method, answer) => {
    if (answer === undefined) throw rpc.invalidResponse(method, 'there is none');
    if (answer.refusal !== undefined) throw rpc.faults.fromRpcError(method, answer.refusal);
    return answer.result;
  };
  const header = (answer: RpcResponse | undefined, number: number | null): BlockHeader | null => {
    if (answer === undefined || answer.refusal !== undefined) return null;
    return believe('eth_getBlockByNumber', () =>
      number === null ? parseHeader(answer.result) : parseHeaderAt(answer.result, number),
    );
  };
  const headOf = (answer: RpcResponse | undefined): BlockHeader => {
    const head = header(answer, null);
    if (head !== null) return head;
    result('eth_getBlockByNumber', answer);
    throw rpc.invalidResponse('eth_getBlockByNumber', 'there is no latest block');
  };

  const stateOf = (who: Identity, head: BlockHeader): NodeState => {
    const final = anchor === null || anchor.number === 0 ? -1 : anchor.number;
    return {
      genesisHash: who.genesisHash,
      headHash: head.hash,
      headNumber: head.number,
      chain: who.chain,
      head,
      finalized: who.development ? -1 : Math.min(final, head.number),
      clientVersion: who.client,
      isDevelopment: who.development,
    };
  };
  const recent = (): NodeState | null => (last !== null && clock.now() - last.at < stateMs ? last.state : null);
  const keep = (state: NodeState, order: number): NodeState => {
    // An answer that was long on its way must not bring an old head back.
    if (last === null || order > last.order) last = { state, at: clock.now(), order };
    return state;
  };
  const drop = (why: string): null => {
    log.warn(`The chain ${selector} was reset (${why}): everything known of it is forgotten.`);
    identity = null;
    anchor = null;
    last = null;
    memory = createNodeCache();
    rpc.reset();
    return null;
  };

  const introduction: readonly RpcCall[] = [
    CHAIN_ID,
    { method: 'web3_clientVersion', params: [] },
    headerCall(0),
    headerCall('latest'),
    headerCall('finalized'),
  ];
  const introduce = (answers: readonly RpcResponse[]): NodeState => {
    const [idAnswer, clientAnswer, genesisAnswer, headAnswer, finalAnswer] = answers;
    const chainId = parseSafeQuantity(result('eth_chainId', idAnswer));
    if (chainId === null) throw rpc.invalidResponse('eth_chainId', 'it is not a chain id');
    const chain = resolveChain(selector, chainId);
    if (expectedId !== null && chainId !== expectedId)
      throw createWrongChainFault(selector, rpc.host, expectedId, chainId);
    const head = headOf(headAnswer);
    const genesis = header(genesisAnswer, 0);
    const said = clientAnswer?.result;
    const client = typeof said === 'string' ? toPrintable(said, 64) : null;
    identity = {
      chainId,
      chain,
      // A node that has thrown its first block away is told apart by its chain id alone.
      genesisHash: genesis?.hash ?? `0x${chainId.toString(16).padStart(64, '0')}`,
      client,
      development: client !== null && DEVELOPMENT.test(client),
    };
    const final = header(finalAnswer, null);
    hasFinalTag = final !== null;
    // A final block close to the head may be missing on another machine behind the same address: block 0 is not.
    const deep = !identity.development && final !== null && final.number <= head.number - FINALITY_DEPTH / 2;
    const first = deep ? final : genesis;
    anchor = first === null ? null : { number: first.number, hash: first.hash };
    anchoredAt = deep ? clock.now() : 0;
    return stateOf(identity, head);
  };

  /** The calls that ask for a new anchor, where it is time for one. */
  const anchorCalls = (): readonly RpcCall[] => {
    const deep = (last?.state.headNumber ?? 0) - FINALITY_DEPTH;
    if (clock.now() - anchoredAt < ANCHOR_MS || deep <= (anchor?.number ?? 0)) return [];
    const tagged = hasFinalTag && identity?.development === false;
    return tagged ? [headerCall(deep), headerCall('finalized')] : [headerCall(deep)];
  };
  /** The calls that a check of a known node makes: the anchor, the head, and what `recheck` takes from the rest. */
  const checkCalls = ({ development }: Identity): readonly RpcCall[] => [
    headerCall(anchor?.number ?? 0),
    headerCall('latest'),
    // Two development chains may begin with the very same block; a public one is not billed for more.
    ...(development ? [CHAIN_ID] : []),
    ...anchorCalls(),
  ];
  const moveAnchor = (answers: readonly RpcResponse[], head: BlockHeader) => {
    if (answers.length === 0) return;
    anchoredAt = clock.now();
    const found = answers.map(answer => header(answer, null)).filter(entry => entry !== null);
    const lowest = found.sort((a, b) => a.number - b.number)[0];
    if (lowest !== undefined && lowest.number > (anchor?.number ?? -1) && lowest.number <= head.number)
      anchor = { number: lowest.number, hash: lowest.hash };
  };
  /** `null` when the node turned out to have another chain than before. */
  const recheck = (answers: readonly RpcResponse[], known: Identity, held: Anchor | null): NodeState | null => {
    const [anchorAnswer, headAnswer, ...rest] = answers;
    const head = headOf(headAnswer);
    const chainId = known.development ? parseSafeQuantity(rest.shift()?.result) : null;
    if (chainId !== null && chainId !== known.chainId)
      return drop(`it has the chain id ${chainId}, no longer ${known.chainId}`);
    if (held !== null) {
      const found = header(anchorAnswer, held.number);
      if (head.number < held.number)
        return drop(`its head is block ${head.number}, below block ${held.number}, which was final`);
      if (found !== null && found.hash !== held.hash)
        return drop(
          held.number === 0 ? 'it has another genesis block' : `block ${held.number}, which was final, is another one`,
        );
    }
    moveAnchor(rest, head);
    return stateOf(known, head);
  };

  const askAfresh: EvmNode['sendWithFreshState'] = async (calls, signal) => {
    const order = nextOrder++;
    const known = identity;
    const held = anchor;
    const own = known === null ? introduction : checkCalls(known);
    const answers = await rpc.sendAll([...own, ...calls], signal);
    const ours = answers.slice(0, own.length);
    const theirs = answers.slice(own.length);
    if (known === null || known !== identity) {
      // Not yet introduced, or dropped meanwhile by another call: the state is learnt anew.
      const fresh = known === null ? ours : await rpc.sendAll(introduction, signal);
      return { state: keep(introduce(fresh), order), responses: theirs };
    }
    const state = recheck(ours, known, held);
    // The reset was noticed by this very call, so the answers may be of either chain: ask again.
    return state === null ? askAfresh(calls, signal) : { state: keep(state, order), responses: theirs };
  };

  return {
    selector,
    rpc,
    get cache() {
      return memory;
    },
    sendWithFreshState: askAfresh,
    async sendWithState(calls, signal) {
      const state = recent();
      return state === null ? askAfresh(calls, signal) : { state, responses: await rpc.sendAll(calls, signal) };
    },
    async fetchState(signal) {
      return (await askAfresh([], signal)).state;
    },
    async pollState(signal) {
      // Without a state to compare with, or when it is time for a new anchor, the whole check is due.
      if (last === null || anchorCalls().length > 0) return (await askAfresh([], signal)).state;
      const order = nextOrder++;
      const head = headOf(await rpc.send('eth_getBlockByNumber', ['latest', false], signal));
      // A block's hash stands for all below it: with the same head it is the same chain.
      return last?.state.headHash === head.hash ? keep(last.state, order) : (await askAfresh([], signal)).state;
    },
    async getState(signal) {
      return recent() ?? flights.join('state', async shared => (await askAfresh([], shared)).state, signal);
    },
    validate: believe,
    getResult: result,
  };
}

/** The label of an answer that rests on `block` (a height), or on the head alone (`null`). */
export function getFreshness(node: EvmNode, state: NodeState, block: number | null): Freshness {
  const { genesisHash, headHash, headNumber } = state;
  const final = block !== null && block <= state.finalized;
  return { class: final ? 'final' : 'head', chain: node.selector, state: { genesisHash, headHash, headNumber } };
}

/** The label of balances and the like: on a public chain they are good for seconds, on a dev chain until its head moves. */
export function getLiveFreshness(node: EvmNode, state: NodeState): Freshness {
  const label = getFreshness(node, state, null);
  return { ...label, class: state.isDevelopment ? 'now' : 'seconds' };
}
