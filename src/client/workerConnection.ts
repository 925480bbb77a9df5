// The backend worker as the main thread sees it: started at first need, configured first, restarted when it dies.

import type { Configuration } from '../api/configuration.ts';
import type { LookupId, LookupInput, LookupOutput } from '../api/lookups.ts';
import type { HttpEndpoint, Progress, WorkerEvent } from '../api/workerProtocol.ts';
import type { Clock } from '../base/clock.ts';
import { type Disposable, disposable } from '../base/disposable.ts';
import { cancelledFault, HexLensError, isFault } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import type { SendOptions, Transport } from './transport.ts';
import { createWorkerChannel, type PortLike, stoppedFault, type WorkerChannel } from './workerChannel.ts';

/** A `Worker` of node:worker_threads. */
export interface WorkerLike extends PortLike {
  terminate(): Promise<unknown>;
}

/** The first restart waits this long, each further one twice as long as the one before. */
export const INITIAL_RESTART_DELAY_MS = 250;
export const MAX_RESTART_DELAY_MS = 10_000;
/** After so many deaths without one answer in between, only the next question starts it again. */
export const MAX_RESTARTS = 5;
/** Time for the worker to close its files and connections before it is ended from outside. */
export const STOP_GRACE_MS = 2_000;

export interface WorkerConnectionDeps {
  /** Starts the worker; may throw. */
  start(): WorkerLike;
  readonly clock: Clock;
  /** Gets the worker's log lines, and the link's own. */
  readonly log: Log;
}

export interface WorkerConnection {
  /** Starts the worker if there is none. Waits for the first configuration. */
  readonly transport: Transport;
  lookup<Id extends LookupId>(id: Id, input: LookupInput<Id>, options?: SendOptions): Promise<LookupOutput<Id>>;
  /**
   * Answers HTTP at the place instead of an earlier one, or no longer; resolves with the URL. Ends with the worker: see
   * `onEnd`.
   */
  serve(place: HttpEndpoint | null, options?: SendOptions): Promise<string | null>;
  /** Does not start the worker; one that is started later gets it first. */
  configure(configuration: Configuration): void;
  /** Ends the work that progress named so; the next request that needs it goes on from there. */
  pause(task: string): void;
  /** Goes on with what was paused, if the worker still knows it. */
  resume(task: string): void;
  /** Status and progress; log lines go to the log. */
  onEvent(listener: (event: Exclude<WorkerEvent, { type: 'log' }>) => void): Disposable;
  /** The worker has ended, by itself or on purpose. */
  onEnd(listener: () => void): Disposable;
  /** Ends the worker; the next question starts a new one. */
  restart(): Promise<void>;
  /** Ends the worker for good. */
  stop(): Promise<void>;
}

/** The promise, or `cancelled` as soon as the signal aborts. */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(cancelledFault());
    const abort = () => reject(cancelledFault());
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

