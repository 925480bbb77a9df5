// JSON-RPC over WebSocket behind the HTTP port: the body is a message, the response the message with its ids.
import { getBasicAuthorization } from '../base/basicAuthorization.ts';
import { createCancelledFault, HexLensError } from '../base/errors.ts';
import type { HttpPort, HttpRequest } from '../base/httpPort.ts';
import { localizable } from '../base/localize.ts';
import { createResponseTooLargeFault, createTimeoutFault } from './networkFault.ts';

export const isWebSocketUrl = (url: string): boolean => /^wss?:/i.test(url);

/** A socket without requests is closed after this. */
const MAX_IDLE_MS = 60_000;
/** Time for the peer to close too. */
const CLOSE_GRACE_MS = 1_000;
/**
 * With so many open sockets, the least recently used one without requests is closed for a new one. Each URL has at least
 * one; batches that would need a further one wait.
 */
export const MAX_SOCKETS = 8;

/** A WebSocket of the platform. */
export interface PlatformWebSocket {
  readonly socket: WebSocket;
  /** Closes the connection without waiting for the peer; absent where the platform does that. */
  destroy?(): void;
  /** Why it did not open; `null` or absent where the platform does not tell. */
  getFault?(): HexLensError | null;
}

/** The URL has no credentials. May throw. */
export type OpenWebSocket = (url: URL, authorization: string | null) => PlatformWebSocket;

interface Connection {
  readonly socket: WebSocket;
  readonly opened: Promise<void>;
  close(): void;
}

interface PendingMessage {
  /** Sockets of the same URL and credentials carry it. */
  readonly key: string;
  readonly body: string;
  readonly ids: readonly string[];
  readonly isBatch: boolean;
  readonly maxBytes: number;
  /** The socket that carries it; `null` while it waits for one. */
  carrier: SharedSocket | null;
  /** Messages that the socket had received before. */
  receivedBefore: number;
  open(): SharedSocket;
  resolve(text: string): void;
  reject(fault: HexLensError): void;
}

interface SharedSocket {
  readonly key: string;
  readonly connection: Connection;
  /** The oldest first. */
  readonly pending: Set<PendingMessage>;
  /** Messages that were received. */
  received: number;
  /** It was silent while a request timed out, and may be half open: no further requests. */
  isSilent: boolean;
  idle: ReturnType<typeof setTimeout> | undefined;
}

