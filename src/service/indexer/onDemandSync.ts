// Synchronization on demand: a request waits a moment for it, the rest is done in the background until no more requests come.
import { getBackOffMs } from '../../base/backOff.ts';
import type { Clock } from '../../base/clock.ts';
import { HexLensError, isFault, toFault } from '../../base/errors.ts';
import { localizable } from '../../base/localize.ts';
import type { Log } from '../../base/log.ts';

export interface SyncSource<Position> {
  /** How far it is; `null` until there is something to answer requests with. */
  readonly position: Position | null;
  /**
   * Brings it up to date as of this moment, or until `shouldPause` of its context returns true.
   *
   * @param isStateNew The state that the node has cached was requested after all requests came that this run answers.
   */
  follow(signal: AbortSignal, isStateNew: boolean): Promise<'synced' | 'paused'>;
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

/** How long a request waits. */
const MAX_WAIT_MS = 1_500;
/** Time after the last request at which the background work pauses. */
export const IDLE_MS = 30_000;

/** A fault older than this is no longer returned when a run begins: the node may work again. */
const MAX_FAULT_AGE_MS = 30_000;
/** Temporary faults in a row, without progress in between, after which work in the background ends. */
const MAX_FAULTS_IN_A_ROW = 6;
const RETRY_WAIT = { firstMs: 1_000 };

const isTemporary = (fault: HexLensError) =>
  isFault(fault, 'rate-limited', 'node-timeout', 'node-unreachable', 'store-unavailable');

interface WaitingRequest<Position> {
  /** Counts requests: this one is answered by a run that began after it. */
  readonly number: number;
  resolve(position: Position | null): void;
  reject(error: unknown): void;
}

export class OnDemandSync<Position> {
  readonly #deps: OnDemandSyncDeps<Position>;
  readonly #stopping = new AbortController();
  readonly #waiting = new Set<WaitingRequest<Position>>();
  /** Called once, at the next change. */
  #positionListeners = new Set<() => void>();
  /** Requests that wait longer, since there is no position. */
  #waitingForFirst = 0;
  /** The number of the last request. */
  #requestCount = 0;
  #lastRequestAt = 0;
  #running: Promise<void> | null = null;
  /** Of the last run; `null` after progress. */
  #fault: HexLensError | null = null;
  #lastRunEndedAt = 0;
  #isPaused = false;
  /** Faults in a row since `reached`. */
  #faultsInARow = { reached: -1, count: 0 };
  readonly #source: SyncSource<Position>;

