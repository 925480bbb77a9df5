// Lossless JSON: no digit of a whole number is lost, and nothing else differs from JSON.parse.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { quoteLongNumbers } from '../../../../src/service/aptos/aptosHttpClient.ts';
import { measureGrowth } from '../../../support/measureGrowth.ts';

const parseLosslessJson = (text: string): unknown => JSON.parse(quoteLongNumbers(text));

const MAX = '18446744073709551615';

describe('a response of an Aptos node', () => {
  it('preserves the digits of integers that a double cannot represent', () => {
    expect(parseLosslessJson(`{"a":${MAX},"b":[-9007199254740993, ${MAX}],"c":\n${MAX}}`)).toEqual({
      a: MAX,
      b: ['-9007199254740993', MAX],
      c: MAX,
    });
    expect(parseLosslessJson(MAX)).toBe(MAX);
    expect(parseLosslessJson(` ${MAX} `)).toBe(MAX);
    expect(parseLosslessJson('340282366920938463463374607431768211455')).toBe(
      '340282366920938463463374607431768211455',
    );
  });

  it('does not change safe integers and numbers with a fraction or exponent', () => {
    const text = '[9007199254740991,-9007199254740991,1234567890123456,12345678901234567.5,12345678901234567e3,0]';
    expect(parseLosslessJson(text)).toEqual(JSON.parse(text));
  });

  it('does not change numbers within strings', () => {
    for (const inner of [`:${MAX}`, `a, ${MAX}]`, `\\", ${MAX}`, `\\\\`, `{"a": ${MAX}}`, ` ${MAX} `]) {
      const value = { [inner]: inner, after: [inner, 'x'] };
      expect(parseLosslessJson(JSON.stringify(value))).toEqual(value);
    }
    expect(parseLosslessJson(`["\\\\",${MAX},"\\"",${MAX}]`)).toEqual(['\\', MAX, '"', MAX]);
  });

  it('accepts the same texts as JSON.parse', () => {
    for (const text of [
      `[0${MAX}]`,
      `[${MAX}`,
      `["a ${MAX}`,
      `[+${MAX}]`,
      `[${MAX} ${MAX}]`,
      `{${MAX}:1}`,
      `{ ${MAX} :1}`,
      `{"a":1, ${MAX}:1}`,
      `[-]`,
      `[${MAX}x]`,
      '',
    ]) {
      expect(() => parseLosslessJson(text), text).toThrow(SyntaxError);
    }
  });

  it.each([
    ['no quotation mark', ''],
    ['one at the end', ',"a"'],
  ])('with many long numbers and %s takes linear time', (_, end) => {
    const create = (count: number) => `[${`${MAX},`.repeat(count)}1${end}]`;
    expect(measureGrowth(create, quoteLongNumbers, 1_000)).toBeLessThan(16);
  });

  it('agrees with JSON.parse on values with safe numbers', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(undefined, 1, 2), (value, space) => {
        const text = JSON.stringify(value, null, space);
        fc.pre(!/\d{16}/.test(text));
        expect(parseLosslessJson(text)).toEqual(JSON.parse(text));
      }),
      { seed: 20, numRuns: 500 },
    );
  });

  it('preserves any u128 at any position', () => {
    const wide = fc.bigInt({ min: 1n << 53n, max: (1n << 128n) - 1n });
    const hostile = fc.string({ unit: fc.constantFrom('"', '\\', ':', ',', '[', ' ', '1', '9', MAX) });
    fc.assert(
      fc.property(fc.array(fc.tuple(hostile, wide)), pairs => {
        const text = `{"rows":[${pairs.map(([name, number]) => `{${JSON.stringify(name)}: ${number}}`).join(',')}]}`;
        expect(parseLosslessJson(text)).toEqual({ rows: pairs.map(([name, number]) => ({ [name]: `${number}` })) });
      }),
      { seed: 21, numRuns: 500 },
    );
  });

  it('takes linear time for hostile text', () => {
    const text = `["${` ${MAX}`.repeat(100_000)}"]`;
    const nested = `[${'"\\\\",1234567890123456789,'.repeat(50_000)}1]`;
    expect((parseLosslessJson(text) as string[])[0]).toHaveLength(100_000 * 21);
    expect(parseLosslessJson(nested)).toHaveLength(100_001);
    expect(() => parseLosslessJson(`[${'1'.repeat(1_000_000)}.`)).toThrow(SyntaxError);
  });
});
