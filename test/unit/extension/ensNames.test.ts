// ENS names that were looked up already.
import { expect, test } from 'vitest';
import { createEnsNames } from '../../../src/extension/worker/ensNames.ts';
import { findSavedNameHints } from '../../../src/view/savedNameHints.ts';

const alice = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const bob = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';
const chain = { name: 'eth', id: 1, title: 'Ethereum', coin: 'ETH', decimals: 18, explorer: null };
const output = (name: string | null) => ({ kind: 'ensName', chain, name }) as const;

test('are remembered by address, and forgotten when the address has none any more', () => {
  const names = createEnsNames();
  expect(names.note('ensName', { chain: 'eth', address: alice }, output('alice.eth'))).toBe(true);
  expect(names.note('ensName', { chain: 'eth', address: alice }, output('alice.eth'))).toBe(false);
  expect(names.note('ensName', { chain: 'eth', address: bob }, output(null))).toBe(false);
  expect(names.get(alice.toLowerCase())).toBe('alice.eth');
  expect(names.note('ensName', { chain: 'eth', address: alice }, output(null))).toBe(true);
  expect(names.get(alice)).toBeNull();
});

test('are hints in the editor, for those addresses only', () => {
  const names = createEnsNames();
  names.note('ensName', { chain: 'eth', address: alice }, output('alice.eth'));
  const text = `pay(${alice}, ${bob})`;
  expect(findSavedNameHints(text, names.get)).toEqual([{ offset: 4 + 42, name: 'alice.eth' }]);
});

test('are limited in number', () => {
  const names = createEnsNames();
  for (let index = 0; index < 1_200; index++)
    names.note('ensName', { chain: 'eth', address: `0x${index.toString(16).padStart(40, '0')}` }, output('a.eth'));
  expect(names.size).toBe(1_000);
  names.clear();
  expect(names.size).toBe(0);
});
