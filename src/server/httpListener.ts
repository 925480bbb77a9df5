// Binds the HTTP application to a port: limits for headers, time and connections, and a graceful close.
import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import { isIPv6, Server as NetServer, type Socket } from 'node:net';
import { HexLensError } from '../base/errors.ts';
import { getOrInsert } from '../base/getOrInsert.ts';
import type { Log } from '../base/log.ts';
import type { HttpApp } from './httpApp.ts';
import { type HeaderList, jsonHeaders } from './httpHeaders.ts';
import { type BodyReader, createBodyReader, expectsContinue, type IncomingRequest } from './incomingRequest.ts';

/** Responds to an error of Node's HTTP parser: too slow, too large, or not HTTP. */
function rejectClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
  else if (error.code === 'HPE_HEADER_OVERFLOW')
    endConnectionWith(socket, 431, 'The URL and headers of the request are too long together.');
  else if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT')
    endConnectionWith(socket, 408, 'The request did not arrive in time.');
  else endConnectionWith(socket, 400, 'The request is not valid HTTP/1.1.');
}

/** Writes a complete response and ends the connection. */
function endConnectionWith(socket: Socket, status: number, message: string): void {
  const body = JSON.stringify({ message });
  const headers = { connection: 'close', ...jsonHeaders, 'content-length': Buffer.byteLength(body) };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n'));
}

interface Connection {
  readonly requests: Set<IncomingMessage>;
  reject: (() => void) | null;
}

/** The requests of each connection that have no response yet. */
function createPendingRequests() {
  const connections = new WeakMap<Socket, Connection>();
  const getConnection = (socket: Socket): Connection => {
    return getOrInsert(connections, socket, () => ({ requests: new Set(), reject: null }));
  };
  return {
    add(message: IncomingMessage) {
      getConnection(message.socket).requests.add(message);
    },
    /** Its response is sent, or its client has disconnected. */
    remove(message: IncomingMessage) {
      const { requests, reject } = getConnection(message.socket);
      requests.delete(message);
      if (requests.size === 0) reject?.();
    },
    /**
     * Runs `reject` once per connection, after the responses to all requests that arrived completely; at once when one
     * arrived only in part.
     */
    whenIdle(socket: Socket, reject: () => void) {
      const connection = getConnection(socket);
      if (connection.reject !== null) return;
      connection.reject = reject;
      const { requests } = connection;
      if (requests.size === 0 || [...requests].some(({ complete }) => !complete)) reject();
    },
  };
}

export interface HttpLimits {
  /** Milliseconds in which the headers of a request must arrive. */
  readonly headersMs: number;
  /** Milliseconds in which the whole request, body included, must arrive. */
  readonly requestMs: number;
  /**
   * Milliseconds that an idle connection stays open: longer than a script computes between two requests, and longer than
   * the minute for which proxies keep theirs. A request on a connection that has just been closed would fail.
   */
  readonly keepAliveMs: number;
  /**
   * Milliseconds after a response in which the rest of a body that is not read must arrive. A connection that is closed
   * at once is reset while the client still sends, so that it may lose the response.
   */
  readonly unreadBodyMs: number;
  /** Milliseconds without a byte in either direction until a connection is closed, also while a response is computed. */
  readonly inactivityMs: number;
  /** Milliseconds that a closing server still reads from idle connections: a request may be on its way. */
  readonly lingerMs: number;
  /** Milliseconds between checks of the limits above. */
  readonly checkIntervalMs: number;
  /** Connections at the same time; further ones are closed at once. */
  readonly connections: number;
  /** Bytes of all request bodies that are being received. */
  readonly bodyBytes: number;
  /** Bytes of request line and headers together; four lists of 100 addresses in one URL take 27 kB. */
  readonly headerBytes: number;
}

const defaultHttpLimits: HttpLimits = {
  headersMs: 10_000,
  requestMs: 30_000,
  keepAliveMs: 65_000,
  unreadBodyMs: 2_000,
  inactivityMs: 300_000,
  lingerMs: 100,
  checkIntervalMs: 1_000,
  connections: 16_384,
  bodyBytes: 128 * 1024 * 1024,
  headerBytes: 64 * 1024,
};

export interface ListenAddress {
  /** 0 takes a free one. */
  readonly port: number;
  /** IP address of the interface; 127.0.0.1 when absent. */
  readonly host?: string | undefined;
}

