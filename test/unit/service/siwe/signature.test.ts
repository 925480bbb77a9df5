// The `signature` field: what an account's signature must be, bit by bit; and the EIP-191 bytes.
import fc from 'fast-check';
import { hashMessage, toPrefixedMessage } from 'viem';
import { describe, expect, test } from 'vitest';
import { HexLensError } from '../../../../src/base/errors.ts';
import { bytesToHex } from '../../../../src/base/hex.ts';
import { jsSignatureEngine } from '../../../../src/service/siwe/jsSignatureEngine.ts';
import { encodePersonalMessage, MAX_SIGNATURE_BYTES, parseSignature } from '../../../../src/service/siwe/signature.ts';
import { anyText } from '../../../support/anyText.ts';

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const HALF = ORDER / 2n;
const word = (value: bigint) => value.toString(16).padStart(64, '0');
const full = (r: bigint, s: bigint, v = '1b') => `0x${word(r)}${word(s)}${v}`;

/** What is wrong with the text: thrown, or returned because a contract wallet may still accept it. */
function complaint(text: string, compact = false): string {
  try {
    const read = parseSignature(text, compact);
    return read.kind === 'contractOnly' ? read.problem.message : `none (${read.kind})`;
  } catch (error) {
    expect(error).toBeInstanceOf(HexLensError);
    expect((error as HexLensError).issues[0]?.field).toBe('signature');
    return (error as HexLensError).message;
  }
}

describe('text', () => {
  test.each([
    ['', 'signature is not hex'],
    ['0X'.padEnd(132, 'a'), 'signature is not hex'],
    ['a'.repeat(130), 'signature is not hex'],
    [`0x${'g'.repeat(130)}`, 'signature is not hex'],
    [` ${full(1n, 1n)}`, 'signature is not hex'],
    [`${full(1n, 1n)}\n`, 'signature is not hex'],
    [full(1n, 1n).slice(0, -1), 'signature has 129 hex digits, which are no whole bytes'],
    ['0x', 'signature has 0 bytes'],
    ['0x1b', 'signature has 1 byte:'],
    [full(1n, 1n).slice(0, -2), 'signature has 64 bytes, the compact form of EIP-2098, which is switched off'],
    [`${full(1n, 1n)}00`, 'signature has 66 bytes'],
    [`0x${'00'.repeat(MAX_SIGNATURE_BYTES + 1)}`, 'signature is longer than 16,384 bytes'],
    [`0x${'g'.repeat(1_000_000)}`, 'signature is longer than 16,384 bytes'],
  ])('%.24s… %s, and the message says what is allowed', (text, start) => {
    const message = complaint(text);
    expect(message).toContain(start);
    expect(message).toContain('it must be 0x and 130 hex digits (65 bytes: r, s, v)');
    expect(message.length).toBeLessThan(200);
  });

  test('upper and lower case digits are the same bytes', () => {
    const text = full(0xabcdefn, 0xfedcban, '1C');
    const lower = parseSignature(text.toLowerCase(), false);
    const upper = parseSignature(`0x${text.slice(2).toUpperCase()}`, false);
    if (lower.kind !== 'account' || upper.kind !== 'account') throw new Error('not read');
    expect(upper.recoverable).toEqual(lower.recoverable);
    expect(upper.recoverable[0]).toBe(1);
  });
});

test('of the 256 values of v only 0, 1, 27 and 28 are accepted, each with its parity', () => {
  const parities = new Map<number, number>();
  for (let v = 0; v < 256; v++) {
    const read = parseSignature(full(5n, 7n, v.toString(16).padStart(2, '0')), false);
    if (read.kind === 'account') parities.set(v, read.recoverable[0] ?? -1);
    else expect(complaint(read.hex)).toBe(`signature ends with v = ${v}: only 0, 1, 27 and 28 are allowed`);
  }
  expect([...parities]).toEqual([
    [0, 0],
    [1, 1],
    [27, 0],
    [28, 1],
  ]);
});

