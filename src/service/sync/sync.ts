// The index of one node's chain, kept at its head on demand: who asks waits a moment, the rest is done in the background.
import type { Clock } from '../../base/clock.ts';
import { asFault, HexLensError, isFault } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import type { EvmNode } from '../evm/node.ts';
import type { BlockRow } from '../store/rows.ts';
import type { OpenStore, Store } from '../store/store.ts';
import { createFollower, type Position } from './follower.ts';
import { type SyncPlan, wholeChain } from './plan.ts';

export interface IndexDeps {
  readonly node: EvmNode;
  /** What is read of the node's chain; all of it when absent. */
  readonly plan?: SyncPlan | undefined;
  readonly open: OpenStore;
  readonly clock: Clock;
  readonly log: Log;
  /** Milliseconds after the last request at which the background work rests; `REST_MS` when absent. */
  readonly restMs?: number | undefined;
  /** Hears of every step. */
  readonly progressed?: ((progress: IndexProgress) => void) | undefined;
}

export interface Current {
  /** Closed when the chain turns out to be another one, or the index is stopped: ask again for each request. */
  readonly store: Store;
  /** The newest block in the store. */
  readonly head: BlockRow;
  /** Whether that was the node's head at some moment after the question. */
  readonly synced: boolean;
}

export interface IndexProgress {
  /** The block at which the index begins. */
  readonly from: number | null;
  /** Whether blocks are being read at this moment. */
  readonly running: boolean;
  /** Newest block in the store; `null` when there is none, or none is known yet. */
  readonly indexed: number | null;
  /** Head of the node when it was last looked at. */
  readonly head: number | null;
  /** Why the last run ended, when it was by a fault. */
  readonly fault: HexLensError | null;
}

export interface Index {
  /**
   * Brings the store to the node's head, waiting 1.5 s at most (the first time, until there is a block), and goes on in
   * the background after that. Rejects with the node's and the store's faults, `cancelled`, `backend-stopped`; the next
   * call tries again.
   */
  current(signal?: AbortSignal): Promise<Current>;
  progress(): IndexProgress;
  /** Ends the background work after the step it is at; the next request goes on from there. */
  pause(): void;
  /** Aborts what is under way and closes the store. */
  stop(): Promise<void>;
}

/** Milliseconds that a request waits for the index. */
export const WAIT_MS = 1_500;
/** Milliseconds after the last request at which the background work rests. */
export const REST_MS = 30_000;

/** Faults in a row, without one step in between, after which work in the background ends. */
const MOST_SETBACKS = 6;
/** Milliseconds until the first try after a fault; twice as long each further time. */
const SETBACK_MS = 1_000;

const isPassing = (fault: HexLensError) =>
  isFault(fault, 'rate-limited') || isFault(fault, 'node-timeout') || isFault(fault, 'node-unreachable');

interface Waiter {
  /** The number of its question: answered by a run that began after it. */
  readonly question: number;
  resolve(position: Position): void;
  reject(error: unknown): void;
}

