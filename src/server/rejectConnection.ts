// Answers to what never became a request of the application: written on the socket itself, which then ends.
import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';

/** Answers what the parser gave up on: too slow, too large, or no HTTP at all. */
export function rejectClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
  else if (error.code === 'HPE_HEADER_OVERFLOW')
    endConnectionWith(socket, 431, 'The URL and headers of the request are too long together.');
  else if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT')
    endConnectionWith(socket, 408, 'The request did not arrive in time.');
  else endConnectionWith(socket, 400, 'The request is not valid HTTP/1.1.');
}

/** A whole answer, and the end of the connection. */
export function endConnectionWith(socket: Socket, status: number, message: string): void {
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

/** The requests of each connection that are not answered yet. */
export interface PendingRequests {
  add(message: IncomingMessage): void;
  /** Its answer is out, or nobody waits for it. */
  remove(message: IncomingMessage): void;
  /** Does `last` once per connection: when all that came whole is answered, at once when something came in part. */
  whenIdle(socket: Socket, last: () => void): void;
}

interface Connection {
  readonly requests: Set<IncomingMessage>;
  last: (() => void) | null;
}

export function createPendingRequests(): PendingRequests {
  const connections = new WeakMap<Socket, Connection>();
  const of = (socket: Socket): Connection => {
    let connection = connections.get(socket);
    if (connection === undefined) {
      connection = { requests: new Set(), last: null };
      connections.set(socket, connection);
    }
    return connection;
  };
  return {
    add(message) {
      of(message.socket).requests.add(message);
    },
    remove(message) {
      const { requests, last } = of(message.socket);
      requests.delete(message);
      if (requests.size === 0) last?.();
    },
    whenIdle(socket, last) {
      const connection = of(socket);
      if (connection.last !== null) return;
      connection.last = last;
      const { requests } = connection;
      if (requests.size === 0 || [...requests].some(({ complete }) => !complete)) last();
    },
  };
}
