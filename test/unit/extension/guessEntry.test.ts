// The defaults of the form for an address that is saved: kind, chains and name.
import { expect, test } from 'vitest';
import { resolveChain } from '../../../src/api/chains.ts';
import type { AddressSummary, ContractCode } from '../../../src/api/lookups.ts';
import type { Hex } from '../../../src/base/hex.ts';
import { readAbi } from '../../../src/decode/abiItem.ts';
import { createAbiRegistry } from '../../../src/decode/abiRegistry.ts';
import { type GuessEntryDeps, guessEntry } from '../../../src/extension/addressBook/guessEntry.ts';

const [vault, proxy, token, wallet]: readonly [Hex, Hex, Hex, Hex] = [
  '0x5fbdb2315678afecb367f032d93f642f64180aa3',
  '0xe7f1725e7734ce288f8367e1bb143e90bb3f0512',
  '0x9fe46736679d2d9a65f0992f2272de9f3c7fa6e0',
  '0xcf7ed3acca5a467e9e704c703e8d87f634fb0fc9',
];
const chain = resolveChain('local', 31337);
const summarize = (change: Partial<AddressSummary>): AddressSummary =>
  ({ kind: 'address', chain, codeSize: 100, delegate: null, token: null, ...change }) as AddressSummary;
const summaries: Readonly<Record<Hex, AddressSummary>> = {
  [vault]: summarize({}),
  [proxy]: summarize({}),
  [token]: summarize({ token: { standard: 'ERC20', name: 'Mock Dollar' } as AddressSummary['token'] }),
  [wallet]: summarize({ codeSize: 0 }),
};
const codes: Readonly<Record<Hex, ContractCode>> = {
  [vault]: { kind: 'code', code: '0x01', delegate: null, proxy: null },
  [proxy]: {
    kind: 'code',
    code: '0x02',
    delegate: null,
    proxy: { kind: 'ERC-1967', implementations: [vault], beacon: null },
  },
};
const registry = createAbiRegistry();
registry.set({ id: 'Vault.json', items: readAbi([{ type: 'function', name: 'pause', inputs: [] }], 'Vault') });

const createDeps = (find: () => Promise<object | null>) => {
  const lookups: string[] = [];
  const deps = {
    worker: {
      chains: () => [{ selector: 'local' }],
      identifyChain: async () => ({ selector: 'local', isLocal: true }),
      async lookup(id: string, { address }: { readonly address: Hex }) {
        lookups.push(id);
        return id === 'addressSummary' ? summaries[address] : codes[address];
      },
    },
    settings: { current: () => ({ privacy: { lookUp: 'onClick' } }) },
    abis: { load: async () => registry, builds: async () => ({ find }) },
    book: { getName: () => null },
  } as unknown as GuessEntryDeps;
  return { deps, lookups };
};
const findVault = async (code?: Hex) =>
  code === '0x01' ? { name: 'Vault', source: 'contracts/Vault.sol', ids: ['Vault.json'], difference: null } : null;

test('proposes the name of the contract of the workspace', async () => {
  const { deps } = createDeps(findVault);
  expect(await guessEntry(vault, deps)).toEqual({ kind: 'contract', chains: ['local'], name: 'Vault' });
});

test('proposes the name of the contract behind a proxy', async () => {
  const { deps } = createDeps(findVault);
  expect(await guessEntry(proxy, deps)).toMatchObject({ kind: 'contract', name: 'Vault' });
});

test('prefers the name that a token reports, and requests no code then', async () => {
  const { deps, lookups } = createDeps(findVault);
  expect(await guessEntry(token, deps)).toMatchObject({ kind: 'contract', name: 'Mock Dollar' });
  expect(lookups).toEqual(['addressSummary']);
});

test('proposes no name for a contract that the workspace does not have, nor for a wallet', async () => {
  const { deps } = createDeps(async () => null);
  expect(await guessEntry(vault, deps)).toEqual({ kind: 'contract', chains: ['local'], name: null });
  expect(await guessEntry(wallet, deps)).toEqual({ kind: 'wallet', chains: [], name: null });
});

test('proposes no name when the artifacts cannot be read', async () => {
  const { deps } = createDeps(async () => {
    throw new Error('no file');
  });
  expect(await guessEntry(vault, deps)).toEqual({ kind: 'contract', chains: ['local'], name: null });
});
