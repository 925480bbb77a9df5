// On which development nodes imported contracts are.
import { expect, test } from 'vitest';
import type { Entry } from '../../../src/addressBook/entry.ts';
import { findDevelopmentChains } from '../../../src/extension/addressBook/developmentChains.ts';

const VAULT = `0x${'a'.repeat(40)}`;
const TOKEN = `0x${'b'.repeat(40)}`;

interface Node {
  readonly id: number;
  readonly contracts: readonly string[];
}

const find = async (nodes: Readonly<Record<string, Node | null>>, entries: readonly (readonly [string, string])[]) => {
  const worker = {
    chains: () => Object.keys(nodes).map(selector => ({ selector, isOnLoopback: true, isLocal: true })),
    lookup: async (id: string, { chain, address = '' }: { readonly chain: string; readonly address?: string }) => {
      const node = nodes[chain] ?? null;
      if (node === null) throw new Error('unreachable');
      return id === 'chainStatus'
        ? { isLocal: true, chain: { id: node.id } }
        : { code: node.contracts.includes(address) ? '0x6001' : '0x' };
    },
  };
  const imported = entries.map(
    ([address, chain]) => ({ address, chains: [chain], kind: 'contract' }) as unknown as Entry,
  );
  return (await findDevelopmentChains(imported, worker as never)).map(({ chains }) => chains);
};

test.each([
  [
    'is on the only node of its id, whatever its name',
    { local: null, anvil: { id: 31337, contracts: [] } },
    [['anvil']],
  ],
  ['stays where no node of its id responds', { local: null, ganache: { id: 1337, contracts: [] } }, [['local']]],
  [
    'is on that of two nodes of one id which has its code',
    { hardhat: { id: 31337, contracts: [TOKEN] }, anvil: { id: 31337, contracts: [VAULT] } },
    [['anvil']],
  ],
  [
    'is on both where both have it',
    { local: { id: 31337, contracts: [VAULT] }, anvil: { id: 31337, contracts: [VAULT] } },
    [['local', 'anvil']],
  ],
  [
    'stays where none of them has it',
    { local: { id: 31337, contracts: [] }, anvil: { id: 31337, contracts: [] } },
    [['local']],
  ],
])('a contract of a development chain %s', async (_, nodes, expected) => {
  expect(await find(nodes, [[VAULT, 'local']])).toEqual(expected);
});

test('a contract of a chain 1337 is on the node of that id, and others stay', async () => {
  const nodes = { local: { id: 1337, contracts: [] } };
  expect(
    await find(nodes, [
      [VAULT, '0x539'],
      [TOKEN, 'eth'],
    ]),
  ).toEqual([['local'], ['eth']]);
});
