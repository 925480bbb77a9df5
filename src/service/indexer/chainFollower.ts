// Brings the index of one node's chain to the node's head: opens its store, undoes reorgs, reads and writes the rest.
import type { Clock } from '../../base/clock.ts';
import { type HexLensError, isFault, toFault } from '../../base/errors.ts';
import { toLowerHex } from '../../base/hex.ts';
import type { Log } from '../../base/log.ts';
import { type BlockHeader, toHeaderCall } from '../evm/blockHeader.ts';
import type { EvmNode, NodeState } from '../evm/evmNode.ts';
import { FINALITY_DEPTH } from '../evm/finality.ts';
import type { BlockRow } from '../store/rows.ts';
import type { OpenStore, Store } from '../store/store.ts';
import { streamBlocks } from './blockStream.ts';
import { parseHeaderResponse } from './chainRangeReader.ts';
import { createFinalizedVerifier, type FinalizedVerifier } from './finalizedVerifier.ts';
import type { IndexPlan } from './indexPlan.ts';
import { createIndexWriter, type OpenIndex } from './indexWriter.ts';
import { createLeaderElection, warnLeaderStalled } from './leaderElection.ts';
import type { SyncContext } from './onDemandSync.ts';
import { findCommonAncestor, isReorg } from './reorgDetection.ts';
import { createTokenContractCache } from './tokenContractCache.ts';

interface ChainFollowerDeps {
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
}

