// JSON-RPC 2.0 over HTTP for the tests' nodes: single calls and batches; errors have the node's message. Not with `fetch`,
// which takes three times as much processor time.
import { request } from 'undici';
import { HexLensError } from '../../../src/base/errors.ts';

export interface RpcCall {
  readonly method: string;
  readonly params?: readonly unknown[];
}

export interface JsonRpc {
  /** The result of one call. Rejects with `node-error` when the node returns an error, `node-unreachable` when it does not respond. */
  rpc<T = unknown>(method: string, params?: readonly unknown[]): Promise<T>;
  /**
   * The results in the order of the calls; the first error rejects. Calls start in order, but a later one may complete
   * before an earlier one takes effect: do not batch `evm_mine` with calls that depend on it.
   */
  batch<T = unknown>(calls: readonly RpcCall[]): Promise<T[]>;
  /** The same, with `null` in place of an error. */
  tryBatch<T = unknown>(calls: readonly RpcCall[]): Promise<(T | null)[]>;
}

interface RpcAnswer {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** Calls per HTTP request: larger batches gain nothing and block the node for too long. */
const BATCH_SIZE = 250;

export function createJsonRpc(url: string): JsonRpc {
  const post = async (body: unknown, what: string): Promise<unknown> => {
    try {
      const response = await request(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      return await response.body.json();
    } catch (cause) {
      throw new HexLensError('node-unreachable', `The test node at ${url} did not respond to ${what}.`, {
        fix: 'Check whether it was stopped, or ended by itself.',
        cause,
      });
    }
  };
  const sendBatch = async <T>(
    calls: readonly RpcCall[],
    read: (response: RpcAnswer | undefined, method: string) => T,
  ): Promise<T[]> => {
    const results: T[] = [];
    for (let start = 0; start < calls.length; start += BATCH_SIZE) {
      const part = calls.slice(start, start + BATCH_SIZE);
      const body = part.map(({ method, params }, id) => ({ jsonrpc: '2.0', id, method, params: params ?? [] }));
      const responses = await post(body, `a batch of ${part.length} calls`);
      const byId = new Map(
        (Array.isArray(responses) ? (responses as RpcAnswer[]) : []).map(response => [response.id, response]),
      );
      part.forEach((call, id) => {
        results.push(read(byId.get(id), call.method));
      });
    }
    return results;
  };
  return {
    rpc: async <T>(method: string, params: readonly unknown[] = []) =>
      resultOf<T>((await post({ jsonrpc: '2.0', id: 1, method, params }, method)) as RpcAnswer, method),
    batch: <T>(calls: readonly RpcCall[]) => sendBatch(calls, resultOf<T>),
    tryBatch: <T>(calls: readonly RpcCall[]) =>
      sendBatch(calls, (response, method) => (response?.error === undefined ? resultOf<T>(response, method) : null)),
  };
}

function resultOf<T>(response: RpcAnswer | undefined, method: string): T {
  if (response?.error !== undefined) {
    throw new HexLensError('node-error', `The test node rejected ${method}: ${response.error.message}`, {
      details: JSON.stringify(response.error),
      fix: 'The call is invalid, or the chain is not in the state it needs.',
    });
  }
  if (response?.result === undefined) {
    throw new HexLensError('node-answer', `The test node gave no result for ${method}.`, {
      fix: 'Check whether another program listens on its port.',
    });
  }
  return response.result as T; // T is the result type of the method, by its specification
}
