// The extension's end of the channel: runs the page's calls and handles its notifications.

import { HexLensError, toPlainFault } from '../base/errors.ts';
import { isObject } from '../base/isObject.ts';
import { t } from '../base/localize.ts';
import type {
  CallMethod,
  CallParams,
  CallPart,
  ExtensionMessage,
  ExtensionNotifications,
  NotificationHandlers,
  PageNotifications,
} from './messages.ts';
import { parsePageMessage } from './parsePageMessage.ts';
import { isNonNegativeInteger } from './typeGuards.ts';

/** Handles the calls of one method: sends parts, and is done when its promise settles. */
export type CallHandler<M extends CallMethod> = (
  params: CallParams<M>,
  sendPart: (part: CallPart<M>) => void,
  signal: AbortSignal,
) => Promise<void>;

export type PageCallHandlers = { readonly [M in CallMethod]: CallHandler<M> };

export interface ExtensionChannelOptions {
  post(message: ExtensionMessage): void;
  readonly calls: PageCallHandlers;
  readonly notifications: NotificationHandlers<PageNotifications>;
  /** A call failed; the page learns of it anyway. */
  onFault(error: unknown): void;
  /** The page sent something that is no message of the protocol. */
  onInvalidMessage(): void;
}

export interface ExtensionChannel {
  notify<M extends keyof ExtensionNotifications>(method: M, params: ExtensionNotifications[M]): void;
  /** Takes a message of the page, unchecked. */
  receive(message: unknown): void;
  cancelAll(): void;
}

/** Of a call whose parameters are invalid, so that the page does not wait for ever; `null` for anything else. */
function getCallId(value: unknown): number | null {
  const { type, id } = isObject(value) ? value : {};
  return type === 'call' && isNonNegativeInteger(id) ? id : null;
}

const createInvalidCallFault = () => new HexLensError('bad-input', t('This input is invalid or too long.'));

export function createExtensionChannel(options: ExtensionChannelOptions): ExtensionChannel {
  const { post, calls, notifications, onFault, onInvalidMessage } = options;
  const running = new Map<number, AbortController>();

  function cancel(id: number): void {
    running.get(id)?.abort();
    running.delete(id);
  }

  async function handleCall<M extends CallMethod>(id: number, method: M, params: CallParams<M>): Promise<void> {
    cancel(id);
    const controller = new AbortController();
    running.set(id, controller);
    const { signal } = controller;
    const sendPart = (part: CallPart<M>) => {
      if (!signal.aborted) post({ type: 'part', id, part });
    };
    try {
      await calls[method](params, sendPart, signal);
      if (!signal.aborted) post({ type: 'done', id });
    } catch (error) {
      if (signal.aborted) return;
      onFault(error);
      post({ type: 'fault', id, fault: toPlainFault(error) });
    } finally {
      if (running.get(id) === controller) running.delete(id);
    }
  }

  function handleNotification<M extends keyof PageNotifications>(method: M, params: PageNotifications[M]): void {
    notifications[method](params);
  }

  return {
    notify: (method, params) => post({ type: 'notify', method, params } as ExtensionMessage), // paired by the signature
    receive(value) {
      const message = parsePageMessage(value);
      if (message === null) {
        onInvalidMessage();
        const id = getCallId(value);
        if (id !== null) post({ type: 'fault', id, fault: toPlainFault(createInvalidCallFault()) });
      } else if (message.type === 'call') void handleCall(message.id, message.method, message.params);
      else if (message.type === 'cancel') cancel(message.id);
      else handleNotification(message.method, message.params);
    },
    cancelAll() {
      for (const controller of running.values()) controller.abort();
      running.clear();
    },
  };
}
