// The HTTP application on a real socket over a scripted backend, with normal and raw requests.
import { once } from 'node:events';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { WireReply, WireRequest } from '../../src/api/wire/request.ts';
import type { Log } from '../../src/base/log.ts';
import { hashApiKey } from '../../src/server/apiKey.ts';
import { HttpApp, type HttpAppDeps } from '../../src/server/httpApp.ts';
import { type HttpLimits, type HttpListener, listen } from '../../src/server/httpListener.ts';

export const KEY = 'correct-horse';
export const ADDRESS = `0x${'ab'.repeat(20)}`;
export const HASH = `0x${'cd'.repeat(32)}`;
export const auth = { 'x-api-key': KEY };
/** For polling: long enough for a busy machine. */

export interface ReceivedResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly body: unknown;
}

export interface SendOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: string | Buffer;
}

export interface Rig {
  readonly server: HttpListener;
  /** Every log line, without its level. */
  readonly lines: string[];
  /** The requests that reached the backend. */
  readonly requests: WireRequest[];
  /** The backend's replies; tests replace it. */
  respond: (request: WireRequest, signal: AbortSignal) => Promise<WireReply>;
  reset(): void;
  send(path: string, options?: SendOptions): Promise<ReceivedResponse>;
  /** Sends these bytes and returns everything received until the server closes the connection. */
  raw(bytes: string): Promise<string>;
  rawGet(target: string): Promise<string>;
  connect(): Socket;
}

export const okReply = async (): Promise<WireReply> => ({ status: 200, headers: {}, body: { fine: true } });

export const keys = [{ name: 'default', sha256: hashApiKey(KEY) }];

export async function startRig(limits: Partial<HttpLimits> = {}, more: Partial<HttpAppDeps> = {}): Promise<Rig> {
  const lines: string[] = [];
  const requests: WireRequest[] = [];
  const line = (message: string) => void lines.push(message);
  const log: Log = { debug: line, info: line, warn: line, error: line };
  const call = (request: WireRequest, { signal }: { readonly signal: AbortSignal }) => {
    requests.push(request);
    return rig.respond(request, signal);
  };
  const server = await listen(new HttpApp({ call, keys, log, ...more }), { port: 0 }, log, limits);
  const rig: Rig = {
    server,
    lines,
    requests,
    respond: okReply,
    reset() {
      lines.length = 0;
      requests.length = 0;
      rig.respond = okReply;
    },
    send: (path, options = {}) => send(server.port, path, options),
    async raw(bytes) {
      const socket = rig.connect();
      socket.write(bytes);
      return readAll(socket);
    },
    rawGet: target =>
      rig.raw(`GET ${target} HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${KEY}\r\nConnection: close\r\n\r\n`),
    connect: () => connect(server.port, '127.0.0.1'),
  };
  return rig;
}

function send(
  port: number,
  path: string,
  { method = 'GET', headers = auth, body }: SendOptions,
): Promise<ReceivedResponse> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({ host: '127.0.0.1', port, path, method, headers }, response => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        const isJson = /json/.test(response.headers['content-type'] ?? '') && text !== '';
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text,
          body: isJson ? JSON.parse(text) : null,
        });
      });
    });
    request.on('error', reject);
    request.end(body);
  });
}

export async function readAll(socket: Socket): Promise<string> {
  let text = '';
  socket.setEncoding('utf8').on('data', chunk => {
    text += chunk;
  });
  socket.on('error', () => {});
  await once(socket, 'close');
  return text;
}