export interface HttpListener {
  /** `http://127.0.0.1:<port>`, without a slash at the end. */
  readonly url: string;
  readonly port: number;
  /**
   * Accepts no new connections; resolves when the last response is sent. After `graceMs` the connections that are left
   * are destroyed.
   */
  close(graceMs: number): Promise<void>;
}

const CLOSE_HEADER: HeaderList = ['connection', 'close'];
const LOOPBACK = '127.0.0.1';
const ALL_INTERFACES: readonly string[] = ['0.0.0.0', '::'];

/** Rejects with `bad-input` when the port or the address is in use or not allowed. */
export async function listen(
  app: Pick<HttpApp, 'handle'>,
  { port, host = LOOPBACK }: ListenAddress,
  log: Log,
  limitOverrides: Partial<HttpLimits> = {},
): Promise<HttpListener> {
  const limits = { ...defaultHttpLimits, ...limitOverrides };
  let isClosing = false;
  let hasLingered = false;
  const readBody = createBodyReader(limits.bodyBytes);
  const pendingRequests = createPendingRequests();

  const getEndOfTurn = createEndOfTurn();

  const respond = async (message: IncomingMessage, response: ServerResponse) => {
    const endOfTurn = getEndOfTurn();
    const { response: outgoing, headers } = await app.handle(new ListenerRequest(message, response, readBody));
    // Responses that are ready in the turn of their requests are written one after the other, so that they wake a client of
    // this machine together: to wake it takes longer than to write.
    await endOfTurn;
    if (response.destroyed) return;
    const { status, headerList, body, isAscii } = outgoing;
    // A paused body is too large, or one of too many: the rest of it is not read.
    const isLast = isClosing || status === 413 || message.isPaused() || isLastOfConnection(message);
    response
      .writeHead(status, [...headerList, ...headers, ...(isLast ? CLOSE_HEADER : [])])
      .end(body, isAscii ? 'latin1' : 'utf8');
    if (!message.complete) closeUnlessComplete(message, limits.unreadBodyMs);
  };

  function onResponseClose(this: ServerResponse) {
    pendingRequests.remove(this.req);
    if (hasLingered) server.closeIdleConnections();
  }

  const onRequest = (message: IncomingMessage, response: ServerResponse) => {
    // Node's parser accepts a request line without a version as HTTP/0.9.
    if (message.httpVersionMajor !== 1)
      return endConnectionWith(message.socket, 400, 'The request is not valid HTTP/1.1.');
    pendingRequests.add(message);
    response.on('close', onResponseClose);
    respond(message, response).catch(error => {
      log.error(`A response could not be written: ${error instanceof Error ? error.message : String(error)}`);
      response.destroy();
    });
  };

  const server = createServer(
    {
      maxHeaderSize: limits.headerBytes,
      headersTimeout: limits.headersMs,
      requestTimeout: limits.requestMs,
      keepAliveTimeout: limits.keepAliveMs,
      connectionsCheckingInterval: limits.checkIntervalMs,
      requireHostHeader: false, // the application explains what is wrong
      noDelay: true,
    },
    onRequest,
  );
  server.maxConnections = limits.connections;
  server.setTimeout(limits.inactivityMs, socket => socket.destroy());
  server.on('clientError', (error, socket) => {
    // Requests before it get their responses first: a client could not tell which request an error belongs to.
    pendingRequests.whenIdle(socket as Socket, () => rejectClientError(error, socket as Socket));
  });
  // The application sends `100 Continue` when it reads the body, after it has checked the key.
  server.on('checkContinue', onRequest);
  server.on('checkExpectation', onRequest);
  // An upgrade without a listener is a normal request for Node; CONNECT is not.
  server.on('connect', (_request, socket) =>
    endConnectionWith(socket as Socket, 405, 'CONNECT is not possible: this is no proxy.'),
  );
  await new Promise<void>((resolve, reject) => {
    server.once('error', error => reject(createListenFault(error, port, host)));
    server.listen({ port, host, exclusive: true }, resolve);
  });
  server.on('error', error => log.error(`The HTTP server failed: ${error.message}`));

  const address = server.address();
  const boundPort = address !== null && typeof address === 'object' ? address.port : port;
  const urlHost = ALL_INTERFACES.includes(host) ? LOOPBACK : host;
  return {
    url: `http://${isIPv6(urlHost) ? `[${urlHost}]` : urlHost}:${boundPort}`,
    port: boundPort,
    close(graceMs) {
      isClosing = true;
      return closeAfterResponses(server, graceMs, Math.min(limits.lingerMs, graceMs), () => {
        hasLingered = true;
      });
    },
  };
}

