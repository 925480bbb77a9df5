// The HTTP port over undici: keep-alive, VS Code's proxy and certificate settings, limits on time and size.

import type { Duplex } from 'node:stream';
import type Dispatcher from 'undici/lib/dispatcher/dispatcher.js';
import Dispatcher1Wrapper from 'undici/lib/dispatcher/dispatcher1-wrapper.js';
import { DEFAULT_TIMEOUT_MS, type ProxyConfiguration } from '../api/configuration.ts';
import { createCancelledFault, HexLensError } from '../base/errors.ts';
import type { HttpPort } from '../base/httpPort.ts';
import { localizable } from '../base/localize.ts';
import { isLoopbackHost } from '../base/loopback.ts';
import { memoizeByText } from '../base/memoizeByText.ts';
import { ACCEPT_ENCODING } from './decompressBody.ts';
import { createDispatchers, mayUseProxy } from './dispatchers.ts';
import { dispatchRequest } from './dispatchRequest.ts';
import type { FetchOptions } from './fetchHttp.ts';
import { createAuthorizationHeader, parseHttpUrl } from './httpUrl.ts';
import { toNetworkFault } from './networkFault.ts';
import {
  createNameCache,
  createPrivateAddressFault,
  isPrivateHost,
  type ResolveName,
  refusePrivateName,
  resolveByDns,
} from './publicAddresses.ts';
import { sharedResponseBudget } from './responseBudget.ts';
import type { PlatformWebSocket } from './webSocketConnection.ts';
import { isWebSocketUrl, WebSocketHttp } from './webSocketHttp.ts';

const createRefusedFault = (url: URL, status: number): HexLensError =>
  new HexLensError(
    'node-unreachable',
    localizable('{0} answers with status {1} and does not open a WebSocket.', url.host, status),
    { cause: { code: 'WEBSOCKET_CLOSED' } },
  );

const createCompressionFault = (url: URL): HexLensError =>
  new HexLensError(
    'node-unreachable',
    localizable('{0} compresses the messages of a WebSocket, which it was not offered.', url.host),
    { cause: { code: 'WEBSOCKET_CLOSED' } },
  );

/** The same URL with http: or https:, which its WebSocket is requested with. */
function toHttpUrl(url: URL): URL {
  const httpUrl = new URL(url);
  httpUrl.protocol = url.protocol === 'ws:' ? 'http:' : 'https:';
  return httpUrl;
}

/** Without the offer to compress messages: how large one becomes would not be known before it is complete. */
const withoutCompression = (headers: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers as Record<string, string>).filter(
      ([name]) => name.toLowerCase() !== 'sec-websocket-extensions',
    ),
  );

/** Through the proxy of the dispatcher. Throws where the WebSocket of Node.js rejects the URL. */
function openUndiciWebSocket(dispatcher: Dispatcher, url: URL, authorization: string | null): PlatformWebSocket {
  let connection: Duplex | undefined;
  let fault: HexLensError | null = null;
  const observe = (handler: Dispatcher.DispatchHandler): Dispatcher.DispatchHandler => ({
    onRequestStart: (controller, context) => handler.onRequestStart?.(controller, context),
    onRequestUpgrade(controller, status, headers, socket) {
      connection = socket;
      if (headers['sec-websocket-extensions'] !== undefined) {
        fault = createCompressionFault(url);
        socket.destroy();
      }
      handler.onRequestUpgrade?.(controller, status, headers, socket);
    },
    onResponseStart(controller, status, headers, message) {
      if (status >= 200) fault = createRefusedFault(url, status);
      handler.onResponseStart?.(controller, status, headers, message);
    },
    onResponseData: (controller, chunk) => handler.onResponseData?.(controller, chunk),
    onResponseEnd: (controller, trailers) => handler.onResponseEnd?.(controller, trailers),
    onResponseError(controller, error) {
      fault ??= toNetworkFault(toHttpUrl(url), error, 'connecting', CONNECT_TIMEOUT_MS);
      handler.onResponseError?.(controller, error);
    },
  });
  const observed = dispatcher.compose(
    dispatch => (options, handler) =>
      dispatch({ ...options, headers: withoutCompression(options.headers) }, observe(handler)),
  );
  const options = {
    // The WebSocket is that of the undici which Node.js contains: an earlier version than ours.
    dispatcher: new Dispatcher1Wrapper(observed),
    headers: { 'user-agent': 'HexLens', ...(authorization !== null && { authorization }) },
  };
  return {
    socket: new WebSocket(url, options as unknown as string[]), // `lib.dom` does not know what undici adds
    destroy: () => connection?.destroy(),
    onBytes: listener => void connection?.on('data', (bytes: Buffer) => listener(bytes.length)),
    getFault: () => fault,
  };
}

