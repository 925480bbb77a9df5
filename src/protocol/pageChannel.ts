// The page's end of the channel: calls with ids, which can be cancelled, and notifications.
import { fromPlainFault, type HexLensError } from '../base/errors.ts';
import type {
  CallMessage,
  CallMethod,
  CallParams,
  CallPart,
  ExtensionNotifications,
  NotificationHandlers,
  PageMessage,
  PageNotifications,
} from './messages.ts';
import { isCallPart, parseExtensionMessage } from './parseExtensionMessage.ts';

/** What a caller learns of its call; nothing after it was cancelled. */
export interface CallListener<M extends CallMethod> {
  onPart?(part: CallPart<M>): void;
  onDone?(): void;
  onFault?(fault: HexLensError): void;
}

export interface PageChannel {
  /** Starts a call; the returned function cancels it. */
  call<M extends CallMethod>(method: M, params: CallParams<M>, listener: CallListener<M>): () => void;
  notify<M extends keyof PageNotifications>(method: M, params: PageNotifications[M]): void;
  /** Takes a message of the extension, unchecked. */
  receive(message: unknown): void;
}

interface PendingCall {
  readonly method: CallMethod;
  /** The listener of `method`: parts are checked before it gets them. */
  readonly listener: CallListener<CallMethod>;
}

export function createPageChannel(
  post: (message: PageMessage) => void,
  handlers: NotificationHandlers<ExtensionNotifications>,
): PageChannel {
  const pending = new Map<number, PendingCall>();
  let lastId = 0;

  function handleNotification<M extends keyof ExtensionNotifications>(
    method: M,
    params: ExtensionNotifications[M],
  ): void {
    handlers[method](params);
  }

  return {
    call(method, params, listener) {
      lastId++;
      const id = lastId;
      pending.set(id, { method, listener });
      post({ type: 'call', id, method, params } as CallMessage); // method and params belong together by the signature
      return () => {
        if (pending.delete(id)) post({ type: 'cancel', id });
      };
    },
    notify: (method, params) => post({ type: 'notify', method, params } as PageMessage), // as above
    receive(value) {
      const message = parseExtensionMessage(value);
      if (message === null) return;
      if (message.type === 'notify') {
        handleNotification(message.method, message.params);
        return;
      }
      const call = pending.get(message.id);
      if (call === undefined) return;
      if (message.type === 'part') {
        if (isCallPart(call.method, message.part)) call.listener.onPart?.(message.part);
        return;
      }
      pending.delete(message.id);
      if (message.type === 'done') call.listener.onDone?.();
      else call.listener.onFault?.(fromPlainFault(message.fault));
    },
  };
}
