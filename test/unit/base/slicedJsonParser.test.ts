// Large JSON, parsed in slices: the same values as JSON.parse, errors for the same texts, limits, and other work in between.
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonLimitError, SlicedJsonParser } from '../../../src/base/slicedJsonParser.ts';

const LIMITS = { maxDepth: 100, maxValues: 1_000_000, maxKeys: 50_000, maxStringLength: 2_000_000 };
/** As it comes in pieces of that length. */
async function parse(text: string, pieceLength = 65_536): Promise<unknown> {
  const parser = new SlicedJsonParser(LIMITS);
  for (let at = 0; at < text.length; at += pieceLength) parser.add(text.slice(at, at + pieceLength));
  return parser.end();
}
/** Longer than what is parsed at once. */
const filler = JSON.stringify('x'.repeat(300_000));

describe('SlicedJsonParser', () => {
  it.each<[string, unknown]>([
    ['a list of strings', Array.from({ length: 20_000 }, (_, index) => `0x${String(index).padStart(64, '0')}`)],
    ['a list of objects', Array.from({ length: 10_000 }, (_, id) => ({ id, result: [`{"[,]}`, null, -1.5e3, true] }))],
    ['objects inside each other', { a: { b: { c: Array.from({ length: 90_000 }, (_, n) => n), d: {} }, e: [] }, f: 1 }],
    ['many keys', Object.fromEntries(Array.from({ length: 40_000 }, (_, n) => [`key "${n}\\`, [n]]))],
    ['a long string', ['\\"'.repeat(400_000), { after: '"' }]],
    ['a string alone', 'y'.repeat(600_000)],
    ['empty ones', [[], {}, 'z'.repeat(400_000), [[]], { a: {} }, [], {}]],
  ])('gives the same value as JSON.parse: %s', async (_, value) => {
    for (const text of [JSON.stringify(value), JSON.stringify(value, null, 1)])
      for (const pieceLength of [65_536, 7_001, text.length])
        expect(isDeepStrictEqual(await parse(text, pieceLength), JSON.parse(text))).toBe(true);
  });

  it('gives the same value for any JSON around long texts', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.json(),
        fc.json(),
        fc.integer({ min: 5_000, max: 99_999 }),
        async (one, other, pieceLength) => {
          const text = `[${one},{"a":${filler},"b":[${other},${filler}]},${one}]`;
          expect(await parse(text, pieceLength)).toEqual(JSON.parse(text));
        },
      ),
      { seed: 5, numRuns: 75 },
    );
  });

  it('gives the same long string wherever its pieces end, also in escapes', async () => {
    const part = fc.constantFrom('\\\\', '\\"', '\\u00e9', '\\ud83d\\ude00', '\\n', 'plain', 'é', '\\\\\\\\\\\\');
    await fc.assert(
      fc.asyncProperty(
        fc.array(part, { minLength: 10 }),
        fc.integer({ min: 500, max: 70_000 }),
        async (parts, length) => {
          const body = parts.join('').repeat(Math.ceil(150_000 / parts.join('').length));
          const text = `{"a":[1,"${body}"],"b":"${body}"}`;
          expect(isDeepStrictEqual(await parse(text, length), JSON.parse(text))).toBe(true);
        },
      ),
      { seed: 7, numRuns: 60 },
    );
  });

  it('rejects a key that is too long to be parsed at once, and a number of too many digits', async () => {
    const getKind = (text: string) =>
      parse(text, 10_000).catch(error => (error instanceof JsonLimitError ? error.kind : error));
    expect(await getKind(`{"${'k'.repeat(200_000)}":1}`)).toBe('characters');
    expect(await getKind(`[${'9'.repeat(40_000)}]`)).toBe('digits');
    expect(await getKind('9'.repeat(1_000_000))).toBe('digits');
  });

  it('has a key __proto__ as JSON.parse has it', async () => {
    const text = `{"__proto__":{"a":[${filler},1]},"b":1}`;
    const value = (await parse(text)) as object;
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(Object.keys(value)).toEqual(['__proto__', 'b']);
  });

  it.each([
    `[${filler},]`,
    `[,${filler}]`,
    `[${filler} 1]`,
    `[[${filler}] [1]]`,
    `[[${filler},1],,2]`,
    `[[${filler},1]2,3]`,
    `[${filler}}`,
    `{"a":${filler}]`,
    `[${filler}`,
    `[${filler}]]`,
    `[${filler}],1`,
    `[${filler}] x`,
    `{"a" ${filler}}`,
    `{"a":{"b":${filler},"c":1} "d":2}`,
    `{[${filler},1]}`,
    `{"a" [${filler},1]}`,
    `["${'x'.repeat(300_000)}`,
    `${' '.repeat(300_000)}`,
  ])('rejects what JSON.parse rejects (%#)', async text => {
    expect(() => JSON.parse(text)).toThrow(SyntaxError);
    await expect(parse(text)).rejects.toThrow(SyntaxError);
  });

  it('rejects any text that was cut or changed, as JSON.parse does', async () => {
    const text = JSON.stringify([{ a: 'x'.repeat(280_000), b: [[1, 2], { c: [] }] }, 'y'.repeat(270_000), { d: 1 }]);
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.nat(60),
          fc.integer({ min: 280_000, max: 280_060 }),
          fc.integer({ min: text.length - 30, max: text.length - 1 }),
        ),
        fc.constantFrom('', ',', '[', ']', '{', '}', '"', ':', '1', ' '),
        async (at, char) => {
          const changed = text.slice(0, at) + char + text.slice(at + 1);
          let expected: unknown = 'invalid';
          try {
            expected = JSON.parse(changed);
          } catch {}
          expect(await parse(changed).catch(() => 'invalid')).toEqual(expected);
        },
      ),
      { seed: 3, numRuns: 150 },
    );
  });

  it('rejects what is nested too deeply, and too many values, without reading further', async () => {
    const getKind = (text: string) =>
      parse(text).catch(error => (error instanceof JsonLimitError ? error.kind : error));
    expect(await getKind('['.repeat(5_000_000))).toBe('depth');
    expect(await getKind(`[${'{"a":'.repeat(200)}${filler}`)).toBe('depth');
    expect(await getKind(`[${'{},'.repeat(2_000_000)}{}]`)).toBe('values');
    expect(await getKind(`[${'1,'.repeat(2_000_000)}1]`)).toBe('values');
  });

  it('rejects an object of too many keys and a string that is too long', async () => {
    const getKind = (text: string) =>
      parse(text).catch(error => (error instanceof JsonLimitError ? error.kind : error));
    const keys = Array.from({ length: 60_000 }, (_, n) => `"key ${n}":"value"`);
    expect(await getKind(`{${keys}}`)).toBe('keys');
    expect(await getKind(`[${Array.from({ length: 3 }, () => `{${keys.slice(0, 40_000)}}`)}]`)).toBeInstanceOf(Array);
    expect(await getKind(`["${'x'.repeat(2_000_001)}"]`)).toBe('characters');
  });

  it('rejects megabytes of blanks, but those in a string', async () => {
    const blanks = ' '.repeat(1_000_000);
    for (const text of [blanks, `${blanks}1`, `[1${blanks}]`, `[1]${blanks}`])
      await expect(parse(text)).rejects.toThrow(SyntaxError);
    expect(await parse(`["${blanks}"]`)).toEqual([blanks]);
  });

  it('takes what is parsed from the text, piece by piece', () => {
    const parser = new SlicedJsonParser(LIMITS);
    const longest = { parsed: 0 };
    const observed = new SlicedJsonParser(LIMITS, json => {
      longest.parsed = Math.max(longest.parsed, json.length);
      return JSON.parse(json);
    });
    const text = JSON.stringify(Array.from({ length: 20_000 }, (_, n) => [{ n, text: 'x'.repeat(50) }]));
    for (let at = 0; at < text.length; at += 65_536)
      for (const each of [parser, observed]) each.add(text.slice(at, at + 65_536));
    expect(observed.end()).toEqual(parser.end());
    expect(longest.parsed).toBeGreaterThan(0);
    expect(longest.parsed).toBeLessThan(200_000);
  });
});
