// The worker's end of the port: messages become calls on the backend, its answers and faults become messages.

import type { Configuration } from '../api/configuration.ts';
import type { LookupId, LookupInput, LookupOutput } from '../api/lookups.ts';
import type { WireReply, WireRequest } from '../api/wire/request.ts';
import type { HttpEndpoint, MessageFromWorker, MessageToWorker, WorkerEvent } from '../api/workerProtocol.ts';
import { formatFault, isFault, toPlainFault } from '../base/errors.ts';

/** What answers; every call of it may reject with anything. */
export interface WorkerBackend {
  configure(configuration: Configuration): void;
  call(request: WireRequest, options: { readonly signal: AbortSignal }): Promise<WireReply>;
  lookup<Id extends LookupId>(
    id: Id,
    input: LookupInput<Id>,
    options: { readonly signal: AbortSignal },
  ): Promise<LookupOutput<Id>>;
  /** Answers HTTP at the place instead of an earlier one, or no longer; resolves with the URL. */
  serve(place: HttpEndpoint | null): Promise<string | null>;
  /** Ends the work that progress named so; nothing to do for who reports none. */
  pause?(task: string): void;
  resume?(task: string): void;
  stop(): Promise<void>;
}

/** `parentPort` of node:worker_threads, or a `MessagePort`. */
export interface ServedPort {
  postMessage(message: MessageFromWorker): void;
  on(event: 'message' | 'close', listener: (message: unknown) => void): unknown;
  close(): void;
}

export interface WorkerPortServer {
  /** Says something unasked: a log line, a chain's status, progress. */
  emit(event: WorkerEvent): void;
}

/** Serves until `stop` arrives or the other side closes; then the backend is stopped and the port closed. */
export function serveWorkerPort(port: ServedPort, backend: WorkerBackend): WorkerPortServer {
  const running = new Map<number, AbortController>();
  let ended = false;

  const say = (message: MessageFromWorker) => {
    if (!ended) port.postMessage(message);
  };

  function answer(id: number, work: (signal: AbortSignal) => Promise<MessageFromWorker>): void {
    const controller = new AbortController();
    running.set(id, controller);
    work(controller.signal)
      .then(say)
      .catch(error => {
        // Whoever cancelled does not wait for an answer any more.
        if (!(controller.signal.aborted && isFault(error, 'cancelled')))
          say({ type: 'fault', id, fault: toPlainFault(error) });
      })
      .finally(() => running.delete(id));
  }

  function configure(configuration: Configuration): void {
    try {
      backend.configure(configuration);
    } catch (error) {
      say({ type: 'log', level: 'error', message: `The configuration was not taken: ${formatFault(error)}` });
    }
  }

  async function end(): Promise<void> {
    if (ended) return;
    for (const controller of running.values()) controller.abort();
    try {
      await backend.stop();
    } finally {
      ended = true;
      port.close();
    }
  }

  function receive(message: MessageToWorker): void {
    switch (message.type) {
      case 'configure':
        configure(message.configuration);
        break;
      case 'call': {
        const { id, request } = message;
        answer(id, async signal => ({
          type: 'result',
          id,
          reply: await backend.call(request, { signal }),
        }));
        break;
      }
      case 'lookup': {
        const { id, lookup, input } = message;
        answer(id, async signal => ({
          type: 'value',
          id,
          value: await backend.lookup(lookup, input as LookupInput<typeof lookup>, { signal }),
        }));
        break;
      }
      case 'serve': {
        const { id, place } = message;
        answer(id, async () => ({ type: 'served', id, url: await backend.serve(place) }));
        break;
      }
      case 'cancel':
        running.get(message.id)?.abort();
        break;
      case 'pause':
        backend.pause?.(message.task);
        break;
      case 'resume':
        backend.resume?.(message.task);
        break;
      case 'stop':
        void end();
    }
  }

  port.on('message', message => receive(message as MessageToWorker)); // the other side is our own code
  port.on('close', () => void end());
  return { emit: say };
}
