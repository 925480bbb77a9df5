// Import of a real broadcast folder: deployed by forge script to a real Anvil, read by us, compared with the chain.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { importFile } from '../../src/addressBook/importFile.ts';
import { type Anvil, startAnvil } from '../support/chain/anvil.ts';
import { deployWithForge } from '../support/chain/foundry.ts';
import { createTemporaryFolder } from '../support/temporaryFolder.ts';

let anvil: Anvil;
const folder = createTemporaryFolder('hexlens-forge-');

beforeAll(async () => {
  anvil = await startAnvil();
  await anvil.rpc('evm_setAutomine', [true]);
});

afterAll(() => anvil?.stop());

test('every contract of the run is found, under its name, and has code on the chain', async () => {
  const { latest } = await deployWithForge(folder, anvil.url);
  const text = await readFile(join(folder, latest), 'utf8');
  const { entries, rejected: refused } = await importFile({
    path: `/project/${latest}`,
    text,
    readSibling: async () => null,
  });
  expect(refused).toEqual([]);
  expect(entries.map(({ name, kind, chains, tags, notes }) => ({ name, kind, chains, tags, notes }))).toEqual(
    ['Counter', 'Child', 'Counter', 'Child'].map(name => ({
      name,
      kind: 'contract',
      chains: ['local'],
      tags: ['foundry'],
      notes: 'Deployed by Deploy.s.sol',
    })),
  );
  expect(new Set(entries.map(({ address }) => address)).size).toBe(4);
  for (const { address } of entries) expect(await anvil.rpc('eth_getCode', [address, 'latest'])).toMatch(/^0x6080/);
});
