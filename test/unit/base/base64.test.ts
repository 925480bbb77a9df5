// Base64 and UTF-8 without Buffer, compared with Node's.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { base64ToBytes, bytesToBase64, bytesToText, textToBase64 } from '../../../src/base/base64.ts';
import { anyText } from '../../support/anyText.ts';

const assert = <T>(arbitrary: fc.Arbitrary<T>, check: (value: T) => void) =>
  fc.assert(
    fc.property(arbitrary, value => void check(value)),
    { seed: 7 },
  );

describe('base64', () => {
  test('encodes bytes and text as Node.js does', () => {
    assert(fc.uint8Array({ maxLength: 300 }), bytes =>
      expect(bytesToBase64(bytes)).toBe(Buffer.from(bytes).toString('base64')),
    );
    assert(anyText(), text => expect(textToBase64(text)).toBe(Buffer.from(text).toString('base64')));
    const large = new Uint8Array(100_000).map((_, index) => index);
    expect(bytesToBase64(large)).toBe(Buffer.from(large).toString('base64'));
  });

  test('decodes any text as Node.js does: both alphabets, spaces, missing padding', () => {
    const alphabet = fc.constantFrom(...'AZaz09+/-_= \n%ü');
    assert(fc.string({ unit: alphabet, maxLength: 40 }), text =>
      expect(base64ToBytes(text)).toEqual(new Uint8Array(Buffer.from(text, 'base64'))),
    );
  });

  test('decodes UTF-8 with a replacement for bytes that are none', () => {
    assert(fc.uint8Array({ maxLength: 60 }), bytes =>
      expect(bytesToText(bytes)).toBe(Buffer.from(bytes).toString('utf8')),
    );
    expect(bytesToText(Uint8Array.of(0xef, 0xbb, 0xbf, 0x41))).toBe('\ufeffA');
  });
});
