// The page's end of the channel: calls with ids, which can be cancelled, and notifications.
import { fromPlainFault, type HexLensError } from '../base/errors.ts';
import { isObject } from '../base/isObject.ts';
import type {
  CallMessage,
  CallMethod,
  CallParams,
  CallPart,
  ExtensionMessage,
  ExtensionNotifications,
  NotificationHandlers,
  PageMessage,
  PageNotifications,
} from './messages.ts';

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
  /** Takes what was posted to the page: messages of the extension, and of others, which are ignored. */
  receive(message: unknown): void;
}

const messageTypes: readonly unknown[] = ['notify', 'part', 'done', 'fault'] satisfies ExtensionMessage['type'][];

/** By its type alone: the code of a page and of its extension are of one build. */
const isExtensionMessage = (value: unknown): value is ExtensionMessage =>
  isObject(value) && messageTypes.includes(value['type']);

export function createPageChannel(
  post: (message: PageMessage) => void,
  handlers: NotificationHandlers<ExtensionNotifications>,
): PageChannel {
  const pending = new Map<number, CallListener<CallMethod>>();
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
      pending.set(id, listener);
      post({ type: 'call', id, method, params } as CallMessage); // method and params belong together by the signature
      return () => {
        if (pending.delete(id)) post({ type: 'cancel', id });
      };
    },
    notify: (method, params) => post({ type: 'notify', method, params } as PageMessage), // as above
    receive(message) {
      if (!isExtensionMessage(message)) return;
      if (message.type === 'notify') {
        handleNotification(message.method, message.params);
        return;
      }
      const listener = pending.get(message.id);
      if (listener === undefined) return;
      if (message.type === 'part') {
        listener.onPart?.(message.part);
        return;
      }
      pending.delete(message.id);
      if (message.type === 'done') listener.onDone?.();
      else listener.onFault?.(fromPlainFault(message.fault));
    },
  };
}
