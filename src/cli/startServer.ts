// The service on a port of its own: backend and server put together, and taken apart in order.

import type { Configuration } from '../api/configuration.ts';
import { HexLensError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import { isLoopbackAddress } from '../base/loopback.ts';
import { generateApiKey, isStrongApiKey, isValidApiKey } from '../server/apiKey.ts';
import type { HttpLimits, ListenAddress } from '../server/httpListener.ts';
import { type ApiKeySpec, hashApiKey } from '../server/keyring.ts';
import type { CheckedGroup } from '../server/readiness.ts';
import { startHttpServer } from '../server/startHttpServer.ts';
import { completeSignInPolicy } from '../service/siwe/messageChecks.ts';
import { createBackend } from '../worker/backend.ts';

export interface StartServerOptions extends ListenAddress {
  /** What callers send as `X-API-Key`; generated when neither it nor `keys` is given. */
  readonly key?: string | undefined;
  /** Further keys, each with its limits. */
  readonly keys?: readonly ApiKeySpec[];
  readonly configuration: Configuration;
  readonly log: Log;
  readonly hostNames?: readonly string[];
  readonly allowedOrigins?: readonly string[];
  readonly limits?: Partial<HttpLimits>;
  /** The process does nothing else. */
  readonly ownsProcess?: boolean;
  /** What `/ready` judges; the EVM chains by default. */
  readonly checkedGroups?: readonly CheckedGroup[];
}

export interface RunningServer {
  /** `http://127.0.0.1:<port>`, without a slash at the end. */
  readonly url: string;
  /** The key without a name; `null` where only `keys` were given. */
  readonly key: string | null;
  /** Takes no more requests, lets those under way finish for a moment, answers the rest with 503, and ends. */
  stop(): Promise<void>;
}

/** How long requests under way may still take when the server is told to stop. */
export const STOP_GRACE_MS = 3_000;
/** How long the last answers may take to get out. */
const FLUSH_MS = 1_000;
/** What logs and metrics call the key that has no name. */
export const DEFAULT_KEY_NAME = 'default';

/** Rejects with `bad-input` when the port, the key or a domain of the sign-in policy can not be used. */
export async function startServer(options: StartServerOptions): Promise<RunningServer> {
  const {
    port,
    host,
    configuration,
    log,
    hostNames,
    allowedOrigins: corsOrigins,
    limits,
    ownsProcess,
    checkedGroups: judged,
  } = options;
  const { key, keys } = chosenKeys(options);
  completeSignInPolicy(configuration.siwe); // at the first sign-in it would be late to hear of a mistake in it
  const backend = createBackend({ log, addHostHint: 'with --node NAME=URL' });
  backend.configure(configuration);
  const listening = await startHttpServer({
    ...{ backend, keys, port, host, log },
    ...(hostNames !== undefined && { hostNames }),
    ...(corsOrigins !== undefined && { allowedOrigins: corsOrigins }),
    ...(limits !== undefined && { limits }),
    ...(ownsProcess !== undefined && { ownsProcess }),
    ...(judged !== undefined && { checkedGroups: judged }),
  }).catch(async error => {
    await backend.stop();
    throw error;
  });
  let stopping: Promise<void> | null = null;
  return {
    url: listening.url,
    key,
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

/** Whoever opens the service to other machines must have chosen a key that can not be guessed. */
function chosenKeys({ host, key: given, keys = [] }: StartServerOptions) {
  if (given !== undefined && !isValidApiKey(given)) {
    throw new HexLensError('bad-input', 'The API key can not be sent in a header.', {
      fix: 'Use 1 to 256 letters, digits and signs without spaces, or none: then one is made.',
    });
  }
  const local = host === undefined || isLoopbackAddress(host);
  if (!local && given === undefined && keys.length === 0) {
    throw new HexLensError(
      'bad-input',
      `Listening on ${host} opens the service to other machines: it needs a key of yours.`,
      {
        fix: 'Give one of 16 characters or more with --key, or several in the configuration file.',
      },
    );
  }
  if (!local && given !== undefined && !isStrongApiKey(given)) {
    throw new HexLensError(
      'bad-input',
      `Listening on ${host} opens the service to other machines: the key is too short for that.`,
      {
        fix: 'Use 16 characters or more.',
      },
    );
  }
  const key = given ?? (keys.length === 0 ? generateApiKey() : null);
  const unnamed = key === null ? [] : [{ name: DEFAULT_KEY_NAME, sha256: hashApiKey(key) }];
  return { key, keys: [...unnamed, ...keys] };
}
