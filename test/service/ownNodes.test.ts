// Two development nodes with the same chain id, Anvil and Hardhat, each under a name of the user's.
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import type { Hex } from '../../src/base/hex.ts';
import { startAnvil } from '../support/chain/anvil.ts';
import { findMissingHardhatPackage, startHardhat } from '../support/chain/hardhat.ts';
import { mineBlock } from '../support/chain/mineBlock.ts';
import type { TestNode } from '../support/chain/testNode.ts';
import { type ServiceUnderTest, startService } from '../support/filledChain.ts';

const RECIPIENT = '0x00000000000000000000000000000000000000a1';

test('a development chain is not the network whose id it has', async () => {
  const anvil = await startAnvil({ chainId: 137 });
  const service = startService({ polygon: anvil.url });
  try {
    const { value } = await service.lookup('addressSummary', { chain: 'polygon', address: RECIPIENT });
    expect([value.chain.title, value.chain.coin, value.chain.explorer]).toEqual(['Local node (Polygon)', 'POL', null]);
  } finally {
    await service.stop();
    await anvil.stop();
  }
});

describe.skipIf(findMissingHardhatPackage() !== null)('two nodes with the chain id 31337', () => {
  let nodes: readonly TestNode[] = [];
  let service: ServiceUnderTest;

  const pay = async (node: TestNode, value: bigint) => {
    const [from] = (await node.rpc<Hex[]>('eth_accounts', [])) as [Hex];
    await mineBlock(node, [{ from, to: RECIPIENT, value, gas: 30_000 }]);
  };

  beforeAll(async () => {
    const [anvil, hardhat] = await Promise.all([startAnvil(), startHardhat()]);
    nodes = [anvil, hardhat];
    await Promise.all([pay(anvil, 1n), pay(hardhat, 2n)]);
    service = startService({ anvil: anvil.url, hardhat: hardhat.url });
  });
  afterAll(async () => {
    await service?.stop();
    for (const node of nodes) await node.stop();
  });

  it.each([
    ['anvil', 1n],
    ['hardhat', 2n],
  ] as const)('are chains of their own: %s has what was paid there', async (chain, balance) => {
    const { value } = await service.lookup('addressSummary', { chain, address: RECIPIENT });
    expect([value.balance, value.chain.name, value.chain.title, value.chain.id]).toEqual([
      balance,
      chain,
      chain,
      31337,
    ]);
  });

  it('are not mixed up in lists over their indexes', async () => {
    const values = async (chain: string) =>
      (await service.get('walletTransactions', { chain, address: RECIPIENT })).result.map(({ value }) => value);
    await expect.poll(() => values('anvil'), { timeout: 20_000 }).toEqual([1n]);
    await expect.poll(() => values('hardhat'), { timeout: 20_000 }).toEqual([2n]);
  });

  it('are named where a chain has no node', async () => {
    const { message } = await service.getFault('block', { chain: 'fork', block: 1 });
    expect(message).toMatch(/No node is configured for the chain fork\. Configured: anvil, hardhat\./);
  });
});
