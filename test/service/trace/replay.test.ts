// Replays of real transactions, step by step as the nodes trace them themselves.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Hex } from '../../../src/base/hex.ts';
import { fetchTrace } from '../../../src/service/trace/fetchTrace.ts';
import { type Anvil, startAnvil } from '../../support/chain/anvil.ts';
import { fillChain } from '../../support/chain/fillChain.ts';
import { fetchAllHashes, fetchStructLogs, formatSteps, openNode } from '../../support/traceFixture.ts';

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
    for (const hash of hashes) {
      const { result } = await fetchTrace(node, hash, undefined);
      if (!('trace' in result)) throw new Error(`${hash}: ${JSON.stringify(result)}`);
      expect(result.trace.by).toBe('replay');
      const expected = await fetchStructLogs(anvil, hash);
      expect(formatSteps(result.trace)).toEqual(expected.map(({ pc, gas, depth }) => `${pc} ${gas} ${depth}`));
      steps += expected.length;
    }
    expect(steps).toBeGreaterThan(10_000);
    await stop();
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
});
