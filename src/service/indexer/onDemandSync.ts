// Work that is done when somebody asks: who asks waits a moment, the rest is done in the background, and rests after a while.
import type { Clock } from '../../base/clock.ts';
import { HexLensError, isFault, toFault } from '../../base/errors.ts';
import { localizable } from '../../base/localize.ts';
import type { Log } from '../../base/log.ts';

/** What brings something up to date. */
export interface SyncSource<Position> {
  /** Where it is; `null` until there is something to answer with. */
  readonly position: Position | null;
  /** Goes as far as there is at this moment, or as far as `resting` lets it: that is asked after each step. */
  follow(resting: () => boolean, signal: AbortSignal): Promise<'there' | 'rested'>;
  close(): Promise<void>;
}

export interface OnDemandSyncDeps<Position> {
  /** `moved` is to be called whenever the position has changed. */
  create(moved: () => void): SyncSource<Position>;
  /** What is followed, for the log: "the index of eth". */
  readonly title: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Milliseconds after the last request at which the background work rests; `REST_MS` when absent. */
  readonly idleMs?: number | undefined;
  /** Called when work begins to show, at every step, and when it has ended. */
  onProgress?(): void;
  /**
   * How far it is. Where it is given, work goes on after faults that pass (limits, timeouts), as long as there is a
   * position to answer with.
   */
  getReached?(): number | null;
}

export interface OnDemandPosition<Position> {
  readonly position: Position;
  /** Whether that was up to date at some moment after the question. */
  readonly synced: boolean;
}

export interface OnDemandSync<Position> {
  /**
   * Brings it up to date, waiting 1.5 s at most (the first time, until there is a position), and goes on in the
   * background after that. Rejects with the faults of the work, `cancelled` (by the signal, or when it is paused before
   * there is a position), `backend-stopped`; the next call tries again.
   */
  current(signal?: AbortSignal): Promise<OnDemandPosition<Position>>;
  /** Whether work is under way at this moment. */
  readonly isRunning: boolean;
  /** Why the last run ended, when it was by a fault. */
  readonly fault: HexLensError | null;
  /** Ends the background work after the step it is at; the next request goes on from there. */
  pause(): void;
  /** Aborts what is under way and closes what was opened. */
  stop(): Promise<void>;
}

/** Milliseconds that a request waits. */
export const MAX_WAIT_MS = 1_500;
/** Milliseconds after the last request at which the background work rests. */
export const IDLE_MS = 30_000;

/** Faults in a row, without one step in between, after which work in the background ends. */
const MOST_SETBACKS = 6;
/** Milliseconds until the first try after a fault; twice as long each further time. */
const SETBACK_MS = 1_000;

const isPassing = (fault: HexLensError) =>
  isFault(fault, 'rate-limited') || isFault(fault, 'node-timeout') || isFault(fault, 'node-unreachable');

interface Waiter<Position> {
  /** The number of its question: answered by a run that began after it. */
  readonly question: number;
  resolve(position: Position | null): void;
  reject(error: unknown): void;
}

export function createOnDemandSync<Position>(deps: OnDemandSyncDeps<Position>): OnDemandSync<Position> {
  const { create, title, clock, log, idleMs: restMs = IDLE_MS, onProgress: stepped, getReached: reached } = deps;
  const stopping = new AbortController();
  const waiters = new Set<Waiter<Position>>();
  let onMove = new Set<() => void>();
  let questions = 0;
  let lastAsked = 0;
  let running: Promise<void> | null = null;
  let fault: HexLensError | null = null;

  const moved = () => {
    const told = onMove;
    onMove = new Set();
    for (const tell of told) tell();
    stepped?.();
  };
  const follower = create(moved);
  let paused = false;
  /** How often in a row it went wrong, and how far it was. */
  let setbacks = { at: -1, count: 0 };
  const resting = () => paused || (waiters.size === 0 && clock.now() - lastAsked > restMs);

  /** Waits before the next try, longer each time. False when the fault is to be told instead. */
  const waitedOut = async (reason: HexLensError): Promise<boolean> => {
    const at = reached?.() ?? null;
    if (at === null || resting() || !isPassing(reason)) return false;
    setbacks = { at, count: setbacks.at === at ? setbacks.count + 1 : 1 };
    if (setbacks.count > MOST_SETBACKS) return false;
    const wait = Math.max(reason.retryAfterMs ?? 0, SETBACK_MS * 2 ** (setbacks.count - 1));
    log.debug(`Following ${title} goes on in ${wait} ms: ${reason.message}`);
    await clock.sleep(wait, stopping.signal).catch(() => {});
    return !stopping.signal.aborted;
  };

  /** One run after another until no question is left that a run has not begun after. */
  const run = async () => {
    for (let answered = 0; answered < questions && !stopping.signal.aborted; ) {
      answered = questions;
      const settle = (tell: (waiter: Waiter<Position>) => void) => {
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
        if (outcome === 'there') settle(waiter => waiter.resolve(position));
        else moved(); // whoever waits for the first position must learn that it does not come
      } catch (error) {
        const reason = stopping.signal.aborted ? stopped() : toFault(error);
        if (await waitedOut(reason)) {
          answered = -1; // the same questions, from where it got to
          continue;
        }
        if (!stopping.signal.aborted) {
          fault = reason;
          log.debug(`Following ${title} waits for the next request: ${reason.message}`);
        }
        settle(waiter => waiter.reject(reason));
        moved(); // as above
      }
    }
  };
  const begin = () => {
    running ??= run().finally(() => {
      running = null;
      stepped?.();
      // Asked between the last look and the end.
      if (waiters.size > 0 && !paused && !stopping.signal.aborted) begin();
    });
    stepped?.();
  };

  /** Resolves with the position once the question is answered, with `null` when that takes too long. */
  const answerTo = async (question: number, signal: AbortSignal): Promise<Position | null> => {
    const over = new AbortController();
    const late = clock.sleep(MAX_WAIT_MS, AbortSignal.any([signal, over.signal])).then(() => null);
    let waiter: Waiter<Position> | undefined;
    const answer = new Promise<Position | null>((resolve, reject) => {
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

  const ask = async (signal: AbortSignal): Promise<OnDemandPosition<Position>> => {
    signal.throwIfAborted();
    lastAsked = clock.now();
    paused = false;
    const question = ++questions;
    fault = null;
    const answering = answerTo(question, signal);
    begin();
    const answer = await answering;
    if (answer !== null) return { position: answer, synced: true };
    for (;;) {
      const { position } = follower;
      if (position !== null) return { position, synced: false };
      if (fault !== null) throw fault;
      if (paused) throw pausedFault();
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
        throw toFault(error);
      }
    },
    get isRunning() {
      return running !== null;
    },
    get fault() {
      return fault;
    },
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

function pausedFault(): HexLensError {
  return new HexLensError('cancelled', localizable('The index is paused.'), {
    fix: localizable('Ask again: it goes on where it stopped.'),
  });
}

function stopped(): HexLensError {
  return new HexLensError('backend-stopped', localizable('The index of the chain was stopped.'), {
    fix: localizable('Try again: it starts anew.'),
  });
}