export function createIndex(deps: IndexDeps): Index {
  const { node, plan = wholeChain(node), open, clock, log, restMs = REST_MS, progressed } = deps;
  const stopping = new AbortController();
  const waiters = new Set<Waiter>();
  let onMove = new Set<() => void>();
  let questions = 0;
  let lastAsked = 0;
  let running: Promise<void> | null = null;
  let fault: HexLensError | null = null;

  const moved = () => {
    const told = onMove;
    onMove = new Set();
    for (const tell of told) tell();
    progressed?.(progress());
  };
  const follower = createFollower({ node, plan, open, clock, log, moved });
  let paused = false;
  /** How often in a row it went wrong, and how far the store was. */
  let setbacks = { at: -1, count: 0 };
  const resting = () => paused || (waiters.size === 0 && clock.now() - lastAsked > restMs);

  const progress = (): IndexProgress => ({
    from: follower.first,
    running: running !== null,
    indexed: follower.position?.head?.number ?? null,
    head: follower.target,
    fault,
  });

  /**
   * Long histories are read over many minutes, in which a node limits requests or is away now and then: that is waited
   * for, longer each time, while there is something to answer with. False when it is to be told instead.
   */
  const waitedOut = async (reason: HexLensError): Promise<boolean> => {
    const reached = follower.position?.head?.number ?? null;
    if (plan.subject === undefined || reached === null || resting() || !isPassing(reason)) return false;
    setbacks = setbacks.at === reached ? { at: reached, count: setbacks.count + 1 } : { at: reached, count: 1 };
    if (setbacks.count > MOST_SETBACKS) return false;
    fault = reason;
    const wait = Math.max(reason.retryAfterMs ?? 0, SETBACK_MS * 2 ** (setbacks.count - 1));
    log.debug(`The index of ${node.selector} goes on in ${wait} ms: ${reason.message}`);
    await clock.sleep(wait, stopping.signal).catch(() => {});
    return !stopping.signal.aborted;
  };

  /** One run after another until no question is left that a run has not begun after. */
  const run = async () => {
    for (let answered = 0; answered < questions && !stopping.signal.aborted; ) {
      answered = questions;
      const settle = (tell: (waiter: Waiter) => void) => {
        for (const waiter of [...waiters]) {
          if (waiter.question > answered) continue;
          waiters.delete(waiter);
          tell(waiter);
        }
      };
      try {
        const outcome = await follower.follow(resting, stopping.signal);
        fault = null;
        const { position } = follower;
        if (outcome === 'there' && position !== null) settle(waiter => waiter.resolve(position));
      } catch (error) {
        const reason = stopping.signal.aborted ? stopped() : asFault(error);
        if (await waitedOut(reason)) {
          answered = -1; // the same questions, from where it got to
          continue;
        }
        if (!stopping.signal.aborted) {
          fault = reason;
          log.debug(`The index of ${node.selector} waits for the next request: ${reason.message}`);
        }
        settle(waiter => waiter.reject(reason));
        moved(); // whoever waits for the first block must learn that it does not come
      }
    }
  };
  const begin = () => {
    running ??= run().finally(() => {
      running = null;
      progressed?.(progress());
      // Asked between the last look and the end.
      if (waiters.size > 0 && !paused && !stopping.signal.aborted) begin();
    });
  };

  /** Resolves with the position once the question is answered, with `null` when that takes too long. */
  const answerTo = async (question: number, signal: AbortSignal): Promise<Position | null> => {
    const over = new AbortController();
    const late = clock.sleep(WAIT_MS, AbortSignal.any([signal, over.signal])).then(() => null);
    let waiter: Waiter | undefined;
    const answer = new Promise<Position>((resolve, reject) => {
      waiter = { question, resolve, reject };
      waiters.add(waiter);
    });
    try {
      return await Promise.race([answer, late]);
    } finally {
      over.abort();
      if (waiter !== undefined) waiters.delete(waiter);
    }
  };

  /** Resolves when the position changes or a run fails; rejects when the signal aborts. */
  const nextMove = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const done = (tell: () => void) => {
        signal.removeEventListener('abort', abort);
        onMove.delete(move);
        tell();
      };
      const move = () => done(resolve);
      const abort = () => done(() => reject(signal.reason));
      if (signal.aborted) return reject(signal.reason);
      onMove.add(move);
      signal.addEventListener('abort', abort, { once: true });
    });

  const ask = async (signal: AbortSignal): Promise<Current> => {
    signal.throwIfAborted();
    lastAsked = clock.now();
    paused = false;
    const question = ++questions;
    fault = null;
    const answering = answerTo(question, signal);
    begin();
    const answer = await answering;
    if (answer !== null && answer.head !== null) return { store: answer.store, head: answer.head, synced: true };
    for (;;) {
      const { position } = follower;
      if (position !== null && position.head !== null)
        return { store: position.store, head: position.head, synced: false };
      if (fault !== null) throw fault;
      await nextMove(signal);
    }
  };

  return {
    async current(signal) {
      const either = signal === undefined ? stopping.signal : AbortSignal.any([signal, stopping.signal]);
      try {
        return await ask(either);
      } catch (error) {
        if (signal?.aborted !== true && stopping.signal.aborted) throw stopped();
        throw asFault(error);
      }
    },
    progress,
    pause() {
      paused = true;
    },
    async stop() {
      stopping.abort();
      await running;
      await follower.close();
    },
  };
}

function stopped(): HexLensError {
  return new HexLensError('backend-stopped', 'The index of the chain was stopped.', {
    fix: 'Try again: it starts anew.',
  });
}