export interface UndiciOptions extends FetchOptions {
  /** Milliseconds without a byte after which a response is aborted. */
  readonly idleTimeoutMs?: number;
  /** By DNS if absent. */
  readonly resolveName?: ResolveName;
}

/** Where a URL leads, and the headers that every request to it has. */
interface Target {
  readonly url: URL;
  readonly origin: string;
  readonly path: string;
  readonly isLoopback: boolean;
  readonly headers: Readonly<Record<string, string>>;
}

function parseTarget(text: string): Target {
  const url = parseHttpUrl(text);
  return {
    url,
    origin: url.origin,
    path: `${url.pathname}${url.search}`,
    isLoopback: isLoopbackHost(url.hostname),
    headers: { accept: 'application/json', 'user-agent': 'HexLens', ...createAuthorizationHeader(url) },
  };
}

/** To open a connection. */
const CONNECT_TIMEOUT_MS = 10_000;
const DEFAULT_MAX_BYTES = 64 * 1024 * 1024; // a traced block of a busy chain is tens of megabytes

/**
 * Resolves with any HTTP status, redirects included (they are never followed). Rejects with `node-unreachable`,
 * `node-timeout`, `too-large` or `cancelled`; texts name the host, never path, query or key.
 * `stop` aborts running requests; all later ones reject with `cancelled`.
 */
export function createUndiciHttp(
  proxy: ProxyConfiguration,
  options: UndiciOptions = {},
): Required<HttpPort> & { stop(): Promise<void> } {
  const {
    timeoutMs = DEFAULT_TIMEOUT_MS,
    idleTimeoutMs = 15_000,
    maxBytes = DEFAULT_MAX_BYTES,
    budget = sharedResponseBudget,
  } = options;
  const resolveName = createNameCache(options.resolveName ?? resolveByDns);
  const dispatchers = createDispatchers(proxy, { connectTimeoutMs: CONNECT_TIMEOUT_MS, idleTimeoutMs });
  const webSockets = new WebSocketHttp({
    timeoutMs,
    maxBytes,
    budget,
    openWebSocket: (url, authorization) =>
      openUndiciWebSocket(dispatchers.getForWebSocket(toHttpUrl(url)), url, authorization),
  });
  const toTarget = memoizeByText(parseTarget);
  let stopped = false;
  return {
    async send(request) {
      if (stopped) throw createCancelledFault();
      if (isWebSocketUrl(request.url)) return webSockets.send(request);
      const publicAddressesOnly = request.urlFromContract === true;
      // The URL of a contract may be long, and is requested once.
      const { url, origin, path, isLoopback, headers } = (publicAddressesOnly ? parseTarget : toTarget)(request.url);
      if (publicAddressesOnly) {
        if (isPrivateHost(url.hostname)) throw createPrivateAddressFault(url.hostname);
        const limit = AbortSignal.timeout(CONNECT_TIMEOUT_MS);
        if (mayUseProxy(proxy, url.hostname))
          await refusePrivateName(
            url.hostname,
            resolveName,
            request.signal ? AbortSignal.any([request.signal, limit]) : limit,
          );
      }
      return dispatchRequest(dispatchers.get(url, publicAddressesOnly), {
        url,
        origin,
        path,
        method: request.method,
        headers: {
          ...headers,
          ...(request.body !== undefined && { 'content-type': 'application/json' }),
          // On this machine compression costs more time than it saves; pieces are passed on as they come.
          ...(!isLoopback && request.onChunk === undefined && { 'accept-encoding': ACCEPT_ENCODING }),
          ...request.headers,
        },
        body: request.body ?? null,
        signal: request.signal,
        timeoutMs: request.timeoutMs ?? timeoutMs,
        connectTimeoutMs: CONNECT_TIMEOUT_MS,
        maxBytes: request.maxBytes ?? maxBytes,
        binary: request.binary === true,
        parser: request.parser,
        parseBytes: request.parseBytes,
        onChunk: request.onChunk,
        budget,
      });
    },
    subscribe: (request, onMessage) => webSockets.subscribe(request, onMessage),
    async stop() {
      stopped = true;
      await Promise.all([webSockets.stop(), dispatchers.stop()]);
    },
  };
}
