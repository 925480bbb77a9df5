// The JSON-RPC client over a scripted node, for tests of the client alone.
import { afterAll, afterEach, expect } from 'vitest';
import { defaultProxyConfiguration } from '../../src/api/configuration.ts';
import { HexLensError } from '../../src/base/errors.ts';
import { createUndiciHttp } from '../../src/client/undiciHttp.ts';
import { JsonRpcClient } from '../../src/service/evm/rpcClient.ts';
import { type NodeScript, type ScriptedRpcNode, startScriptedRpcNode } from './scriptedRpcNode.ts';
import { createTestClock, createTestLog } from './testClock.ts';

const echo: NodeScript['answer'] = ({ method, params }) => ({ result: [method, ...params] });

/** To be called once per test file, outside of tests. */
export function createRpcFixture() {
  const http = createUndiciHttp(defaultProxyConfiguration);
  const nodes: ScriptedRpcNode[] = [];
  afterEach(async () => {
    await Promise.all(nodes.splice(0).map(node => node.stop()));
  });
  afterAll(() => http.stop());

  const scriptedNode = async (script: NodeScript): Promise<ScriptedRpcNode> => {
    const node = await startScriptedRpcNode(script);
    nodes.push(node);
    return node;
  };
  return {
    http,
    scriptedNode,
    /** A client of a node that answers with the method and parameters it was called with, unless `exchange` takes over. */
    async createClient(
      exchange: NonNullable<NodeScript['exchange']>,
      answer: NodeScript['answer'] = echo,
      timeoutMs = 60_000,
    ) {
      const node = await scriptedNode({ answer, exchange });
      const clock = createTestClock();
      const log = createTestLog();
      const options = { selector: 'local', url: node.url, http, clock, log, timeoutMs, random: () => 1 };
      return { node, clock, log, rpc: new JsonRpcClient(options) };
    },
  };
}

/** What the work rejects with, which must be a fault. */
export async function getFault(work: Promise<unknown>): Promise<HexLensError> {
  const error = await work.then(
    value => {
      throw new Error(`It resolved with ${JSON.stringify(value)}.`);
    },
    reason => reason,
  );
  expect(error).toBeInstanceOf(HexLensError);
  return error as HexLensError;
}

export const call = (index: number) => ({ method: 'test_echo', params: [index] });
export const calls = (count: number) => Array.from({ length: count }, (_, index) => call(index));
export const echoes = (count: number) => calls(count).map(({ method, params }) => ({ result: [method, ...params] }));
