// JSON-RPC 2.0 over HTTP for the tests' own node: single calls and batches, every error thrown with the node's words.
import { HexLensError } from '../../../src/base/errors.ts';

export interface RpcCall {
  readonly method: string;
  readonly params?: readonly unknown[];
}

export interface JsonRpc {
  /** The result of one call. Rejects with `node-error` when the node refuses, `node-unreachable` when it is gone. */
  rpc<T = unknown>(method: string, params?: readonly unknown[]): Promise<T>;
  /**
   * The results in the order of the calls; the first error rejects. Calls are begun in order, but a later one may be
   * answered before an earlier one took effect: never batch what depends on `evm_mine` with it.
   */
  batch<T = unknown>(calls: readonly RpcCall[]): Promise<T[]>;
}

interface RpcAnswer {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** Calls per HTTP request: larger batches gain nothing and hold the node for too long. */
const BATCH_SIZE = 250;

export function createJsonRpc(url: string): JsonRpc {
  const post = async (body: unknown, what: string): Promise<unknown> => {
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      return await response.json();
    } catch (cause) {
      throw new HexLensError('node-unreachable', `The test node at ${url} did not answer ${what}.`, {
        fix: 'Look whether it was stopped, or ended by itself.',
        cause,
      });
    }
  };
  const batch = async <T>(calls: readonly RpcCall[]): Promise<T[]> => {
    const results: T[] = [];
    for (let start = 0; start < calls.length; start += BATCH_SIZE) {
      const part = calls.slice(start, start + BATCH_SIZE);
      const body = part.map(({ method, params }, id) => ({ jsonrpc: '2.0', id, method, params: params ?? [] }));
      const answers = await post(body, `a batch of ${part.length} calls`);
      const byId = new Map((Array.isArray(answers) ? (answers as RpcAnswer[]) : []).map(answer => [answer.id, answer]));
      part.forEach((call, id) => {
        results.push(resultOf<T>(byId.get(id), call.method));
      });
    }
    return results;
  };
  return {
    rpc: async <T>(method: string, params: readonly unknown[] = []) =>
      resultOf<T>((await post({ jsonrpc: '2.0', id: 1, method, params }, method)) as RpcAnswer, method),
    batch,
  };
}

function resultOf<T>(answer: RpcAnswer | undefined, method: string): T {
  if (answer?.error !== undefined) {
    throw new HexLensError('node-error', `The test node refused ${method}: ${answer.error.message}`, {
      details: JSON.stringify(answer.error),
      fix: 'The call itself is wrong, or the chain is not in the state it needs.',
    });
  }
  if (answer?.result === undefined) {
    throw new HexLensError('node-answer', `The test node gave no result for ${method}.`, {
      fix: 'Look whether another program listens on its port.',
    });
  }
  return answer.result as T; // the caller names the shape the method is specified to answer with
}
