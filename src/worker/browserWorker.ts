// The worker of a browser: the same backend on the thread of the extension host, which is a web worker itself.

import type { ChannelMessage } from '../base/callChannel.ts';
import { HexLensError } from '../base/errors.ts';
import type { WorkerLike } from '../client/workerConnection.ts';
import { serveBackend } from './serveBackend.ts';

/** What a port of a `MessageChannel` has in Node.js and in browsers. */
interface Port {
  postMessage(message: ChannelMessage): void;
  onmessage: ((event: { readonly data: unknown }) => void) | null;
  close(): void;
}

const httpServer = {
  async serve(endpoint: object | null): Promise<null> {
    if (endpoint === null) return null;
    throw new HexLensError('not-implemented', 'A browser does not open ports.');
  },
};

/** Starts to load the backend; messages wait in the channel until it is there. */
export function startBrowserWorker(): WorkerLike {
  const ports: unknown = new MessageChannel(); // its types are those of Node.js
  const { port1: near, port2: far } = ports as { readonly port1: Port; readonly port2: Port };
  // Both sides notice it: browsers do not report that the other port was closed.
  const closing = new AbortController();
  const onClose = (listener: (value: unknown) => void) =>
    closing.signal.addEventListener('abort', () => listener(0), { once: true });
  const close = () => {
    near.close();
    far.close();
    closing.abort();
  };
  const errorListeners: ((error: unknown) => void)[] = [];
  const serve = async () => {
    const { createBrowserBackend } = await import('./browserBackend.ts');
    if (closing.signal.aborted) return; // terminated while it was loading
    const served = {
      postMessage: (message: ChannelMessage) => far.postMessage(message),
      on(event: 'message' | 'close', listener: (message: unknown) => void) {
        if (event === 'close') onClose(listener);
        else far.onmessage = ({ data }) => listener(data);
      },
      close,
    };
    serveBackend(served, createBrowserBackend, () => httpServer);
  };
  serve().catch(error => {
    for (const listener of errorListeners) listener(error);
    close();
  });
  return {
    postMessage: message => near.postMessage(message),
    on(event, listener) {
      if (event === 'message') near.onmessage = ({ data }) => listener(data);
      else if (event === 'error') errorListeners.push(listener);
      else if (event === 'exit') onClose(listener);
    },
    terminate: async () => close(),
  };
}
