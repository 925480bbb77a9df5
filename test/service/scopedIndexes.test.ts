// Collections and wallets of a public chain, indexed at the first request, compared with an independent reading of the chain.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Hex } from '../../src/base/hex.ts';
import { isBehind, startService } from '../support/filledChain.ts';
import { type PublicChain, type PublicNodeOptions, startPublicChain, startPublicNode } from '../support/publicNode.ts';
import { readUntil } from '../support/readUntil.ts';
import { sellApes } from '../support/seaportSales.ts';
import { type ChainWitness, describeScopedIndexes, readChainWitness } from './scopedIndexesSuite.ts';

const HEIGHT = 300;
let world: PublicChain;
let known: ChainWitness;
beforeAll(async () => {
  world = await startPublicChain(HEIGHT);
  await sellApes(world.anvil, world.chain);
  known = await readChainWitness(world.anvil, world.chain);
});
afterAll(() => world?.anvil.stop());

const stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

const PROVIDERS: Readonly<Record<string, PublicNodeOptions>> = {
  'with everything': {},
  'that caps ranges, has little old state and limits requests': {
    range: { blocks: 100, message: blocks => `exceed maximum block range: ${blocks}` },
    states: 128,
    limitEvery: 9,
  },
  'that caps ranges without a number and results too, and sends no times': {
    range: { blocks: 64, message: () => 'block range is too wide' },
    results: 20,
    untimed: true,
  },
};

for (const [what, provider] of Object.entries(PROVIDERS))
  describeScopedIndexes(`a node ${what}`, () => known, provider, {
    everything: provider === PROVIDERS['with everything'],
  });

describe('sales of the last days', () => {
  it('cover the requested days, also when more are requested later', async () => {
    const { anvil } = world;
    const snapshot = await anvil.rpc('evm_snapshot');
    stops.push(() => anvil.rpc('evm_revert', [snapshot]));
    const { timestamp } = await anvil.rpc<{ timestamp: Hex }>('eth_getBlockByNumber', ['latest', false]);
    await anvil.rpc('evm_setNextBlockTimestamp', [Number(timestamp) + 4 * 86_400]);
    await anvil.rpc('evm_mine');
    const front = await startPublicNode(anvil.url);
    stops.push(() => front.stop());
    const service = startService({ eth: front.url });
    stops.push(() => service.stop());
    const { apes } = world.chain.contracts;
    const of = (days: number) =>
      readUntil(
        () => service.send('nftLowestPrice', { address: apes, days }),
        ({ headers }) => !isBehind(headers),
      );
    expect((await of(3)).status).toBe(404);
    const week = await of(7);
    expect(week.status).toBe(200);
    expect((await of(3)).status).toBe(404);
    expect((await of(5)).body).toEqual(week.body);
  });
});
