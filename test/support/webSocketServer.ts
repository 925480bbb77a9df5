// Servers on loopback that speak WebSocket as a test says: they never answer that a client closes the socket.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';

export interface WebSocketServer {
  /** `ws:` or `wss:`. */
  readonly url: string;
  readonly port: number;
  /** Connections that are open at the moment. */
  readonly connections: ReadonlySet<Socket>;
  /** Headers of each request for a WebSocket, in order. */
  readonly upgrades: readonly IncomingHttpHeaders[];
  stop(): Promise<void>;
}

export interface TlsFiles {
  readonly key: Buffer;
  readonly cert: Buffer;
}

/** `onUpgrade` decides what happens to a request for a WebSocket; `key` is its `Sec-WebSocket-Key`. */
export async function startUpgradeServer(
  onUpgrade: (socket: Socket, key: string) => void,
  tls?: TlsFiles,
): Promise<WebSocketServer> {
  const server =
    tls === undefined
      ? createServer((_, response) => response.writeHead(404).end())
      : createTlsServer(tls, (_, response) => response.writeHead(404).end());
  const connections = new Set<Socket>();
  const upgrades: IncomingHttpHeaders[] = [];
  server.on(tls === undefined ? 'connection' : 'secureConnection', (socket: Socket) => {
    connections.add(socket);
    socket.on('close', () => connections.delete(socket));
    socket.on('end', () => socket.end()); // servers leave their half open
    socket.on('error', () => {});
  });
  server.on('upgrade', ({ headers }, socket) => {
    upgrades.push(headers);
    onUpgrade(socket as Socket, headers['sec-websocket-key'] ?? '');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    ...{ url: `${tls === undefined ? 'ws' : 'wss'}://127.0.0.1:${port}`, port, connections, upgrades },
    async stop() {
      server.closeAllConnections();
      for (const socket of connections) socket.destroy();
      server.close();
    },
  };
}

/** A text message as a server sends it: not masked. */
function toFrame(text: string): Buffer {
  const body = Buffer.from(text);
  const length = Buffer.alloc(9);
  length[0] = 127;
  length.writeBigUInt64BE(BigInt(body.length), 1);
  const short = body.length < 126 ? [body.length] : [126, body.length >> 8, body.length & 255];
  return Buffer.concat([Buffer.from([0x81, ...(body.length < 65_536 ? short : length)]), body]);
}

/** The text messages that a client sends, each up to 65,535 bytes. */
function readFrames(socket: Socket, onMessage: (text: string) => void): void {
  let received = Buffer.alloc(0);
  socket.on('data', chunk => {
    received = Buffer.concat([received, chunk]);
    for (;;) {
      const isLong = ((received[1] ?? 0) & 127) === 126;
      const start = isLong ? 8 : 6;
      if (received.length < start) return;
      const length = isLong ? received.readUInt16BE(2) : (received[1] ?? 0) & 127;
      if (received.length < start + length) return;
      const mask = received.subarray(start - 4, start);
      const body = received.subarray(start, start + length).map((byte, at) => byte ^ (mask[at % 4] ?? 0));
      if (((received[0] ?? 0) & 15) === 1) onMessage(Buffer.from(body).toString());
      received = received.subarray(start + length);
    }
  });
}

/** @param headers Further lines, each with its end. */
export function acceptUpgrade(socket: Socket, key: string, headers = ''): void {
  const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\n${headers}sec-websocket-accept: ${accept}\r\n\r\n`,
  );
}

/** Responds what `respond` returns to each message: the first of its connection, or a later one. */
export function startWebSocketNode(
  respond: (text: string, isFirst: boolean) => string | readonly string[] | null,
  tls?: TlsFiles,
): Promise<WebSocketServer> {
  return startUpgradeServer((socket, key) => {
    let messages = 0;
    acceptUpgrade(socket, key);
    readFrames(socket, text => {
      const response = respond(text, messages++ === 0);
      for (const message of response === null ? [] : [response].flat()) socket.write(toFrame(message));
    });
  }, tls);
}
