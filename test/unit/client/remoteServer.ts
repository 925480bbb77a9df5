// A real HTTP server on a free loopback port with scripted behavior, which records requests.
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export interface Seen {
  readonly method: string;
  /** Path and query as they came. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** The same number for requests over the same connection. */
  readonly connection: number;
}

export interface Remote {
  readonly origin: string;
  readonly port: number;
  readonly seen: Seen[];
  /** Resolves when so many requests have come. */
  received(count: number): Promise<void>;
  /** Resolves when no connection is open any more. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

export type Behavior = (request: Seen, response: ServerResponse, socket: Socket) => void;

/** Answers with JSON. */
export function json(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}) {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

export async function startRemote(behave: Behavior): Promise<Remote> {
  const seen: Seen[] = [];
  const sockets = new Map<Socket, number>();
  let connections = 0;
  const waiting = new Set<() => void>();
  const notify = () => {
    for (const check of [...waiting]) check();
  };
  const until = (condition: () => boolean) =>
    new Promise<void>(resolve => {
      const check = () => {
        if (!condition()) return;
        waiting.delete(check);
        resolve();
      };
      waiting.add(check);
      check();
    });
  const server: Server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk);
    } catch {
      return; // the client left in the middle
    }
    const entry: Seen = {
      method: request.method ?? '',
      target: request.url ?? '',
      headers: request.headers,
      body: Buffer.concat(chunks).toString('utf8'),
      connection: sockets.get(request.socket) ?? -1,
    };
    seen.push(entry);
    behave(entry, response, request.socket);
    notify();
  });
  server.on('connection', socket => {
    sockets.set(socket, ++connections);
    socket.on('error', () => {});
    socket.on('close', () => {
      sockets.delete(socket);
      notify();
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    port,
    seen,
    received: count => until(() => seen.length >= count),
    idle: () => until(() => sockets.size === 0),
    async close() {
      const closed = new Promise<void>(resolve => server.close(() => resolve()));
      for (const socket of sockets.keys()) socket.destroy();
      await closed;
    },
  };
}
