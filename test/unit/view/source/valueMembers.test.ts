// What hovers show of a mapping or a large array.
import { expect, test } from 'vitest';
import type { ContractStateRow } from '../../../../src/view/source/contractStateRows.ts';
import { toValueMembers } from '../../../../src/view/source/valueMembers.ts';

const row = (label: string, given: Partial<ContractStateRow>): ContractStateRow => ({
  ...{ label, title: '', type: '', values: [''], differs: false, place: null, keyType: null, isArray: false },
  ...{ members: null, next: null },
  ...given,
});
const value = (label: string, text: string) => row(label, { values: [text] });

test('lists the keys of a mapping with their values', () => {
  const members = [
    row('[Alice]', { members: [value('amount', '77'), value('isLocked', 'true')] }),
    row('[Bob]', { isArray: true, values: ['2 elements'], members: [value('[0]', '5'), value('[1]', '6')] }),
  ];
  expect(toValueMembers(row('positions', { keyType: 'address', members }), false)).toEqual({
    summary: '2 keys seen',
    members: [
      { label: '[Alice]', text: '{amount: 77, isLocked: true}' },
      { label: '[Bob]', text: '[5, 6]' },
    ],
    hasMore: false,
  });
});

test('lists the values of mappings in a mapping, up to five', () => {
  const inner = (count: number) => Array.from({ length: count }, (_, i) => value(`[${i}]`, String(i)));
  const members = ['[Alice]', '[Bob]'].map(label => row(label, { keyType: 'uint256', members: inner(3) }));
  const listed = toValueMembers(row('limits', { keyType: 'address', members }), false);
  expect(listed.summary).toBe('6 keys seen');
  expect(listed.members.map(({ label }) => label)).toEqual([
    ...['[Alice][0]', '[Alice][1]', '[Alice][2]', '[Bob][0]', '[Bob][1]'],
  ]);
  expect(listed.hasMore).toBe(true);
});

test('says that no key was seen, and that there may be more than were tried', () => {
  const summarize = (members: readonly ContractStateRow[], isCut: boolean) =>
    toValueMembers(row('limits', { keyType: 'address', members }), isCut).summary;
  expect(summarize([], false)).toBe('No key seen');
  expect(summarize([value('[1]', '2')], true)).toBe('At least 1 key seen');
  expect(summarize([value('[1]', '2'), value('[2]', '2')], true)).toBe('At least 2 keys seen');
});

test('lists the first elements of an array, with how many there are', () => {
  const array = row('bins', { isArray: true, values: ['900 elements'], members: [value('[0]', '7')], next: '1' });
  expect(toValueMembers(array, false)).toEqual({
    summary: '900 elements',
    members: [{ label: '[0]', text: '7' }],
    hasMore: true,
  });
});
