// The worker of a browser: the same backend on the thread of the extension host, which is a web worker itself.

import type { ChannelMessage } from '../base/callChannel.ts';
import { systemClock } from '../base/clock.ts';
import { HexLensError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import { serveWorkerPort, type WorkerPortServer } from '../client/serveWorkerPort.ts';
import type { WorkerLike } from '../client/workerConnection.ts';
import { createTaskRegistry } from '../service/taskRegistry.ts';

/** What a port of a `MessageChannel` has in Node.js and in browsers. */
interface Port {
  postMessage(message: ChannelMessage): void;
  onmessage: ((event: { readonly data: unknown }) => void) | null;
  close(): void;
}

/** A message channel whose end both sides notice: browsers do not report that the other port was closed. */
interface Channel {
  readonly near: Port;
  readonly far: Port;
  readonly isClosed: boolean;
  close(): void;
  onClose(listener: () => void): void;
}

function createChannel(): Channel {
  const ports: unknown = new MessageChannel(); // its types are those of Node.js
  const { port1: near, port2: far } = ports as { readonly port1: Port; readonly port2: Port };
  let listeners: (() => void)[] = [];
  let isClosed = false;
  return {
    near,
    far,
    get isClosed() {
      return isClosed;
    },
    close() {
      isClosed = true;
      near.close();
      far.close();
      const closed = listeners;
      listeners = [];
      for (const listener of closed) listener();
    },
    onClose: listener => listeners.push(listener),
  };
}

/** Starts to load the backend; messages wait in the channel until it is there. */
export function startBrowserWorker(): WorkerLike {
  const channel = createChannel();
  const { near } = channel;
  const errorListeners: ((error: unknown) => void)[] = [];
  serveBackend(channel).catch(error => {
    for (const listener of errorListeners) listener(error);
    channel.close();
  });
  return {
    postMessage: message => near.postMessage(message),
    on(event, listener) {
      if (event === 'message') near.onmessage = ({ data }) => listener(data);
      else if (event === 'error') errorListeners.push(listener);
      else if (event === 'exit') channel.onClose(() => listener(0));
    },
    terminate: async () => channel.close(),
  };
}

async function serveBackend(channel: Channel): Promise<void> {
  const { far, close, onClose } = channel;
  const { createBrowserBackend } = await import('./browserBackend.ts');
  if (channel.isClosed) return; // terminated while it was loading
  let server: WorkerPortServer | null = null;
  const write = (level: keyof Log) => (message: string) => server?.notify('log', [{ level, message }]);
  const log: Log = { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
  const tasks = createTaskRegistry({ clock: systemClock, report: progress => server?.notify('progress', progress) });
  const backend = createBrowserBackend({
    log,
    tasks,
    onHeadChange: selector => server?.notify('headChange', selector),
  });
  server = serveWorkerPort(
    {
      postMessage: message => far.postMessage(message),
      on(event, listener) {
        if (event === 'close') onClose(() => listener(undefined));
        else far.onmessage = ({ data }) => listener(data);
      },
      close,
    },
    {
      calls: {
        request: (request, options) => backend.call(request, options),
        serveHttp: async () => {
          throw new HexLensError('not-implemented', 'A browser does not open ports.');
        },
      },
      lookup: (id, input, options) => backend.lookup(id, input, options),
      notifications: { configure: next => backend.configure(next), pauseTask: tasks.pause, resumeTask: tasks.resume },
      stop: () => backend.stop(),
    },
  );
}
