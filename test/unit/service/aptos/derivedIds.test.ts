// Aptos addresses, types and what is hashed: one spelling for all, and the hashes that the chain itself uses.
import { createHash } from 'node:crypto';
import { sha3_256 } from '@noble/hashes/sha3.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAptosAddress, toShortAptosAddress } from '../../../../src/base/aptosAddress.ts';
import { bytesToHex } from '../../../../src/base/hex.ts';
import {
  getPairedMetadataAddress,
  getPrimaryStoreAddress,
  hashCollectionDataId,
  hashTokenDataId,
  truncateUtf8,
} from '../../../../src/service/aptos/derivedIds.ts';
import { getTypeArgument, normalizeMoveType } from '../../../../src/service/aptos/moveType.ts';

describe('SHA3-256', () => {
  it('agrees with the platform for all lengths up to three blocks and for random bytes', () => {
    const theirs = (bytes: Uint8Array) => `0x${createHash('sha3-256').update(bytes).digest('hex')}`;
    for (let length = 0; length < 420; length++) {
      const bytes = Uint8Array.from({ length }, (_, i) => (i * 31 + length) & 0xff);
      expect(bytesToHex(sha3_256(bytes)), `${length} bytes`).toBe(theirs(bytes));
    }
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2_000 }), bytes => bytesToHex(sha3_256(bytes)) === theirs(bytes)),
      { seed: 1, numRuns: 200 },
    );
  });
});

describe('addresses', () => {
  it('are converted to their long and short forms', () => {
    expect(parseAptosAddress('0x1')).toBe(`0x${'0'.repeat(63)}1`);
    expect(parseAptosAddress('0xAb')).toBe(`0x${'0'.repeat(62)}ab`);
    expect(toShortAptosAddress(parseAptosAddress('0x00ab') ?? '')).toBe('0xab');
    expect(toShortAptosAddress('0x000')).toBe('0x0');
    for (const wrong of ['', '0x', '1', `0x${'1'.repeat(65)}`, '0xg', null, 1, undefined, {}])
      expect(parseAptosAddress(wrong)).toBeNull();
  });

  it('survive a round trip from any form', () => {
    const digits = fc.string({ unit: fc.constantFrom(...'0123456789abcdefABCDEF'), minLength: 1, maxLength: 64 });
    fc.assert(
      fc.property(digits, text => {
        const padded = parseAptosAddress(`0x${text}`);
        return padded !== null && padded.length === 66 && parseAptosAddress(toShortAptosAddress(padded)) === padded;
      }),
      { seed: 2 },
    );
  });
});

describe('types', () => {
  it('have short addresses and one space after commas', () => {
    expect(normalizeMoveType(' 0x0001::aptos_coin::AptosCoin ')).toBe('0x1::aptos_coin::AptosCoin');
    expect(normalizeMoveType('0x0a::lp::LP<0x00B::x::X,0x01::y::Y< u8 , 0x000::z::Z >>')).toBe(
      '0xa::lp::LP<0xb::x::X, 0x1::y::Y<u8, 0x0::z::Z>>',
    );
    // A module may look like an address.
    expect(normalizeMoveType('0x01::a0x02::B')).toBe('0x1::a0x02::B');
  });

  it('do not change when they are normalized twice', () => {
    const part = fc.constantFrom('0x01::a::B', '0x0::c::D', 'u64', '0xABC::e::F');
    const type = fc
      .tuple(part, fc.array(part, { maxLength: 3 }))
      .map(([outer, inner]) => `${outer}<${inner.join(',')}>`);
    fc.assert(
      fc.property(type, text => normalizeMoveType(normalizeMoveType(text)) === normalizeMoveType(text)),
      { seed: 3 },
    );
  });

  it('return their type argument', () => {
    expect(getTypeArgument('0x1::coin::CoinStore<0x1::a::B<u8, u8>>', '0x1::coin::CoinStore')).toBe(
      '0x1::a::B<u8, u8>',
    );
    expect(getTypeArgument('0x1::coin::CoinStoreX<u8>', '0x1::coin::CoinStore')).toBeNull();
    expect(getTypeArgument('0x1::coin::CoinStore', '0x1::coin::CoinStore')).toBeNull();
  });
});

describe('ids', () => {
  const creator = parseAptosAddress('0xcafe') ?? '0x';

  it('are SHA-256 hashes of the complete names', () => {
    const theirs = (text: string) => createHash('sha256').update(text).digest('hex');
    const long = 'ä'.repeat(300);
    expect(hashTokenDataId(creator, long, 'n')).toBe(theirs(`${creator}::${long}::n`));
    expect(hashCollectionDataId(creator, 'c')).toBe(theirs(`${creator}::c`));
  });

  it('pair APT with 0xa, and other coins with an address derived from their type', () => {
    expect(getPairedMetadataAddress('0x1::aptos_coin::AptosCoin')).toBe(parseAptosAddress('0xa'));
    const bytes = Buffer.concat([Buffer.alloc(31), Buffer.of(0xa), Buffer.from('0x2::m::C'), Buffer.of(0xfe)]);
    expect(getPairedMetadataAddress('0x2::m::C')).toBe(`0x${createHash('sha3-256').update(bytes).digest('hex')}`);
    const store = Buffer.concat([
      Buffer.alloc(30),
      Buffer.from('cafe', 'hex'),
      Buffer.alloc(31),
      Buffer.of(0xa),
      Buffer.of(0xfc),
    ]);
    expect(getPrimaryStoreAddress(creator, parseAptosAddress('0xa') ?? '0x')).toBe(
      `0x${createHash('sha3-256').update(store).digest('hex')}`,
    );
  });

  it('truncate names to a number of bytes between characters', () => {
    expect(truncateUtf8('a'.repeat(200), 128)).toBe('a'.repeat(128));
    expect(truncateUtf8('ä'.repeat(100), 129)).toBe('ä'.repeat(64));
    expect(truncateUtf8('😀'.repeat(40), 130)).toBe('😀'.repeat(32));
    expect(truncateUtf8('kurz', 128)).toBe('kurz');
  });
});
