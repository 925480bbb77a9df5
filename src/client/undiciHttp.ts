// The HTTP port over undici: keep-alive connections, VS Code's proxy and certificate settings, bounds on time and size.

import { DEFAULT_TIMEOUT_MS, type ProxyConfiguration } from '../api/configuration.ts';
import { cancelledFault, HexLensError } from '../base/errors.ts';
import type { HttpPort } from '../base/httpPort.ts';
import { isLoopbackHost } from '../base/loopback.ts';
import { createDispatchers } from './dispatchers.ts';
import { ACCEPT_ENCODING, dispatchRequest } from './dispatchRequest.ts';
import { isPrivateAddress, privateAddressFault } from './publicAddresses.ts';

export interface UndiciOptions {
  /** Milliseconds for a whole exchange when the request names none. */
  readonly timeoutMs?: number;
  /** Milliseconds until a connection must stand. */
  readonly connectTimeoutMs?: number;
  /** Milliseconds without a byte after which a started answer is given up. */
  readonly idleTimeoutMs?: number;
  /** Bytes of body, unpacked, when the request names none. */
  readonly maxBytes?: number;
}

const DEFAULT_MAX_BYTES = 256 * 1024 * 1024; // a traced block of a busy chain is tens of megabytes

function checkedUrl(text: string): URL {
  const url = URL.parse(text);
  if (url !== null && (url.protocol === 'http:' || url.protocol === 'https:')) return url;
  throw new HexLensError('node-unreachable', 'An address in the settings is not an http:// or https:// URL.', {
    fix: 'Check hexlens.nodes and the base URLs in the settings.',
    cause: { code: 'UND_ERR_INVALID_URL' },
  });
}

/** `https://user:secret@host` means HTTP's basic authentication, which undici leaves to its caller. */
function basicAuthorization(url: URL): Readonly<Record<string, string>> {
  if (url.username === '' && url.password === '') return {};
  const plain = (text: string) => {
    try {
      return decodeURIComponent(text);
    } catch {
      return text; // a stray `%` stands for itself
    }
  };
  const pair = `${plain(url.username)}:${plain(url.password)}`;
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
}

/**
 * Resolves with any HTTP status, redirects included (they are never followed). Rejects with `node-unreachable`,
 * `node-timeout`, `too-large` or `cancelled`; texts name the host, never path, query or key.
 * `stop` gives up what is under way; afterwards everything is `cancelled`.
 */
export function createUndiciHttp(
  proxy: ProxyConfiguration,
  options: UndiciOptions = {},
): HttpPort & { stop(): Promise<void> } {
  const {
    timeoutMs = DEFAULT_TIMEOUT_MS,
    connectTimeoutMs = 10_000,
    idleTimeoutMs = 15_000,
    maxBytes = DEFAULT_MAX_BYTES,
  } = options;
  const dispatchers = createDispatchers(proxy, { connectTimeoutMs, idleTimeoutMs });
  let stopped = false;
  return {
    async send(request) {
      if (stopped) throw cancelledFault();
      const url = checkedUrl(request.url);
      const publicOnly = request.publicOnly === true;
      if (publicOnly && (isLoopbackHost(url.hostname) || isPrivateAddress(url.hostname)))
        throw privateAddressFault(url.hostname);
      return dispatchRequest(dispatchers.get(url, publicOnly), {
        url,
        method: request.method,
        headers: {
          accept: 'application/json',
          'user-agent': 'HexLens',
          ...(request.body !== undefined && { 'content-type': 'application/json' }),
          // On this machine packing costs more than it saves.
          ...(!isLoopbackHost(url.hostname) && { 'accept-encoding': ACCEPT_ENCODING }),
          ...basicAuthorization(url),
          ...request.headers,
        },
        body: request.body ?? null,
        signal: request.signal,
        timeoutMs: request.timeoutMs ?? timeoutMs,
        connectTimeoutMs,
        maxBytes: request.maxBytes ?? maxBytes,
        binary: request.binary === true,
      });
    },
    async stop() {
      stopped = true;
      await dispatchers.stop();
    },
  };
}
