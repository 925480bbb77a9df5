// The worker as the main thread sees it: started at first need, configured first, restarted when it dies.
import type { Configuration } from '../api/configuration.ts';
import type { LookupId, LookupInput, LookupOutput } from '../api/lookups.ts';
import type { HttpEndpoint, Progress, WorkerEvent, WorkerInterface } from '../api/workerProtocol.ts';
import type { CallChannel } from '../base/callChannel.ts';
import type { Clock } from '../base/clock.ts';
import { type Disposable, disposable } from '../base/disposable.ts';
import { createCancelledFault, HexLensError, isFault } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import type { SendOptions, Transport } from './transport.ts';
import { createWorkerChannel, createWorkerStoppedFault, type PortLike, type WorkerChannel } from './workerChannel.ts';

/** A `Worker` of node:worker_threads. */
export interface WorkerLike extends PortLike {
  terminate(): Promise<unknown>;
}

/** Each further restart waits twice as long as the one before. */
export const INITIAL_RESTART_DELAY_MS = 250;
export const MAX_RESTART_DELAY_MS = 10_000;
/** After so many deaths without a response in between, only the next request restarts it. */
export const MAX_RESTARTS = 5;
/** Time for the worker to close its files and connections before it is terminated. */
export const STOP_GRACE_MS = 2_000;

export interface WorkerConnectionDeps {
  /** Starts the worker; may throw. */
  start(): WorkerLike;
  readonly clock: Clock;
  /** Gets the worker's log lines, and the connection's own. */
  readonly log: Log;
}

/** Events of the worker other than its log lines, which are written to the log. */
export type WorkerStatusEvent = Exclude<WorkerEvent, { type: 'log' }>;

export interface WorkerConnection {
  /** Starts the worker if there is none. Waits for the first configuration. */
  readonly transport: Transport;
  /** Runs a lookup in the worker; starts it if there is none. */
  lookup<Id extends LookupId>(id: Id, input: LookupInput<Id>, options?: SendOptions): Promise<LookupOutput<Id>>;
  /** Opens the HTTP service at the endpoint in place of an earlier one; `null` closes it. It ends with the worker: see `onExit`. */
  serve(endpoint: HttpEndpoint | null, options?: SendOptions): Promise<string | null>;
  /** Does not start the worker; one that is started later gets the last configuration first. */
  configure(configuration: Configuration): void;
  /** Sends a notification if the worker is running; otherwise there is nothing to notify. */
  readonly notify: CallChannel<WorkerInterface>['notify'];
  onEvent(listener: (event: WorkerStatusEvent) => void): Disposable;
  /** The worker has exited, by itself or on purpose. */
  onExit(listener: () => void): Disposable;
  /** Ends the worker; the next request starts a new one. */
  restart(): Promise<void>;
  /** Ends the worker for good. */
  stop(): Promise<void>;
}

/** The promise, or `cancelled` as soon as the signal aborts. */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(createCancelledFault());
    const abort = () => reject(createCancelledFault());
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