export function createWorkerConnection({ start, clock, log }: WorkerConnectionDeps): WorkerConnection {
  const listeners = new Set<(event: Exclude<WorkerEvent, { type: 'log' }>) => void>();
  const endListeners = new Set<() => void>();
  /** What was begun and not yet ended, by task. */
  const working = new Map<string, Progress>();
  const first = Promise.withResolvers<void>();
  const stopping = new AbortController();
  let configuration: Configuration | undefined;
  let running: { readonly worker: WorkerLike; readonly port: WorkerChannel } | undefined;
  let starting: Promise<WorkerChannel> | undefined;
  let ending: Promise<void> = Promise.resolve();
  let deaths = 0;
  let notBefore = 0;
  /** Ends the wait before a restart early. */
  let hurry = () => {};

  const stopped = () => new HexLensError('backend-stopped', 'HexLens is closing.');

  function onEvent(event: WorkerEvent): void {
    if (event.type === 'log') {
      log[event.level](event.message);
      return;
    }
    if (event.type === 'progress') {
      if (event.progress.isRunning) working.set(event.progress.task, event.progress);
      else working.delete(event.progress.task);
    }
    for (const listener of listeners) listener(event);
  }

  /** A worker that is gone cannot say that its work has ended. */
  function endWork(): void {
    for (const progress of [...working.values()])
      onEvent({ type: 'progress', progress: { ...progress, isRunning: false } });
  }

  function died(reason: unknown): void {
    deaths++;
    const wait = Math.min(MAX_RESTART_DELAY_MS, INITIAL_RESTART_DELAY_MS * 2 ** (deaths - 1));
    notBefore = clock.now() + wait;
    const next = deaths <= MAX_RESTARTS ? `It starts again in ${wait} ms.` : 'It starts again when it is needed.';
    const why =
      reason === undefined ? '' : ` (${reason instanceof Error ? `${reason.name}: ${reason.message}` : reason})`;
    log.error(`The backend stopped unexpectedly${why}. ${next}`);
  }

  function revive(): void {
    if (deaths === 0 || deaths > MAX_RESTARTS || stopping.signal.aborted) return;
    connect().catch(() => {}); // logged already; whoever asks next tries again
  }

  function open(current: Configuration): WorkerChannel {
    let worker: WorkerLike;
    try {
      worker = start();
    } catch (error) {
      died(error);
      throw stoppedFault('The HexLens backend could not be started.', error);
    }
    const port = createWorkerChannel(worker, {
      onEvent,
      onAnswer() {
        deaths = 0;
      },
    });
    running = { worker, port };
    port.configure(current);
    port.gone.then(reason => {
      for (const listener of endListeners) listener();
      if (running?.port !== port) return; // ended on purpose
      running = undefined;
      endWork();
      died(reason);
      revive();
    });
    return port;
  }

  function connect(): Promise<WorkerChannel> {
    if (running !== undefined) return Promise.resolve(running.port);
    starting ??= (async () => {
      await first.promise;
      await ending;
      const wait = notBefore - clock.now();
      if (wait > 0) await Promise.race([clock.sleep(wait, stopping.signal), new Promise<void>(done => (hurry = done))]);
      if (stopping.signal.aborted || configuration === undefined) throw stopped();
      return open(configuration);
    })().finally(() => {
      starting = undefined;
      if (running === undefined) revive();
    });
    return starting;
  }

  async function ask<T>(question: (port: WorkerChannel) => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    if (stopping.signal.aborted) throw stopped();
    try {
      return await question(await unlessAborted(connect(), signal));
    } catch (error) {
      throw stopping.signal.aborted && isFault(error, 'cancelled') && !signal?.aborted ? stopped() : error;
    }
  }

  async function end(fault: HexLensError): Promise<void> {
    if (running === undefined) return ending;
    const { worker, port } = running;
    running = undefined;
    endWork();
    port.close(fault);
    port.requestStop();
    const waiting = new AbortController();
    const grace = clock.sleep(STOP_GRACE_MS, waiting.signal).catch(() => {});
    ending = Promise.race([port.gone, grace]).then(async () => {
      waiting.abort();
      await worker.terminate();
    });
    return ending;
  }

  return {
    transport: { send: (request, { signal } = {}) => ask(port => port.send(request, { signal }), signal) },
    lookup: (id, input, { signal } = {}) => ask(port => port.lookup(id, input, { signal }), signal),
    configure(next) {
      configuration = next;
      first.resolve();
      running?.port.configure(next);
    },
    pause: task => running?.port.pause(task),
    resume: task => running?.port.resume(task),
    onEvent(listener) {
      listeners.add(listener);
      return disposable(() => listeners.delete(listener));
    },
    serve: (place, { signal } = {}) => ask(port => port.serve(place, { signal }), signal),
    onEnd(listener) {
      endListeners.add(listener);
      return disposable(() => endListeners.delete(listener));
    },
    restart() {
      deaths = 0;
      notBefore = 0;
      hurry();
      return end(stoppedFault('The HexLens backend was restarted.'));
    },
    stop() {
      stopping.abort();
      first.resolve();
      return end(stopped());
    },
  };
}
