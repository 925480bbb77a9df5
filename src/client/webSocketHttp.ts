// JSON-RPC over WebSocket behind the HTTP port: the body is a message, the response the message with its ids.
import { cancelledFault, HexLensError } from '../base/errors.ts';
import type { HttpPort, HttpRequest, HttpResponse } from '../base/httpPort.ts';
import { localizable } from '../base/localize.ts';
import { timeoutFault, tooLargeFault } from './networkFault.ts';

export const isWebSocketUrl = (url: string): boolean => /^wss?:/i.test(url);

/** A socket without requests is closed after this. */
const MAX_IDLE_MS = 60_000;

interface PendingMessage {
  readonly ids: readonly unknown[];
  readonly isBatch: boolean;
  readonly maxBytes: number;
  resolve(text: string): void;
  reject(fault: HexLensError): void;
}

interface OpenSocket {
  readonly socket: WebSocket;
  readonly opened: Promise<void>;
  /** The oldest first. */
  readonly pending: Set<PendingMessage>;
  /** Messages that were received. */
  received: number;
  /** It was silent while a request timed out, and may be half open: no further requests. */
  isSilent: boolean;
  idle: ReturnType<typeof setTimeout> | undefined;
}

/** The id of a response, or the first one of a batch, where it is before everything long: nodes write it so. */
const FIRST_ID = /^\s*(?:\[\s*)?\{\s*(?:"\w+"\s*:\s*(?:"[^"\\]*"|\d+|true|false|null)\s*,\s*)*"id"\s*:\s*(\d+)\s*[,}]/;
const MAX_FIRST_ID_LENGTH = 300;

function readIds(text: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(text);
    return (Array.isArray(value) ? value : [value]).map(
      entry => (entry as { readonly id?: unknown } | null)?.id ?? null,
    );
  } catch {
    return [];
  }
}

/** The messages that a response answers: one, or all where it is too long to be parsed for its ids. */
function findAnswered(pending: readonly PendingMessage[], text: string): readonly PendingMessage[] {
  const [, firstId] = FIRST_ID.exec(text.slice(0, MAX_FIRST_ID_LENGTH)) ?? [];
  if (firstId === undefined && pending.every(({ maxBytes }) => text.length > maxBytes)) return pending;
  const ids = firstId === undefined ? readIds(text) : [Number(firstId)];
  // An error about a batch, or about a message that could not be read, has no id.
  const found = ids.every(id => id === null)
    ? (pending.find(({ isBatch }) => isBatch) ?? pending[0])
    : pending.find(message => message.ids.some(id => ids.includes(id)));
  return found === undefined ? [] : [found];
}

const createLostFault = (url: URL): HexLensError =>
  new HexLensError('node-unreachable', localizable('{0} closed the WebSocket, or does not open one.', url.host), {
    cause: { code: 'WEBSOCKET_CLOSED' },
  });

/** A browser's WebSocket sends no headers. */
const createCredentialsFault = (url: URL): HexLensError =>
  new HexLensError(
    'node-unreachable',
    localizable('The WebSocket URL of {0} holds a user name or password, which is not sent.', url.host),
    {
      fix: localizable('Use the http:// or https:// URL of the node.'),
      cause: { code: 'UND_ERR_INVALID_URL' },
    },
  );

/**
 * One socket per URL and batch under way, opened at the first request and again after it was lost. Rejects with `node-unreachable`,
 * `node-timeout`, `too-large` or `cancelled`.
 */
export function createWebSocketHttp(defaults: {
  readonly timeoutMs: number;
  readonly maxBytes: number;
}): HttpPort & { stop(): Promise<void> } {
  const sockets = new Map<string, OpenSocket[]>();
  let isStopped = false;

  const remove = (url: URL, entry: OpenSocket) => {
    const others = (sockets.get(url.href) ?? []).filter(other => other !== entry);
    if (others.length > 0) sockets.set(url.href, others);
    else sockets.delete(url.href);
  };
  /** A socket that is half open may never say that it is closed. */
  const close = (url: URL, entry: OpenSocket) => {
    remove(url, entry);
    entry.socket.close();
  };

  const open = (url: URL): OpenSocket => {
    const socket = new WebSocket(url);
    const { promise: opened, resolve, reject } = Promise.withResolvers<void>();
    opened.catch(() => {}); // awaited by requests only
    const entry: OpenSocket = { socket, opened, pending: new Set(), received: 0, isSilent: false, idle: undefined };
    const lose = () => {
      clearTimeout(entry.idle);
      remove(url, entry);
      const fault = isStopped ? cancelledFault() : createLostFault(url);
      reject(fault);
      for (const message of [...entry.pending]) message.reject(fault);
    };
    socket.addEventListener('open', () => resolve());
    socket.addEventListener('close', lose);
    socket.addEventListener('error', lose);
    socket.addEventListener('message', ({ data }) => {
      entry.received++;
      if (typeof data !== 'string') return;
      for (const message of findAnswered([...entry.pending], data)) {
        if (data.length > message.maxBytes) message.reject(tooLargeFault(url, message.maxBytes));
        else message.resolve(data);
      }
    });
    sockets.set(url.href, [...(sockets.get(url.href) ?? []), entry]);
    return entry;
  };

  /**
   * Two clients of one URL may use the same ids: then each has a socket. So has each batch: an error about a batch as a
   * whole has no id.
   */
  const acquire = (url: URL, { ids, isBatch }: PendingMessage): OpenSocket =>
    sockets
      .get(url.href)
      ?.find(
        ({ socket, isSilent, pending }) =>
          !isSilent &&
          socket.readyState <= socket.OPEN &&
          [...pending].every(other => !(isBatch && other.isBatch) && !other.ids.some(id => ids.includes(id))),
      ) ?? open(url);

  const exchange = (url: URL, request: HttpRequest, limitMs: number): Promise<string> => {
    const { body = '', signal, maxBytes = defaults.maxBytes } = request;
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const isBatch = body.startsWith('[');
    const message: PendingMessage = { ids: readIds(body), isBatch, maxBytes, resolve, reject };
    const entry = acquire(url, message);
    clearTimeout(entry.idle);
    entry.pending.add(message);
    const receivedBefore = entry.received;
    const onAbort = () => reject(cancelledFault());
    if (signal?.aborted === true) onAbort();
    signal?.addEventListener('abort', onAbort, { once: true });
    const timer = setTimeout(() => {
      if (entry.received === receivedBefore) entry.isSilent = true;
      reject(timeoutFault(url, 'waiting', limitMs));
    }, limitMs);
    entry.opened.then(() => entry.pending.has(message) && entry.socket.send(body), reject);
    return promise.finally(() => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      entry.pending.delete(message);
      if (entry.pending.size > 0) return;
      if (entry.isSilent) return close(url, entry);
      entry.idle = setTimeout(() => close(url, entry), MAX_IDLE_MS);
      (entry.idle as { unref?(): void }).unref?.();
    });
  };

  return {
    async send(request): Promise<HttpResponse> {
      if (isStopped) throw cancelledFault();
      const url = new URL(request.url);
      if (typeof WebSocket === 'undefined')
        throw new HexLensError('node-unreachable', localizable('This version of Node.js has no WebSocket.'), {
          fix: localizable('Use the http:// or https:// URL of the node, or Node.js 22 or newer.'),
        });
      if (url.username !== '' || url.password !== '' || request.headers?.['authorization'] !== undefined)
        throw createCredentialsFault(url);
      return { status: 200, headers: {}, body: await exchange(url, request, request.timeoutMs ?? defaults.timeoutMs) };
    },
    async stop() {
      isStopped = true;
      for (const entry of [...sockets.values()].flat()) {
        for (const message of [...entry.pending]) message.reject(cancelledFault());
        entry.socket.close();
      }
    },
  };
}
