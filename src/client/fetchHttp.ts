// The HTTP port over the `fetch` of a browser, which decides by itself about proxies, certificates and CORS.
import { DEFAULT_TIMEOUT_MS } from '../api/configuration.ts';
import { bytesToBase64, bytesToText } from '../base/base64.ts';
import { createCancelledFault, HexLensError } from '../base/errors.ts';
import type { HttpPort } from '../base/httpPort.ts';
import { localizable } from '../base/localize.ts';
import { isPrivateName } from '../base/loopback.ts';
import { createAuthorizationHeader, parseHttpUrl } from './httpUrl.ts';
import { createBudgetFault, createResponseTooLargeFault, createTimeoutFault, type Phase } from './networkFault.ts';
import { type ResponseBudget, ResponseShare, sharedResponseBudget } from './responseBudget.ts';
import { openBrowserWebSocket } from './webSocketConnection.ts';
import { isWebSocketUrl, WebSocketHttp } from './webSocketHttp.ts';

export interface FetchOptions {
  /** Milliseconds for a request that does not set its own timeout. */
  readonly timeoutMs?: number;
  /** Bytes of body for a request that does not set its own limit. */
  readonly maxBytes?: number;
  /** The memory for all responses; that of the page or thread if absent. */
  readonly budget?: ResponseBudget;
}

/** The memory of a page is smaller than that of a worker thread. */
const DEFAULT_MAX_BYTES = 64 * 1024 * 1024;

/** Resolves with any HTTP status. Rejects with `node-unreachable`, `node-timeout`, `too-large`, `cancelled`, `egress-refused`. */
export function createFetchHttp({
  timeoutMs = DEFAULT_TIMEOUT_MS,
  maxBytes = DEFAULT_MAX_BYTES,
  budget = sharedResponseBudget,
}: FetchOptions = {}): Required<HttpPort> & { stop(): Promise<void> } {
  const stopping = new AbortController();
  const webSockets = new WebSocketHttp({ timeoutMs, maxBytes, budget, openWebSocket: openBrowserWebSocket });
  return {
    async send(request) {
      if (isWebSocketUrl(request.url)) return webSockets.send(request);
      const url = parseHttpUrl(request.url);
      if (request.urlFromContract === true) refuseAddress(url);
      const limitMs = request.timeoutMs ?? timeoutMs;
      const timeout = AbortSignal.timeout(limitMs);
      const callers = [stopping.signal, ...(request.signal === undefined ? [] : [request.signal])];
      const authorization = createAuthorizationHeader(url);
      const target = new URL(url);
      target.username = '';
      target.password = ''; // `fetch` refuses URLs that have them
      let phase: Phase = 'waiting';
      const share = new ResponseShare(budget);
      try {
        const response = await fetch(target, {
          method: request.method,
          headers: {
            accept: 'application/json',
            ...(request.body !== undefined && { 'content-type': 'application/json' }),
            ...authorization,
            ...request.headers,
          },
          body: request.body ?? null,
          signal: AbortSignal.any([timeout, ...callers]),
          redirect: 'manual',
          credentials: 'omit',
          cache: 'no-store',
          referrerPolicy: 'no-referrer',
        });
        if (response.type === 'opaqueredirect') throw createRedirectFault(url);
        phase = 'reading';
        const bytes = await readBody(url, response, request.maxBytes ?? maxBytes, share);
        const body = request.binary === true ? bytesToBase64(bytes) : bytesToText(bytes);
        return {
          status: response.status,
          headers: Object.fromEntries(response.headers),
          body,
          ...(request.parser !== undefined && { parsed: await request.parser.parse(body) }),
        };
      } catch (error) {
        if (callers.some(({ aborted }) => aborted)) throw createCancelledFault();
        if (timeout.aborted) throw createTimeoutFault(url, phase, limitMs);
        throw error instanceof HexLensError ? error : createUnreachableFault(url);
      } finally {
        share.release();
      }
    },
    subscribe: (request, onMessage) => webSockets.subscribe(request, onMessage),
    async stop() {
      stopping.abort();
      await webSockets.stop();
    },
  };
}

/** A browser does not tell where a name leads; addresses and names of this machine are refused for contracts. */
function refuseAddress(url: URL): void {
  if (!/^\[|^[\d.]+$/.test(url.hostname) && !isPrivateName(url.hostname)) return;
  throw new HexLensError('egress-refused', `${url.hostname.slice(0, 120)} is an address and not a public host.`, {
    fix: 'In a browser token metadata is only fetched from hosts with a name.',
  });
}

async function readBody(url: URL, response: Response, maxBytes: number, share: ResponseShare): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (const reader = response.body?.getReader(); reader !== undefined; ) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > maxBytes || !share.take(value.length)) {
      reader.cancel().catch(() => {}); // it has broken meanwhile
      throw size > maxBytes ? createResponseTooLargeFault(url, maxBytes) : createBudgetFault(url, share.maxBytes);
    }
    chunks.push(value);
  }
  const bytes = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}

function createRedirectFault(url: URL): HexLensError {
  return new HexLensError('node-unreachable', localizable('{0} redirects to another URL.', url.host), {
    fix: localizable('Write the URL that it redirects to into the settings.'),
    cause: { code: 'UND_ERR_INVALID_REDIRECT' },
  });
}

/** A browser tells no reason: no connection, a certificate, or no permission by CORS. */
function createUnreachableFault(url: URL): HexLensError {
  const { origin = '' } = globalThis as { readonly origin?: string };
  return new HexLensError(
    'node-unreachable',
    localizable('The browser got no response of {0} that it may read.', url.host),
    {
      details: 'fetch failed',
      fix: localizable(
        'Check that it is running and allows requests of {0} by CORS: anvil does, hexlens serve with --cors {0}.',
        origin,
      ),
    },
  );
}
