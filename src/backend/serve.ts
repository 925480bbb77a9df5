// The service on a loopback port: backend, HTTP application and socket put together, and taken apart in order.
import { HexLensError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import type { Configuration } from '../contract/configuration.ts';
import { completePolicy } from '../service/auth/refusals.ts';
import { createApp } from '../service/http/app.ts';
import { createBackend } from './backend.ts';
import { isUsableKey, newKey } from './key.ts';
import { type ListenLimits, listen } from './listen.ts';

export interface ServeOptions {
  /** 0 takes a free one. */
  readonly port: number;
  /** What callers send as `X-API-Key`; generated when absent. */
  readonly key?: string | undefined;
  readonly configuration: Configuration;
  readonly log: Log;
  readonly limits?: Partial<ListenLimits>;
  /** The process does nothing else, so that its global Request and Response may be replaced by lighter ones. */
  readonly ownsProcess?: boolean;
}

export interface Serving {
  /** `http://127.0.0.1:<port>`, without a slash at the end. */
  readonly url: string;
  readonly key: string;
  /** Takes no more requests, lets those under way finish for a moment, answers the rest with 503, and ends. */
  stop(): Promise<void>;
}

/** How long requests under way may still take when the server is told to stop. */
export const STOP_GRACE_MS = 3_000;
/** How long the last answers may take to get out. */
const FLUSH_MS = 1_000;

/** Rejects with `bad-input` when the port, the key or a domain of the sign-in policy can not be used. */
export async function startServer(options: ServeOptions): Promise<Serving> {
  const { port, key, configuration, log, limits, ownsProcess } = options;
  const apiKey = key ?? newKey();
  if (!isUsableKey(apiKey)) {
    throw new HexLensError('bad-input', 'The API key can not be sent in a header.', {
      fix: 'Use 1 to 256 letters, digits and signs without spaces, or none: then one is made.',
    });
  }
  completePolicy(configuration.auth); // at the first sign-in it would be late to hear of a mistake in it
  // Programs send a transaction and read its effect at once: nothing that rests on the head alone is kept for them.
  const backend = createBackend({ log, keep: ['final', 'seconds'], remedy: 'with --node NAME=URL' });
  backend.configure(configuration);
  const app = createApp({ call: backend.call, key: apiKey, log });
  const listening = await listen(app, port, log, limits, ownsProcess).catch(async error => {
    await backend.stop();
    throw error;
  });
  let stopping: Promise<void> | null = null;
  return {
    url: listening.url,
    key: apiKey,
    stop() {
      stopping ??= (async () => {
        const timer = setTimeout(() => void backend.stop(), STOP_GRACE_MS);
        await listening.close(STOP_GRACE_MS + FLUSH_MS);
        clearTimeout(timer);
        await backend.stop();
      })();
      return stopping;
    },
  };
}
