// A socket for the HTTP application: bounded in headers and time, closed without cutting answers off.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { isIPv6, Server as NetServer, type Socket } from 'node:net';
import { HexLensError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import type { HttpApp } from './app.ts';
import type { IncomingRequest } from './incomingRequest.ts';
import { type BodyReader, createBodyReader, expectsContinue } from './readBody.ts';
import { createPendingRequests, endConnectionWith, rejectClientError } from './rejectConnection.ts';

export interface HttpLimits {
  /** Milliseconds until the headers of a request must have come. */
  readonly headersMs: number;
  /** Milliseconds until the whole request, body included, must have come. */
  readonly requestMs: number;
  /**
   * Milliseconds that an idle connection is kept: longer than a script computes between two questions, whose next one
   * would fail on a connection that was closed meanwhile, and than the minute for which proxies keep theirs.
   */
  readonly keepAliveMs: number;
  /** Milliseconds without a byte in either direction until a connection is cut, also while an answer is made. */
  readonly inactivityMs: number;
  /** Milliseconds that an idle connection is still listened to when the server closes: a request may be on its way. */
  readonly lingerMs: number;
  /** How often the above are looked at. */
  readonly checkIntervalMs: number;
  /** Connections at the same time; what is beyond is closed at once. */
  readonly connections: number;
  /** Bodies of all requests that are on their way, together. */
  readonly bodyBytes: number;
  /** Request line and headers together; four lists of 100 addresses in one URL take 27 kB. */
  readonly headerBytes: number;
}

export const defaultHttpLimits: HttpLimits = {
  headersMs: 10_000,
  requestMs: 30_000,
  keepAliveMs: 65_000,
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
  /** Address of the interface; 127.0.0.1 when absent. */
  readonly host?: string | undefined;
}

export interface HttpListener {
  /** `http://127.0.0.1:<port>`, without a slash at the end. */
  readonly url: string;
  readonly port: number;
  /** No new requests from now on; resolves when the last answer is out. After `graceMs` what is left is cut off. */
  close(graceMs: number): Promise<void>;
}

const LOOPBACK = '127.0.0.1';
/** Every interface: whoever asks from this machine still uses the loopback address. */
const EVERYWHERE: readonly string[] = ['0.0.0.0', '::'];

/** Rejects with `bad-input` when the port or the address is taken or may not be used. */
export async function listen(
  app: HttpApp,
  { port, host = LOOPBACK }: ListenAddress,
  log: Log,
  overrides: Partial<HttpLimits> = {},
): Promise<HttpListener> {
  const limits = { ...defaultHttpLimits, ...overrides };
  let closing = false;
  let lingered = false;
  const together = endOfTurn();
  const readBody = createBodyReader(limits.bodyBytes);
  const serve = async (message: IncomingMessage, response: ServerResponse) => {
    const answer = await app.handle(incomingOf(message, response, readBody));
    await together();
    if (response.destroyed) return;
    const { status, headers, body, isAscii: ascii } = answer;
    if (status !== 204) headers['content-length'] = ascii ? body.length : Buffer.byteLength(body);
    // What is left of a body that nobody wants is not waited for.
    if (closing || status === 413 || isLast(message)) headers['connection'] = 'close';
    response.writeHead(status, headers).end(body, ascii ? 'latin1' : 'utf8');
  };
  const unfinished = createPendingRequests();
  const accept = (message: IncomingMessage, response: ServerResponse) => {
    // The parser takes a line without a version for HTTP/0.9.
    if (message.httpVersionMajor !== 1)
      return endConnectionWith(message.socket, 400, 'The request is not valid HTTP/1.1.');
    unfinished.add(message);
    response.once('close', () => {
      unfinished.remove(message);
      if (lingered) server.closeIdleConnections();
    });
    serve(message, response).catch(error => {
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
      requireHostHeader: false, // the application says what is wrong
      noDelay: true,
    },
    accept,
  );
  server.maxConnections = limits.connections;
  server.setTimeout(limits.inactivityMs, socket => socket.destroy());
  server.on('clientError', (error, socket) => {
    // What was understood before is answered first: its sender could not tell whose answer an error is.
    unfinished.whenIdle(socket as Socket, () => rejectClientError(error, socket as Socket));
  });
  // Like any other request: its body is asked for by whoever reads it.
  server.on('checkContinue', accept);
  server.on('checkExpectation', accept);
  // Nothing of ours is a tunnel. An upgrade that nobody listens for is a request like any other.
  server.on('connect', (_request, socket) =>
    endConnectionWith(socket as Socket, 405, 'CONNECT is not possible: this is no proxy.'),
  );
  await new Promise<void>((resolve, reject) => {
    server.once('error', error => reject(cannotListen(error, port, host)));
    server.listen({ port, host, exclusive: true }, resolve);
  });
  server.on('error', error => log.error(`The HTTP server failed: ${error.message}`));
  const address = server.address();
  const bound = address !== null && typeof address === 'object' ? address.port : port;
  const name = EVERYWHERE.includes(host) ? LOOPBACK : host;
  return {
    url: `http://${isIPv6(name) ? `[${name}]` : name}:${bound}`,
    port: bound,
    close(graceMs) {
      closing = true;
      return new Promise(resolve => {
        const grace = setTimeout(() => server.closeAllConnections(), graceMs);
        const linger = setTimeout(
          () => {
            lingered = true;
            server.close(); // of HTTP: its timers, and what is idle
          },
          Math.min(limits.lingerMs, graceMs),
        );
        // The one of HTTP would cut idle connections at once. What comes now is answered and told that it was the last.
        NetServer.prototype.close.call(server, () => {
          clearTimeout(grace);
          clearTimeout(linger);
          server.close();
          resolve();
        });
      });
    },
  };
}

/**
 * Resolves at the end of this turn of the event loop, for all who ask within it: answers that go out one right after the
 * other wake those who wait for them once, and waking costs the system more than sending.
 */
function endOfTurn(): () => Promise<void> {
  let next: Promise<void> | null = null;
  return () => {
    next ??= new Promise(resolve => {
      setImmediate(() => {
        next = null;
        resolve();
      });
    });
    return next;
  };
}

function incomingOf(message: IncomingMessage, response: ServerResponse, readBody: BodyReader): IncomingRequest {
  let controller: AbortController | null = null;
  return {
    method: message.method ?? '',
    target: message.url ?? '',
    headers: message.headers,
    rawHeaders: message.rawHeaders,
    // Asking the system for it takes as long as much of an answer.
    get remoteAddress() {
      return message.socket.remoteAddress ?? '';
    },
    // Most requests are refused or answered before anyone asks for it.
    get signal() {
      if (controller === null) {
        const own = new AbortController();
        controller = own;
        if (response.destroyed) own.abort();
        else response.once('close', () => response.writableFinished || own.abort());
      }
      return controller.signal;
    },
    readBody: maxBytes => readBody(message, maxBytes, () => expectsContinue(message) && response.writeContinue()),
  };
}

/**
 * Nothing of use can follow it: a body that waits to be asked for never comes, and a front that takes an upgrade for
 * granted would let everything through that follows.
 */
const isLast = (message: IncomingMessage): boolean =>
  message.headers.upgrade !== undefined || (expectsContinue(message) && !message.complete);

function cannotListen(error: NodeJS.ErrnoException, port: number, host: string): HexLensError {
  const options = { details: error.message, cause: error, fix: 'Choose another port, or 0 for a free one.' };
  if (error.code === 'EADDRINUSE') return new HexLensError('bad-input', `Port ${port} is already in use.`, options);
  if (error.code === 'EACCES') return new HexLensError('bad-input', `Port ${port} may not be used by you.`, options);
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND') {
    return new HexLensError('bad-input', `${host} is not an address of this machine.`, {
      ...options,
      fix: 'Leave --host out to listen on 127.0.0.1.',
    });
  }
  return new HexLensError('bad-input', `The service can not listen on port ${port}.`, options);
}
