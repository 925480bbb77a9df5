// Starts and stops the service as a process of its own: backend and HTTP server together.
import type { Configuration } from '../api/configuration.ts';
import { HexLensError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import { isLoopbackAddress } from '../base/loopback.ts';
import { generateApiKey, hashApiKey, isStrongApiKey, isValidApiKey } from '../server/apiKey.ts';
import type { ApiKeySpec } from '../server/keyring.ts';
import { type HttpServerOptions, startHttpServer } from '../server/startHttpServer.ts';
import { completeSiwePolicy } from '../service/siwe/messageChecks.ts';
import { createNodeBackend } from '../worker/nodeBackend.ts';

export interface StartServerOptions extends Omit<HttpServerOptions, 'backend' | 'keys' | 'clock' | 'signInsRepeat'> {
  /** The key that clients send as `X-API-Key`; generated when neither it nor `keys` is given. */
  readonly key?: string | undefined;
  /** Further keys, each with its limits. */
  readonly keys?: readonly ApiKeySpec[];
  readonly configuration: Configuration;
  readonly log: Log;
}

export interface RunningServer {
  /** `http://127.0.0.1:<port>`, without a slash at the end. */
  readonly url: string;
  /** The unnamed key; `null` when only `keys` were given. */
  readonly key: string | null;
  /** Accepts no more requests, waits for running ones for `STOP_GRACE_MS`, and responds to the rest with 503. */
  stop(): Promise<void>;
}

/** Time that running requests get when the server stops. */
export const STOP_GRACE_MS = 3_000;
/** Time after that in which the last responses are sent. */
const FLUSH_MS = 1_000;
/** Name of the unnamed key in logs and metrics. */
const DEFAULT_KEY_NAME = 'default';

/** Rejects with `bad-input` when the port, the key or a domain of the sign-in policy can not be used. */
export async function startServer(options: StartServerOptions): Promise<RunningServer> {
  const { configuration, log } = options;
  const { key, keys } = chooseKeys(options);
  completeSiwePolicy(configuration.siwe); // throws at the start instead of at the first sign-in
  const backend = createNodeBackend({ log, addHostHint: 'with --node NAME=URL' });
  backend.configure(configuration);
  const listener = await startHttpServer({
    ...options,
    backend,
    keys,
    signInsRepeat: configuration.siwe?.singleUse === false,
  }).catch(async error => {
    await backend.stop();
    throw error;
  });
  // Nothing waits for it: a database that can not be used is a warning in the log, and may be started later.
  if (configuration.storeUrl) void backend.checkReadiness({ groups: [] }).catch(() => {});
  let stopping: Promise<void> | null = null;
  return {
    url: listener.url,
    key,
    stop() {
      stopping ??= (async () => {
        const timer = setTimeout(() => void backend.stop(), STOP_GRACE_MS);
        await listener.close(STOP_GRACE_MS + FLUSH_MS);
        clearTimeout(timer);
        await backend.stop();
      })();
      return stopping;
    },
  };
}

/** A server that other machines can reach needs a strong key chosen by the user. */
function chooseKeys({ host, key: givenKey, keys = [] }: StartServerOptions) {
  if (givenKey !== undefined && !isValidApiKey(givenKey)) {
    throw new HexLensError('bad-input', 'The API key can not be sent in a header.', {
      fix: 'Use 1 to 256 letters, digits and signs without spaces, or none: then one is generated.',
    });
  }
  const isLocal = host === undefined || isLoopbackAddress(host);
  if (!isLocal && givenKey === undefined && keys.length === 0) {
    throw new HexLensError(
      'bad-input',
      `Listening on ${host} opens the service to other machines: it needs a key of yours.`,
      {
        fix: 'Give one of 16 characters or more with --key, or several in the configuration file.',
      },
    );
  }
  if (!isLocal && givenKey !== undefined && !isStrongApiKey(givenKey)) {
    throw new HexLensError(
      'bad-input',
      `Listening on ${host} opens the service to other machines: the key is too short for that.`,
      {
        fix: 'Use 16 characters or more.',
      },
    );
  }
  const key = givenKey ?? (keys.length === 0 ? generateApiKey() : null);
  const unnamedKey = key === null ? [] : [{ name: DEFAULT_KEY_NAME, sha256: hashApiKey(key) }];
  return { key, keys: [...unnamedKey, ...keys] };
}
