// Brings the index of one node's chain to the node's head: opens its store, undoes reorgs, reads and writes the rest.
import type { Clock } from '../../base/clock.ts';
import { type HexLensError, isFault, toFault } from '../../base/errors.ts';
import { type Hex, toLowerHex } from '../../base/hex.ts';
import type { Log } from '../../base/log.ts';
import { type BlockHeader, toHeaderCall } from '../evm/blockHeader.ts';
import type { EvmNode, NodeState } from '../evm/evmNode.ts';
import { FINALITY_DEPTH } from '../evm/finality.ts';
import { parseHeaderResponse } from '../evm/rpcResults.ts';
import type { BlockRow } from '../store/rows.ts';
import type { OpenStore, Store } from '../store/store.ts';
import { streamBlocks } from './blockStream.ts';
import { createFinalizedVerifier, type FinalizedVerifier } from './finalizedVerifier.ts';
import type { IndexPlan } from './indexPlan.ts';
import { IndexWriter, type OpenIndex } from './indexWriter.ts';
import { Leadership, warnLeaderStalled } from './leadership.ts';
import type { SyncContext } from './onDemandSync.ts';
import { findCommonAncestor, isReorg } from './reorgDetection.ts';
import { createTokenContractCache } from './tokenContractCache.ts';

export interface ChainFollowerDeps {
  readonly node: EvmNode;
  /** What is read of the node's chain. */
  readonly plan: IndexPlan;
  readonly open: OpenStore;
  readonly clock: Clock;
  readonly log: Log;
  readonly sync: SyncContext;
}

/** How far the index is. */
interface FollowerPosition {
  readonly store: Store;
  /** `null` while the index is empty. */
  readonly head: BlockRow | null;
  /** How often blocks were removed: what is read after that may lack rows of below `head`. */
  readonly removals: number;
}

type MutableIndex = { -readonly [Key in keyof OpenIndex]: OpenIndex[Key] } & { readonly verifier: FinalizedVerifier };

/** One round of work: from the head of the index to that of the node. */
interface Goal {
  readonly index: MutableIndex;
  /** The index's head as the round begins; -1 when it is empty. */
  readonly start: number;
  /** The node's head. */
  readonly head: BlockHeader;
  /** The node's newest block that will not change. */
  readonly finalized: number;
}

/**
 * `reconciling` opens the store and undoes what a reorg removed. Then one process per store is `backfilling`: it reads and
 * writes the missing blocks, while all others are `watching` what it writes. A change of the chain meanwhile leads to
 * `reorged`, and after a moment back to `reconciling`.
 */
type State =
  | { readonly name: 'reconciling' }
  | { readonly name: 'backfilling' | 'watching'; readonly goal: Goal }
  | { readonly name: 'reorged'; readonly start: number; readonly fault?: HexLensError }
  | { readonly name: 'synced' | 'paused' };

/** The chain may change again and again while it is read; each time the follower waits longer. */
const MAX_REORGS_IN_A_ROW = 8;
const REORG_WAIT_MS = 50;
/** How often the progress of another process is read. */
export const WATCH_INTERVAL_MS = 100;
/** Without progress for so long the leading process is reported as stalled; its lock is not taken away by that. */
const STALL_WARNING_MS = 20_000;

export class ChainFollower {
  readonly #deps: ChainFollowerDeps;
  /** `null` until a store is open. */
  #index: MutableIndex | null = null;
  /** As it was last requested. */
  #nodeHead: number | null = null;
  /** The warning was given. */
  #isNodeBehind = false;
  readonly #leadership = new Leadership();
  /** How often blocks were removed from the index. */
  #removals = 0;

  constructor(deps: ChainFollowerDeps) {
    this.#deps = deps;
  }

  async close(): Promise<void> {
    const closing = this.#index;
    this.#index = null;
    this.#deps.sync.onPositionChange();
    await closing?.store.close();
  }