  constructor(deps: OnDemandSyncDeps<Position>) {
    this.#deps = deps;
    this.#source = deps.create({
      onPositionChange: () => {
        this.#fault = null;
        this.#notifyPositionChange();
      },
      shouldPause: () => this.#shouldPause(),
    });
  }

  /**
   * Brings it up to date, waiting at most 1.5 s (the first time, until there is a position), and continues in the
   * background. Rejects with the faults of the work (also with that of an earlier run that ended a moment ago, as long as
   * there was no progress since), `cancelled` (by the signal, or when it is paused before there is a position),
   * `backend-stopped`; the next call tries again.
   *
   * @param isStateNew The state that the node has cached was requested for this call: see `SyncSource.follow`.
   */
  async current(signal?: AbortSignal, isStateNew = false): Promise<OnDemandPosition<Position>> {
    const either = signal === undefined ? this.#stopping.signal : AbortSignal.any([signal, this.#stopping.signal]);
    try {
      return await this.#getCurrent(either, isStateNew);
    } catch (error) {
      if (signal?.aborted !== true && this.#stopping.signal.aborted) throw createStoppedFault();
      throw toFault(error);
    }
  }

  /** Whether work is under way at this moment. */
  get isRunning(): boolean {
    return this.#running !== null;
  }

  /** From `pause` to the next request. */
  get isPaused(): boolean {
    return this.#isPaused;
  }

  /** Why the last run ended, when it was by a fault; until there is progress, or a run that begins much later. */
  get fault(): HexLensError | null {
    return this.#fault;
  }

  /** Ends the background work after its present step; the next request continues it. */
  pause(): void {
    this.#isPaused = true;
    this.#deps.onProgress?.();
  }

  /** Aborts the work under way and closes what was opened. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
    await this.#source.close();
  }

  #notifyPositionChange(): void {
    const listeners = this.#positionListeners;
    this.#positionListeners = new Set();
    for (const notify of listeners) notify();
    this.#deps.onProgress?.();
  }

  #shouldPause(): boolean {
    const { clock, idleMs = IDLE_MS } = this.#deps;
    const isIdle = this.#waiting.size + this.#waitingForFirst === 0 && clock.now() - this.#lastRequestAt > idleMs;
    return this.#isPaused || isIdle;
  }

  /** Waits before a retry, longer each time. False when the requests are to be answered with the fault instead. */
  async #waitForRetry(reason: HexLensError): Promise<boolean> {
    const { clock, getReached, log, title } = this.#deps;
    const reached = getReached?.() ?? null;
    if (reached === null || this.#shouldPause() || !isTemporary(reason)) return false;
    this.#faultsInARow = { reached, count: this.#faultsInARow.reached === reached ? this.#faultsInARow.count + 1 : 1 };
    if (this.#faultsInARow.count > MAX_FAULTS_IN_A_ROW) return false;
    if (this.#faultsInARow.count > 1) this.#fault = reason; // one may pass unnoticed
    const waitMs = Math.max(reason.retryAfterMs ?? 0, getBackOffMs(this.#faultsInARow.count, RETRY_WAIT));
    log.debug(`Following ${title} continues in ${waitMs} ms: ${reason.message}`);
    await clock.sleep(waitMs, this.#stopping.signal).catch(() => {});
    return !this.#stopping.signal.aborted;
  }

  /** Runs again until every request has been made before the last run began. */
  async #run(isStateNew: boolean): Promise<void> {
    const { log, title } = this.#deps;
    let isNewForAll = isStateNew && this.#waiting.size === 1;
    for (let answered = 0; answered < this.#requestCount && !this.#stopping.signal.aborted; ) {
      answered = this.#requestCount;
      const answerRequests = (answer: (request: WaitingRequest<Position>) => void) => {
        for (const request of [...this.#waiting]) {
          if (request.number > answered) continue;
          this.#waiting.delete(request);
          answer(request);
        }
      };
      try {
        const following = this.#source.follow(this.#stopping.signal, isNewForAll);
        isNewForAll = false;
        const outcome = await following;
        this.#fault = null;
        const { position } = this.#source;
        if (outcome === 'synced') answerRequests(request => request.resolve(position));
      } catch (error) {
        const reason = this.#stopping.signal.aborted ? createStoppedFault() : toFault(error);
        if (await this.#waitForRetry(reason)) {
          answered = -1; // for the same requests, from where it got to
          continue;
        }
        if (!this.#stopping.signal.aborted) {
          this.#fault = reason;
          log.debug(`Following ${title} waits for the next request: ${reason.message}`);
        }
        answerRequests(request => request.reject(reason));
        this.#notifyPositionChange(); // requests that wait for the first position get the fault too
      }
    }
  }

  #start(isStateNew = false): void {
    const { clock, onProgress } = this.#deps;
    if (this.#running === null && clock.now() - this.#lastRunEndedAt > MAX_FAULT_AGE_MS) this.#fault = null;
    this.#running ??= this.#run(isStateNew).finally(() => {
      this.#running = null;
      this.#lastRunEndedAt = clock.now();
      this.#notifyPositionChange(); // requests that wait for the first position must learn that there will be none
      // Requests that came between the last check and the end.
      if (this.#waiting.size > 0 && !this.#isPaused && !this.#stopping.signal.aborted) this.#start();
    });
    onProgress?.();
  }

  /** Resolves with the position once a run has answered the request, with `null` when that takes too long. */
  async #waitForAnswer(number: number, signal: AbortSignal): Promise<Position | null> {
    const over = new AbortController();
    const late = this.#deps.clock.sleep(MAX_WAIT_MS, AbortSignal.any([signal, over.signal])).then(() => null);
    const { promise: answer, resolve, reject } = Promise.withResolvers<Position | null>();
    const request = { number, resolve, reject };
    this.#waiting.add(request);
    try {
      return await Promise.race([answer, late]);
    } finally {
      over.abort();
      this.#waiting.delete(request);
    }
  }

  /** Resolves when the position changes or a run fails; rejects when the signal aborts. */
  #waitForPositionChange(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (answer: () => void) => {
        signal.removeEventListener('abort', onAbort);
        this.#positionListeners.delete(onChange);
        answer();
      };
      const onChange = () => settle(resolve);
      const onAbort = () => settle(() => reject(signal.reason));
      if (signal.aborted) return reject(signal.reason);
      this.#positionListeners.add(onChange);
      signal.addEventListener('abort', onAbort, { once: true });
    });
  }

  async #waitForPosition(signal: AbortSignal): Promise<Position> {
    for (;;) {
      const { position } = this.#source;
      if (this.#fault !== null) throw this.#fault;
      if (position !== null) return position;
      if (this.#isPaused && this.#running === null) throw createPausedFault(); // before that the last step may set the position
      await this.#waitForPositionChange(signal);
    }
  }

  async #getCurrent(signal: AbortSignal, isStateNew: boolean): Promise<OnDemandPosition<Position>> {
    signal.throwIfAborted();
    this.#lastRequestAt = this.#deps.clock.now();
    this.#isPaused = false;
    const number = ++this.#requestCount;
    const answering = this.#waitForAnswer(number, signal);
    this.#start(isStateNew);
    const answer = await answering;
    if (answer !== null) return { position: answer, isSynced: true };
    this.#waitingForFirst++;
    try {
      return { position: await this.#waitForPosition(signal), isSynced: false };
    } finally {
      this.#waitingForFirst--;
    }
  }
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
