// Brings the store of one node's chain to the node's head: opens it, takes back what a reorg undid, reads on, stores.

import type { Clock } from '../../base/clock.ts';
import type { Hex } from '../../base/hex.ts';
import type { Log } from '../../base/log.ts';
import type { EvmNode, NodeState } from '../evm/evmNode.ts';
import type { BlockRow, TokenRow } from '../store/rows.ts';
import type { OpenStore, Store } from '../store/store.ts';
import { type DecodedRange, parseHeaderResponse, type RangeReader, toHeaderCall } from './chainRangeReader.ts';
import { findCommonAncestor, isNodeBehind } from './commonAncestor.ts';
import { MAX_CONSECUTIVE_IDS } from './decodeLogs.ts';
import type { IndexPlan } from './indexPlan.ts';
import { createRowBuffer, fetchMissingTokens, oneAtATime, type PendingRows } from './indexWriter.ts';
import { createLeaderElection, warnLeaderStalled } from './leaderElection.ts';
import { createTokenContractCache, type TokenContractCache } from './tokenContractCache.ts';

// Waiting for something, but not for long.
/** Whether `work` is over, either way, within `ms` milliseconds. Rejects when the signal aborts. */
export async function settlesWithin(
  work: Promise<unknown>,
  ms: number,
  clock: Clock,
  signal: AbortSignal,
): Promise<boolean> {
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

export interface ChainFollowerDeps {
  readonly node: EvmNode;
  /** What is read of the node's chain. */
  readonly plan: IndexPlan;
  readonly open: OpenStore;
  readonly clock: Clock;
  readonly log: Log;
  /** Called whenever `position` has changed. */
  readonly onPositionChange: () => void;
}

/** Where the index is. */
export interface FollowerPosition {
  readonly store: Store;
  /** `null` while it is empty. */
  readonly head: BlockRow | null;
}

export interface ChainFollower {
  /** `null` until a store is open. */
  readonly position: FollowerPosition | null;
  /** Where the index begins. */
  readonly first: number | null;
  /** Head of the node when it was last looked at. */
  readonly target: number | null;
  /**
   * Goes to the head that the node has now, or as far as `resting` lets it: that is asked after each step. Rejects with
   * the faults of node and store; what was stored until then stays.
   */
  follow(resting: () => boolean, signal: AbortSignal): Promise<'there' | 'rested'>;
  close(): Promise<void>;
}

interface Opened {
  readonly store: Store;
  readonly book: TokenContractCache;
  readonly reader: RangeReader;
  /** Contracts whose row is in the store. */
  readonly named: Set<Hex>;
}

/** Ranges that are read side by side. */
const AHEAD = 4;
/** A chain that changes again and again while it is read; each time we wait longer. */
const MOST_TORN = 8;
const TORN_MS = 50;
/** How often the work of another process is looked at. */
const WATCH_MS = 100;
/** After which it is said that it does not move. */
const STALLED_MS = 20_000;
const MOST_NAMED = 50_000;

export function createChainFollower({
  node,
  plan,
  open,
  clock,
  log,
  onPositionChange: moved,
}: ChainFollowerDeps): ChainFollower {
  let opened: Opened | null = null;
  let head: BlockRow | null = null;
  let target: number | null = null;
  let first = 0;
  /** Blocks up to this one will not change: one range ends here, so that a reorg costs what is above it at most. */
  let final = -1;
  const leadership = createLeaderElection();

  const setHead = (block: BlockRow | null) => {
    head = block;
    moved();
  };

  const close = async () => {
    const store = opened?.store;
    opened = null;
    setHead(null);
    await store?.close();
  };

  const isOf = ({ info }: Store, state: NodeState) =>
    info.genesisHash === state.genesisHash.toLowerCase() && info.chainId === state.chain.id;

  const reopen = async (state: NodeState) => {
    await close();
    const genesisHash = state.genesisHash.toLowerCase() as Hex;
    const { scope: subject } = plan;
    const store = await open({
      chainId: state.chain.id,
      genesisHash,
      ...(subject !== undefined && { scope: subject }),
    });
    const book = createTokenContractCache(node);
    opened = { store, book, reader: plan.createReader(book), named: new Set() };
  };

  /** Opens the chain's store, and takes back what the chain no longer has; `null` when it rests before that is done. */
  const settle = async (resting: () => boolean, signal: AbortSignal): Promise<Opened | null> => {
    for (;;) {
      const now = opened;
      const tip = now === null ? null : await now.store.readHead();
      const { state, responses: answers } = await node.sendWithFreshState(
        tip === null ? [] : [toHeaderCall(tip.number)],
        signal,
      );
      target = state.headNumber;
      final = state.finalized;
      if (now === null || !isOf(now.store, state)) {
        await reopen(state);
        continue;
      }
      const found = tip === null ? null : parseHeaderResponse(node, answers[0], tip.number);
      if (tip !== null && found === null && isNodeBehind(tip, state)) {
        if (head?.hash !== tip.hash) setHead(tip);
      } else if (tip !== null && found?.hash.toLowerCase() !== tip.hash) {
        if (!(await leadership.isLeader(now.store))) {
          await clock.sleep(WATCH_MS, signal); // whoever leads takes it back
          if (resting()) return null;
          continue;
        }
        const common = await findCommonAncestor(node, now.store, Math.min(tip.number, state.headNumber), signal);
        signal.throwIfAborted();
        await now.store.rollBackTo(common);
        now.book.clear();
        now.named.clear();
        const back = common < 0 ? 'begins anew' : `went back from block ${tip.number} to ${common}`;
        log.info(`The chain ${node.selector} was changed: its index ${back}.`);
        setHead(await now.store.readHead());
      } else if (head?.hash !== tip?.hash) setHead(tip);
      const coverage = head === null ? null : await now.store.readCoverage();
      if (
        coverage !== null &&
        plan.reachesFarEnough &&
        !(await plan.reachesFarEnough(coverage, state, signal)) &&
        (await leadership.isLeader(now.store))
      ) {
        await now.store.rollBackTo(-1);
        setHead(null);
      }
      first = coverage !== null && head !== null ? coverage.fromBlock : await plan.fetchFirstBlock(state, signal);
      return now;
    }
  };

  /** While another process follows the chain: what it stores is ours too. Ends when it has come to `to`, or has ended. */
  const watch = async (
    { store }: Opened,
    to: number,
    resting: () => boolean,
    signal: AbortSignal,
  ): Promise<'there' | 'rested' | 'torn'> => {
    for (let waits = 1; ; waits++) {
      await clock.sleep(WATCH_MS, signal);
      const tip = await store.readHead();
      if (tip?.hash !== head?.hash) {
        setHead(tip);
        waits = 0;
      }
      if (tip !== null && tip.number >= to) return 'there';
      if (waits * WATCH_MS === STALLED_MS) warnLeaderStalled(node.selector, head, log);
      if (await leadership.isLeader(store)) return 'torn';
      if (resting()) return 'rested';
    }
  };

  /** False when the store has moved under us: another process has it open too. */
  const keep = async (now: Opened, pending: PendingRows, signal: AbortSignal): Promise<boolean> => {
    const last = pending.blocks.at(-1);
    if (last === undefined) return true;
    const { blocks, transfers, mints, trades, leftOut } = pending;
    if (leftOut > 0n)
      log.warn(
        `${leftOut} NFTs of ${node.selector} are not in its index: more than ${MAX_CONSECUTIVE_IDS} in one block.`,
      );
    const tokens: readonly TokenRow[] = await fetchMissingTokens(now, pending, signal);
    signal.throwIfAborted();
    try {
      const coveredFrom = head === null ? first : head.number + 1;
      await now.store.applyBatch({
        ...(plan.scope !== undefined && { coveredFrom }),
        blocks,
        transfers,
        mints,
        trades,
        tokens,
      });
    } catch (error) {
      const found = await now.store.readHead();
      if (found?.hash !== head?.hash) return false;
      throw error;
    }
    if (now.named.size > MOST_NAMED) now.named.clear();
    for (const token of pending.shapes.keys()) now.named.add(token);
    setHead(last);
    return true;
  };

  /** Reads on up to block `to`; `torn` when the chain changed meanwhile. */
  const readOn = async (
    now: Opened,
    to: number,
    resting: () => boolean,
    signal: AbortSignal,
  ): Promise<'there' | 'rested' | 'torn'> => {
    const leaving = new AbortController();
    const either = AbortSignal.any([signal, leaving.signal]);
    const ahead: Promise<DecodedRange | null>[] = [];
    const gathering = createRowBuffer(clock);
    let next = head === null ? first : head.number + 1;
    let tip = head;
    const readAhead = () => {
      while (ahead.length < AHEAD && next <= to) {
        const last = Math.min(to, next + now.reader.rangeSize - 1, next <= final ? final : to);
        const range = now.reader.read(next, last, to - last, either);
        range.catch(() => {}); // it is awaited in its turn, unless an earlier one fails
        ahead.push(range);
        next = last + 1;
      }
    };
    const storing = oneAtATime(() => keep(now, gathering.take(), signal));
    try {
      for (;;) {
        readAhead();
        const [coming] = ahead;
        if (coming === undefined) return (await storing.finish()) ? 'there' : 'torn';
        // A slow node must not hold back what is there already.
        const late = !gathering.isEmpty && !(await settlesWithin(coming, gathering.msUntilDue, clock, signal));
        if (late && !(await storing.begin())) return 'torn';
        const range = await coming;
        ahead.shift();
        const follows = range !== null && (tip === null || range.blocks[0]?.parentHash === tip.hash);
        if (range === null || !follows) {
          await storing.finish();
          return 'torn';
        }
        gathering.add(range);
        tip = range.blocks.at(-1) ?? tip;
        const rests = resting();
        // The first blocks of all are stored at once: there is nothing to answer with before.
        if (rests || head === null) {
          if (!(await storing.finish())) return 'torn';
        } else if (gathering.isDue && !(await storing.begin())) return 'torn';
        if (rests) return 'rested';
      }
    } catch (error) {
      // What was read before the node failed need not be read again.
      if (!signal.aborted && !gathering.isEmpty) await storing.finish().catch(() => false);
      throw error;
    } finally {
      leaving.abort();
      await Promise.allSettled([storing.settled(), ...ahead]);
    }
  };

  const goOn = async (resting: () => boolean, signal: AbortSignal): Promise<'there' | 'rested'> => {
    for (let torn = 0; ; ) {
      const now = await settle(resting, signal);
      if (now === null) return 'rested';
      const before = head?.number ?? -1;
      const to = target ?? -1;
      if (before >= to) return 'there';
      const leads = await leadership.isLeader(now.store);
      const outcome = await (leads ? readOn : watch)(now, to, resting, signal);
      if (outcome !== 'torn') return outcome;
      if (leads) await leadership.release(); // it may be lost already, and another process be at it
      torn = (head?.number ?? -1) > before ? 1 : torn + 1;
      if (torn > MOST_TORN)
        throw node.rpc.invalidResponse('eth_getBlockByNumber', 'its blocks are others each time they are read', {
          fix: 'Try again when the chain has settled.',
        });
      await clock.sleep(TORN_MS * torn, signal);
    }
  };

  return {
    get position() {
      return opened === null ? null : { store: opened.store, head };
    },
    get first() {
      return opened === null ? null : first;
    },
    get target() {
      return target;
    },
    close,
    async follow(resting, signal) {
      try {
        return await goOn(resting, signal);
      } finally {
        await leadership.release();
      }
    },
  };
}
