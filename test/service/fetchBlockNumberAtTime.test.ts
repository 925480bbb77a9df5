// The first block at or after a time, compared with a search through all blocks, on chains with any block times, in few calls.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { silentLog } from '../../src/base/log.ts';
import { EvmNode } from '../../src/service/evm/evmNode.ts';
import { fetchBlockNumberAtTime } from '../../src/service/evm/fetchBlockNumberAtTime.ts';
import { JsonRpcClient } from '../../src/service/evm/rpcClient.ts';
import { createRpcFixture } from '../support/rpcFixture.ts';
import { createSyntheticChain } from '../support/syntheticChain.ts';
import { createTestClock } from '../support/testClock.ts';

const { http, scriptedNode } = createRpcFixture();

async function over(times: readonly number[], client?: string) {
  const chain = createSyntheticChain({
    head: times.length - 1,
    timeOf: block => times[block] ?? 0,
    ...(client !== undefined && { client }),
  });
  const server = await scriptedNode(chain);
  const clock = createTestClock();
  const rpc = new JsonRpcClient({ selector: 'eth', url: server.url, http, clock, log: silentLog, timeoutMs: 5_000 });
  const node = new EvmNode({ selector: 'eth', rpc, clock, log: silentLog });
  const state = await node.getState();
  return { server, find: (seconds: number) => fetchBlockNumberAtTime(node, state, seconds, undefined) };
}

const walk = (times: readonly number[], seconds: number) => {
  const found = times.findIndex(time => time >= seconds);
  return found < 0 ? times.length : found;
};

describe('fetchBlockNumberAtTime', () => {
  it('finds the same block as a search through all blocks', async () => {
    const gaps = fc.array(fc.oneof(fc.constant(0), fc.nat(3), fc.nat(10_000)), { minLength: 1, maxLength: 400 });
    await fc.assert(
      fc.asyncProperty(
        gaps,
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 5 }),
        async (gaps, parts) => {
          let time = 1_600_000_000;
          const times = gaps.map(gap => (time += gap));
          const { find } = await over(times);
          const [first = 0, last = 0] = [times[0], times.at(-1)];
          const moments = [
            0,
            first,
            first + 1,
            last,
            last + 1,
            ...parts.map(part => Math.round(first + (last - first) * part)),
          ];
          for (const moment of moments) expect(await find(moment)).toBe(walk(times, moment));
        },
      ),
      { seed: 1, numRuns: 60 },
    );
  });

  it('caches the times of final blocks, not those of a development chain', async () => {
    const times = Array.from({ length: 2_000 }, (_, block) => 1_600_000_000 + block * 12);
    const moment = times[777] ?? 0;
    const eth = await over(times);
    await eth.find(moment);
    const before = eth.server.requests();
    expect(await eth.find(moment)).toBe(777);
    expect(eth.server.requests() - before).toBeLessThanOrEqual(1);
    const anvil = await over(times, 'anvil/v1.7.1');
    await anvil.find(moment);
    const calls = anvil.server.requests();
    expect(await anvil.find(moment)).toBe(777);
    expect(anvil.server.requests() - calls).toBeGreaterThan(1);
  });
});
