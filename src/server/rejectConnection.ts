// Rejects what never became a request of the application: an error response written to the socket, then its end.

import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { getOrInsert } from '../base/getOrInsert.ts';
import { jsonHeaders } from './httpHeaders.ts';

/** Responds to an error of Node's HTTP parser: too slow, too large, or not HTTP. */
export function rejectClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
  else if (error.code === 'HPE_HEADER_OVERFLOW')
    endConnectionWith(socket, 431, 'The URL and headers of the request are too long together.');
  else if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT')
    endConnectionWith(socket, 408, 'The request did not arrive in time.');
  else endConnectionWith(socket, 400, 'The request is not valid HTTP/1.1.');
}

/** Writes a complete response and ends the connection. */
export function endConnectionWith(socket: Socket, status: number, message: string): void {
  const body = JSON.stringify({ message });
  const headers = { connection: 'close', ...jsonHeaders, 'content-length': Buffer.byteLength(body) };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n'));
}

/** The requests of each connection that have no response yet. */
export interface PendingRequests {
  add(message: IncomingMessage): void;
  /** Its response is sent, or its client has disconnected. */
  remove(message: IncomingMessage): void;
  /**
   * Runs `reject` once per connection, after the responses to all requests that arrived completely; at once when one
   * arrived only in part.
   */
  whenIdle(socket: Socket, reject: () => void): void;
}

interface Connection {
  readonly requests: Set<IncomingMessage>;
  reject: (() => void) | null;
}

export function createPendingRequests(): PendingRequests {
  const connections = new WeakMap<Socket, Connection>();
  const getConnection = (socket: Socket): Connection => {
    return getOrInsert(connections, socket, () => ({ requests: new Set(), reject: null }));
  };
  return {
    add(message) {
      getConnection(message.socket).requests.add(message);
    },
    remove(message) {
      const { requests, reject } = getConnection(message.socket);
      requests.delete(message);
      if (requests.size === 0) reject?.();
    },
    whenIdle(socket, reject) {
      const connection = getConnection(socket);
      if (connection.reject !== null) return;
      connection.reject = reject;
      const { requests } = connection;
      if (requests.size === 0 || [...requests].some(({ complete }) => !complete)) reject();
    },
  };
}
