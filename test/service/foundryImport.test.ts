// Import and records of a real broadcast folder: deployed by forge script to a real Anvil, read by us, compared with the chain.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { importFile } from '../../src/addressBook/importFile.ts';
import { readRecordedHashes } from '../../src/addressBook/recordedHashes.ts';
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

let latest: string;
let text: string;

beforeAll(async () => {
  ({ latest } = await deployWithForge(folder, anvil.url));
  text = await readFile(join(folder, latest), 'utf8');
});

test('every contract of the run is found, under its name, and has code on the chain', async () => {
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

test('every hash that is recorded is that of a transaction or a block of the chain', async () => {
  const recorded = await readRecordedHashes({ path: latest, text, readSibling: async () => null });
  const actions = recorded.flatMap(({ action, chainId }) =>
    action === null ? [] : [`${action.kind} ${action.name} on ${chainId}`],
  );
  expect(actions).toEqual([
    'creates Counter on 31337',
    'calls Counter.increment() on 31337',
    'creates Counter on 31337',
  ]);
  const blocks = recorded.filter(({ kind }) => kind === 'block');
  expect(blocks).toHaveLength(3);
  for (const { hash, kind } of recorded) {
    const method = kind === 'block' ? 'eth_getBlockByHash' : 'eth_getTransactionByHash';
    const params = kind === 'block' ? [hash, false] : [hash];
    expect(await anvil.rpc(method, params)).toMatchObject({ hash });
  }
});
