// The WebSocket of Node.js over a dispatcher of ours: through its proxy, with its certificate settings.
import type { Duplex } from 'node:stream';
import type Dispatcher from 'undici/lib/dispatcher/dispatcher.js';
import Dispatcher1Wrapper from 'undici/lib/dispatcher/dispatcher1-wrapper.js';
import { HexLensError } from '../base/errors.ts';
import { localizable } from '../base/localize.ts';
import { toNetworkFault } from './networkFault.ts';
import type { PlatformWebSocket } from './webSocketConnection.ts';

const createRefusedFault = (url: URL, status: number): HexLensError =>
  new HexLensError(
    'node-unreachable',
    localizable('{0} answers with status {1} and does not open a WebSocket.', url.host, status),
    { cause: { code: 'WEBSOCKET_CLOSED' } },
  );

/** The same URL with http: or https:, which its WebSocket is requested with. */
export function toHttpUrl(url: URL): URL {
  const httpUrl = new URL(url);
  httpUrl.protocol = url.protocol === 'ws:' ? 'http:' : 'https:';
  return httpUrl;
}

/** Throws where the WebSocket of Node.js rejects the URL. */
export function openUndiciWebSocket(
  dispatcher: Dispatcher,
  url: URL,
  authorization: string | null,
  connectTimeoutMs: number,
): PlatformWebSocket {
  let connection: Duplex | undefined;
  let fault: HexLensError | null = null;
  const observe = (handler: Dispatcher.DispatchHandler): Dispatcher.DispatchHandler => ({
    onRequestStart: (controller, context) => handler.onRequestStart?.(controller, context),
    onRequestUpgrade(controller, status, headers, socket) {
      connection = socket;
      handler.onRequestUpgrade?.(controller, status, headers, socket);
    },
    onResponseStart(controller, status, headers, message) {
      if (status >= 200) fault = createRefusedFault(url, status);
      handler.onResponseStart?.(controller, status, headers, message);
    },
    onResponseData: (controller, chunk) => handler.onResponseData?.(controller, chunk),
    onResponseEnd: (controller, trailers) => handler.onResponseEnd?.(controller, trailers),
    onResponseError(controller, error) {
      fault ??= toNetworkFault(toHttpUrl(url), error, 'connecting', connectTimeoutMs);
      handler.onResponseError?.(controller, error);
    },
  });
  const observed = dispatcher.compose(dispatch => (options, handler) => dispatch(options, observe(handler)));
  const options = {
    // The WebSocket is that of the undici which Node.js contains: an earlier version than ours.
    dispatcher: new Dispatcher1Wrapper(observed),
    headers: { 'user-agent': 'HexLens', ...(authorization !== null && { authorization }) },
  };
  return {
    socket: new WebSocket(url, options as unknown as string[]), // `lib.dom` does not know what undici adds
    destroy: () => connection?.destroy(),
    getFault: () => fault,
  };
}