export function createWorkerConnection({ start, clock, log }: WorkerConnectionDeps): WorkerConnection {
  const eventListeners = new Set<(event: WorkerStatusEvent) => void>();
  const exitListeners = new Set<() => void>();
  /** Tasks that are running, by name. */
  const runningTasks = new Map<string, Progress>();
  const configured = Promise.withResolvers<void>();
  const stopping = new AbortController();
  let configuration: Configuration | undefined;
  let running: { readonly worker: WorkerLike; readonly channel: WorkerChannel } | undefined;
  let starting: Promise<WorkerChannel> | undefined;
  let ending: Promise<void> = Promise.resolve();
  let deaths = 0;
  let notBeforeMs = 0;
  /** Ends the wait before a restart early. */
  let skipRestartDelay = () => {};

  const createClosingFault = () => new HexLensError('backend-stopped', 'HexLens is closing.');

  function onEvent(event: WorkerEvent): void {
    if (event.type === 'log') {
      log[event.level](event.message);
      return;
    }
    if (event.type === 'progress') {
      if (event.progress.isRunning) runningTasks.set(event.progress.task, event.progress);
      else runningTasks.delete(event.progress.task);
    }
    for (const listener of eventListeners) listener(event);
  }

  /** A worker that has exited cannot report that its tasks have ended. */
  function endTasks(): void {
    for (const progress of [...runningTasks.values()])
      onEvent({ type: 'progress', progress: { ...progress, isRunning: false } });
  }

  function onDeath(reason: unknown): void {
    deaths++;
    const delayMs = Math.min(MAX_RESTART_DELAY_MS, INITIAL_RESTART_DELAY_MS * 2 ** (deaths - 1));
    notBeforeMs = clock.now() + delayMs;
    const next = deaths <= MAX_RESTARTS ? `It restarts in ${delayMs} ms.` : 'It restarts with the next request.';
    const why =
      reason === undefined ? '' : ` (${reason instanceof Error ? `${reason.name}: ${reason.message}` : reason})`;
    log.error(`The service stopped unexpectedly${why}. ${next}`);
  }

  function restartAfterDeath(): void {
    if (deaths === 0 || deaths > MAX_RESTARTS || stopping.signal.aborted) return;
    connect().catch(() => {}); // logged already; the next request tries again
  }

  function open(current: Configuration): WorkerChannel {
    let worker: WorkerLike;
    try {
      worker = start();
    } catch (error) {
      onDeath(error);
      throw createWorkerStoppedFault('The HexLens service could not be started.', error);
    }
    const channel = createWorkerChannel(worker, {
      onEvent,
      onResponse() {
        deaths = 0;
      },
    });
    running = { worker, channel };
    channel.notify('configure', current);
    channel.exited.then(reason => {
      for (const listener of exitListeners) listener();
      if (running?.channel !== channel) return; // ended on purpose
      running = undefined;
      endTasks();
      onDeath(reason);
      restartAfterDeath();
    });
    return channel;
  }

  function connect(): Promise<WorkerChannel> {
    if (running !== undefined) return Promise.resolve(running.channel);
    starting ??= (async () => {
      await configured.promise;
      await ending;
      const delayMs = notBeforeMs - clock.now();
      if (delayMs > 0) {
        const skipped = new Promise<void>(done => {
          skipRestartDelay = done;
        });
        await Promise.race([clock.sleep(delayMs, stopping.signal), skipped]);
      }
      if (stopping.signal.aborted || configuration === undefined) throw createClosingFault();
      return open(configuration);
    })().finally(() => {
      starting = undefined;
      if (running === undefined) restartAfterDeath();
    });
    return starting;
  }

  async function withChannel<T>(
    use: (channel: WorkerChannel) => Promise<T>,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    if (stopping.signal.aborted) throw createClosingFault();
    try {
      return await use(await unlessAborted(connect(), signal));
    } catch (error) {
      throw stopping.signal.aborted && isFault(error, 'cancelled') && !signal?.aborted ? createClosingFault() : error;
    }
  }

  async function end(fault: HexLensError): Promise<void> {
    if (running === undefined) return ending;
    const { worker, channel } = running;
    running = undefined;
    endTasks();
    channel.close(fault);
    channel.notify('stop', null);
    const waiting = new AbortController();
    const grace = clock.sleep(STOP_GRACE_MS, waiting.signal).catch(() => {});
    ending = Promise.race([channel.exited, grace]).then(async () => {
      waiting.abort();
      await worker.terminate();
    });
    return ending;
  }

  return {
    transport: {
      send: (request, { signal } = {}) => withChannel(channel => channel.send(request, { signal }), signal),
    },
    lookup: (id, input, { signal } = {}) => withChannel(channel => channel.lookup(id, input, { signal }), signal),
    serve: (endpoint, { signal } = {}) =>
      withChannel(channel => channel.call('serveHttp', endpoint, { signal }), signal),
    configure(next) {
      configuration = next;
      configured.resolve();
      running?.channel.notify('configure', next);
    },
    notify: (name, payload) => running?.channel.notify(name, payload),
    onEvent(listener) {
      eventListeners.add(listener);
      return disposable(() => eventListeners.delete(listener));
    },
    onExit(listener) {
      exitListeners.add(listener);
      return disposable(() => exitListeners.delete(listener));
    },
    restart() {
      deaths = 0;
      notBeforeMs = 0;
      skipRestartDelay();
      return end(createWorkerStoppedFault('The HexLens service was restarted.'));
    },
    stop() {
      stopping.abort();
      configured.resolve();
      return end(createClosingFault());
    },
  };
}
