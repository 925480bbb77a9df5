// The worker as the main thread sees it: started at first need, configured first, restarted when it dies.

import type { Configuration } from '../api/configuration.ts';
import type { LookupId, LookupInput, LookupOutput } from '../api/lookups.ts';
import type { WireReply, WireRequest } from '../api/wire/request.ts';
import type {
  HttpEndpoint,
  LookupRequest,
  Progress,
  WorkerClientInterface,
  WorkerEvent,
  WorkerInterface,
} from '../api/workerProtocol.ts';
import { getBackOffMs } from '../base/backOff.ts';
import { CallChannel, type ChannelMessage } from '../base/callChannel.ts';
import type { Clock } from '../base/clock.ts';
import { type Disposable, disposable } from '../base/disposable.ts';
import { formatFault, HexLensError, isFault, localizeFault, type PlainFault, toFault } from '../base/errors.ts';
import { type LocalizableText, localizable } from '../base/localize.ts';
import type { Log } from '../base/log.ts';
import { raceAbort } from '../base/raceAbort.ts';
import type { SendOptions, Transport } from './transport.ts';

/** What a `Worker`, a `MessagePort` and `parentPort` of node:worker_threads have in common. */
interface PortLike {
  postMessage(message: ChannelMessage): void;
  on(event: 'message' | 'messageerror' | 'error' | 'exit' | 'close', listener: (value: unknown) => void): unknown;
}

interface WorkerChannelEvents {
  onEvent?(event: WorkerEvent): void;
  /** A call was answered, so the worker works. */
  onResponse?(): void;
}

/** `backend-stopped`, with the cause as details. */
function createWorkerStoppedFault(message: LocalizableText, cause?: unknown): HexLensError {
  return new HexLensError('backend-stopped', message, {
    fix: localizable('Try again: it is restarted when it is needed.'),
    details: cause === undefined ? undefined : toFault(cause).details,
  });
}

/** A chain's or network's status with its problem in the language of this thread; any other value unchanged. */
function localizeStatus<T>(value: T): T {
  const { fault, ...status } = value as { readonly fault?: PlainFault; readonly problem?: string | null };
  return fault === undefined ? value : ({ ...status, problem: formatFault(localizeFault(fault)) } as T); // only its text changes
}

/** This end of the channel to the worker. Every pending call rejects with `backend-stopped` when the port closes. */
export class WorkerChannel extends CallChannel<WorkerClientInterface, WorkerInterface> implements Transport {
  /** Resolves when the worker has exited, with what it threw if it did. */
  readonly exited: Promise<unknown>;

  constructor(port: PortLike, { onEvent, onResponse }: WorkerChannelEvents = {}) {
    super({
      post: message => port.postMessage(message),
      calls: {},
      notifications: {
        log(lines) {
          for (const line of lines) onEvent?.({ type: 'log', ...line });
        },
        headChange: chain => onEvent?.({ type: 'headChange', chain }),
        progress: progress => onEvent?.({ type: 'progress', progress }),
      },
      ...(onResponse !== undefined && { onResponse }),
    });
    let thrown: unknown;
    port.on('message', message => this.receive(message));
    port.on('error', error => {
      thrown = error;
    });
    this.exited = new Promise<unknown>(resolve => {
      const end = () => {
        this.close(createWorkerStoppedFault(localizable('The HexLens service stopped before it responded.'), thrown));
        resolve(thrown);
      };
      port.on('exit', end);
      port.on('close', end);
    });
  }

  send(request: WireRequest, options?: SendOptions): Promise<WireReply> {
    return this.call('request', request, options);
  }

  async lookup<Id extends LookupId>(
    lookup: Id,
    input: LookupInput<Id>,
    options?: SendOptions,
  ): Promise<LookupOutput<Id>> {
    const request = { lookup, input } as LookupRequest; // id and input belong together
    return localizeStatus((await this.call('lookup', request, options)) as LookupOutput<Id>);
  }
}

/** A `Worker` of node:worker_threads. */
export interface WorkerLike extends PortLike {
  terminate(): Promise<unknown>;
}

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

const createClosingFault = () => new HexLensError('backend-stopped', 'HexLens is closing.');

export class WorkerConnection {
  readonly #deps: WorkerConnectionDeps;
  /** Starts the worker if there is none. Waits for the first configuration. */
  readonly transport: Transport;
  readonly #eventListeners = new Set<(event: WorkerStatusEvent) => void>();
  readonly #exitListeners = new Set<() => void>();
  /** Tasks that are running, by name. */
  readonly #runningTasks = new Map<string, Progress>();
  readonly #configured = Promise.withResolvers<void>();
  readonly #stopping = new AbortController();
  /** Undefined until the first one. */
  #configuration: Configuration | undefined;
  #running: { readonly worker: WorkerLike; readonly channel: WorkerChannel } | undefined;
  #starting: Promise<WorkerChannel> | undefined;
  /** The end of the worker before. */
  #ending: Promise<void> = Promise.resolve();
  /** Since the last response. */
  #deaths = 0;
  /** Time before which it is not restarted. */
  #notBeforeMs = 0;
  /** Ends the wait before a restart early. */
  #skipRestartDelay = () => {};

  constructor(deps: WorkerConnectionDeps) {
    this.#deps = deps;
    this.transport = {
      send: (request, { signal } = {}) => this.#withChannel(channel => channel.send(request, { signal }), signal),
    };
  }

  /** Runs a lookup in the worker; starts it if there is none. */
  lookup<Id extends LookupId>(id: Id, input: LookupInput<Id>, { signal }: SendOptions = {}): Promise<LookupOutput<Id>> {
    return this.#withChannel(channel => channel.lookup(id, input, { signal }), signal);
  }

