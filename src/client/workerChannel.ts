// The main thread's end of the channel to the worker.
import type { LookupId, LookupInput, LookupOutput } from '../api/lookups.ts';
import type { LookupRequest, WorkerClientInterface, WorkerEvent, WorkerInterface } from '../api/workerProtocol.ts';
import { type CallChannel, type ChannelMessage, createCallChannel } from '../base/callChannel.ts';
import { formatFault, HexLensError, localizeFault, type PlainFault, toFault } from '../base/errors.ts';
import { type LocalizableText, localizable } from '../base/localize.ts';
import type { SendOptions, Transport } from './transport.ts';

/** What a `Worker`, a `MessagePort` and `parentPort` of node:worker_threads have in common. */
export interface PortLike {
  postMessage(message: ChannelMessage): void;
  on(event: 'message' | 'messageerror' | 'error' | 'exit' | 'close', listener: (value: unknown) => void): unknown;
}

export interface WorkerChannel extends Transport, Pick<CallChannel<WorkerInterface>, 'call' | 'notify' | 'close'> {
  lookup<Id extends LookupId>(id: Id, input: LookupInput<Id>, options?: SendOptions): Promise<LookupOutput<Id>>;
  /** Resolves when the worker has exited, with what it threw if it did. */
  readonly exited: Promise<unknown>;
}

export interface WorkerChannelEvents {
  onEvent?(event: WorkerEvent): void;
  /** A call was answered, so the worker works. */
  onResponse?(): void;
}

/** `backend-stopped`, with the cause as details. */
export function createWorkerStoppedFault(message: LocalizableText, cause?: unknown): HexLensError {
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

/** Every pending call rejects with `backend-stopped` when the port closes. */
export function createWorkerChannel(port: PortLike, { onEvent, onResponse }: WorkerChannelEvents = {}): WorkerChannel {
  const { call, notify, receive, close } = createCallChannel<WorkerClientInterface, WorkerInterface>({
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
  port.on('message', message => receive(message as ChannelMessage)); // the other end is our own code
  port.on('error', error => {
    thrown = error;
  });
  const exited = new Promise<unknown>(resolve => {
    const end = () => {
      close(createWorkerStoppedFault(localizable('The HexLens service stopped before it responded.'), thrown));
      resolve(thrown);
    };
    port.on('exit', end);
    port.on('close', end);
  });
  return {
    call,
    notify,
    close,
    exited,
    send: (request, options) => call('request', request, options),
    async lookup<Id extends LookupId>(lookup: Id, input: LookupInput<Id>, options?: SendOptions) {
      const request = { lookup, input } as LookupRequest; // id and input belong together
      return localizeStatus((await call('lookup', request, options)) as LookupOutput<Id>);
    },
  };
}
