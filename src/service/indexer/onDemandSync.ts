// Synchronisation on demand: a request waits a moment for it, the rest is done in the background until no more requests come.
import type { Clock } from '../../base/clock.ts';
import { HexLensError, isFault, toFault } from '../../base/errors.ts';
import { localizable } from '../../base/localize.ts';
import type { Log } from '../../base/log.ts';

/** What brings something up to date. */
export interface SyncSource<Position> {
  /** How far it is; `null` until there is something to answer requests with. */
  readonly position: Position | null;
  /** Brings it up to date as of this moment, or until `shouldPause` of its context returns true. */
  follow(signal: AbortSignal): Promise<'synced' | 'paused'>;
  close(): Promise<void>;
}

export interface SyncContext {
  /** To be called whenever the position has changed. */
  onPositionChange(): void;
  /** To be called after each step: whether the work is to end there. */
  shouldPause(): boolean;
}

export interface OnDemandSyncDeps<Position> {
  create(context: SyncContext): SyncSource<Position>;
  /** What is followed, for the log: "the chain eth". */
  readonly title: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Milliseconds after the last request at which the background work pauses; `IDLE_MS` when absent. */
  readonly idleMs?: number | undefined;
  /** Called when work starts, at every step, and when it has ended. */
  onProgress?(): void;
  /**
   * How far it is, as a number. When given, work continues after temporary faults (rate limits, timeouts) as long as there
   * is a position to answer requests with.
   */
  getReached?(): number | null;
}

export interface OnDemandPosition<Position> {
  readonly position: Position;
  /** Whether that was up to date at some moment after the request. */
  readonly isSynced: boolean;
}

export interface OnDemandSync<Position> {
  /**
   * Brings it up to date, waiting at most 1.5 s (the first time, until there is a position), and continues in the
   * background. Rejects with the faults of the work (also with that of an earlier run that ended a moment ago, as long as
   * there was no progress since), `cancelled` (by the signal, or when it is paused before there is a position),
   * `backend-stopped`; the next call tries again.
   */
  current(signal?: AbortSignal): Promise<OnDemandPosition<Position>>;
  /** Whether work is under way at this moment. */
  readonly isRunning: boolean;
  /** From `pause` to the next request. */
  readonly isPaused: boolean;
  /** Why the last run ended, when it was by a fault; until there is progress, or a run that begins much later. */
  readonly fault: HexLensError | null;
  /** Ends the background work after its present step; the next request continues it. */
  pause(): void;
  /** Aborts the work under way and closes what was opened. */
  stop(): Promise<void>;
}

/** How long a request waits. */
const MAX_WAIT_MS = 1_500;
/** Time after the last request at which the background work pauses. */
export const IDLE_MS = 30_000;

/** A fault older than this is no longer returned when a run begins: the node may work again. */
const MAX_FAULT_AGE_MS = 30_000;
/** Temporary faults in a row, without progress in between, after which work in the background ends. */
const MAX_FAULTS_IN_A_ROW = 6;
/** Wait before the first retry; doubled for each further one. */
const FIRST_RETRY_WAIT_MS = 1_000;

const isTemporary = (fault: HexLensError) =>
  isFault(fault, 'rate-limited', 'node-timeout', 'node-unreachable', 'store-unavailable');

interface WaitingRequest<Position> {
  /** Counts requests: this one is answered by a run that began after it. */
  readonly number: number;
  resolve(position: Position | null): void;
  reject(error: unknown): void;
}

