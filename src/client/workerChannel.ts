// A transport over a message port: questions with ids, cancel, and an end for everything pending when the port closes.

import type { Configuration } from '../api/configuration.ts';
import type { LookupId, LookupInput, LookupOutput } from '../api/lookups.ts';
import type { WireReply } from '../api/wire/request.ts';
import type {
  HttpEndpoint,
  LookupMessage,
  MessageFromWorker,
  MessageToWorker,
  WorkerEvent,
} from '../api/workerProtocol.ts';
import { cancelledFault, formatFault, HexLensError, localizeFault, type PlainFault, toFault } from '../base/errors.ts';
import { type LocalizableText, localizable } from '../base/localize.ts';
import type { SendOptions, Transport } from './transport.ts';

/** What a `Worker`, a `MessagePort` and `parentPort` of node:worker_threads have in common. */
export interface PortLike {
  postMessage(message: MessageToWorker): void;
  on(event: 'message' | 'messageerror' | 'error' | 'exit' | 'close', listener: (value: unknown) => void): unknown;
}

export interface WorkerChannel extends Transport {
  lookup<Id extends LookupId>(id: Id, input: LookupInput<Id>, options?: SendOptions): Promise<LookupOutput<Id>>;
  /** Answers HTTP at the place instead of an earlier one, or no longer; resolves with the URL. */
  serve(place: HttpEndpoint | null, options?: SendOptions): Promise<string | null>;
  configure(configuration: Configuration): void;
  pause(task: string): void;
  resume(task: string): void;
  /** Asks the other side to end by itself. */
  requestStop(): void;
  /** Answers everything pending, and everything from now on, with this fault. */
  close(fault: HexLensError): void;
  /** Resolves when the other side is gone, with what it threw if it did. */
  readonly gone: Promise<unknown>;
}

export interface WorkerChannelEvents {
  onEvent?(event: WorkerEvent): void;
  /** A question was answered, so the other side works. */
  onAnswer?(): void;
}

/** `backend-stopped`, with what made it stop as details. */
export function stoppedFault(message: LocalizableText, cause?: unknown): HexLensError {
  return new HexLensError('backend-stopped', message, {
    fix: localizable('Try again: it is started anew when it is needed.'),
    details: cause === undefined ? undefined : toFault(cause).details,
  });
}

/** A status whose problem is said in the language of this thread; any other value as it is. */
function retold<T>(value: T): T {
  const { fault, ...status } = value as { readonly fault?: PlainFault; readonly problem?: string | null };
  return fault === undefined ? value : ({ ...status, problem: formatFault(localizeFault(fault)) } as T); // only its text changes
}

interface Pending {
  resolve(value: unknown): void;
  reject(fault: HexLensError): void;
}

/** Questions and answers over one port. Every pending one ends in `backend-stopped` when the port closes. */
export function createWorkerChannel(port: PortLike, { onEvent, onAnswer }: WorkerChannelEvents = {}): WorkerChannel {
  const pending = new Map<number, Pending>();
  let last = 0;
  let closed: HexLensError | undefined;
  let thrown: unknown;

  function close(fault: HexLensError): void {
    closed ??= fault;
    const all = [...pending.values()];
    pending.clear();
    for (const question of all) question.reject(closed);
  }

  function settle(id: number, end: (question: Pending) => void): void {
    const question = pending.get(id);
    if (question === undefined) return; // cancelled, or answered twice
    pending.delete(id);
    end(question);
    onAnswer?.();
  }

  function receive(message: MessageFromWorker): void {
    switch (message.type) {
      case 'result':
        settle(message.id, question => question.resolve(message.reply));
        break;
      case 'value':
        settle(message.id, question => question.resolve(retold(message.value)));
        break;
      case 'served':
        settle(message.id, question => question.resolve(message.url));
        break;
      case 'fault':
        settle(message.id, question => question.reject(localizeFault(message.fault)));
        break;
      case 'status':
        onEvent?.({ type: 'status', status: retold(message.status) });
        break;
      default:
        onEvent?.(message);
    }
  }

  port.on('message', message => receive(message as MessageFromWorker)); // the other side is our own code
  port.on('error', error => {
    thrown = error;
  });
  const gone = new Promise<unknown>(resolve => {
    const end = () => {
      close(stoppedFault(localizable('The HexLens backend stopped before it answered.'), thrown));
      resolve(thrown);
    };
    port.on('exit', end);
    port.on('close', end);
  });

  function ask(message: Extract<MessageToWorker, { type: 'call' | 'lookup' | 'serve' }>, signal?: AbortSignal) {
    return new Promise<unknown>((resolve, reject) => {
      if (signal?.aborted) return reject(cancelledFault());
      if (closed !== undefined) return reject(closed);
      const { id } = message;
      const abort = () => {
        if (!pending.delete(id)) return;
        port.postMessage({ type: 'cancel', id });
        reject(cancelledFault());
      };
      const leave = () => signal?.removeEventListener('abort', abort);
      pending.set(id, {
        resolve(value) {
          leave();
          resolve(value);
        },
        reject(fault) {
          leave();
          reject(fault);
        },
      });
      signal?.addEventListener('abort', abort, { once: true });
      try {
        port.postMessage(message);
      } catch (error) {
        pending.delete(id); // a value that can not cross
        leave();
        reject(toFault(error));
      }
    });
  }

  return {
    gone,
    close,
    configure: configuration => port.postMessage({ type: 'configure', configuration }),
    pause: task => port.postMessage({ type: 'pause', task }),
    resume: task => port.postMessage({ type: 'resume', task }),
    requestStop: () => port.postMessage({ type: 'stop' }),
    send: (request, { signal } = {}) => ask({ type: 'call', id: ++last, request }, signal) as Promise<WireReply>,
    serve: (place, { signal } = {}) => ask({ type: 'serve', id: ++last, place }, signal) as Promise<string | null>,
    lookup<Id extends LookupId>(lookup: Id, input: LookupInput<Id>, { signal }: SendOptions = {}) {
      const message = { type: 'lookup', id: ++last, lookup, input } as LookupMessage; // id and input belong together
      return ask(message, signal) as Promise<LookupOutput<Id>>;
    },
  };
}
