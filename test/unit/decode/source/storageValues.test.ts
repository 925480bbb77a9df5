import { numberToBytes } from 'viem';
import { expect, test } from 'vitest';
import type { SolidityType } from '../../../../src/api/contractDeclarations.ts';
import { readImmutable } from '../../../../src/decode/source/storageValues.ts';

const type = (kind: 'address' | 'bool' | 'fixedBytes' | 'int', bytes: number): SolidityType => ({
  ...{ kind, bytes, text: kind, slots: 1n },
});
const TYPES = [type('address', 20), type('bool', 1), type('fixedBytes', 4), type('int', 2)];
const word = (beginning: string, end = '') =>
  BigInt(`0x${beginning}${'0'.repeat(64 - beginning.length - end.length)}${end}`);
const ACCOUNT = '90f79bf6eb2c4f870365e785982e1f101e93b906';
const NEGATIVE = BigInt.asUintN(256, -2n);

test.each([
  ['an address of new versions', 0, word('', ACCOUNT), word('', ACCOUNT)],
  ['an address of old versions', 0, word(ACCOUNT), word('', ACCOUNT)],
  ['true of old versions', 1, word('01'), 1n],
  ['bytes4, which begin the word in all versions', 2, word('a1b2c3d4'), word('a1b2c3d4')],
  ['-2 of old versions', 3, word('fffe'), NEGATIVE],
  ['-2 of new versions', 3, NEGATIVE, NEGATIVE],
  ['zero', 0, 0n, 0n],
  ['a word that may be an address in either way', 0, word('', `1${'0'.repeat(24)}`), null],
] as const)('reads an immutable in the memory of a constructor: %s', (_, index, stored, expected) => {
  expect(readImmutable(TYPES, index, numberToBytes(stored, { size: 32 }), true)).toBe(expected);
});
