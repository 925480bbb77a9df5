// Typed calls and notifications between two threads, over any port that carries plain objects.
import {
  createCancelledFault,
  type HexLensError,
  isFault,
  localizeFault,
  type PlainFault,
  toFault,
  toPlainFault,
} from './errors.ts';

/** What one side of a channel offers to the other. */
export interface ChannelInterface {
  /** Calls by name: one input, one output or a fault. */
  readonly calls: Readonly<Record<string, { readonly input: unknown; readonly output: unknown }>>;
  /** Notifications by name, with their payload; nothing is returned. */
  readonly notifications: Readonly<Record<string, unknown>>;
}

/** What crosses the port. `id` is a number of the side that calls; `cancel` refers to it. */
export type ChannelMessage =
  | { readonly type: 'call'; readonly id: number; readonly name: string; readonly input: unknown }
  | { readonly type: 'cancel'; readonly id: number }
  | { readonly type: 'output'; readonly id: number; readonly output: unknown }
  | { readonly type: 'fault'; readonly id: number; readonly fault: PlainFault }
  | { readonly type: 'notification'; readonly name: string; readonly payload: unknown };

type CallName<I extends ChannelInterface> = keyof I['calls'] & string;
type NotificationName<I extends ChannelInterface> = keyof I['notifications'] & string;

/** Functions behind the calls of an interface; whatever they reject with becomes a fault on the other side. */
export type CallHandlers<I extends ChannelInterface> = {
  readonly [N in CallName<I>]: (
    input: I['calls'][N]['input'],
    options: { readonly signal: AbortSignal },
  ) => Promise<I['calls'][N]['output']>;
};

export type NotificationHandlers<I extends ChannelInterface> = {
  readonly [N in NotificationName<I>]: (payload: I['notifications'][N]) => void;
};

export interface CallChannelOptions<Local extends ChannelInterface> {
  /** Sends a message to the other side; may throw when a value cannot be cloned. */
  post(message: ChannelMessage): void;
  readonly calls: CallHandlers<Local>;
  readonly notifications: NotificationHandlers<Local>;
  /** A call was answered, with an output or a fault, so the other side works. */
  onResponse?(): void;
}

export interface CallChannel<Remote extends ChannelInterface> {
  /** Rejects with the other side's fault, or with `cancelled` as soon as the signal aborts. */
  call<N extends CallName<Remote>>(
    name: N,
    input: Remote['calls'][N]['input'],
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<Remote['calls'][N]['output']>;
  notify<N extends NotificationName<Remote>>(name: N, payload: Remote['notifications'][N]): void;
  /** Takes a message that the port received. */
  receive(message: ChannelMessage): void;
  /** Rejects all pending and all later calls to the other side with this fault. */
  close(fault: HexLensError): void;
  /** Aborts all calls from the other side that are running. */
  abortIncoming(): void;
}

interface PendingCall {
  resolve(output: unknown): void;
  reject(fault: HexLensError): void;
}

/**
 * Creates one end of a channel. Both ends are created alike, each with the interface that it offers (`Local`) and the
 * one that it uses (`Remote`). Outputs cross by structured clone, faults keep their code and texts.
 */
export function createCallChannel<Local extends ChannelInterface, Remote extends ChannelInterface>({
  post,
  calls,
  notifications,
  onResponse,
}: CallChannelOptions<Local>): CallChannel<Remote> {
  const pending = new Map<number, PendingCall>();
  const incoming = new Map<number, AbortController>();
  let lastId = 0;
  let closed: HexLensError | undefined;

  function settle(id: number, end: (call: PendingCall) => void): void {
    const call = pending.get(id);
    if (call === undefined) return; // cancelled before
    pending.delete(id);
    end(call);
    onResponse?.();
  }

  function handleCall(id: number, name: string, input: unknown): void {
    const controller = new AbortController();
    incoming.set(id, controller);
    const handler = calls[name as CallName<Local>]; // both ends are built from one interface
    const run = async () => handler(input as never, { signal: controller.signal });
    run()
      .then(output => post({ type: 'output', id, output }))
      .catch(error => {
        // A caller that has cancelled does not wait for a response any more.
        if (!(controller.signal.aborted && isFault(error, 'cancelled')))
          post({ type: 'fault', id, fault: toPlainFault(error) });
      })
      .finally(() => incoming.delete(id));
  }

  return {
    call(name, input, { signal } = {}) {
      return new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(createCancelledFault());
        if (closed !== undefined) return reject(closed);
        const id = ++lastId;
        const abort = () => {
          if (!pending.delete(id)) return;
          post({ type: 'cancel', id });
          reject(createCancelledFault());
        };
        const stopListening = () => signal?.removeEventListener('abort', abort);
        pending.set(id, {
          resolve(output) {
            stopListening();
            resolve(output as never); // the other end's handler has the type of the call
          },
          reject(fault) {
            stopListening();
            reject(fault);
          },
        });
        signal?.addEventListener('abort', abort, { once: true });
        try {
          post({ type: 'call', id, name, input });
        } catch (error) {
          pending.delete(id); // the input cannot be cloned
          stopListening();
          reject(toFault(error));
        }
      });
    },
    notify: (name, payload) => post({ type: 'notification', name, payload }),
    receive(message) {
      switch (message.type) {
        case 'call':
          handleCall(message.id, message.name, message.input);
          break;
        case 'cancel':
          incoming.get(message.id)?.abort();
          break;
        case 'output':
          settle(message.id, call => call.resolve(message.output));
          break;
        case 'fault':
          settle(message.id, call => call.reject(localizeFault(message.fault)));
          break;
        case 'notification':
          notifications[message.name as NotificationName<Local>](message.payload as never);
      }
    },
    close(fault) {
      closed ??= fault;
      const calls = [...pending.values()];
      pending.clear();
      for (const call of calls) call.reject(closed);
    },
    abortIncoming() {
      for (const controller of incoming.values()) controller.abort();
    },
  };
}
