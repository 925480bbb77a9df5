// A JSON-RPC node on a real loopback socket that responds as scripted: late, never, broken, wrong or correctly.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { request } from 'undici';

export interface ScriptedCall {
  readonly method: string;
  readonly params: readonly unknown[];
}

export type ScriptedReply =
  | { readonly result: unknown }
  | { readonly error: { code: number; message: string; data?: unknown } };

/** One HTTP request as the script sees it. */
export interface ScriptedExchange {
  /** 1 for the first request that the node got. */
  readonly number: number;
  readonly batch: boolean;
  readonly calls: readonly (ScriptedCall & { readonly id: unknown })[];
  /** What an honest node would send back. */
  honest(): Promise<unknown>;
  send(value: unknown, status?: number, headers?: Readonly<Record<string, string>>): void;
  sendText(text: string, status?: number, headers?: Readonly<Record<string, string>>): void;
  /** Sends the first half of the text and breaks the connection. */
  sendHalf(text: string): void;
  /** Never answers; the connection is closed when the node stops. */
  hang(): void;
  /** Closes the connection without a response. */
  close(): void;
}

export interface ScriptedRpcNode {
  readonly url: string;
  readonly host: string;
  /** Every call that came, in order. */
  readonly calls: readonly ScriptedCall[];
  /** Number of HTTP requests that came. */
  readonly requests: () => number;
  /** Requests whose connection the other side gave up. */
  readonly abortedRequests: () => number;
  countCalls(method: string): number;
  stop(): Promise<void>;
}

export interface NodeScript {
  /** The answer to one call; what is not handled is "Method not found". */
  answer(call: ScriptedCall): ScriptedReply | undefined | Promise<ScriptedReply | undefined>;
  /** Takes over a whole HTTP request; `false` leaves it to `answer`. */
  exchange?(exchange: ScriptedExchange): boolean | undefined | Promise<boolean | undefined>;
}

export const notFound: ScriptedReply = { error: { code: -32601, message: 'Method not found' } };

export async function startScriptedRpcNode(script: NodeScript): Promise<ScriptedRpcNode> {
  const calls: ScriptedCall[] = [];
  let requests = 0;
  let abandoned = 0;
  const reply = async (call: ScriptedCall & { readonly id: unknown }) => {
    const answer = (await script.answer(call)) ?? notFound;
    return { jsonrpc: '2.0', id: call.id, ...answer };
  };
  const serve = async (incoming: IncomingMessage, response: ServerResponse) => {
    let text = '';
    for await (const chunk of incoming) text += chunk;
    const body = JSON.parse(text) as (ScriptedCall & { id: unknown }) | (ScriptedCall & { id: unknown })[];
    const batch = Array.isArray(body);
    const list = batch ? body : [body];
    requests++;
    calls.push(...list);
    response.on('close', () => {
      if (!response.writableFinished) abandoned++;
    });
    const sendText: ScriptedExchange['sendText'] = (text, status = 200, headers = {}) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text);
    };
    const honest = async () => {
      const answers = await Promise.all(list.map(reply));
      return batch ? answers : answers[0];
    };
    const exchange: ScriptedExchange = {
      number: requests,
      batch,
      calls: list,
      honest,
      sendText,
      send: (value, status, headers) => sendText(JSON.stringify(value), status, headers),
      sendHalf(whole) {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': String(whole.length) });
        response.write(whole.slice(0, Math.ceil(whole.length / 2)), () => response.destroy());
      },
      hang() {},
      close: () => void response.destroy(),
    };
    if ((await script.exchange?.(exchange)) === true) return;
    exchange.send(await honest());
  };
  const server = createServer((incoming, response) => {
    if (incoming.method !== 'POST') return void response.writeHead(405).end(); // it opens no WebSocket
    serve(incoming, response).catch(error => {
      response.writeHead(500, { 'content-type': 'text/plain' }).end(`The script failed: ${error}`);
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const host = `127.0.0.1:${port}`;
  return {
    url: `http://${host}`,
    host,
    calls,
    requests: () => requests,
    abortedRequests: () => abandoned,
    countCalls: method => calls.filter(call => call.method === method).length,
    stop: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Hands each call to the real node at `url`: those of one moment in one request, each with a result or error of its own. */
export function forwardTo(url: string): (call: ScriptedCall) => Promise<ScriptedReply> {
  let waiting: (ScriptedCall & PromiseWithResolvers<ScriptedReply>)[] = [];
  const send = async () => {
    const sent = waiting;
    waiting = [];
    const calls = sent.map(({ method, params }, id) => ({ jsonrpc: '2.0', id, method, params }));
    try {
      const response = await request(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(calls.length === 1 ? calls[0] : calls),
      });
      const body = (await response.body.json()) as ForwardedReply | readonly ForwardedReply[];
      for (const { id, result, error } of [body].flat())
        sent[id]?.resolve(error === undefined ? { result } : { error });
      for (const { method, reject } of sent) reject(new Error(`The node gave no result for ${method}.`)); // if it did not
    } catch (error) {
      for (const { reject } of sent) reject(error);
    }
  };
  return call => {
    const forwarded = { ...call, ...Promise.withResolvers<ScriptedReply>() };
    if (waiting.length === 0) setImmediate(send);
    waiting.push(forwarded);
    return forwarded.promise;
  };
}

interface ForwardedReply {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}
