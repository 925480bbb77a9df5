// The worker's end of the port: messages become calls on the backend, its answers and faults become messages.

import type { Configuration } from '../api/configuration.ts';
import type { LookupId, LookupInput, LookupOutput } from '../api/lookups.ts';
import type { WireReply, WireRequest } from '../api/wire/request.ts';
import type { BackendEvent, BackendMessage, ServePlace, WorkerMessage } from '../api/workerProtocol.ts';
import { isFault, readable, toPlainFault } from '../base/errors.ts';

/** What answers; every call of it may reject with anything. */
export interface PortBackend {
  configure(configuration: Configuration): void;
  call(request: WireRequest, options: { readonly signal: AbortSignal }): Promise<WireReply>;
  lookup<Id extends LookupId>(
    id: Id,
    input: LookupInput<Id>,
    options: { readonly signal: AbortSignal },
  ): Promise<LookupOutput<Id>>;
  /** Answers HTTP at the place instead of an earlier one, or no longer; resolves with the URL. */
  serve(place: ServePlace | null): Promise<string | null>;
  /** Ends the work that progress named so; nothing to do for who reports none. */
  pause?(task: string): void;
  resume?(task: string): void;
  stop(): Promise<void>;
}

/** `parentPort` of node:worker_threads, or a `MessagePort`. */
export interface ServedPort {
  postMessage(message: WorkerMessage): void;
  on(event: 'message' | 'close', listener: (message: unknown) => void): unknown;
  close(): void;
}

export interface PortServer {
  /** Says something unasked: a log line, a chain's status, progress. */
  emit(event: BackendEvent): void;
}

/** Serves until `stop` arrives or the other side closes; then the backend is stopped and the port closed. */
export function servePort(port: ServedPort, backend: PortBackend): PortServer {
  const running = new Map<number, AbortController>();
  let ended = false;

  const say = (message: WorkerMessage) => {
    if (!ended) port.postMessage(message);
  };

  function answer(id: number, work: (signal: AbortSignal) => Promise<WorkerMessage>): void {
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
      say({ type: 'log', level: 'error', message: `The configuration was not taken: ${readable(error)}` });
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

  function receive(message: BackendMessage): void {
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

  port.on('message', message => receive(message as BackendMessage)); // the other side is our own code
  port.on('close', () => void end());
  return { emit: say };
}
