// Where a chain is known, names are those of the entries for that chain.
import { expect, test } from 'vitest';
import { createAddressBookIndex } from '../../../src/addressBook/addressBookIndex.ts';
import { assignEntryIds } from '../../../src/addressBook/entryIds.ts';
import { parseEntry } from '../../../src/addressBook/validateEntry.ts';
import { getTargetTitle } from '../../../src/protocol/targetView.ts';
import { resolveParameterNames } from '../../../src/view/operations/resolveParameterNames.ts';
import { findSavedNameHints } from '../../../src/view/savedNameHints.ts';
import { addressOf } from '../addressBook/bookArbitraries.ts';

const [one, two] = [addressOf(1), addressOf(2)];
const entries = assignEntryIds(
  [
    { address: one, name: 'Vault', chains: ['eth'] },
    { address: two, name: 'Vault', chains: ['local'] },
    { address: one, name: 'Test token', chains: ['local', 'polygon'] },
  ].map(parseEntry),
  { kind: 'personal' },
  [],
);
const { getName } = createAddressBookIndex([entries], { isWorkspaceTrusted: true, getWellKnownName: () => null });

test('a title names the address of an operation on its chain', () => {
  const title = (chain?: string) =>
    getTargetTitle(
      { kind: 'operation', operation: 'contractLogs', parameters: { address: one, ...(chain && { chain }) } },
      getName,
    );
  expect(title('eth')).toMatch(/: Vault$/);
  expect(title('0x1')).toMatch(/: Vault$/);
  expect(title('local')).toMatch(/: Test token$/);
  expect(title('bsc')).toMatch(/: 0x0{4}…/);
  expect(title()).toMatch(/: 0x0{4}…/);
});

test('a title without a chain, or of Aptos, has a name that is saved for every chain', () => {
  const saved = assignEntryIds([parseEntry({ address: two, name: 'Everywhere' })], { kind: 'personal' }, []);
  const { getName: getSaved } = createAddressBookIndex([saved], {
    isWorkspaceTrusted: true,
    getWellKnownName: () => null,
  });
  const parameters = { address: two, network: 'mainnet' };
  const title = getTargetTitle({ kind: 'operation', operation: 'contractLogs', parameters }, getSaved);
  expect(title).toMatch(/: Everywhere$/);
});

test('a typed name is the address of the chain that is queried', () => {
  const resolve = (chain: string) =>
    resolveParameterNames('contractLogs', { address: 'vault', chain }, { saved: entries, events: [], chains: [] });
  expect(resolve('eth')).toMatchObject({ address: one });
  expect(resolve('local')).toMatchObject({ address: two });
  expect(() => resolve('polygon')).toThrow(/address/i);
});

test('several addresses of one name are listed with their checksums', () => {
  const twice = assignEntryIds(
    ['0xd8da6bf26964af9d7eed9e03e53415d37aa96045', two].map(address => parseEntry({ address, name: 'Vault' })),
    { kind: 'personal' },
    [],
  );
  const resolve = () =>
    resolveParameterNames('contractLogs', { address: 'Vault' }, { saved: twice, events: [], chains: [] });
  expect(resolve).toThrow('0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045');
});

test('a hint beside an address of another chain has the name that it has there', () => {
  const hints = (text: string) => findSavedNameHints(text, getName).map(({ name }) => name);
  expect(hints(`eip155:137:${one}`)).toEqual(['Test token']);
  expect(hints(`https://etherscan.io/address/${one}`)).toEqual(['Vault']);
  expect(hints(`eip155:56:${one}`)).toEqual([]);
  expect(hints(`a(${one})`)).toEqual(['Vault']);
});
