// Contracts of the workspace behind addresses: which ABI decodes where several declare the same function.
import { describe, expect, test } from 'vitest';
import type { ContractCode } from '../../../src/api/lookups.ts';
import { HexLensError } from '../../../src/base/errors.ts';
import type { Hex } from '../../../src/base/hex.ts';
import { readAbi } from '../../../src/decode/abiItem.ts';
import { createAbiRegistry } from '../../../src/decode/abiRegistry.ts';
import { decodeFunctionData } from '../../../src/decode/decodeAbi.ts';
import { decodeOfContract, identifyContract } from '../../../src/extension/abi/identifyContract.ts';

const [proxy, vault, other, account]: readonly [Hex, Hex, Hex, Hex] = [
  `0x${'1'.repeat(40)}`,
  `0x${'2'.repeat(40)}`,
  `0x${'3'.repeat(40)}`,
  `0x${'4'.repeat(40)}`,
];
const declare = (name: string) =>
  readAbi([{ type: 'function', name: 'set', inputs: [{ name, type: 'uint256' }], outputs: [] }], name);
const input = `0x60fe47b1${'7'.padStart(64, '0')}`;

const registry = createAbiRegistry();
registry.set({ id: 'Vault.json', items: declare('limit') });
registry.set({ id: 'Box.json', items: declare('size') });

const codes: Readonly<Record<Hex, ContractCode>> = {
  [proxy]: {
    kind: 'code',
    code: '0x01',
    delegate: null,
    proxy: { kind: 'ERC-1967', implementations: [vault], beacon: null },
  },
  [vault]: { kind: 'code', code: '0x02', delegate: null, proxy: null },
  [account]: {
    kind: 'code',
    code: '0xef0100',
    delegate: other,
    proxy: { kind: 'ERC-1967', implementations: [vault], beacon: null },
  },
  [other]: { kind: 'code', code: '0x03', delegate: null, proxy: null },
};
const deps = {
  worker: {
    async lookup(_: string, { address }: { address: Hex }) {
      const found = codes[address];
      if (found === undefined) throw new HexLensError('node-unreachable', 'no node');
      return found;
    },
  },
  abis: {
    load: async () => registry,
    builds: async () => ({
      find: async (code: Hex) =>
        code === '0x02' ? { name: 'Vault', source: 'src/Vault.sol', ids: ['Vault.json'], difference: null } : null,
    }),
  },
  book: { getName: () => null },
} as unknown as Parameters<typeof identifyContract>[2];
const identify = (chain: string, address: Hex) => identifyContract(chain, address, deps);

describe('identifyContract', () => {
  test('names what is behind a proxy', async () => {
    expect(await identify('local', proxy)).toMatchObject({
      build: null,
      proxy: { kind: 'ERC-1967' },
      implementations: [{ address: vault, build: { name: 'Vault' } }],
    });
  });

  test('names what an account delegates to, and what is behind that', async () => {
    const { implementations = [] } = (await identify('local', account)) ?? {};
    expect(implementations.map(({ address, build }) => [address, build?.name])).toEqual([
      [other, undefined],
      [vault, 'Vault'],
    ]);
  });

  test('is null where the node does not respond', async () => {
    expect(await identify('local', `0x${'9'.repeat(40)}`)).toBeNull();
  });
});

describe('decodeOfContract', () => {
  const decode = (address: string) =>
    decodeOfContract('local', address, registry, identify, one => decodeFunctionData(one, input));

  test.each([proxy, vault, account])(
    'takes the ABI of the contract that %s is, or that is behind it',
    async address => {
      expect((await decode(address)).map(({ values }) => values[0]?.name)).toEqual(['limit']);
    },
  );

  test('takes the ABI of the contract itself, of what is behind it, or none of the other contracts', async () => {
    const own = createAbiRegistry();
    own.set({ id: 'Box.json', items: declare('size') });
    own.set({ id: 'entry', items: declare('cap'), contracts: [{ address: vault, chains: ['local'] }] });
    const name = async (chain: string, address: string) => {
      const find = (on: string, of: Hex) =>
        identifyContract(on, of, { ...deps, abis: { ...deps.abis, load: async () => own } });
      const items = await decodeOfContract(chain, address, own, find, one => decodeFunctionData(one, input));
      return items.map(({ values }) => values[0]?.name);
    };
    expect(await name('local', vault)).toEqual(['cap']);
    expect(await name('local', proxy)).toEqual(['cap']);
    expect(await name('local', other)).toEqual(['size']);
    expect(await name('eth', vault)).toEqual(['size']);
  });

  test('does not query the node about a contract that has an ABI of its own', async () => {
    const own = createAbiRegistry();
    own.set({ id: 'entry', items: declare('cap'), contracts: [{ address: vault, chains: [] }] });
    const refuse = async () => expect.fail('the node is queried');
    const items = await decodeOfContract('eth', vault, own, refuse, one => decodeFunctionData(one, input));
    expect(items[0]?.values[0]?.name).toBe('cap');
  });

  test('takes the ABI of another contract where nothing else is known', () => {
    const own = createAbiRegistry();
    own.set({ id: 'entry', items: declare('cap'), contracts: [{ address: vault, chains: [] }] });
    expect(decodeFunctionData(own, input)[0]?.values[0]?.name).toBe('cap');
    own.set({ id: 'Box.json', items: declare('size') });
    expect(decodeFunctionData(own, input).map(({ values }) => values[0]?.name)).toEqual(['size']);
    own.remove('entry');
    expect(own.contractIds()).toEqual([]);
  });

  test('leaves all candidates for a contract that is not of the workspace', async () => {
    expect(await decode(other)).toHaveLength(2);
  });
});
