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

type AnyListener = CallListener<ChannelInterface['calls'][string]>;

/**
 * One end of a channel. Both ends are created alike, each with the interface that it offers (`Local`) and the one that
 * it uses (`Remote`). Outputs cross by structured clone, faults keep their code and texts.
 */
export class CallChannel<Local extends ChannelInterface, Remote extends ChannelInterface> {
  readonly #options: CallChannelOptions<Local>;
  /** Who waits for the calls to the other side, by ID. */
  readonly #pending = new Map<number, AnyListener>();
  /** The running calls of the other side, by its ID. */
  readonly #incoming = new Map<number, AbortController>();
  #lastId = 0;
  /** Why no more calls are made. */
  #closed: HexLensError | undefined;

  constructor(options: CallChannelOptions<Local>) {
    this.#options = options;
  }

  /** Starts a call that is answered in parts; the returned function cancels it. */
  start<N extends CallName<Remote>>(
    method: N,
    params: Remote['calls'][N]['params'],
    listener: CallListener<Remote['calls'][N]>,
  ): () => void {
    const id = ++this.#lastId;
    this.#pending.set(id, listener);
    try {
      if (this.#closed !== undefined) throw this.#closed;
      this.#options.post({ type: 'call', id, method, params });
    } catch (error) {
      this.#pending.delete(id); // the channel is closed, or the parameters cannot be cloned
      listener.onFault?.(toFault(error));
    }
    return () => {
      if (this.#pending.delete(id)) this.#options.post({ type: 'cancel', id });
    };
  }

  /** Rejects with the other side's fault, or with `cancelled` as soon as the signal aborts. */
  call<N extends CallName<Remote>>(
    method: N,
    params: Remote['calls'][N]['params'],
    { signal }: { readonly signal?: AbortSignal | undefined } = {},
  ): Promise<Remote['calls'][N]['output']> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(createCancelledFault());
      const abort = () => {
        cancel();
        reject(createCancelledFault());
      };
      const stopListening = () => signal?.removeEventListener('abort', abort);
      signal?.addEventListener('abort', abort, { once: true });
      const cancel = this.start(method, params, {
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
  }

  notify<N extends NotificationName<Remote>>(method: N, params: Remote['notifications'][N]): void {
    this.#options.post({ type: 'notify', method, params });
  }

  /** Takes what the port received; what others post to a page is ignored. */
  receive(value: unknown): void {
    if (!isObject(value)) return;
    const message = value as ChannelMessage; // both ends are of one build, or have checked it
    switch (message.type) {
      case 'call':
        void this.#handleCall(message.id, message.method, message.params);
        break;
      case 'cancel':
        this.#abort(message.id);
        break;
      case 'part':
        this.#pending.get(message.id)?.onPart?.(message.part);
        break;
      case 'done':
        this.#settle(message.id, listener => listener.onDone?.(message.output));
        break;
      case 'fault':
        this.#settle(message.id, listener => listener.onFault?.(localizeFault(message.fault)));
        break;
      case 'notify':
        this.#options.notifications[message.method as NotificationName<Local>](message.params as never);
    }
  }

  /** Rejects all pending and all later calls to the other side with this fault. */
  close(fault: HexLensError): void {
    this.#closed ??= fault;
    const listeners = [...this.#pending.values()];
    this.#pending.clear();
    for (const listener of listeners) listener.onFault?.(this.#closed);
  }

  /** Aborts all calls from the other side that are running. */
  abortIncoming(): void {
    for (const id of [...this.#incoming.keys()]) this.#abort(id);
  }

  #abort(id: number): void {
    this.#incoming.get(id)?.abort();
    this.#incoming.delete(id);
  }

  #settle(id: number, end: (listener: AnyListener) => void): void {
    const listener = this.#pending.get(id);
    if (listener === undefined) return; // cancelled before
    this.#pending.delete(id);
    end(listener);
    this.#options.onResponse?.();
  }

  async #handleCall(id: number, method: string, params: unknown): Promise<void> {
    this.#abort(id); // of a page that was loaded again, and counts from the start
    const controller = new AbortController();
    this.#incoming.set(id, controller);
    const { signal } = controller;
    const postUnlessAborted = (message: ChannelMessage) => signal.aborted || this.#options.post(message);
    try {
      const handler = this.#options.calls[method as CallName<Local>]; // both ends are built from one interface
      const sendPart = (part: unknown) => void postUnlessAborted({ type: 'part', id, part });
      const output = await handler(params as never, { signal, sendPart });
      postUnlessAborted({ type: 'done', id, output });
    } catch (error) {
      if (!signal.aborted) this.#options.onCallFailed?.(error);
      postUnlessAborted({ type: 'fault', id, fault: toPlainFault(error) });
    } finally {
      if (this.#incoming.get(id) === controller) this.#incoming.delete(id);
    }
  }
}
