// The backend's own door for programs: one HTTP service at a time over a backend that answers others too.

import type { HttpEndpoint } from '../api/workerProtocol.ts';
import type { Log } from '../base/log.ts';
import type { Backend } from './httpBackend.ts';
import type { HttpListener } from './httpListener.ts';
import { hashApiKey } from './keyring.ts';

export interface HttpServerController {
  /** Opens it there instead of where it was, or closes it; resolves with the URL. Rejects with `bad-input`. */
  serve(place: HttpEndpoint | null): Promise<string | null>;
}

/** How long answers under way may still take when it closes. */
const GRACE_MS = 500;

export function createHttpServerController({
  backend,
  log,
}: {
  readonly backend: Backend;
  readonly log: Log;
}): HttpServerController {
  let listening: HttpListener | null = null;
  let last: Promise<unknown> = Promise.resolve();

  const move = async (place: HttpEndpoint | null): Promise<string | null> => {
    const before = listening;
    listening = null;
    await before?.close(GRACE_MS);
    if (place === null) return null;
    // The HTTP part is a bundle of its own: a window whose door stays shut never loads it.
    const { serveBackend: startHttpServer } = await import('./startHttpServer.ts');
    const keys = [{ name: 'editor', sha256: hashApiKey(place.key) }];
    listening = await startHttpServer({ backend, keys, log, port: place.port });
    return listening.url;
  };

  return {
    serve(place) {
      // One after the other: two that come at once must not both listen.
      const moved = last.then(() => move(place));
      last = moved.catch(() => {});
      return moved;
    },
  };
}
