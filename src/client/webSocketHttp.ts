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
  readonly maxBytes: number;
  resolve(text: string): void;
  reject(fault: HexLensError): void;
}

interface OpenSocket {
  readonly socket: WebSocket;
  readonly opened: Promise<void>;
  readonly pending: Set<PendingMessage>;
  idle: ReturnType<typeof setTimeout> | undefined;
}

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

const createLostFault = (url: URL): HexLensError =>
  new HexLensError('node-unreachable', localizable('{0} closed the WebSocket, or does not open one.', url.host), {
    cause: { code: 'WEBSOCKET_CLOSED' },
  });

/**
 * One socket per URL, opened at the first request and again after it was lost. Rejects with `node-unreachable`,
 * `node-timeout`, `too-large` or `cancelled`.
 */
export function createWebSocketHttp(defaults: {
  readonly timeoutMs: number;
  readonly maxBytes: number;
}): HttpPort & { stop(): Promise<void> } {
  const sockets = new Map<string, OpenSocket[]>();
  let isStopped = false;

  const open = (url: URL): OpenSocket => {
    const socket = new WebSocket(url);
    const { promise: opened, resolve, reject } = Promise.withResolvers<void>();
    opened.catch(() => {}); // awaited by requests only
    const entry: OpenSocket = { socket, opened, pending: new Set(), idle: undefined };
    const lose = () => {
      clearTimeout(entry.idle);
      sockets.set(
        url.href,
        (sockets.get(url.href) ?? []).filter(other => other !== entry),
      );
      const fault = isStopped ? cancelledFault() : createLostFault(url);
      reject(fault);
      for (const message of [...entry.pending]) message.reject(fault);
    };
    socket.addEventListener('open', () => resolve());
    socket.addEventListener('close', lose);
    socket.addEventListener('error', lose);
    socket.addEventListener('message', ({ data }) => {
      if (typeof data !== 'string') return;
      const ids = readIds(data);
      const [only] = entry.pending;
      // An error about a message that could not be read has no id.
      const found = [...entry.pending].find(message => message.ids.some(id => ids.includes(id)));
      const message = found ?? (entry.pending.size === 1 && ids.every(id => id === null) ? only : undefined);
      if (message === undefined) return;
      if (data.length > message.maxBytes) message.reject(tooLargeFault(url, message.maxBytes));
      else message.resolve(data);
    });
    sockets.set(url.href, [...(sockets.get(url.href) ?? []), entry]);
    return entry;
  };

  /** Two clients of one URL may use the same ids: then each has a socket. */
  const acquire = (url: URL, ids: readonly unknown[]): OpenSocket =>
    sockets
      .get(url.href)
      ?.find(({ pending }) => [...pending].every(other => !other.ids.some(id => ids.includes(id)))) ?? open(url);

  const exchange = (url: URL, request: HttpRequest, limitMs: number): Promise<string> => {
    const { body = '', signal, maxBytes = defaults.maxBytes } = request;
    const ids = readIds(body);
    const entry = acquire(url, ids);
    clearTimeout(entry.idle);
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const message: PendingMessage = { ids, maxBytes, resolve, reject };
    entry.pending.add(message);
    const onAbort = () => reject(cancelledFault());
    if (signal?.aborted === true) onAbort();
    signal?.addEventListener('abort', onAbort, { once: true });
    const timer = setTimeout(() => {
      reject(timeoutFault(url, 'waiting', limitMs));
      // It may be half open: later requests get another one.
      if (entry.pending.size === 1) entry.socket.close();
    }, limitMs);
    entry.opened.then(() => entry.pending.has(message) && entry.socket.send(body), reject);
    return promise.finally(() => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      entry.pending.delete(message);
      if (entry.pending.size > 0) return;
      entry.idle = setTimeout(() => entry.socket.close(), MAX_IDLE_MS);
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