export interface ChainFollower {
  /** `null` until a store is open. */
  readonly position: FollowerPosition | null;
  /** The block at which the index begins; `null` until a store is open. */
  readonly firstBlock: number | null;
  /** Head of the node when it was last requested. */
  readonly nodeHead: number | null;
  /**
   * Brings the index to the node's present head, unless it is to pause. Rejects with the faults of node and store; what was
   * written until then stays.
   */
  follow(signal: AbortSignal): Promise<'synced' | 'paused'>;
  close(): Promise<void>;
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

export function createChainFollower(deps: ChainFollowerDeps): ChainFollower {
  const { node, plan, open, clock, log } = deps;
  const { onPositionChange, shouldPause } = deps.sync;
  let index: MutableIndex | null = null;
  let nodeHead: number | null = null;
  let isNodeBehind = false;
  const election = createLeaderElection();

  const close = async () => {
    const closing = index;
    index = null;
    onPositionChange();
    await closing?.store.close();
  };

  /** Warns once of a node that is further behind than a reorg would go: nothing new is indexed until it has caught up. */
  const noteNodeBehind = (blocks: number) => {
    const wasBehind = isNodeBehind;
    isNodeBehind = blocks > FINALITY_DEPTH;
    if (isNodeBehind && !wasBehind)
      log.warn(`The node of ${node.selector} is ${blocks} blocks behind its index, which waits for it to catch up.`);
  };

  const setHead = (opened: MutableIndex, head: BlockRow | null) => {
    opened.head = head;
    onPositionChange();
  };

  const reopen = async ({ chain, genesisHash }: NodeState) => {
    await close();
    const { scope } = plan;
    const store = await open({
      chainId: chain.id,
      genesisHash: toLowerHex(genesisHash),
      ...(scope !== undefined && { scope }),
    });
    const tokenContracts = createTokenContractCache(node);
    const reader = plan.createReader(tokenContracts);
    const verifier = createFinalizedVerifier(store, reader);
    index = { store, tokenContracts, reader, storedTokens: new Set(), head: null, firstBlock: 0, verifier };
  };

  /** Removes the blocks above `block`; -1 for all. */
  const removeAbove = async (opened: MutableIndex, block: number) => {
    const { store, storedTokens, verifier } = opened;
    await store.rollBackTo(block);
    storedTokens.clear();
    verifier.markRemoved(block);
    setHead(opened, await store.readHead());
  };

  const handleReorg = async (opened: MutableIndex, tip: BlockRow, state: NodeState, signal: AbortSignal) => {
    const common = await findCommonAncestor(node, opened.store, Math.min(tip.number, state.headNumber), signal);
    signal.throwIfAborted();
    opened.tokenContracts.clear();
    await removeAbove(opened, common);
    const outcome = common < 0 ? 'starts again' : `went back from block ${tip.number} to ${common}`;
    log.info(`The chain ${node.selector} was reorganized: its index ${outcome}.`);
  };

  /** Removes everything when the index begins too late for the plan, and finds out where it begins. */
  const settleFirstBlock = async (opened: MutableIndex, state: NodeState, signal: AbortSignal) => {
    const { store } = opened;
    const coverage = opened.head === null ? null : await store.readCoverage();
    if (coverage !== null && plan.reachesFarEnough !== undefined) {
      const isEnough = await plan.reachesFarEnough(coverage, state, signal);
      if (!isEnough && (await election.isLeader(store))) await removeAbove(opened, -1);
    }
    opened.firstBlock =
      coverage !== null && opened.head !== null ? coverage.fromBlock : await plan.fetchFirstBlock(state, signal);
  };

  /**
   * Compares blocks that became final with the node. From the first one that the node returned incompletely before, blocks are
   * removed, and so read again. Blocks of development chains are never final.
   */
  const handleFinalized = async (opened: MutableIndex, state: NodeState, signal: AbortSignal) => {
    const { head, firstBlock, verifier } = opened;
    if (state.isDevelopment || head === null) return;
    const from = await verifier.findFirstDifference(head.number, firstBlock, state, signal);
    if (from === null) return;
    signal.throwIfAborted();
    log.info(`From block ${from} of ${node.selector} on the node left out logs at first: they are read again.`);
    await removeAbove(opened, from - 1);
  };

  /**
   * A node rejects calls at a block that a reorg has removed: then its blocks are read again. Throws `error` while the node
   * still has `head`, which was its newest block.
   */
  const toReorged = async (error: unknown, start: number, head: BlockHeader, signal: AbortSignal): Promise<State> => {
    if (signal.aborted || !isFault(error, 'node-answer', 'node-error')) throw error;
    const found = await node
      .sendWithFreshState([toHeaderCall(head.number)], signal)
      .then(({ responses }) => parseHeaderResponse(node, responses[0], head.number))
      .catch(() => head); // unknown: the first fault says more
    if (found?.hash === head.hash) throw error;
    return { name: 'reorged', start, fault: toFault(error) };
  };

  const reconcile = async (signal: AbortSignal): Promise<State> => {
    const opened = index;
    const tip = opened === null ? null : await opened.store.readHead();
    const { state, responses } = await node.sendWithFreshState(tip === null ? [] : [toHeaderCall(tip.number)], signal);
    nodeHead = state.headNumber;
    if (opened === null || !isStoreOf(opened.store, state)) {
      await reopen(state);
      return { name: 'reconciling' };
    }
    const { store } = opened;
    const found = tip === null ? null : parseHeaderResponse(node, responses[0], tip.number);
    if (tip !== null && (await isReorg(node, store, tip, found, state, signal))) {
      if (!(await election.isLeader(store))) {
        await clock.sleep(WATCH_INTERVAL_MS, signal); // the leading process undoes the reorg
        return { name: shouldPause() ? 'paused' : 'reconciling' };
      }
      await handleReorg(opened, tip, state, signal);
    } else if (opened.head?.hash !== tip?.hash) setHead(opened, tip);
    try {
      await settleFirstBlock(opened, state, signal);
      if (await election.isLeader(store)) await handleFinalized(opened, state, signal);
    } catch (error) {
      return await toReorged(error, opened.head?.number ?? -1, state.head, signal);
    }
    const start = opened.head?.number ?? -1;
    noteNodeBehind(start - state.headNumber);
    if (start >= state.headNumber) return { name: 'synced' };
    const goal = { index: opened, start, head: state.head, finalized: state.finalized };
    return { name: (await election.isLeader(store)) ? 'backfilling' : 'watching', goal };
  };

  const backfill = async (goal: Goal, signal: AbortSignal): Promise<State> => {
    const { index: opened, start, finalized } = goal;
    const to = goal.head.number;
    const reorged: State = { name: 'reorged', start };
    const ending = new AbortController();
    const from = opened.head === null ? opened.firstBlock : opened.head.number + 1;
    const onWritten = (head: BlockRow) => {
      opened.verifier.markWritten(from, head.number, finalized);
      setHead(opened, head);
    };
    const writer = createIndexWriter({ index: opened, selector: node.selector, clock, log, onWritten }, signal);
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
        const isPausing = shouldPause();
        // The first blocks are written at once: without them requests have no answer.
        if (isPausing || opened.head === null) {
          if (!(await writer.flush())) return reorged;
        } else if (writer.isDue && !(await writer.startFlush())) return reorged;
        if (isPausing) return { name: 'paused' };
      }
    } catch (error) {
      // What was read before the node failed need not be read again.
      if (!signal.aborted && !writer.isEmpty) await writer.flush().catch(() => false);
      return await toReorged(error, start, goal.head, signal); // else its fault would be unhandled before `finally` has ended
    } finally {
      ending.abort();
      await Promise.allSettled([writer.settled(), events.return()]);
    }
  };

  /** Takes over as position what another process writes, until it has reached the goal or has ended. */
  const watch = async (goal: Goal, signal: AbortSignal): Promise<State> => {
    const { index: opened } = goal;
    const to = goal.head.number;
    for (let idleWaits = 1; ; idleWaits++) {
      await clock.sleep(WATCH_INTERVAL_MS, signal);
      const head = await opened.store.readHead();
      if (head?.hash !== opened.head?.hash) {
        setHead(opened, head);
        idleWaits = 0;
      }
      if (head !== null && head.number >= to) return { name: 'synced' };
      if (idleWaits * WATCH_INTERVAL_MS === STALL_WARNING_MS) warnLeaderStalled(node.selector, opened.head, log);
      if (await election.isLeader(opened.store)) return { name: 'reconciling' };
      if (shouldPause()) return { name: 'paused' };
    }
  };

  const follow = async (signal: AbortSignal): Promise<'synced' | 'paused'> => {
    let state: State = { name: 'reconciling' };
    let reorgs = 0;
    for (;;) {
      switch (state.name) {
        case 'reconciling':
          state = await reconcile(signal);
          break;
        case 'backfilling':
          state = await backfill(state.goal, signal);
          break;
        case 'watching':
          state = await watch(state.goal, signal);
          break;
        case 'reorged':
          await election.release(); // another process may have taken the lock already and be writing
          reorgs = (index?.head?.number ?? -1) > state.start ? 1 : reorgs + 1;
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
  };

  return {
    get position() {
      return index === null ? null : { store: index.store, head: index.head };
    },
    get firstBlock() {
      return index?.firstBlock ?? null;
    },
    get nodeHead() {
      return nodeHead;
    },
    close,
    follow: signal => follow(signal).finally(() => election.release()),
  };
}

const isStoreOf = ({ info }: Store, { genesisHash, chain }: NodeState): boolean =>
  info.genesisHash === genesisHash.toLowerCase() && info.chainId === chain.id;

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
