// One WebSocket: how it is opened, lost and closed.
import { getBasicAuthorization } from '../base/basicAuthorization.ts';
import { HexLensError } from '../base/errors.ts';
import type { HttpRequest } from '../base/httpPort.ts';
import { localizable } from '../base/localize.ts';
import { createBudgetFault } from './networkFault.ts';
import { type ResponseBudget, ResponseShare } from './responseBudget.ts';

/** Time for the peer to close too. */
const CLOSE_GRACE_MS = 1_000;

export interface PlatformWebSocket {
  readonly socket: WebSocket;
  /** Closes the connection without waiting for the peer; absent where the platform does that. */
  destroy?(): void;
  /** Calls the listener with the number of bytes that arrive from now on; absent where the platform does not tell. */
  onBytes?(listener: (bytes: number) => void): void;
  /** Why it did not open or was refused then; `null` or absent where the platform does not tell. */
  getFault?(): HexLensError | null;
}

/** The URL has no credentials. May throw. */
export type OpenWebSocket = (url: URL, authorization: string | null) => PlatformWebSocket;

export interface WebSocketTarget {
  readonly url: URL;
  readonly authorization: string | null;
}

export interface Connection {
  readonly socket: WebSocket;
  readonly opened: Promise<void>;
  close(): void;
}

const createLostFault = (url: URL, wasOpened: boolean): HexLensError =>
  new HexLensError(
    'node-unreachable',
    wasOpened
      ? localizable('{0} closed the WebSocket.', url.host)
      : localizable('{0} does not open a WebSocket.', url.host),
    { cause: { code: 'WEBSOCKET_CLOSED' } },
  );

const createInvalidUrlFault = (url: URL): HexLensError =>
  new HexLensError('node-unreachable', localizable('The WebSocket URL of {0} cannot be used.', url.host), {
    cause: { code: 'UND_ERR_INVALID_URL' },
  });

/** For browsers, whose WebSocket sends no headers. */
export const openBrowserWebSocket: OpenWebSocket = (url, authorization) => {
  if (authorization === null) return { socket: new WebSocket(url) };
  throw new HexLensError(
    'node-unreachable',
    localizable('The WebSocket URL of {0} holds a user name or password, which a browser does not send.', url.host),
    {
      fix: localizable('Use the http:// or https:// URL of the node.'),
      cause: { code: 'UND_ERR_INVALID_URL' },
    },
  );
};

/** The URL of the socket, and the credentials of the request or of its URL. */
export function parseTarget({ url: text, headers }: HttpRequest): WebSocketTarget {
  const url = new URL(text);
  const authorization = headers?.['authorization'] ?? getBasicAuthorization(url);
  url.username = '';
  url.password = '';
  url.hash = '';
  return { url, authorization };
}

interface ConnectionListener {
  onMessage(text: string): void;
  onLost(fault: HexLensError): void;
}

/** Throws when the URL cannot be used. What arrives takes of the budget until its message is complete. */
export function connectWebSocket(
  { url, authorization }: WebSocketTarget,
  openWebSocket: OpenWebSocket,
  budget: ResponseBudget,
  { onMessage, onLost }: ConnectionListener,
): Connection {
  let opening: PlatformWebSocket;
  try {
    opening = openWebSocket(url, authorization);
  } catch (error) {
    throw error instanceof HexLensError ? error : createInvalidUrlFault(url);
  }
  const { socket } = opening;
  const { promise: opened, resolve, reject } = Promise.withResolvers<void>();
  opened.catch(() => {}); // awaited by requests only
  let wasOpened = false;
  let tooLarge: HexLensError | null = null;
  const share = new ResponseShare(budget);
  const lose = () => {
    share.release();
    const fault = tooLarge ?? opening.getFault?.() ?? createLostFault(url, wasOpened);
    reject(fault);
    onLost(fault);
  };
  socket.addEventListener('open', () => {
    wasOpened = true;
    opening.onBytes?.(bytes => {
      if (tooLarge !== null || share.take(bytes)) return;
      tooLarge = createBudgetFault(url, share.maxBytes);
      opening.destroy?.();
    });
    resolve();
  });
  socket.addEventListener('close', lose);
  socket.addEventListener('error', lose);
  socket.addEventListener('message', ({ data }) => {
    share.release();
    if (typeof data === 'string') onMessage(data);
  });
  return {
    socket,
    opened,
    close() {
      if (socket.readyState >= socket.CLOSING) return;
      // A peer that does not close too would keep the process running.
      const timer = setTimeout(() => opening.destroy?.(), CLOSE_GRACE_MS);
      (timer as { unref?(): void }).unref?.();
      socket.addEventListener('close', () => clearTimeout(timer), { once: true });
      socket.close();
    },
  };
}
