// Cursors: valid if unchanged, rejected with a reason otherwise, also when forged.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type CursorContent,
  decodeCursor,
  encodeCursor,
  encodeCursorTokenId,
  parseCursorAddress,
  parseCursorInteger,
  parseCursorTokenId,
} from '../../src/api/wire/cursor.ts';
import { HexLensError } from '../../src/base/errors.ts';
import { anyText } from '../support/anyText.ts';

const filters = { operation: 'contractLogs', address: '0xab', topic0: undefined, tokenId: 5n, ids: ['b', 'a'] };
const content: CursorContent = {
  filters,
  key: [17_000_000, 42, '0xff'],
  pinned: { toBlock: 17_000_100 },
  page: 3,
  total: 99,
};

const refusal = (cursor: string, of: CursorContent['filters'] = filters) => getRefusal(() => decodeCursor(cursor, of));

function getRefusal(decode: () => unknown): string {
  try {
    decode();
  } catch (error) {
    expect(error).toBeInstanceOf(HexLensError);
    const fault = error as HexLensError;
    expect(fault.code).toBe('bad-input');
    expect(fault.issues.map(issue => issue.field)).toEqual(['cursor']);
    return fault.message;
  }
  return 'accepted';
}

const DAMAGED = /^cursor is damaged or not from this service: .*start without one$/;
const OTHER = /^cursor belongs to other filters: .*start without a cursor$/;

