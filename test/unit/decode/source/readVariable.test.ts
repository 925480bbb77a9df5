import { expect, test } from 'vitest';
import type { SolidityType } from '../../../../src/api/contractDeclarations.ts';
import { readConstant, readImmutable, readVariable } from '../../../../src/decode/source/readVariable.ts';
import { getDataSlot } from '../../../../src/decode/source/storageValues.ts';

const word = { bytes: 32, slots: 1n };
const types: readonly SolidityType[] = [
  { kind: 'uint', text: 'uint256', ...word },
  { kind: 'uint', text: 'uint128', bytes: 16, slots: 1n },
  { kind: 'bool', text: 'bool', bytes: 1, slots: 1n },
  {
    kind: 'struct',
    text: 'Position',
    ...word,
    members: [
      { name: 'amount', type: 1, slot: 0n, offset: 0 },
      { name: 'isLocked', type: 2, slot: 0n, offset: 16 },
    ],
  },
  { kind: 'array', text: 'uint256[]', ...word, base: 0, length: null },
  { kind: 'mapping', text: 'mapping(uint256 => bool)', ...word, key: 0, value: 2 },
  { kind: 'string', text: 'string', ...word },
];

const read = (type: number, words: ReadonlyMap<bigint, bigint>) =>
  readVariable(types, { type, slot: 3n, offset: 0 }, async slots => slots.map(slot => words.get(slot) ?? 0n));

const LONG = 'a text that is longer than one word of storage';
const longWords = new Map([
  [3n, BigInt(2 * LONG.length + 1)],
  ...[0, 1].map(
    i =>
      [
        getDataSlot(3n) + BigInt(i),
        BigInt(`0x${Buffer.from(LONG.slice(32 * i, 32 * i + 32).padEnd(32, '\0')).toString('hex')}`),
      ] as const,
  ),
]);

test.each([
  ['a number', 0, new Map([[3n, 1_234_567n]]), '1,234,567'],
  ['a struct in one word', 3, new Map([[3n, (1n << 128n) | 77n]]), '{amount: 77, isLocked: true}'],
  [
    'an array',
    4,
    new Map([
      [3n, 2n],
      [getDataSlot(3n), 5n],
      [getDataSlot(3n) + 1n, 6n],
    ]),
    '[5, 6]',
  ],
  ['a long array', 4, new Map([[3n, 9n]]), '[0, 0, 0, 0, 0, 0, 0, 0, …]'],
  ['a text of several words', 6, longWords, `"${LONG}"`],
  ['a mapping', 5, new Map(), null],
])('reads %s', async (_, type, words, expected) => {
  expect(await read(type, words)).toBe(expected);
});

test('formats the members of a structure, immutable variables and constants by the given function', async () => {
  const format = (value: string, type: string) => `${type} ${value}`;
  const place = { type: 3, slot: 3n, offset: 0 };
  expect(await readVariable(types, place, async () => [77n], format)).toBe(
    '{amount: uint128 77, isLocked: bool false}',
  );
  const code = `0x60${500n.toString(16).padStart(64, '0')}00` as const;
  const variable = { name: 'fee', contract: 'Vault', type: 0, references: [{ start: 1, length: 32 }] };
  expect(readImmutable(types, variable, code, format)).toBe('uint256 500');
});

test('reads an immutable variable from the code', () => {
  const code = `0x60${500n.toString(16).padStart(64, '0')}00` as const;
  const variable = { name: 'fee', contract: 'Vault', type: 0, references: [{ start: 1, length: 32 }] };
  expect(readImmutable(types, variable, code)).toBe('500');
  expect(readImmutable(types, { ...variable, references: [] }, code)).toBeNull();
});

test('reads a constant from the build, where the build knows it', () => {
  const constants = [
    { name: 'MAX', contract: 'Vault', type: 0, value: 1_000n },
    { name: 'SEED', contract: 'Vault', type: 0, value: null },
  ];
  const declarations = {
    by: 'ast' as const,
    types,
    storage: [],
    transient: [],
    immutables: [],
    constants,
    functions: [],
  };
  expect(readConstant(declarations, 'Vault', 'MAX')).toBe('1,000');
  expect(readConstant(declarations, 'Vault', 'SEED')).toBeNull();
  expect(readConstant(declarations, 'Other', 'MAX')).toBeNull();
});