  /** Opens the HTTP service at the endpoint in place of an earlier one; `null` closes it. It ends with the worker: see `onExit`. */
  serve(endpoint: HttpEndpoint | null, { signal }: SendOptions = {}): Promise<string | null> {
    return this.#withChannel(channel => channel.call('serveHttp', endpoint, { signal }), signal);
  }

  /** Does not start the worker; one that is started later gets the last configuration first. */
  configure(next: Configuration): void {
    this.#configuration = next;
    this.#configured.resolve();
    this.#running?.channel.notify('configure', next);
  }

  /** Sends a notification if the worker is running; otherwise there is nothing to notify. */
  readonly notify: WorkerChannel['notify'] = (method, params) => this.#running?.channel.notify(method, params);

  onEvent(listener: (event: WorkerStatusEvent) => void): Disposable {
    this.#eventListeners.add(listener);
    return disposable(() => this.#eventListeners.delete(listener));
  }

  /** The worker has exited, by itself or on purpose. */
  onExit(listener: () => void): Disposable {
    this.#exitListeners.add(listener);
    return disposable(() => this.#exitListeners.delete(listener));
  }

  /** Ends the worker; the next request starts a new one. */
  restart(): Promise<void> {
    this.#deaths = 0;
    this.#notBeforeMs = 0;
    this.#skipRestartDelay();
    return this.#end(createWorkerStoppedFault('The HexLens service was restarted.'));
  }

  /** Ends the worker for good. */
  stop(): Promise<void> {
    this.#stopping.abort();
    this.#configured.resolve();
    return this.#end(createClosingFault());
  }

  #onEvent(event: WorkerEvent): void {
    if (event.type === 'log') {
      this.#deps.log[event.level](event.message);
      return;
    }
    if (event.type === 'progress') {
      if (event.progress.isRunning) this.#runningTasks.set(event.progress.task, event.progress);
      else this.#runningTasks.delete(event.progress.task);
    }
    for (const listener of this.#eventListeners) listener(event);
  }

  /** A worker that has exited cannot report that its tasks have ended. */
  #endTasks(): void {
    for (const progress of [...this.#runningTasks.values()])
      this.#onEvent({ type: 'progress', progress: { ...progress, isRunning: false } });
  }

  #onDeath(reason: unknown): void {
    const { clock, log } = this.#deps;
    this.#deaths++;
    const delayMs = getBackOffMs(this.#deaths, { firstMs: INITIAL_RESTART_DELAY_MS, maxMs: MAX_RESTART_DELAY_MS });
    this.#notBeforeMs = clock.now() + delayMs;
    const next = this.#deaths <= MAX_RESTARTS ? `It restarts in ${delayMs} ms.` : 'It restarts with the next request.';
    const why =
      reason === undefined ? '' : ` (${reason instanceof Error ? `${reason.name}: ${reason.message}` : reason})`;
    log.error(`The service stopped unexpectedly${why}. ${next}`);
  }

  #restartAfterDeath(): void {
    if (this.#deaths === 0 || this.#deaths > MAX_RESTARTS || this.#stopping.signal.aborted) return;
    this.#connect().catch(() => {}); // logged already; the next request tries again
  }

  #open(current: Configuration): WorkerChannel {
    let worker: WorkerLike;
    try {
      worker = this.#deps.start();
    } catch (error) {
      this.#onDeath(error);
      throw createWorkerStoppedFault('The HexLens service could not be started.', error);
    }
    const channel = new WorkerChannel(worker, {
      onEvent: event => this.#onEvent(event),
      onResponse: () => {
        this.#deaths = 0;
      },
    });
    this.#running = { worker, channel };
    channel.notify('configure', current);
    channel.exited.then(reason => {
      for (const listener of this.#exitListeners) listener();
      if (this.#running?.channel !== channel) return; // ended on purpose
      this.#running = undefined;
      this.#endTasks();
      this.#onDeath(reason);
      this.#restartAfterDeath();
    });
    return channel;
  }

  #connect(): Promise<WorkerChannel> {
    const { clock } = this.#deps;
    if (this.#running !== undefined) return Promise.resolve(this.#running.channel);
    this.#starting ??= (async () => {
      await this.#configured.promise;
      await this.#ending;
      const delayMs = this.#notBeforeMs - clock.now();
      if (delayMs > 0) {
        const skipped = new Promise<void>(done => {
          this.#skipRestartDelay = done;
        });
        await Promise.race([clock.sleep(delayMs, this.#stopping.signal), skipped]);
      }
      if (this.#stopping.signal.aborted || this.#configuration === undefined) throw createClosingFault();
      return this.#open(this.#configuration);
    })().finally(() => {
      this.#starting = undefined;
      if (this.#running === undefined) this.#restartAfterDeath();
    });
    return this.#starting;
  }

  async #withChannel<T>(use: (channel: WorkerChannel) => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    if (this.#stopping.signal.aborted) throw createClosingFault();
    try {
      return await use(await raceAbort(this.#connect(), signal));
    } catch (error) {
      throw this.#stopping.signal.aborted && isFault(error, 'cancelled') && !signal?.aborted
        ? createClosingFault()
        : error;
    }
  }

  async #end(fault: HexLensError): Promise<void> {
    if (this.#running === undefined) return this.#ending;
    const { worker, channel } = this.#running;
    this.#running = undefined;
    this.#endTasks();
    channel.close(fault);
    channel.notify('stop', null);
    const waiting = new AbortController();
    const grace = this.#deps.clock.sleep(STOP_GRACE_MS, waiting.signal).catch(() => {});
    this.#ending = Promise.race([channel.exited, grace]).then(async () => {
      waiting.abort();
      await worker.terminate();
    });
    return this.#ending;
  }
}
