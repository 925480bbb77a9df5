// Hardhat 3 and Ganache with a provider's limits and Ethereum's chain id: indexed on demand.
import { afterAll, beforeAll, describe } from 'vitest';
import { type FillOptions, fillChain } from '../support/chain/fillChain.ts';
import { GANACHE_EVM, startGanache } from '../support/chain/ganache.ts';
import { findMissingHardhatPackage, startHardhat } from '../support/chain/hardhat.ts';
import type { NodeOptions, TestNode } from '../support/chain/testNode.ts';
import { sellApes } from '../support/seaportSales.ts';
import { type ChainWitness, describeScopedIndexes, readChainWitness } from './scopedIndexesSuite.ts';

interface Kind {
  readonly name: string;
  readonly start: (options: NodeOptions) => Promise<TestNode>;
  readonly fill: FillOptions;
}

const kinds: readonly Kind[] = [
  { name: 'Hardhat 3', start: startHardhat, fill: {} },
  { name: 'Ganache', start: startGanache, fill: { evmVersion: GANACHE_EVM } },
];
const noHardhat = findMissingHardhatPackage();
if (noHardhat !== null) console.warn(`SKIPPED: Hardhat's node does not run on this machine: ${noHardhat}`);
const running = kinds.filter(({ start }) => noHardhat === null || start !== startHardhat);

describe.each(running)('$name', ({ start, fill }) => {
  let node: TestNode;
  let known: ChainWitness;
  beforeAll(async () => {
    node = await start({ chainId: 1 });
    const chain = await fillChain(node, { blocks: 30, ...fill });
    await sellApes(node, chain);
    known = await readChainWitness(node, chain);
  });
  afterAll(() => node?.stop());

  describeScopedIndexes('as a provider that caps ranges and has little old state', () => known, {
    range: { blocks: 9, message: blocks => `exceed maximum block range: ${blocks}` },
    states: 20,
    limitEvery: 9,
  });
});
