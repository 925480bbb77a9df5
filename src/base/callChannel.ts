// Typed calls and notifications between two threads, or extension and page, over any port that carries plain objects.
import {
  createCancelledFault,
  type HexLensError,
  localizeFault,
  type PlainFault,
  toFault,
  toPlainFault,
} from './errors.ts';
import { isObject } from './isObject.ts';

/** What one side of a channel offers to the other. */
export interface ChannelInterface {
  /** Calls by method: parameters, then any number of parts, then one output or a fault. */
  readonly calls: Readonly<
    Record<string, { readonly params: unknown; readonly part?: unknown; readonly output: unknown }>
  >;
  /** Notifications by method, with their parameters; nothing is returned. */
  readonly notifications: Readonly<Record<string, unknown>>;
}

/** What crosses the port. `id` is a number of the side that calls. A call that was cancelled is answered by nothing. */
export type ChannelMessage =
  | { readonly type: 'call'; readonly id: number; readonly method: string; readonly params: unknown }
  | { readonly type: 'cancel'; readonly id: number }
  | { readonly type: 'part'; readonly id: number; readonly part: unknown }
  | { readonly type: 'done'; readonly id: number; readonly output: unknown }
  | { readonly type: 'fault'; readonly id: number; readonly fault: PlainFault }
  | { readonly type: 'notify'; readonly method: string; readonly params: unknown };

type CallName<I extends ChannelInterface> = keyof I['calls'] & string;
type NotificationName<I extends ChannelInterface> = keyof I['notifications'] & string;

/** Functions behind the calls of an interface; whatever they reject with becomes a fault on the other side. */
export type CallHandlers<I extends ChannelInterface> = {
  readonly [N in CallName<I>]: (
    params: I['calls'][N]['params'],
    options: { readonly signal: AbortSignal; sendPart(part: I['calls'][N]['part']): void },
  ) => Promise<I['calls'][N]['output']>;
};

export type NotificationHandlers<I extends ChannelInterface> = {
  readonly [N in NotificationName<I>]: (params: I['notifications'][N]) => void;
};

export interface CallChannelOptions<Local extends ChannelInterface> {
  /** Sends a message to the other side; may throw when a value cannot be cloned. */
  post(message: ChannelMessage): void;
  readonly calls: CallHandlers<Local>;
  readonly notifications: NotificationHandlers<Local>;
  /** A call was answered, with an output or a fault, so the other side works. */
  onResponse?(): void;
  /** A call of the other side failed, which learns of it anyway. */
  onCallFailed?(error: unknown): void;
}

/** What a caller learns of its call; nothing after it was cancelled. */
export interface CallListener<Call extends ChannelInterface['calls'][string]> {
  onPart?(part: Call['part']): void;
  onDone?(output: Call['output']): void;
  onFault?(fault: HexLensError): void;
}

export interface CallChannel<Remote extends ChannelInterface> {
  /** Starts a call that is answered in parts; the returned function cancels it. */
  start<N extends CallName<Remote>>(
    method: N,
    params: Remote['calls'][N]['params'],
    listener: CallListener<Remote['calls'][N]>,
  ): () => void;
  /** Rejects with the other side's fault, or with `cancelled` as soon as the signal aborts. */
  call<N extends CallName<Remote>>(
    method: N,
    params: Remote['calls'][N]['params'],
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<Remote['calls'][N]['output']>;
  notify<N extends NotificationName<Remote>>(method: N, params: Remote['notifications'][N]): void;
  /** Takes what the port received; what others post to a page is ignored. */
  receive(value: unknown): void;
  /** Rejects all pending and all later calls to the other side with this fault. */
  close(fault: HexLensError): void;
  /** Aborts all calls from the other side that are running. */
  abortIncoming(): void;
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
  onCallFailed,
}: CallChannelOptions<Local>): CallChannel<Remote> {
  const pending = new Map<number, CallListener<ChannelInterface['calls'][string]>>();
  const incoming = new Map<number, AbortController>();
  let lastId = 0;
  let closed: HexLensError | undefined;

  function settle(id: number, end: (listener: CallListener<ChannelInterface['calls'][string]>) => void): void {
    const listener = pending.get(id);
    if (listener === undefined) return; // cancelled before
    pending.delete(id);
    end(listener);
    onResponse?.();
  }

  function abort(id: number): void {
    incoming.get(id)?.abort();
    incoming.delete(id);
  }

  async function handleCall(id: number, method: string, params: unknown): Promise<void> {
    abort(id); // of a page that was loaded again, and counts from the start
    const controller = new AbortController();
    incoming.set(id, controller);
    const { signal } = controller;
    const postUnlessAborted = (message: ChannelMessage) => signal.aborted || post(message);
    try {
      const handler = calls[method as CallName<Local>]; // both ends are built from one interface
      const sendPart = (part: unknown) => void postUnlessAborted({ type: 'part', id, part });
      const output = await handler(params as never, { signal, sendPart });
      postUnlessAborted({ type: 'done', id, output });
    } catch (error) {
      if (!signal.aborted) onCallFailed?.(error);
      postUnlessAborted({ type: 'fault', id, fault: toPlainFault(error) });
    } finally {
      if (incoming.get(id) === controller) incoming.delete(id);
    }
  }

  const start: CallChannel<Remote>['start'] = (method, params, listener) => {
    const id = ++lastId;
    pending.set(id, listener);
    try {
      if (closed !== undefined) throw closed;
      post({ type: 'call', id, method, params });
    } catch (error) {
      pending.delete(id); // the channel is closed, or the parameters cannot be cloned
      listener.onFault?.(toFault(error));
    }
    return () => {
      if (pending.delete(id)) post({ type: 'cancel', id });
    };
  };

  return {
    start,
    call(method, params, { signal } = {}) {
      return new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(createCancelledFault());
        const abortCall = () => {
          cancel();
          reject(createCancelledFault());
        };
        const stopListening = () => signal?.removeEventListener('abort', abortCall);
        signal?.addEventListener('abort', abortCall, { once: true });
        const cancel = start(method, params, {
          onDone(output) {
            stopListening();
            resolve(output);
          },
          onFault(fault) {
            stopListening();
            reject(fault);
          },
        });
      });
    },
    notify: (method, params) => post({ type: 'notify', method, params }),
    receive(value) {
      if (!isObject(value)) return;
      const message = value as ChannelMessage; // both ends are of one build, or have checked it
      switch (message.type) {
        case 'call':
          void handleCall(message.id, message.method, message.params);
          break;
        case 'cancel':
          abort(message.id);
          break;
        case 'part':
          pending.get(message.id)?.onPart?.(message.part);
          break;
        case 'done':
          settle(message.id, listener => listener.onDone?.(message.output));
          break;
        case 'fault':
          settle(message.id, listener => listener.onFault?.(localizeFault(message.fault)));
          break;
        case 'notify':
          notifications[message.method as NotificationName<Local>](message.params as never);
      }
    },
    close(fault) {
      closed ??= fault;
      const listeners = [...pending.values()];
      pending.clear();
      for (const listener of listeners) listener.onFault?.(closed);
    },
    abortIncoming() {
      for (const id of [...incoming.keys()]) abort(id);
    },
  };
}
