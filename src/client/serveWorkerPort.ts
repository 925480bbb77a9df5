// The worker's end of the channel to the main thread.
import type { LookupId, LookupInput, LookupOutput } from '../api/lookups.ts';
import type { WorkerClientInterface, WorkerInterface } from '../api/workerProtocol.ts';
import {
  type CallChannel,
  type CallHandlers,
  type ChannelMessage,
  createCallChannel,
  type NotificationHandlers,
} from '../base/callChannel.ts';
import { formatFault } from '../base/errors.ts';

/** What the worker does for the main thread. */
export interface WorkerHandlers {
  readonly calls: Omit<CallHandlers<WorkerInterface>, 'lookup'>;
  lookup<Id extends LookupId>(
    id: Id,
    input: LookupInput<Id>,
    options: { readonly signal: AbortSignal },
  ): Promise<LookupOutput<Id>>;
  /** `configure` may throw: that is logged. */
  readonly notifications: Omit<NotificationHandlers<WorkerInterface>, 'stop'>;
  stop(): Promise<void>;
}

/** `parentPort` of node:worker_threads, or a `MessagePort`. */
export interface ServedPort {
  postMessage(message: ChannelMessage): void;
  on(event: 'message' | 'close', listener: (message: unknown) => void): unknown;
  close(): void;
}

/** Sends notifications to the main thread. */
export type WorkerPortServer = Pick<CallChannel<WorkerClientInterface>, 'notify'>;

/** Handles calls until `stop` arrives or the other end closes; then `handlers.stop` runs and the port is closed. */
export function serveWorkerPort(port: ServedPort, handlers: WorkerHandlers): WorkerPortServer {
  let ended = false;
  let ending = false;

  const { notify, receive, abortIncoming } = createCallChannel<WorkerInterface, WorkerClientInterface>({
    post: message => {
      if (!ended) port.postMessage(message);
    },
    calls: {
      ...handlers.calls,
      lookup: ({ lookup, input }, options) => handlers.lookup(lookup, input as LookupInput<typeof lookup>, options),
    },
    notifications: {
      ...handlers.notifications,
      configure(configuration) {
        try {
          handlers.notifications.configure(configuration);
        } catch (error) {
          notify('log', [{ level: 'error', message: `The configuration was rejected: ${formatFault(error)}` }]);
        }
      },
      stop: () => void end(),
    },
  });

  async function end(): Promise<void> {
    if (ending) return;
    ending = true;
    abortIncoming();
    try {
      await handlers.stop();
    } finally {
      ended = true;
      port.close();
    }
  }

  port.on('message', message => receive(message as ChannelMessage)); // the other end is our own code
  port.on('close', () => void end());
  return { notify };
}