export function createOnDemandSync<Position>(deps: OnDemandSyncDeps<Position>): OnDemandSync<Position> {
  const { create, title, clock, log, idleMs = IDLE_MS, onProgress, getReached } = deps;
  const stopping = new AbortController();
  const waiting = new Set<WaitingRequest<Position>>();
  let positionListeners = new Set<() => void>();
  /** Requests that wait longer, since there is no position. */
  let waitingForFirst = 0;
  let requestCount = 0;
  let lastRequestAt = 0;
  let running: Promise<void> | null = null;
  let fault: HexLensError | null = null;
  let lastRunEndedAt = 0;
  let isPaused = false;
  /** Faults in a row since `reached`. */
  let faultsInARow = { reached: -1, count: 0 };

  const notifyPositionChange = () => {
    const listeners = positionListeners;
    positionListeners = new Set();
    for (const notify of listeners) notify();
    onProgress?.();
  };
  const isIdle = () => waiting.size + waitingForFirst === 0 && clock.now() - lastRequestAt > idleMs;
  const shouldPause = () => isPaused || isIdle();
  const source = create({
    onPositionChange() {
      fault = null;
      notifyPositionChange();
    },
    shouldPause,
  });

  /** Waits before a retry, longer each time. False when the requests are to be answered with the fault instead. */
  const waitForRetry = async (reason: HexLensError): Promise<boolean> => {
    const reached = getReached?.() ?? null;
    if (reached === null || shouldPause() || !isTemporary(reason)) return false;
    faultsInARow = { reached, count: faultsInARow.reached === reached ? faultsInARow.count + 1 : 1 };
    if (faultsInARow.count > MAX_FAULTS_IN_A_ROW) return false;
    if (faultsInARow.count > 1) fault = reason; // one may pass unnoticed
    const waitMs = Math.max(reason.retryAfterMs ?? 0, FIRST_RETRY_WAIT_MS * 2 ** (faultsInARow.count - 1));
    log.debug(`Following ${title} continues in ${waitMs} ms: ${reason.message}`);
    await clock.sleep(waitMs, stopping.signal).catch(() => {});
    return !stopping.signal.aborted;
  };

  /** Runs again until every request has been made before the last run began. */
  const run = async () => {
    for (let answered = 0; answered < requestCount && !stopping.signal.aborted; ) {
      answered = requestCount;
      const answerRequests = (answer: (request: WaitingRequest<Position>) => void) => {
        for (const request of [...waiting]) {
          if (request.number > answered) continue;
          waiting.delete(request);
          answer(request);
        }
      };
      try {
        const outcome = await source.follow(stopping.signal);
        fault = null;
        const { position } = source;
        if (outcome === 'synced') answerRequests(request => request.resolve(position));
      } catch (error) {
        const reason = stopping.signal.aborted ? createStoppedFault() : toFault(error);
        if (await waitForRetry(reason)) {
          answered = -1; // for the same requests, from where it got to
          continue;
        }
        if (!stopping.signal.aborted) {
          fault = reason;
          log.debug(`Following ${title} waits for the next request: ${reason.message}`);
        }
        answerRequests(request => request.reject(reason));
        notifyPositionChange(); // requests that wait for the first position get the fault too
      }
    }
  };
  const start = () => {
    if (running === null && clock.now() - lastRunEndedAt > MAX_FAULT_AGE_MS) fault = null;
    running ??= run().finally(() => {
      running = null;
      lastRunEndedAt = clock.now();
      notifyPositionChange(); // requests that wait for the first position must learn that there will be none
      // Requests that came between the last check and the end.
      if (waiting.size > 0 && !isPaused && !stopping.signal.aborted) start();
    });
    onProgress?.();
  };

  /** Resolves with the position once a run has answered the request, with `null` when that takes too long. */
  const waitForAnswer = async (number: number, signal: AbortSignal): Promise<Position | null> => {
    const over = new AbortController();
    const late = clock.sleep(MAX_WAIT_MS, AbortSignal.any([signal, over.signal])).then(() => null);
    const { promise: answer, resolve, reject } = Promise.withResolvers<Position | null>();
    const request = { number, resolve, reject };
    waiting.add(request);
    try {
      return await Promise.race([answer, late]);
    } finally {
      over.abort();
      waiting.delete(request);
    }
  };

  /** Resolves when the position changes or a run fails; rejects when the signal aborts. */
  const waitForPositionChange = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const settle = (answer: () => void) => {
        signal.removeEventListener('abort', onAbort);
        positionListeners.delete(onChange);
        answer();
      };
      const onChange = () => settle(resolve);
      const onAbort = () => settle(() => reject(signal.reason));
      if (signal.aborted) return reject(signal.reason);
      positionListeners.add(onChange);
      signal.addEventListener('abort', onAbort, { once: true });
    });

  const waitForPosition = async (signal: AbortSignal): Promise<Position> => {
    for (;;) {
      const { position } = source;
      if (fault !== null) throw fault;
      if (position !== null) return position;
      if (isPaused && running === null) throw createPausedFault(); // before that the last step may set the position
      await waitForPositionChange(signal);
    }
  };

  const getCurrent = async (signal: AbortSignal): Promise<OnDemandPosition<Position>> => {
    signal.throwIfAborted();
    lastRequestAt = clock.now();
    isPaused = false;
    const number = ++requestCount;
    const answering = waitForAnswer(number, signal);
    start();
    const answer = await answering;
    if (answer !== null) return { position: answer, isSynced: true };
    waitingForFirst++;
    try {
      return { position: await waitForPosition(signal), isSynced: false };
    } finally {
      waitingForFirst--;
    }
  };

  return {
    async current(signal) {
      const either = signal === undefined ? stopping.signal : AbortSignal.any([signal, stopping.signal]);
      try {
        return await getCurrent(either);
      } catch (error) {
        if (signal?.aborted !== true && stopping.signal.aborted) throw createStoppedFault();
        throw toFault(error);
      }
    },
    get isRunning() {
      return running !== null;
    },
    get isPaused() {
      return isPaused;
    },
    get fault() {
      return fault;
    },
    pause() {
      isPaused = true;
      onProgress?.();
    },
    async stop() {
      stopping.abort();
      await running;
      await source.close();
    },
  };
}

function createPausedFault(): HexLensError {
  return new HexLensError('cancelled', localizable('The index is paused.'), {
    fix: localizable('Try again: it continues where it stopped.'),
  });
}

function createStoppedFault(): HexLensError {
  return new HexLensError('backend-stopped', localizable('The index of the chain was stopped.'), {
    fix: localizable('Try again: it starts again.'),
  });
}