test.each([
  ['r = 0', 0n, 1n, /has r = 0/],
  ['r = order', ORDER, 1n, /has an r that is not below the order/],
  ['r = 2^256 - 1', 2n ** 256n - 1n, 1n, /has an r that is not below the order/],
  ['r = order - 1', ORDER - 1n, 1n, /none \(account\)/],
  ['s = 0', 1n, 0n, /has s = 0/],
  ['s = order', 1n, ORDER, /has an s that is not below the order/],
  ['s = half', 1n, HALF, /none \(account\)/],
  ['s = half + 1', 1n, HALF + 1n, /has a high s: only the lower half/],
  ['s = order - 1', 1n, ORDER - 1n, /has a high s/],
])('decides about a signature with %s', (_, r, s, expected) => {
  expect(complaint(full(r, s))).toMatch(expected);
});

describe('EIP-2098, when it is allowed', () => {
  const compact = (r: bigint, s: bigint, parity: bigint) => `0x${word(r)}${word(s | (parity << 255n))}`;

  test('is the same as the long form', () => {
    for (const parity of [0n, 1n]) {
      const short = parseSignature(compact(5n, HALF, parity), true);
      const long = parseSignature(full(5n, HALF, parity === 0n ? '1b' : '1c'), true);
      if (short.kind !== 'account' || long.kind !== 'account') throw new Error('not read');
      expect(short.recoverable).toEqual(long.recoverable);
    }
  });

  test('has the same bounds', () => {
    expect(complaint(compact(0n, 1n, 1n), true)).toMatch(/has r = 0/);
    expect(complaint(compact(1n, 0n, 1n), true)).toMatch(/has s = 0/);
    expect(complaint(compact(1n, HALF + 1n, 1n), true)).toMatch(/high s/);
    expect(complaint('0x00', true)).toContain('or 128 (EIP-2098)');
  });
});

test('an ERC-6492 signature is detected by its last 32 bytes, at any length', () => {
  const end = '6492'.repeat(16);
  expect(parseSignature(`0x${end}`, false).kind).toBe('wrapped');
  expect(parseSignature(`0x${'ab'.repeat(500)}${end}`, false).kind).toBe('wrapped');
  expect(parseSignature(`0x${'ab'.repeat(33)}${end}`, false).kind).toBe('wrapped'); // 65 bytes
  expect(complaint(`0x${'ab'.repeat(500)}${end}00`)).toMatch(/has 533 bytes/);
  expect(complaint(`0x${end.slice(2)}`)).toMatch(/has 31 bytes/);
});

test('any text parses or throws a fault about the field', () => {
  const hex = fc.stringMatching(/^0x[0-9a-fA-F]{0,300}$/);
  fc.assert(
    fc.property(fc.oneof(anyText(), hex), fc.boolean(), (text, compact) => {
      expect(complaint(text, compact)).toMatch(/^(signature |none )/);
    }),
    { seed: 4361, numRuns: 2_000 },
  );
});

describe('EIP-191', () => {
  test('counts bytes, not characters, as viem does', () => {
    const encoder = new TextEncoder();
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), text => {
        const bytes = encodePersonalMessage(encoder.encode(text));
        expect(bytesToHex(bytes)).toBe(toPrefixedMessage(text));
        expect(bytesToHex(jsSignatureEngine.keccak256(bytes))).toBe(hashMessage(text));
      }),
      { seed: 191, numRuns: 300 },
    );
  });

  test.each([0, 1, 9, 10, 99, 100, 9_999, 10_000])('hashes %i bytes', length => {
    const bytes = encodePersonalMessage(new Uint8Array(length).fill(97));
    expect(Buffer.from(bytes).toString('latin1')).toBe(`\x19Ethereum Signed Message:\n${length}${'a'.repeat(length)}`);
  });
});
