// A JSON-RPC node over a real socket whose chain a test changes at will, and which can be made to hang.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Hex, toQuantity } from '../../../src/base/hex.ts';

export interface ScriptedNode {
  readonly url: string;
  /** The methods of all JSON-RPC calls, in order. */
  readonly calls: string[];
  /** Number of chain and head; another `genesis` is another chain. */
  chain: { genesis: number; head: number };
  /** Of every account, and what each call of a contract returns. */
  balance: bigint;
  /** Requests with this method get no response until `release`. */
  hold: string | null;
  release(): void;
  /** Number of requests without a response, without those that the client aborted. */
  held(): number;
  count(method: string): number;
  stop(): Promise<void>;
}

const hash = (genesis: number, block: number): Hex =>
  `0x${genesis.toString(16)}${block.toString(16).padStart(63, '0')}`;

export async function startScriptedNode(): Promise<ScriptedNode> {
  const waiting = new Set<() => void>();
  const server = createServer((request, response) => {
    if (request.method !== 'POST') return void response.writeHead(405).end(); // it opens no WebSocket
    let text = '';
    request.setEncoding('utf8').on('data', chunk => {
      text += chunk;
    });
    request.on('end', () => {
      const message = JSON.parse(text) as Call | Call[];
      const calls = Array.isArray(message) ? message : [message];
      for (const { method } of calls) node.calls.push(method);
      const send = () => {
        const responses = calls.map(({ id, method, params }) => ({ jsonrpc: '2.0', id, ...answer(method, params) }));
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify(Array.isArray(message) ? responses : responses[0]));
      };
      if (!calls.some(({ method }) => method === node.hold)) return send();
      waiting.add(send);
      response.once('close', () => waiting.delete(send));
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));

  const header = (number: number) => ({
    number: toQuantity(number),
    hash: hash(node.chain.genesis, number),
    parentHash: hash(node.chain.genesis, Math.max(0, number - 1)),
    timestamp: toQuantity(1_700_000_000 + 12 * number),
  });
  const answer = (method: string, params: readonly unknown[]): object => {
    const { head } = node.chain;
    switch (method) {
      case 'eth_chainId':
        return { result: '0x7a69' };
      case 'web3_clientVersion':
        return { result: 'anvil/scripted' };
      case 'eth_getBlockByNumber': {
        const number = params[0] === 'latest' ? head : Number(params[0]);
        return { result: number <= head ? header(number) : null };
      }
      case 'eth_getBalance':
        return { result: toQuantity(node.balance) };
      case 'eth_call':
        return { result: `0x${node.balance.toString(16).padStart(2, '0')}` };
      case 'eth_getTransactionCount':
        return { result: '0x1' };
      case 'eth_getCode':
        return { result: '0x' };
      default:
        return { error: { code: -32601, message: `the method ${method} does not exist` } };
    }
  };
  const node: ScriptedNode = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls: [],
    chain: { genesis: 1, head: 10 },
    balance: 5n,
    hold: null,
    release() {
      node.hold = null;
      for (const send of [...waiting]) send();
    },
    held: () => waiting.size,
    count: method => node.calls.filter(call => call === method).length,
    stop: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return node;
}

interface Call {
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}
