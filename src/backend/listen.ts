// A socket for the HTTP application: loopback only, bounded in headers and time, closed without cutting answers off.
import { createServer, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { HexLensError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import { FAULT_HEADER } from '../contract/headers.ts';
import type { App } from '../service/http/app.ts';

export interface ListenLimits {
  /** Milliseconds until the headers of a request must have come. */
  readonly headersMs: number;
  /** Milliseconds until the whole request, body included, must have come. */
  readonly requestMs: number;
  /** Milliseconds that an idle connection is kept. */
  readonly keepAliveMs: number;
  /** Milliseconds without a byte in either direction until a connection is cut, also while an answer is made. */
  readonly silenceMs: number;
  /** How often the above are looked at. */
  readonly checkMs: number;
  readonly connections: number;
  /** Request line and headers together; four lists of 100 addresses in one URL take 27 kB. */
  readonly headerBytes: number;
}

export const listenLimits: ListenLimits = {
  headersMs: 10_000,
  requestMs: 30_000,
  keepAliveMs: 5_000,
  silenceMs: 300_000,
  checkMs: 1_000,
  connections: 512,
  headerBytes: 64 * 1024,
};

export interface Listening {
  /** `http://127.0.0.1:<port>`, without a slash at the end. */
  readonly url: string;
  readonly port: number;
  /** No new requests from now on; resolves when the last answer is out. After `graceMs` what is left is cut off. */
  close(graceMs: number): Promise<void>;
}

const HOST = '127.0.0.1';

/** Rejects with `bad-input` when the port is taken or may not be used. */
export async function listen(
  app: App,
  port: number,
  log: Log,
  overrides: Partial<ListenLimits> = {},
  ownsProcess = false,
): Promise<Listening> {
  const limits = { ...listenLimits, ...overrides };
  let closing = false;
  const answer = getRequestListener(app.fetch, {
    hostname: HOST,
    // Lighter Request and Response for the whole process: a third faster, but whoever shares it keeps its own.
    overrideGlobalObjects: ownsProcess,
    errorHandler: () => malformed(),
  });
  const server = createServer(
    {
      maxHeaderSize: limits.headerBytes,
      headersTimeout: limits.headersMs,
      requestTimeout: limits.requestMs,
      keepAliveTimeout: limits.keepAliveMs,
      connectionsCheckingInterval: limits.checkMs,
    },
    (incoming, outgoing) => {
      outgoing.once('close', () => {
        if (closing) server.closeIdleConnections();
      });
      answer(incoming, outgoing).catch(error => {
        log.error(`A response could not be written: ${error instanceof Error ? error.message : String(error)}`);
        outgoing.destroy();
      });
    },
  );
  server.maxConnections = limits.connections;
  server.setTimeout(limits.silenceMs, socket => socket.destroy());
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => refuse(error, socket as Socket));
  await new Promise<void>((resolve, reject) => {
    server.once('error', error => reject(cannotListen(error, port)));
    server.listen({ port, host: HOST, exclusive: true }, resolve);
  });
  server.on('error', error => log.error(`The HTTP server failed: ${error.message}`));
  const address = server.address();
  const bound = address !== null && typeof address === 'object' ? address.port : port;
  return {
    url: `http://${HOST}:${bound}`,
    port: bound,
    close(graceMs) {
      closing = true;
      return new Promise(resolve => {
        const timer = setTimeout(() => server.closeAllConnections(), graceMs);
        server.close(() => {
          clearTimeout(timer);
          resolve();
        });
        server.closeIdleConnections();
      });
    },
  };
}

function cannotListen(error: NodeJS.ErrnoException, port: number): HexLensError {
  const options = { details: error.message, cause: error, fix: 'Choose another port, or 0 for a free one.' };
  if (error.code === 'EADDRINUSE') return new HexLensError('bad-input', `Port ${port} is already in use.`, options);
  if (error.code === 'EACCES') return new HexLensError('bad-input', `Port ${port} may not be used by you.`, options);
  return new HexLensError('bad-input', `The service can not listen on port ${port}.`, options);
}

const MALFORMED = 'The request is not valid HTTP/1.1.';

function malformed(): Response {
  return new Response(JSON.stringify({ message: MALFORMED }), {
    status: 400,
    headers: { 'content-type': 'application/json; charset=utf-8', [FAULT_HEADER]: 'bad-input' },
  });
}

/** Answers what never became a request: too slow, too large, or no HTTP at all. */
function refuse(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, message] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? [431, 'The URL and headers of the request are too long together.']
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? [408, 'The request did not arrive in time.']
        : [400, MALFORMED];
  const body = JSON.stringify({ message });
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'Connection: close',
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      '',
      body,
    ].join('\r\n'),
  );
}
