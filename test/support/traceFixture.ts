// Nodes of the service and reference traces, for the tests of traces.
import { expect } from 'vitest';
import { defaultProxyConfiguration } from '../../src/api/configuration.ts';
import { systemClock } from '../../src/base/clock.ts';
import type { Hex } from '../../src/base/hex.ts';
import type { HttpPort } from '../../src/base/httpPort.ts';
import { silentLog } from '../../src/base/log.ts';
import { createUndiciHttp } from '../../src/client/undiciHttp.ts';
import type { Trace } from '../../src/decode/trace/trace.ts';
import { EvmNode } from '../../src/service/evm/evmNode.ts';
import { JsonRpcClient } from '../../src/service/evm/rpcClient.ts';
import { fetchTrace } from '../../src/service/trace/fetchTrace.ts';
import type { JsonRpc } from './chain/jsonRpc.ts';

export interface OpenNode {
  readonly node: EvmNode;
  stop(): Promise<void>;
}

/** The node at the URL, without the methods in `lacking`. */
export function openNode(url: string, lacking: readonly string[] = []): OpenNode {
  const http = createUndiciHttp(defaultProxyConfiguration);
  const filtered: HttpPort = {
    send: request => http.send(lacking.length === 0 ? request : { ...request, body: rename(request.body, lacking) }),
  };
  const rpc = new JsonRpcClient({
    ...{ selector: 'local', url, http: filtered, clock: systemClock, log: silentLog, timeoutMs: 120_000 },
  });
  const node = new EvmNode({ selector: 'local', rpc, clock: systemClock, log: silentLog });
  return { node, stop: () => http.stop() };
}

/** The node answers that it does not have a method of another name. */
const rename = (body: string | undefined, lacking: readonly string[]): string =>
  lacking.reduce((text, method) => text.replaceAll(`"${method}"`, '"missing_method"'), body ?? '');

/** A step of `debug_traceTransaction`. */
export interface StructLog {
  readonly pc: number;
  readonly gas: number;
  readonly depth: number;
  readonly op: string;
}

export async function fetchStructLogs(rpc: JsonRpc, hash: Hex): Promise<readonly StructLog[]> {
  const options = { disableStack: true, disableStorage: true, disableMemory: true };
  const result = await rpc.rpc<{ readonly structLogs: readonly StructLog[] }>('debug_traceTransaction', [
    hash,
    options,
  ]);
  return result.structLogs;
}

/** Each step as `pc gas depth`. */
export const formatSteps = ({ steps, frames }: Trace): readonly string[] =>
  Array.from({ length: steps.length }, (_, step) => {
    const depth = (frames[steps.frame[step] ?? 0]?.depth ?? 0) + 1;
    return `${steps.pc[step]} ${steps.gas[step]} ${depth}`;
  });

/** Expects a replay with the steps of `debug_traceTransaction`, and returns how many these are. */
export async function expectSameSteps(node: EvmNode, rpc: JsonRpc, hash: Hex): Promise<number> {
  const { result } = await fetchTrace(node, hash, undefined);
  if (!('trace' in result)) throw new Error(`${hash}: ${JSON.stringify(result)}`);
  expect(result.trace.by).toBe('replay');
  const expected = await fetchStructLogs(rpc, hash);
  expect(formatSteps(result.trace)).toEqual(expected.map(({ pc, gas, depth }) => `${pc} ${gas} ${depth}`));
  return expected.length;
}

/** Of a long block, each of whose transactions runs those before it again. */
const isFirstOrLast = (_: Hex, index: number, { length }: readonly Hex[]) => index < 10 || index === length - 1;

/** Hashes of the transactions of a chain, in their order: of each block the first ten and the last. */
export const fetchHashes = async (rpc: JsonRpc): Promise<readonly Hex[]> =>
  (await fetchBlocks(rpc)).flatMap(({ transactions }) => transactions.filter(isFirstOrLast));

/** Hashes of all transactions of a chain, in their order. */
export const fetchAllHashes = async (rpc: JsonRpc): Promise<readonly Hex[]> =>
  (await fetchBlocks(rpc)).flatMap(({ transactions }) => transactions);

async function fetchBlocks(rpc: JsonRpc): Promise<readonly { readonly transactions: readonly Hex[] }[]> {
  const head = Number(await rpc.rpc<Hex>('eth_blockNumber'));
  return rpc.batch<{ readonly transactions: readonly Hex[] }>(
    Array.from({ length: head }, (_, index) => ({
      method: 'eth_getBlockByNumber',
      params: [`0x${(index + 1).toString(16)}`, false],
    })),
  );
}
