// The backend's own door for programs: one HTTP service at a time over a backend that answers others too.

import type { ServePlace } from '../api/workerProtocol.ts';
import type { Log } from '../base/log.ts';
import type { Backend } from './httpBackend.ts';
import type { Listening } from './httpListener.ts';
import { digestOfKey } from './keyring.ts';

export interface Door {
  /** Opens it there instead of where it was, or closes it; resolves with the URL. Rejects with `bad-input`. */
  serve(place: ServePlace | null): Promise<string | null>;
}

/** How long answers under way may still take when it closes. */
const GRACE_MS = 500;

export function createDoor({ backend, log }: { readonly backend: Backend; readonly log: Log }): Door {
  let listening: Listening | null = null;
  let last: Promise<unknown> = Promise.resolve();

  const move = async (place: ServePlace | null): Promise<string | null> => {
    const before = listening;
    listening = null;
    await before?.close(GRACE_MS);
    if (place === null) return null;
    // The HTTP part is a bundle of its own: a window whose door stays shut never loads it.
    const { serveBackend } = await import('./startHttpServer.ts');
    const keys = [{ name: 'editor', sha256: digestOfKey(place.key) }];
    listening = await serveBackend({ backend, keys, log, port: place.port });
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