/** See `HttpListener.close`. Idle connections are read for `lingerMs`, then `onLingered` is called. */
function closeAfterResponses(server: Server, graceMs: number, lingerMs: number, onLingered: () => void): Promise<void> {
  return new Promise(resolve => {
    const grace = setTimeout(() => server.closeAllConnections(), graceMs);
    const linger = setTimeout(() => {
      onLingered();
      server.close(); // of http.Server: closes idle connections and stops its timers
    }, lingerMs);
    // `http.Server.close` would close idle connections at once. This one only stops accepting; requests that still
    // arrive get a response with `connection: close`.
    NetServer.prototype.close.call(server, () => {
      clearTimeout(grace);
      clearTimeout(linger);
      server.close();
      resolve();
    });
  });
}

/** Returns a promise that resolves at the end of this turn of the event loop, for all callers of the turn. */
function createEndOfTurn(): () => Promise<void> {
  let endOfTurn: Promise<void> | null = null;
  return () => {
    endOfTurn ??= new Promise(resolve => {
      setImmediate(() => {
        endOfTurn = null;
        resolve();
      });
    });
    return endOfTurn;
  };
}

/**
 * A class: V8 makes a hidden class for each object literal with getters, which keeps what they refer to, here the whole
 * request, until the next full garbage collection.
 */
class ListenerRequest implements IncomingRequest {
  readonly #message: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #readBody: BodyReader;
  #controller: AbortController | null = null;
  readonly method: string;
  readonly target: string;
  readonly headers: IncomingRequest['headers'];
  readonly rawHeaders: readonly string[];

  constructor(message: IncomingMessage, response: ServerResponse, readBody: BodyReader) {
    this.#message = message;
    this.#response = response;
    this.#readBody = readBody;
    this.method = message.method ?? '';
    this.target = message.url ?? '';
    this.headers = message.headers;
    this.rawHeaders = message.rawHeaders;
  }

  /** A system call: only on demand. */
  get remoteAddress(): string {
    return this.#message.socket.remoteAddress ?? '';
  }

  /** Created on demand: most requests end before anything needs it. */
  get signal(): AbortSignal {
    if (this.#controller === null) {
      const controller = new AbortController();
      const response = this.#response;
      this.#controller = controller;
      if (response.destroyed) controller.abort();
      else response.once('close', () => response.writableFinished || controller.abort());
    }
    return this.#controller.signal;
  }

  readBody(maxBytes: number): Promise<string> {
    return this.#readBody(
      this.#message,
      maxBytes,
      () => expectsContinue(this.#message) && this.#response.writeContinue(),
    );
  }
}

/**
 * Whether no request may follow on this connection: a body that waits for `100 Continue` never arrives, and a proxy that
 * accepts the upgrade would pass everything that follows without checks.
 */
const isLastOfConnection = (message: IncomingMessage): boolean =>
  message.headers.upgrade !== undefined || (expectsContinue(message) && !message.complete);

/** Closes the connection of a request that has its response, unless the rest of its body arrives in time. */
function closeUnlessComplete(message: IncomingMessage, ms: number): void {
  const timer = setTimeout(() => message.complete || message.socket.destroy(), ms);
  message.once('close', () => clearTimeout(timer));
}

function createListenFault(error: NodeJS.ErrnoException, port: number, host: string): HexLensError {
  const options = { details: error.message, cause: error, fix: 'Choose another port, or 0 for a free one.' };
  if (error.code === 'EADDRINUSE') return new HexLensError('bad-input', `Port ${port} is already in use.`, options);
  if (error.code === 'EACCES') return new HexLensError('bad-input', `You may not use port ${port}.`, options);
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND') {
    return new HexLensError('bad-input', `${host} is not an address of this machine.`, {
      ...options,
      fix: 'Leave --host out to listen on 127.0.0.1.',
    });
  }
  return new HexLensError('bad-input', `The service can not listen on port ${port}.`, options);
}