/** The id of a response, or the first one of a batch, where it is before everything long: nodes write it so. */
const FIRST_ID =
  /^\s*(?:\[\s*)?\{\s*(?:"\w+"\s*:\s*(?:"[^"\\]*"|\d+|true|false|null)\s*,\s*)*"id"\s*:\s*"?(\d+)"?\s*[,}]/;
const MAX_FIRST_ID_LENGTH = 300;

interface ReceivedMessage {
  /** Some nodes return ids as text. */
  readonly id: string | null;
  readonly isError: boolean;
}

/** The messages of a frame: none where it is not JSON. */
function parseMessages(text: string): readonly ReceivedMessage[] {
  try {
    const value: unknown = JSON.parse(text);
    return (Array.isArray(value) ? value : [value]).map((entry: { readonly [name: string]: unknown } | null) => {
      const { id, error } = entry ?? {};
      return {
        id: id === undefined || id === null ? null : String(id),
        isError: error !== undefined && error !== null,
      };
    });
  } catch {
    return [];
  }
}

const readIds = (text: string) => parseMessages(text).flatMap(({ id }) => (id === null ? [] : [id]));

/** The messages that a response answers: one, or all where it is too long to be parsed for its ids. */
function findAnswered(pending: readonly PendingMessage[], text: string): readonly PendingMessage[] {
  const [, firstId] = FIRST_ID.exec(text.slice(0, MAX_FIRST_ID_LENGTH)) ?? [];
  if (firstId === undefined && pending.every(({ maxBytes }) => text.length > maxBytes)) return pending;
  const received = firstId === undefined ? parseMessages(text) : [{ id: firstId, isError: false }];
  const found =
    pending.find(({ ids }) => received.some(({ id }) => id !== null && ids.includes(id))) ??
    // An error about a batch, or about a message that could not be read, has no id. Notifications have none either.
    (received.every(({ id, isError }) => id === null && isError)
      ? (pending.find(({ isBatch }) => isBatch) ?? pending[0])
      : undefined);
  return found === undefined ? [] : [found];
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
function parseTarget({ url: text, headers }: HttpRequest): {
  readonly url: URL;
  readonly authorization: string | null;
} {
  const url = new URL(text);
  const authorization = headers?.['authorization'] ?? getBasicAuthorization(url);
  url.username = '';
  url.password = '';
  url.hash = '';
  return { url, authorization };
}

/**
 * One socket per URL and batch under way, opened at the first request and again after it was lost; each subscription has
 * its own. Ids of requests must differ in the whole process. Rejects with `node-unreachable`, `node-timeout`, `too-large`
 * or `cancelled`.
 */
export function createWebSocketHttp({
  openWebSocket,
  ...defaults
}: {
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly openWebSocket: OpenWebSocket;
}): Required<HttpPort> & { stop(): Promise<void> } {
  /** The least recently used first. */
  const sockets = new Set<SharedSocket>();
  /** Messages that no socket carries yet. */
  const waiting = new Set<PendingMessage>();
  const subscriptions = new Set<(fault: HexLensError) => void>();
  let isStopped = false;

  const connect = (
    { url, authorization }: ReturnType<typeof parseTarget>,
    onMessage: (text: string) => void,
    onLost: (fault: HexLensError) => void,
  ): Connection => {
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
    const lose = () => {
      const fault = isStopped
        ? createCancelledFault()
        : ((wasOpened ? null : opening.getFault?.()) ?? createLostFault(url, wasOpened));
      reject(fault);
      onLost(fault);
    };
    socket.addEventListener('open', () => {
      wasOpened = true;
      resolve();
    });
    socket.addEventListener('close', lose);
    socket.addEventListener('error', lose);
    socket.addEventListener('message', ({ data }) => {
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
  };

  /** A socket that is half open may never say that it is closed. */
  const close = (shared: SharedSocket) => {
    clearTimeout(shared.idle);
    sockets.delete(shared);
    shared.connection.close();
  };

  const open = (key: string, target: ReturnType<typeof parseTarget>): SharedSocket => {
    const connection = connect(
      target,
      text => {
        shared.received++;
        for (const message of findAnswered([...shared.pending], text)) {
          if (text.length > message.maxBytes) message.reject(createResponseTooLargeFault(target.url, message.maxBytes));
          else message.resolve(text);
        }
      },
      fault => {
        clearTimeout(shared.idle);
        sockets.delete(shared);
        for (const message of [...shared.pending]) message.reject(fault);
      },
    );
    const shared: SharedSocket = { key, connection, pending: new Set(), received: 0, isSilent: false, idle: undefined };
    return shared;
  };

  /** `null` when the message has to wait. Each batch has a socket: an error about a batch as a whole has no id. */
  const acquire = ({ key, isBatch, open: openSocket }: PendingMessage): SharedSocket | null => {
    const usable = [...sockets].filter(
      shared =>
        shared.key === key && !shared.isSilent && shared.connection.socket.readyState <= shared.connection.socket.OPEN,
    );
    const free = usable.find(({ pending }) => !isBatch || [...pending].every(other => !other.isBatch));
    if (free !== undefined) return free;
    if (sockets.size >= MAX_SOCKETS) {
      const idle = [...sockets].find(({ pending }) => pending.size === 0);
      if (idle !== undefined) close(idle);
      else if (usable.length > 0) return null;
    }
    return openSocket();
  };

  const carry = (message: PendingMessage) => {
    let shared: SharedSocket | null;
    try {
      shared = acquire(message);
    } catch (error) {
      return message.reject(error as HexLensError); // `connect` throws nothing else
    }
    if (shared === null) return;
    waiting.delete(message);
    clearTimeout(shared.idle);
    sockets.delete(shared);
    sockets.add(shared);
    shared.pending.add(message);
    message.carrier = shared;
    message.receivedBefore = shared.received;
    const { socket, opened } = shared.connection;
    opened.then(() => shared.pending.has(message) && socket.send(message.body)).catch(message.reject);
  };
  const release = (message: PendingMessage) => {
    waiting.delete(message);
    const { carrier } = message;
    if (carrier === null) return;
    carrier.pending.delete(message);
    if (carrier.pending.size === 0) {
      if (carrier.isSilent) close(carrier);
      else if (sockets.has(carrier)) {
        carrier.idle = setTimeout(() => close(carrier), MAX_IDLE_MS);
        (carrier.idle as { unref?(): void }).unref?.();
      }
    }
    for (const next of [...waiting]) carry(next);
  };

  const exchange = (request: HttpRequest, limitMs: number): Promise<string> => {
    const { body = '', signal, maxBytes = defaults.maxBytes } = request;
    const target = parseTarget(request);
    const key = `${target.url.href} ${target.authorization ?? ''}`;
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const message: PendingMessage = {
      ...{ key, body, ids: readIds(body), isBatch: body.startsWith('['), maxBytes, resolve, reject },
      ...{ carrier: null, receivedBefore: 0, open: () => open(key, target) },
    };
    const onAbort = () => reject(createCancelledFault());
    signal?.addEventListener('abort', onAbort, { once: true });
    const timer = setTimeout(() => {
      const { carrier } = message;
      if (carrier !== null && carrier.received === message.receivedBefore) carrier.isSilent = true;
      reject(createTimeoutFault(target.url, 'waiting', limitMs));
    }, limitMs);
    waiting.add(message);
    carry(message);
    return promise.finally(() => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      release(message);
    });
  };

  const assertUsable = ({ signal }: HttpRequest) => {
    if (isStopped || signal?.aborted === true) throw createCancelledFault();
    if (typeof WebSocket === 'undefined')
      throw new HexLensError('node-unreachable', localizable('This version of Node.js has no WebSocket.'), {
        fix: localizable('Use the http:// or https:// URL of the node, or Node.js 22 or newer.'),
      });
  };

  return {
    async send(request) {
      assertUsable(request);
      return { status: 200, headers: {}, body: await exchange(request, request.timeoutMs ?? defaults.timeoutMs) };
    },
    async subscribe(request, onMessage) {
      assertUsable(request);
      const { body = '', signal, maxBytes = defaults.maxBytes, timeoutMs: limitMs = defaults.timeoutMs } = request;
      const target = parseTarget(request);
      const { promise, reject } = Promise.withResolvers<never>();
      const connection = connect(
        target,
        text => {
          clearTimeout(timer);
          if (text.length > maxBytes) reject(createResponseTooLargeFault(target.url, maxBytes));
          else onMessage(text);
        },
        reject,
      );
      const timer = setTimeout(() => reject(createTimeoutFault(target.url, 'waiting', limitMs)), limitMs);
      const onAbort = () => reject(createCancelledFault());
      signal?.addEventListener('abort', onAbort, { once: true });
      subscriptions.add(reject);
      connection.opened.then(() => connection.socket.send(body)).catch(reject);
      return promise.finally(() => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
        subscriptions.delete(reject);
        connection.close();
      });
    },
    async stop() {
      isStopped = true;
      for (const end of [...subscriptions]) end(createCancelledFault());
      for (const message of [...waiting]) message.reject(createCancelledFault());
      for (const shared of [...sockets]) {
        for (const message of [...shared.pending]) message.reject(createCancelledFault());
        close(shared);
      }
    },
  };
}
