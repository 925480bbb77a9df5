// Names of contracts that the workspace's build knows.
import { expect, test, vi } from 'vitest';
import type { Hex } from '../../../src/base/hex.ts';
import { BuildNames } from '../../../src/extension/abi/buildNames.ts';
import type { BuildCopy, FoundBuild, IdentifiedContract } from '../../../src/view/contractBuild.ts';

const VAULT: Hex = `0x${'a'.repeat(40)}`;
const PROXY: Hex = `0x${'b'.repeat(40)}`;
const ACCOUNT: Hex = `0x${'c'.repeat(40)}`;

const createBuild = (change: Partial<FoundBuild> = {}): FoundBuild => ({
  ...{ name: 'Vault', source: 'src/Vault.sol', ids: ['file:///p/out/Vault.sol/Vault.json'] },
  ...{ difference: null, copy: null },
  ...change,
});
const createContract = (
  address: Hex,
  build: FoundBuild | null,
  inner: FoundBuild | null = null,
): IdentifiedContract => ({
  ...{ address, build, proxy: null, abiIds: [] },
  implementations: inner === null ? [] : [{ address: VAULT, build: inner }],
});
const ignition: BuildCopy = { tool: 'Ignition', path: '', deployedAt: null, ownIds: ['Vault.json'] };

test.each([
  [createContract(VAULT, createBuild()), 'Vault (build)'],
  [createContract(VAULT, createBuild({ copy: ignition })), 'Vault (Ignition)'],
  [createContract(VAULT, createBuild({ copy: { ...ignition, tool: null } })), null],
  [createContract(VAULT, createBuild({ difference: { bytes: 1, size: 9, builtSize: 9 } })), null],
  [createContract(VAULT, null), null],
  [createContract(PROXY, createBuild({ name: 'ERC1967Proxy' }), createBuild()), 'Vault (proxy, build)'],
])('the contract %j is called %s', (contract, name) => {
  const names = new BuildNames({
    identify: async () => null,
    isMinedHere: () => true,
    now: () => 0,
    onChange: () => {},
  });
  names.add('local', contract);
  expect(names.get(contract.address.toUpperCase().replace('0X', '0x'), 'local')).toBe(name);
});

test('identifies each address of a chain of this machine once, and again when that is old', async () => {
  let now = 0;
  const asked: string[] = [];
  const changed: string[] = [];
  const names = new BuildNames({
    identify: async (chain, address) => {
      asked.push(`${chain} ${address.slice(0, 3)}`);
      return createContract(address, address === VAULT ? createBuild() : null);
    },
    isMinedHere: (chain, block) => chain === 'local' || block === 9,
    now: () => now,
    onChange: (_, address) => changed.push(address),
  });
  await names.learn('local', [VAULT, VAULT, ACCOUNT, 'no address']);
  await names.learn('local', [VAULT, ACCOUNT]);
  await names.learn('eth', [VAULT]);
  expect(asked).toEqual(['local 0xa', 'local 0xc']);
  expect([names.get(VAULT, 'local'), names.get(ACCOUNT, 'local'), names.get(VAULT, 'eth')]).toEqual([
    'Vault (build)',
    null,
    null,
  ]);
  expect(changed).toEqual([VAULT]);
  now = 60_000;
  await names.learn('local', [VAULT]);
  expect(asked).toHaveLength(3);
  // A fork was asked by this machine alone for what its own blocks have.
  await names.learn('fork', [VAULT], undefined, 8);
  await names.learn('fork', [VAULT], undefined, 9);
  expect([asked.length, names.get(VAULT, 'fork')]).toEqual([4, 'Vault (build)']);
});

test('asks again for what the node could not tell', async () => {
  let isReachable = false;
  const names = new BuildNames({
    identify: async (_, address) => (isReachable ? createContract(address, createBuild()) : null),
    isMinedHere: () => true,
    now: () => 0,
    onChange: () => {},
  });
  await names.learn('local', [VAULT]);
  isReachable = true;
  await names.learn('local', [VAULT]);
  expect(names.get(VAULT, 'local')).toBe('Vault (build)');
});

test('learns names for which no caller waits any longer, and says that they have come late', async () => {
  const { promise: isSlow, resolve: end } = Promise.withResolvers<void>();
  const addresses = Array.from({ length: 20 }, (_, at): Hex => `0x${String(at).padStart(40, '0')}`);
  const late: string[] = [];
  const names = new BuildNames({
    async identify(_, address) {
      await isSlow;
      return createContract(address, createBuild());
    },
    isMinedHere: () => true,
    now: () => 0,
    onChange: () => {},
    onLate: chain => late.push(chain),
  });
  await names.learn('local', addresses);
  expect(addresses.map(address => names.get(address, 'local')).filter(name => name !== null)).toEqual([]);
  end();
  await vi.waitFor(() => expect(late).toEqual(['local']));
  expect(addresses.filter(address => names.get(address, 'local') === 'Vault (build)')).toHaveLength(20);
  await names.learn('local', addresses);
  expect(late, 'they are known').toHaveLength(1);
});
