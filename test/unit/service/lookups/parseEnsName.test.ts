// ENS names: the hash vectors of EIP-137, the DNS encoding of ENSIP-10, and invalid names.
import { describe, expect, test } from 'vitest';
import { getFaultCode } from '../../../../src/base/errors.ts';
import { parseEnsName } from '../../../../src/service/lookups/parseEnsName.ts';

const refused = (name: string) => {
  try {
    return parseEnsName(name).name;
  } catch (error) {
    return getFaultCode(error);
  }
};

describe('ensName', () => {
  test('hashes as in EIP-137', () => {
    expect(parseEnsName('eth').nameHashes).toEqual([
      '0x93cdeb708b7545dc668eb9280176169d1c33cfd8ed6f04690a0bcc88a93fc4ae',
    ]);
    expect(parseEnsName('foo.eth').nameHashes).toEqual([
      '0xde9b09fd7c5f901e23a3f19fecc54828e9c848539801e86591bd9801b019f84f',
      '0x93cdeb708b7545dc668eb9280176169d1c33cfd8ed6f04690a0bcc88a93fc4ae',
    ]);
  });

  test('encodes labels with their lengths', () => {
    expect(parseEnsName('foo.eth').dnsName).toBe('0x03666f6f0365746800');
  });

  test('normalizes: case, width, emoji presentation', () => {
    expect(parseEnsName('VITALIK.eth').name).toBe('vitalik.eth');
    expect(parseEnsName('ｆｏｏ.eth').name).toBe('foo.eth');
    expect(parseEnsName('🚀️.eth').name).toBe('🚀.eth');
  });

  test('rejects look-alikes, invisible characters, malformed names', () => {
    for (const name of ['vitаlik.eth', 'a\u200d.eth', 'a\u202eb.eth', 'foo..eth', '.', '', 'a/b.eth', 'ab--cd.eth'])
      expect(refused(name), JSON.stringify(name)).toBe('bad-input');
  });

  test('accepts labels up to the length that the DNS encoding allows', () => {
    expect(refused(`${'a'.repeat(255)}.eth`)).toBe(`${'a'.repeat(255)}.eth`);
    expect(refused(`${'a'.repeat(256)}.eth`)).toBe('bad-input');
  });
});
