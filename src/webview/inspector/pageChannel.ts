// The page's end of the conversation with the host: questions with numbers, their answers, and what comes unasked.
import { fromPlainFault, type HexLensError } from '../../base/errors.ts';
import type { ExtensionMessage, PageMessage, Question } from '../../protocol/messages.ts';
import { parseExtensionMessage } from '../../protocol/parseExtensionMessage.ts';

/** What VS Code gives a page. */
export interface VsCodeApi {
  postMessage(message: PageMessage): void;
  getState(): unknown;
  setState(state: unknown): void;
}

export type Unasked = Extract<ExtensionMessage, { readonly type: 'show' | 'news' | 'work' }>;
type Answer = Exclude<ExtensionMessage, Unasked | { readonly type: 'done' | 'fault' }>;

export interface Listener {
  answer?(message: Answer): void;
  done?(): void;
  fault?(fault: HexLensError): void;
}

export interface PageChannel {
  readonly api: VsCodeApi;
  send(message: PageMessage): void;
  /** Asks, and gives the way to stop asking: nothing is heard after that. */
  ask(question: Question, listener: Listener): () => void;
  find(chain: string, text: string, listener: Listener): () => void;
  /** Hands over what came from the host, unchecked. */
  receive(value: unknown): void;
}

export function createPageChannel(api: VsCodeApi, unasked: (message: Unasked) => void): PageChannel {
  const listeners = new Map<number, Listener>();
  let last = 0;

  function begin(listener: Listener, message: (id: number) => PageMessage): () => void {
    last++;
    const id = last;
    listeners.set(id, listener);
    api.postMessage(message(id));
    return () => {
      if (listeners.delete(id)) api.postMessage({ type: 'cancel', id });
    };
  }

  return {
    api,
    send: message => api.postMessage(message),
    ask: (question, listener) => begin(listener, id => ({ type: 'ask', id, question })),
    find: (chain, text, listener) => begin(listener, id => ({ type: 'find', id, chain, text })),
    receive(value) {
      const message = parseExtensionMessage(value);
      if (message === null) return;
      if (message.type === 'show' || message.type === 'news' || message.type === 'work') {
        unasked(message);
        return;
      }
      const listener = listeners.get(message.id);
      if (listener === undefined) return;
      if (message.type === 'done') {
        listeners.delete(message.id);
        listener.done?.();
      } else if (message.type === 'fault') {
        listeners.delete(message.id);
        listener.fault?.(fromPlainFault(message.fault));
      } else listener.answer?.(message);
    },
  };
}