  /** `null` until a store is open. */
  get position(): FollowerPosition | null {
    const index = this.#index;
    return index === null ? null : { store: index.store, head: index.head, removals: this.#removals };
  }

  /** The block at which the index begins; `null` until a store is open. */
  get firstBlock(): number | null {
    return this.#index?.firstBlock ?? null;
  }

  /** Head of the node when it was last requested. */
  get nodeHead(): number | null {
    return this.#nodeHead;
  }

  /**
   * Brings the index to the node's present head, unless it is to pause. Rejects with the faults of node and store; what was
   * written until then stays.
   *
   * @param isStateNew The node's cached state will do where a request for it would return the same.
   */
  follow(signal: AbortSignal, isStateNew = false): Promise<'synced' | 'paused'> {
    return this.#follow(signal, isStateNew).finally(() => this.#leadership.release());
  }

  /** Warns once of a node that is further behind than a reorg would go: nothing new is indexed until it has caught up. */
  #noteNodeBehind(blocks: number): void {
    const { log, node } = this.#deps;
    const wasBehind = this.#isNodeBehind;
    this.#isNodeBehind = blocks > FINALITY_DEPTH;
    if (this.#isNodeBehind && !wasBehind)
      log.warn(`The node of ${node.selector} is ${blocks} blocks behind its index, which waits for it to catch up.`);
  }

  #setHead(opened: MutableIndex, head: BlockRow | null): void {
    opened.head = head;
    this.#deps.sync.onPositionChange();
  }

