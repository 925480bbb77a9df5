// Opens, moves and closes the HTTP server that the editor's worker runs for programs on this machine.
import type { HttpEndpoint } from '../api/workerProtocol.ts';
import { lazy } from '../base/lazy.ts';
import type { Log } from '../base/log.ts';
import { SerialQueue } from '../base/serialQueue.ts';
import { hashApiKey } from './apiKey.ts';
import type { HttpBackend } from './httpBackend.ts';
import type { HttpListener } from './httpListener.ts';

/** Time that running requests get when the server closes. */
const CLOSE_GRACE_MS = 500;

/** A bundle of its own: an editor without an HTTP server never loads it. */
const loadHttpServer = lazy(() => import('./startHttpServer.ts'));

export function createHttpServerController({ backend, log }: { readonly backend: HttpBackend; readonly log: Log }) {
  let listener: HttpListener | null = null;
  /** Of two calls at the same time, only the last server may stay open. */
  const queue = new SerialQueue();

  return {
    /** Moves the server to the endpoint, or closes it for `null`. Resolves with its URL. Rejects with `bad-input`. */
    serve: (endpoint: HttpEndpoint | null): Promise<string | null> =>
      queue.run(async () => {
        const previous = listener;
        listener = null;
        await previous?.close(CLOSE_GRACE_MS);
        if (endpoint === null) return null;
        const { startHttpServer } = await loadHttpServer();
        const keys = [{ name: 'editor', sha256: hashApiKey(endpoint.key) }];
        listener = await startHttpServer({ backend, keys, log, port: endpoint.port });
        return listener.url;
      }),
  };
}
