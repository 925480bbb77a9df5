// JSON-RPC over WebSocket behind the HTTP port: the body is a message, the response the message with its ids.
import { createCancelledFault, HexLensError } from '../base/errors.ts';
import type { HttpPort, HttpRequest, HttpResponse } from '../base/httpPort.ts';
import { localizable } from '../base/localize.ts';
import { createBudgetFault, createResponseTooLargeFault, createTimeoutFault } from './networkFault.ts';
import { type ResponseBudget, ResponseShare } from './responseBudget.ts';
import {
  type Connection,
  connectWebSocket,
  type OpenWebSocket,
  parseTarget,
  type WebSocketTarget,
} from './webSocketConnection.ts';

export const isWebSocketUrl = (url: string): boolean => /^wss?:/i.test(url);

/** A socket without requests is closed after this. */
const MAX_IDLE_MS = 60_000;
/**
 * With so many open sockets, the least recently used one without requests is closed for a new one. Each URL has at least
 * one; batches that would need a further one wait.
 */
export const MAX_SOCKETS = 8;

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
  received: number;
  /** It was silent while a request timed out, and may be half open: no further requests. */
  isSilent: boolean;
  idle: ReturnType<typeof setTimeout> | undefined;
}

/** The id of a response, or the first one of a batch, where it is before everything long: nodes write it so. */
const FIRST_ID =
  /^\s*(?:\[\s*)?\{\s*(?:"\w+"\s*:\s*(?:"[^"\\]*"|\d+|true|false|null)\s*,\s*)*"id"\s*:\s*"?(\d+)"?\s*[,}]/;
/** The same at the end. */
const LAST_ID =
  /"id"\s{0,9}:\s{0,9}"?(\d{1,20})"?\s{0,9}(?:,\s{0,9}"\w{1,20}"\s{0,9}:\s{0,9}(?:"[^"\\]{0,99}"|\d{1,20}|true|false|null)\s{0,9}){0,4}\}\s{0,9}\]?\s{0,9}$/;
const MAX_ID_DISTANCE = 300;
/** Characters of a message that is parsed for its ids where they are elsewhere: some milliseconds of work. */
const MAX_SEARCHED_LENGTH = 256 * 1024;

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
  const [, id] = FIRST_ID.exec(text.slice(0, MAX_ID_DISTANCE)) ?? LAST_ID.exec(text.slice(-MAX_ID_DISTANCE)) ?? [];
  if (id === undefined && text.length > MAX_SEARCHED_LENGTH) return pending;
  const received = id === undefined ? parseMessages(text) : [{ id, isError: false }];
  const found =
    pending.find(({ ids }) => received.some(({ id }) => id !== null && ids.includes(id))) ??
    // An error about a batch, or about a message that could not be read, has no id. Notifications have none either.
    (received.every(({ id, isError }) => id === null && isError)
      ? (pending.find(({ isBatch }) => isBatch) ?? pending[0])
      : undefined);
  return found === undefined ? [] : [found];
}

interface WebSocketHttpDeps {
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly openWebSocket: OpenWebSocket;
  /** The memory for all responses. */
  readonly budget: ResponseBudget;
}

/**
 * One socket per URL and batch under way, opened at the first request and again after it was lost; each subscription has
 * its own. Ids of requests must differ in the whole process. Rejects with `node-unreachable`, `node-timeout`, `too-large`
 * or `cancelled`.
 */
export class WebSocketHttp implements Required<HttpPort> {
  readonly #deps: WebSocketHttpDeps;
  /** The least recently used first. */
  readonly #sockets = new Set<SharedSocket>();
  /** Messages that no socket carries yet. */
  readonly #waiting = new Set<PendingMessage>();
  /** What ends each subscription. */
  readonly #subscriptions = new Set<(fault: HexLensError) => void>();
  #isStopped = false;

  constructor(deps: WebSocketHttpDeps) {
    this.#deps = deps;
  }

  async send(request: HttpRequest): Promise<HttpResponse> {
    this.#assertUsable(request);
    const body = await this.#exchange(request);
    const share = new ResponseShare(this.#deps.budget);
    try {
      if (!share.take(body.length)) throw createBudgetFault(new URL(request.url), share.maxBytes);
      return { status: 200, headers: {}, body, parsed: await request.parser?.parse(body) };
    } finally {
      share.release();
    }
  }

  async subscribe(request: HttpRequest, onMessage: (text: string) => void): Promise<never> {
    this.#assertUsable(request);
    const { openWebSocket, ...defaults } = this.#deps;
    const { body = '', signal, maxBytes = defaults.maxBytes, timeoutMs = defaults.timeoutMs } = request;
    const target = parseTarget(request);
    const { promise, reject } = Promise.withResolvers<never>();
    const connection = connectWebSocket(target, openWebSocket, this.#deps.budget, {
      onMessage(text) {
        clearTimeout(timer);
        if (text.length > maxBytes) reject(createResponseTooLargeFault(target.url, maxBytes));
        else onMessage(text);
      },
      onLost: reject,
    });
    const timer = setTimeout(() => reject(createTimeoutFault(target.url, 'waiting', timeoutMs)), timeoutMs);
    const onAbort = () => reject(createCancelledFault());
    signal?.addEventListener('abort', onAbort, { once: true });
    this.#subscriptions.add(reject);
    connection.opened.then(() => connection.socket.send(body)).catch(reject);
    return promise.finally(() => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      this.#subscriptions.delete(reject);
      connection.close();
    });
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const end of [...this.#subscriptions]) end(createCancelledFault());
    for (const message of [...this.#waiting]) message.reject(createCancelledFault());
    for (const shared of [...this.#sockets]) {
      for (const message of [...shared.pending]) message.reject(createCancelledFault());
      this.#close(shared);
    }
  }

  #assertUsable({ signal }: HttpRequest): void {
    if (this.#isStopped || signal?.aborted === true) throw createCancelledFault();
    if (typeof WebSocket === 'undefined')
      throw new HexLensError('node-unreachable', localizable('This version of Node.js has no WebSocket.'), {
        fix: localizable('Use the http:// or https:// URL of the node, or Node.js 22 or newer.'),
      });
  }

  #exchange(request: HttpRequest): Promise<string> {
    const { body = '', signal, maxBytes = this.#deps.maxBytes, timeoutMs = this.#deps.timeoutMs } = request;
    const target = parseTarget(request);
    const key = `${target.url.href} ${target.authorization ?? ''}`;
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const message: PendingMessage = {
      key,
      body,
      ids: readIds(body),
      isBatch: body.startsWith('['),
      maxBytes,
      carrier: null,
      receivedBefore: 0,
      open: () => this.#open(key, target),
      resolve,
      reject,
    };
    const onAbort = () => reject(createCancelledFault());
    signal?.addEventListener('abort', onAbort, { once: true });
    const timer = setTimeout(() => {
      const { carrier } = message;
      if (carrier !== null && carrier.received === message.receivedBefore) carrier.isSilent = true;
      reject(createTimeoutFault(target.url, 'waiting', timeoutMs));
    }, timeoutMs);
    this.#waiting.add(message);
    this.#carry(message);
    return promise.finally(() => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      this.#release(message);
    });
  }

  #open(key: string, target: WebSocketTarget): SharedSocket {
    const connection = connectWebSocket(target, this.#deps.openWebSocket, this.#deps.budget, {
      onMessage(text) {
        shared.received++;
        for (const message of findAnswered([...shared.pending], text)) {
          if (text.length > message.maxBytes) message.reject(createResponseTooLargeFault(target.url, message.maxBytes));
          else message.resolve(text);
        }
      },
      onLost: fault => {
        clearTimeout(shared.idle);
        this.#sockets.delete(shared);
        for (const message of [...shared.pending]) message.reject(fault);
      },
    });
    const shared: SharedSocket = { key, connection, pending: new Set(), received: 0, isSilent: false, idle: undefined };
    return shared;
  }

  /** A socket that is half open may never say that it is closed. */
  #close(shared: SharedSocket): void {
    clearTimeout(shared.idle);
    this.#sockets.delete(shared);
    shared.connection.close();
  }

  /** `null` when the message has to wait. Each batch has a socket: an error about a batch as a whole has no id. */
  #acquire({ key, isBatch, open }: PendingMessage): SharedSocket | null {
    const usable = [...this.#sockets].filter(
      shared =>
        shared.key === key && !shared.isSilent && shared.connection.socket.readyState <= shared.connection.socket.OPEN,
    );
    const free = usable.find(({ pending }) => !isBatch || [...pending].every(other => !other.isBatch));
    if (free !== undefined) return free;
    if (this.#sockets.size >= MAX_SOCKETS) {
      const idle = [...this.#sockets].find(({ pending }) => pending.size === 0);
      if (idle !== undefined) this.#close(idle);
      else if (usable.length > 0) return null;
    }
    return open();
  }

  #carry(message: PendingMessage): void {
    let shared: SharedSocket | null;
    try {
      shared = this.#acquire(message);
    } catch (error) {
      message.reject(error as HexLensError); // `connectWebSocket` throws nothing else
      return;
    }
    if (shared === null) return;
    this.#waiting.delete(message);
    clearTimeout(shared.idle);
    this.#sockets.delete(shared);
    this.#sockets.add(shared);
    shared.pending.add(message);
    message.carrier = shared;
    message.receivedBefore = shared.received;
    const { socket, opened } = shared.connection;
    opened.then(() => shared.pending.has(message) && socket.send(message.body)).catch(message.reject);
  }

  #release(message: PendingMessage): void {
    this.#waiting.delete(message);
    const { carrier } = message;
    if (carrier === null) return;
    carrier.pending.delete(message);
    if (carrier.pending.size === 0) {
      if (carrier.isSilent) this.#close(carrier);
      else if (this.#sockets.has(carrier)) {
        carrier.idle = setTimeout(() => this.#close(carrier), MAX_IDLE_MS);
        (carrier.idle as { unref?(): void }).unref?.();
      }
    }
    for (const next of [...this.#waiting]) this.#carry(next);
  }
}
