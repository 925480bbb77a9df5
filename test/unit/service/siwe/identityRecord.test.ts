// The derived fields of an identity record: ids, profile ids, checksums.
import fc from 'fast-check';
import { getAddress, keccak256, stringToBytes } from 'viem';
import { expect, test } from 'vitest';
import type { Hex } from '../../../../src/base/hex.ts';
import {
  checksumAddressWith,
  deriveProfileId,
  generateIdentityId,
} from '../../../../src/service/siwe/identityRecord.ts';
import { jsSignatureEngine } from '../../../../src/service/siwe/jsSignatureEngine.ts';

const address = fc.stringMatching(/^[0-9a-fA-F]{40}$/).map((digits): Hex => `0x${digits}`);

test('ids are 17 letters and digits, unique and evenly distributed', () => {
  const ids = Array.from({ length: 20_000 }, generateIdentityId);
  expect(ids.every(id => /^[A-Za-z0-9]{17}$/.test(id))).toBe(true);
  expect(new Set(ids).size).toBe(ids.length);
  const counts = new Map<string, number>();
  for (const letter of ids.join('')) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  const expected = (ids.length * 17) / 62;
  expect(counts.size).toBe(62);
  // Chi-squared with 61 degrees of freedom: above 130 once in a million runs; bytes modulo 62 would give about 900.
  const chi = [...counts.values()].reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
  expect(chi).toBeLessThan(130);
});

test('the profile id depends on the account, not on its letter case', () => {
  fc.assert(
    fc.property(address, hex => {
      const id = deriveProfileId(hex, jsSignatureEngine.keccak256);
      expect(id).toBe(keccak256(stringToBytes(`hexlens:profile:v1:evm:${hex.toLowerCase()}`)));
      expect(deriveProfileId(hex.toLowerCase() as Hex, jsSignatureEngine.keccak256)).toBe(id);
    }),
    { seed: 55, numRuns: 200 },
  );
});

test('checksums equal those of viem, from any letter case', () => {
  fc.assert(
    fc.property(address, hex => {
      expect(checksumAddressWith(jsSignatureEngine.keccak256, hex)).toBe(getAddress(hex.toLowerCase()));
    }),
    { seed: 55, numRuns: 500 },
  );
});
