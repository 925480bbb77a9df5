// Chains beyond those of the description: titles, coins and explorers from the generated list.
import { expect, test } from 'vitest';
import { chains, resolveChain } from '../../../src/api/chains.ts';
import { findChain } from '../../../src/api/findChain.ts';

test('a chain of a hex id has its own title, coin and explorer', async () => {
  const gnosis = await findChain(100);
  expect(gnosis).toEqual({
    name: '0x64',
    id: 100,
    title: 'Gnosis',
    coin: 'XDAI',
    decimals: 18,
    explorer: 'https://gnosisscan.io',
  });
  expect(resolveChain('0x64', 100, gnosis)).toBe(gnosis);
});

test('a local node that forks it has its coin', async () => {
  expect(resolveChain('local', 100, await findChain(100))).toMatchObject({
    name: 'local',
    title: 'Local node (Gnosis)',
    coin: 'XDAI',
  });
});

test("the description's chains stay as they are", async () => {
  for (const chain of chains) expect(await findChain(chain.id)).toBe(chain);
});

test('an unknown id is no chain', async () => {
  expect(await findChain(999_999_999_999)).toBeUndefined();
  expect(resolveChain('0x3e7', 999)).toMatchObject({ title: 'Chain 999', coin: 'ETH', explorer: null });
});

test('every coin that does not have 18 decimals is listed with its own', async () => {
  expect(await findChain(2_020)).toMatchObject({ decimals: 18 }); // Ronin
  const tron = await findChain(728_126_428);
  expect(tron).toMatchObject({ title: 'Tron', coin: 'TRX', decimals: 6 });
});