describe('a cursor', () => {
  test('decodes to key, pinned values, page and total', () => {
    expect(decodeCursor(encodeCursor(content), filters)).toEqual(content);
  });

  test('is URL-safe whatever it contains', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string({ unit: 'grapheme' }), fc.integer())), fc.nat(), (key, page) => {
        const cursor = encodeCursor({ filters, key, page, total: null });
        expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/);
        expect(decodeCursor(cursor, filters)).toEqual({ filters, key, pinned: {}, page, total: null });
      }),
      { seed: 20261120 },
    );
  });

  test('accepts the same filters in another order, without absent ones', () => {
    const same = { ids: ['b', 'a'], tokenId: 5n, address: '0xab', operation: 'contractLogs' };
    expect(decodeCursor(encodeCursor(content), same).page).toBe(3);
  });

  const others: readonly (readonly [what: string, of: CursorContent['filters']])[] = [
    ['none', {}],
    ['another address', { ...filters, address: '0xac' }],
    ['another operation', { ...filters, operation: 'nftTransfers' }],
    ['one more', { ...filters, topic0: '0x00' }],
    ['one less', { ...filters, ids: undefined }],
    ['a list in another order', { ...filters, ids: ['a', 'b'] }],
    ['a nested value', { ...filters, ids: ['b', { a: 1 }] }],
  ];

  test.each(others)('is refused with other filters: %s', (_what, of) => {
    expect(refusal(encodeCursor(content), of)).toMatch(OTHER);
  });

  test('is rejected when any character is changed, removed or doubled', () => {
    const cursor = encodeCursor(content);
    for (let at = 0; at < cursor.length; at++) {
      const [before, char, after] = [cursor.slice(0, at), cursor.charAt(at), cursor.slice(at + 1)];
      for (const other of ['A', 'z', '0', '-', '_', '+', '/', '=', ' ', '.', 'é', '\0']) {
        if (other !== char) expect(refusal(before + other + after)).toMatch(DAMAGED);
      }
      expect(refusal(before + after)).toMatch(DAMAGED);
      if (after.charAt(0) !== char) expect(refusal(before + char + char + after)).toMatch(DAMAGED);
    }
  });

  test('is rejected when any byte of its payload is changed', () => {
    const bytes = Buffer.from(encodeCursor(content), 'base64url');
    for (let at = 0; at < bytes.length; at++) {
      for (const flip of [1, 32, 128, 255]) {
        const damaged = Buffer.from(bytes);
        damaged[at] = (damaged[at] ?? 0) ^ flip;
        expect(refusal(damaged.toString('base64url'))).toMatch(DAMAGED);
      }
    }
  });

  test('is rejected in any other spelling, even if it is the same Base64 value', () => {
    const cursor = encodeCursor({ ...content, key: ['>>>???'] });
    const spellings = [
      `${cursor}=`,
      `${cursor}==`,
      ` ${cursor}`,
      `${cursor}\n`,
      `${cursor.slice(0, 9)} ${cursor.slice(9)}`,
    ];
    for (const spelling of spellings) expect(refusal(spelling)).toMatch(DAMAGED);
    const plain = cursor.replaceAll('-', '+').replaceAll('_', '/');
    if (plain !== cursor) expect(refusal(plain)).toMatch(DAMAGED);
  });

  const strangers = [
    '',
    'null',
    'undefined',
    '0',
    'abc',
    '{}',
    '💥',
    '%20',
    'eyJhbGciOiJIUzI1NiJ9.e30.x',
    'h1.0.[]',
    'A'.repeat(4096),
  ];

  test.each(strangers)('of another service is refused: %j', stranger => {
    expect(refusal(stranger)).toMatch(DAMAGED);
  });

  // The checksum is no secret: a forged cursor must still be validated.
  function forge(payload: string): string {
    const checksum = (text: string) => {
      let hash = 0x811c9dc5;
      for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
      return (hash >>> 0).toString(36);
    };
    return Buffer.from(`h1.${checksum(payload)}.${payload}`).toString('base64url');
  }

  const bound = JSON.stringify(
    (
      JSON.parse(Buffer.from(encodeCursor(content), 'base64url').toString().split('.').slice(2).join('.')) as [string]
    )[0],
  );

  test('is accepted when it is forged but well formed, since the checksum is not a secret', () => {
    expect(decodeCursor(forge(`[${bound},[1],{},2,null]`), filters)).toEqual({
      filters,
      key: [1],
      pinned: {},
      page: 2,
      total: null,
    });
  });

  const forged = [
    'null',
    '7',
    '{}',
    '[]',
    'not json',
    `[${bound}]`,
    `[${bound},[1],{},0]`,
    `[${bound},[1],{},0,null,0]`,
    `[5,[1],{},0,null]`,
    `[${bound},null,{},0,null]`,
    `[${bound},"1",{},0,null]`,
    `[${bound},[null],{},0,null]`,
    `[${bound},[[1]],{},0,null]`,
    `[${bound},[1],null,0,null]`,
    `[${bound},[1],{"a":{}},0,null]`,
    `[${bound},[1],7,0,null]`,
    `[${bound},[1],{},-1,null]`,
    `[${bound},[1],{},0.5,null]`,
    `[${bound},[1],{},1e99,null]`,
    `[${bound},[1],{},"0",null]`,
    `[${bound},[1],{},0,"1"]`,
    `[${bound},[1],{},0,-1]`,
  ];

  test.each(forged)('forged with a right checksum over %s is refused', payload => {
    expect(refusal(forge(payload))).toMatch(DAMAGED);
  });

  test.each(['NaN', '7', -1, 0.5, 2 ** 60, undefined])('%j is refused as a whole number of a key', field => {
    expect(getRefusal(() => parseCursorInteger(field))).toMatch(DAMAGED);
  });

  test('a whole number above its maximum is refused', () => {
    expect(parseCursorInteger(7, 7)).toBe(7);
    expect(getRefusal(() => parseCursorInteger(8, 7))).toMatch(DAMAGED);
  });

  test.each([undefined, 7, '0x', `0x${'g'.repeat(40)}`, `0x${'a'.repeat(41)}`])(
    '%j is refused as an address',
    field => {
      expect(parseCursorAddress(`0x${'a'.repeat(40)}`)).toBe(`0x${'a'.repeat(40)}`);
      expect(getRefusal(() => parseCursorAddress(field))).toMatch(DAMAGED);
    },
  );

  test.each([undefined, 7, '', '-1', 'z'.repeat(51), 'z'.repeat(50)])('%j is refused as a token id', field => {
    const largest = (1n << 256n) - 1n;
    expect(parseCursorTokenId(encodeCursorTokenId(largest))).toBe(largest);
    expect(getRefusal(() => parseCursorTokenId(field))).toMatch(DAMAGED);
  });

  test('never fails with anything but bad-input', () => {
    fc.assert(
      fc.property(fc.oneof(anyText(), fc.json().map(forge)), cursor => {
        expect(refusal(cursor)).toMatch(/^cursor /);
      }),
      { seed: 20261120, numRuns: 300 },
    );
  });
});
