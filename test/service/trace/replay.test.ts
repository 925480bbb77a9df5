// Replays of real transactions, step by step as Anvil traces them itself; those of Hardhat and Ganache: devNodes.test.ts.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Hex } from '../../../src/base/hex.ts';
import { fetchTrace } from '../../../src/service/trace/fetchTrace.ts';
import { addStructLogs } from '../../../src/service/trace/structLogSteps.ts';
import { traceCalls } from '../../../src/service/trace/traceCalls.ts';
import { type Anvil, startAnvil } from '../../support/chain/anvil.ts';
import { fillChain } from '../../support/chain/fillChain.ts';
import {
  expectSameSteps,
  fetchAllHashes,
  fetchHashes,
  fetchStructLogs,
  formatSteps,
  openNode,
} from '../../support/traceFixture.ts';

describe('a filled Anvil that keeps steps', () => {
  let anvil: Anvil;
  let hashes: readonly Hex[];
  beforeAll(async () => {
    anvil = await startAnvil({ args: ['--steps-tracing'] });
    await fillChain(anvil, { blocks: 24 });
    hashes = await fetchAllHashes(anvil);
  });
  afterAll(() => anvil.stop());

  test('gives the same steps as a replay of each transaction', async () => {
    const { node, stop } = openNode(anvil.url);
    let steps = 0;
    for (const hash of await fetchHashes(anvil)) {
      steps += await expectSameSteps(node, anvil, hash);
    }
    expect(steps).toBeGreaterThan(10_000);
    await stop();
  });

  test('gives its own steps, joined with its calls, where a replay is not what the chain has', async () => {
    const node = openNode(anvil.url);
    const signal = new AbortController().signal;
    let joined = 0;
    for (const hash of hashes.filter((_, index) => index % 3 === 0)) {
      const { result } = await fetchTrace(node.node, hash, undefined);
      if (!('trace' in result)) throw new Error(hash);
      const called = await traceCalls(node.node, result, signal);
      if (called === null) throw new Error(`${hash} has no calls`);
      const stepped = await addStructLogs(node.node, called, result, signal);
      if (result.trace.steps.length === 0) expect(stepped).toBeNull();
      else {
        expect(stepped?.by, hash).toBe('structLogs');
        expect(stepped && formatSteps(stepped), hash).toEqual(formatSteps(result.trace));
        expect([...(stepped?.steps.op.subarray(0, stepped.steps.length) ?? [])], hash).toEqual([
          ...result.trace.steps.op.subarray(0, result.trace.steps.length),
        ]);
        joined++;
      }
    }
    expect(joined).toBeGreaterThan(20);
    await node.stop();
  });

  test('has the same results where only the plain methods are there', async () => {
    const { node, stop } = openNode(anvil.url, ['debug_traceTransaction']);
    // Each runs the earlier ones of its block: all of them take long.
    for (const hash of hashes.slice(0, 60)) {
      const { result } = await fetchTrace(node, hash, undefined);
      expect('trace' in result ? result.trace.by : result).toBe('replay');
    }
    await stop();
  });

  test('is read with few requests where it is far away, and not for what is late in a long block', async () => {
    const { node, stop } = openNode(anvil.url, ['debug_traceTransaction']);
    Object.defineProperty(node.rpc, 'isLoopback', { value: false });
    const sources = new Set<string>();
    for (const hash of hashes.slice(-40)) {
      const { result } = await fetchTrace(node, hash, undefined);
      const by = 'trace' in result ? result.trace.by : result.problem;
      sources.add(by);
      const receipt = await anvil.rpc<{ readonly transactionIndex: Hex }>('eth_getTransactionReceipt', [hash]);
      expect(by === 'replay', hash).toBe(Number(receipt.transactionIndex) <= 10);
    }
    // By its trace module.
    expect([...sources].sort()).toEqual(['callTracer', 'replay']);
    await stop();
  });
});

test('a fork of an Anvil is replayed, with contracts of the chain that it continues', async () => {
  const origin = await startAnvil();
  const chain = await fillChain(origin, { blocks: 20 });
  const fork = await startAnvil({ args: ['--fork-url', origin.url], timestamp: 1_800_000_000 });
  const calls = await origin.rpc<{ readonly input: Hex; readonly to: Hex; readonly from: Hex; readonly value: Hex }>(
    'eth_getTransactionByHash',
    [chain.transactions.internal],
  );
  const { from, to, input, value } = calls;
  const hash = await fork.rpc<Hex>('eth_sendTransaction', [{ from, to, data: input, value, gas: '0x1e8480' }]);
  await fork.mine();
  for (const lacking of [[], ['debug_traceTransaction']]) {
    const { node, stop } = openNode(fork.url, lacking);
    const { result } = await fetchTrace(node, hash, undefined);
    expect('trace' in result ? [result.trace.by, result.trace.frames.length] : result).toEqual(['replay', 6]);
    // A transaction from before the fork.
    const before = await fetchTrace(node, chain.transactions.internal, undefined);
    expect('trace' in before.result ? before.result.trace.by : before.result).toBe('replay');
    await stop();
  }
  await fork.stop();
  await origin.stop();
});

test('an Anvil that keeps no old states has the steps and calls that it traced itself', async () => {
  const anvil = await startAnvil({ args: ['--prune-history', '--steps-tracing'] });
  const chain = await fillChain(anvil, { blocks: 20 });
  const { node, stop } = openNode(anvil.url);
  const { result } = await fetchTrace(node, chain.transactions.internal, undefined);
  if (!('trace' in result)) throw new Error(JSON.stringify(result));
  expect(result.trace.by).toBe('structLogs');
  const expected = await fetchStructLogs(anvil, chain.transactions.internal);
  expect(formatSteps(result.trace)).toEqual(expected.map(({ pc, gas, depth }) => `${pc} ${gas} ${depth}`));
  expect(result.trace.frames.map(({ depth, status }) => [depth, status])).toEqual([
    [0, 'success'],
    [1, 'reverted'],
    [1, 'success'],
    [2, 'success'],
    [3, 'success'],
    [4, 'success'],
  ]);
  await stop();
  await anvil.stop();
});
