// The deployment block of a contract, of one that destroyed itself, and of an address without code.
import { expect, it } from 'vitest';
import { defaultProxyConfiguration } from '../../src/api/configuration.ts';
import { systemClock as clock } from '../../src/base/clock.ts';
import { silentLog as log } from '../../src/base/log.ts';
import { createUndiciHttp } from '../../src/client/undiciHttp.ts';
import { createEvmNodes } from '../../src/service/evm/evmNodes.ts';
import { fetchDeployment } from '../../src/service/indexer/fetchDeployment.ts';
import { notFound, type ScriptedReply } from '../support/scriptedRpcNode.ts';
import { createServiceFixture, wallet } from '../support/serviceFixture.ts';

const HEAD = 1_000_000;
const stage = createServiceFixture();

/** Where the search ends on a node on which the contract has code in these blocks, and how many codes it asked for. */
async function found(
  has: (block: number) => boolean | null,
  others: (method: string) => ScriptedReply = () => notFound,
) {
  const server = await stage.node({
    answer({ method, params }) {
      if (method !== 'eth_getCode') return others(method);
      const code = has(Number(params[1]));
      return code === null
        ? { error: { code: -32000, message: 'missing trie node' } }
        : { result: code ? '0x60' : '0x' };
    },
  });
  const http = createUndiciHttp(defaultProxyConfiguration);
  try {
    const node = await createEvmNodes({ nodes: { local: server.url }, http, clock, log, timeoutMs: 20_000 }).find(
      'local',
    );
    const deployment = await fetchDeployment(node, wallet, HEAD, new AbortController().signal);
    return { ...deployment, asked: server.countCalls('eth_getCode') };
  } finally {
    await http.stop();
  }
}

it('finds the first block with code', async () => {
  for (const block of [0, 1, 17, 499_999, HEAD - 1, HEAD])
    expect(await found(number => number >= block)).toMatchObject({ block, isExact: true });
});

it('finds the deployment of a contract that destroyed itself', async () => {
  const { asked, ...deployment } = await found(number => number >= 123_456 && number < 654_321);
  expect(deployment).toEqual({ block: 123_456, isExact: true });
  expect(asked).toBeLessThan(100);
});

/** A node that searches the whole chain for logs. */
const withLogs =
  (...blocks: readonly number[]) =>
  (method: string): ScriptedReply =>
    method === 'eth_getLogs' ? { result: blocks.map(block => ({ blockNumber: `0x${block.toString(16)}` })) } : notFound;

it('returns the head for an address without code and logs, after few requests', async () => {
  expect(await found(() => false, withLogs())).toEqual({ block: HEAD, isExact: true, asked: 32 });
});

it('finds a contract that had code for a moment only by its first log', async () => {
  const short = (block: number) => block >= 123_456 && block < 123_460;
  expect(await found(short, withLogs(123_459, 123_457))).toMatchObject({ block: 123_457, isExact: true });
});

it('is not exact for a contract that had code for a moment only, on a node that does not search the whole chain', async () => {
  const limited = (method: string): ScriptedReply =>
    method === 'eth_getLogs' ? { error: { code: -32005, message: 'block range too large' } } : { result: '0x0' };
  expect(await found(() => false, limited)).toMatchObject({ block: 0, isExact: false });
  const ofAccount = (method: string): ScriptedReply => (method === 'eth_getLogs' ? limited(method) : { result: '0x7' });
  expect(await found(() => false, ofAccount)).toMatchObject({ block: HEAD, isExact: true });
});

it('is not exact on a node without old state', async () => {
  expect(await found(number => (number < 900_000 ? null : true))).toMatchObject({ block: 0, isExact: false });
  expect(await found(number => (number < HEAD ? null : false))).toMatchObject({ block: 0, isExact: false });
});