  async #reopen({ chain, genesisHash }: NodeState): Promise<MutableIndex> {
    const { node, open, plan } = this.#deps;
    await this.close();
    const { scope } = plan;
    const store = await open({
      chainId: chain.id,
      genesisHash: toLowerHex(genesisHash),
      ...(scope !== undefined && { scope }),
    });
    const tokenContracts = createTokenContractCache(node);
    const reader = plan.createReader(tokenContracts);
    const verifier = createFinalizedVerifier(store, reader);
    const opened = { store, tokenContracts, reader, storedTokens: new Set<Hex>(), head: null, firstBlock: 0, verifier };
    this.#index = opened;
    return opened;
  }

  /** Removes the blocks above `block`; -1 for all. */
  async #removeAbove(opened: MutableIndex, block: number): Promise<void> {
    const { store, storedTokens, verifier } = opened;
    this.#removals++;
    await store.rollBackTo(block);
    storedTokens.clear();
    verifier.markRemoved(block);
    this.#setHead(opened, await store.readHead());
  }

  async #handleReorg(opened: MutableIndex, tip: BlockRow, state: NodeState, signal: AbortSignal): Promise<void> {
    const { log, node } = this.#deps;
    const common = await findCommonAncestor(node, opened.store, Math.min(tip.number, state.headNumber), signal);
    signal.throwIfAborted();
    opened.tokenContracts.clear();
    await this.#removeAbove(opened, common);
    const outcome = common < 0 ? 'starts again' : `went back from block ${tip.number} to ${common}`;
    log.info(`The chain ${node.selector} was reorganized: its index ${outcome}.`);
  }

  /** Removes everything when the index begins too late for the plan, and finds out where it begins. */
  async #settleFirstBlock(opened: MutableIndex, state: NodeState, signal: AbortSignal): Promise<void> {
    const { plan } = this.#deps;
    const { store } = opened;
    const coverage = opened.head === null ? null : await store.readCoverage();
    if (coverage !== null && plan.reachesFarEnough !== undefined) {
      const isEnough = await plan.reachesFarEnough(coverage, state, signal);
      if (!isEnough && (await this.#leadership.isLeader(store))) await this.#removeAbove(opened, -1);
    }
    opened.firstBlock =
      coverage !== null && opened.head !== null ? coverage.fromBlock : await plan.fetchFirstBlock(state, signal);
  }

  /**
   * Compares blocks that became final with the node. From the first one that the node returned incompletely before, blocks are
   * removed, and so read again. Blocks of development chains are never final.
   */
  async #handleFinalized(opened: MutableIndex, state: NodeState, signal: AbortSignal): Promise<void> {
    const { log, node } = this.#deps;
    const { head, firstBlock, verifier } = opened;
    if (state.isDevelopment || head === null) return;
    const from = await verifier.findFirstDifference(head.number, firstBlock, state, signal);
    if (from === null) return;
    signal.throwIfAborted();
    log.info(`From block ${from} of ${node.selector} on the node left out logs at first: they are read again.`);
    await this.#removeAbove(opened, from - 1);
  }

  /**
   * A node rejects calls at a block that a reorg has removed: then its blocks are read again. Throws `error` while the node
   * still has `head`, which was its newest block.
   */
  async #toReorged(error: unknown, start: number, head: BlockHeader, signal: AbortSignal): Promise<State> {
    const { node } = this.#deps;
    if (signal.aborted || !isFault(error, 'node-answer', 'node-error')) throw error;
    const found = await node
      .sendWithFreshState([toHeaderCall(head.number)], signal)
      .then(({ responses }) => parseHeaderResponse(node, responses[0], head.number))
      .catch(() => head); // unknown: the first fault says more
    if (found?.hash === head.hash) throw error;
    return { name: 'reorged', start, fault: toFault(error) };
  }

  async #reconcile(signal: AbortSignal, isStateNew: boolean): Promise<State> {
    const { clock, node } = this.#deps;
    let opened = this.#index;
    let tip = opened === null ? null : await opened.store.readHead();
    const cached = tip === null && isStateNew ? await node.getState(signal) : null;
    const { state, responses } =
      cached !== null && isFinalityKnown(cached)
        ? { state: cached, responses: [] }
        : await node.sendWithFreshState(tip === null ? [] : [toHeaderCall(tip.number)], signal);
    this.#nodeHead = state.headNumber;
    if (opened === null || !isStoreOf(opened.store, state)) {
      opened = await this.#reopen(state);
      tip = await opened.store.readHead();
      // Its newest block is compared with the node's, which a further request returns.
      if (tip !== null || !isFinalityKnown(state)) return { name: 'reconciling' };
    }
    const { store } = opened;
    const found = tip === null ? null : parseHeaderResponse(node, responses[0], tip.number);
    if (tip !== null && (await isReorg(node, store, tip, found, state, signal))) {
      if (!(await this.#leadership.isLeader(store))) {
        await clock.sleep(WATCH_INTERVAL_MS, signal); // the leading process undoes the reorg
        return { name: this.#deps.sync.shouldPause() ? 'paused' : 'reconciling' };
      }
      await this.#handleReorg(opened, tip, state, signal);
    } else if (opened.head?.hash !== tip?.hash) this.#setHead(opened, tip);
    try {
      await this.#settleFirstBlock(opened, state, signal);
      if (await this.#leadership.isLeader(store)) await this.#handleFinalized(opened, state, signal);
    } catch (error) {
      return await this.#toReorged(error, opened.head?.number ?? -1, state.head, signal);
    }
    const start = opened.head?.number ?? -1;
    this.#noteNodeBehind(start - state.headNumber);
    if (start >= state.headNumber) return { name: 'synced' };
    const goal = { index: opened, start, head: state.head, finalized: state.finalized };
    return { name: (await this.#leadership.isLeader(store)) ? 'backfilling' : 'watching', goal };
  }

  async #backfill(goal: Goal, signal: AbortSignal): Promise<State> {
    const { clock, log, node } = this.#deps;
    const { index: opened, start, finalized } = goal;
    const to = goal.head.number;
    const reorged: State = { name: 'reorged', start };
    const ending = new AbortController();
    const from = opened.head === null ? opened.firstBlock : opened.head.number + 1;
    const onWritten = (head: BlockRow) => {
      opened.verifier.markWritten(from, head.number, finalized);
      this.#setHead(opened, head);
    };
    const writer = new IndexWriter({ index: opened, selector: node.selector, clock, log, onWritten }, signal);
    const events = streamBlocks(
      { reader: opened.reader, from, to, finalized, parent: opened.head },
      AbortSignal.any([signal, ending.signal]),
    );
    try {
      for (;;) {
        const next = events.next();
        // A slow node must not hold back the blocks that it already gave.
        const isLate = !writer.isEmpty && !(await settlesWithin(next, writer.msUntilDue, clock, signal));
        if (isLate && !(await writer.startFlush())) return reorged;
        const { value: event } = await next;
        if (event === undefined) return (await writer.flush()) ? { name: 'synced' } : reorged;
        if (event.type === 'reorg') {
          await writer.flush();
          return reorged;
        }
        writer.add(event.range);
        const isPausing = this.#deps.sync.shouldPause();
        // The first blocks are written at once: without them requests have no answer.
        if (isPausing || opened.head === null) {
          if (!(await writer.flush())) return reorged;
        } else if (writer.isDue && !(await writer.startFlush())) return reorged;
        if (isPausing) return { name: 'paused' };
      }
    } catch (error) {
      // What was read before the node failed need not be read again.
      if (!signal.aborted && !writer.isEmpty) await writer.flush().catch(() => false);
      return await this.#toReorged(error, start, goal.head, signal); // else its fault would be unhandled before `finally` has ended
    } finally {
      ending.abort();
      await Promise.allSettled([writer.settled(), events.return()]);
    }
  }

  /** Takes over as position what another process writes, until it has reached the goal or has ended. */
  async #watch(goal: Goal, signal: AbortSignal): Promise<State> {
    const { clock, log, node } = this.#deps;
    const { index: opened } = goal;
    const to = goal.head.number;
    for (let idleWaits = 1; ; idleWaits++) {
      await clock.sleep(WATCH_INTERVAL_MS, signal);
      const head = await opened.store.readHead();
      if (head?.hash !== opened.head?.hash) {
        this.#setHead(opened, head);
        idleWaits = 0;
      }
      if (head !== null && head.number >= to) return { name: 'synced' };
      if (idleWaits * WATCH_INTERVAL_MS === STALL_WARNING_MS) warnLeaderStalled(node.selector, opened.head, log);
      if (await this.#leadership.isLeader(opened.store)) return { name: 'reconciling' };
      if (this.#deps.sync.shouldPause()) return { name: 'paused' };
    }
  }

  async #follow(signal: AbortSignal, isStateNew: boolean): Promise<'synced' | 'paused'> {
    const { clock, node } = this.#deps;
    let state: State = { name: 'reconciling' };
    let reorgs = 0;
    for (;;) {
      switch (state.name) {
        case 'reconciling':
          state = await this.#reconcile(signal, isStateNew && this.#index === null);
          break;
        case 'backfilling':
          state = await this.#backfill(state.goal, signal);
          break;
        case 'watching':
          state = await this.#watch(state.goal, signal);
          break;
        case 'reorged':
          await this.#leadership.release(); // another process may have taken the lock already and be writing
          reorgs = (this.#index?.head?.number ?? -1) > state.start ? 1 : reorgs + 1;
          if (reorgs > MAX_REORGS_IN_A_ROW && state.fault !== undefined) throw state.fault;
          if (reorgs > MAX_REORGS_IN_A_ROW)
            throw node.rpc.invalidResponse('eth_getBlockByNumber', 'its blocks are others each time they are read', {
              fix: 'Try again when the chain has settled.',
            });
          await clock.sleep(REORG_WAIT_MS * reorgs, signal);
          state = { name: 'reconciling' };
          break;
        default:
          return state.name;
      }
    }
  }
}

const isStoreOf = ({ info }: Store, { genesisHash, chain }: NodeState): boolean =>
  info.genesisHash === genesisHash.toLowerCase() && info.chainId === chain.id;

/** The first state of a public node does not tell what is final: a reorg would then undo all that is read with it. */
const isFinalityKnown = ({ isDevelopment, finalized }: NodeState): boolean => isDevelopment || finalized >= 0;

/** Whether `work` is over, fulfilled or rejected, within `ms` milliseconds. Rejects when the signal aborts. */
async function settlesWithin(work: Promise<unknown>, ms: number, clock: Clock, signal: AbortSignal): Promise<boolean> {
  const over = new AbortController();
  const done = work.then(
    () => true,
    () => true,
  );
  const late = clock.sleep(ms, AbortSignal.any([signal, over.signal])).then(() => false);
  try {
    return await Promise.race([done, late]);
  } finally {
    over.abort();
  }
}
