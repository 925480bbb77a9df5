// ABI decoding against an independent encoder, and against data that lies.
import fc from 'fast-check';
import { encodeAbiParameters } from 'viem';
import { describe, expect, test } from 'vitest';
import { type Hex, hexToBytes } from '../../../src/base/hex.ts';
import { type AbiParameter, parseAbiParameters } from '../../../src/decode/abiType.ts';
import { type DecodedValue, decodeTopic, decodeValues } from '../../../src/decode/decodeValues.ts';
import { measureCpuMs } from '../../support/cpuTime.ts';

/** A parameter, a value as the encoder takes it, and the value as we print it. */
interface Sample {
  readonly parameter: AbiParameter;
  readonly given: unknown;
  readonly printed: unknown;
}

const hexOf = (size: number) =>
  fc.uint8Array({ minLength: size, maxLength: size }).map(bytes => `0x${Buffer.from(bytes).toString('hex')}`);

const sample = (type: string, arbitrary: fc.Arbitrary<unknown>, print: (value: never) => unknown = String) =>
  arbitrary.map(given => ({ parameter: { name: 'x', type }, given, printed: print(given as never) }));

const bits = fc.integer({ min: 1, max: 32 }).map(bytes => bytes * 8);

const elementary: fc.Arbitrary<Sample> = fc.oneof(
  sample('bool', fc.boolean()),
  sample('string', fc.string({ unit: 'grapheme', maxLength: 70 })),
  sample('address', hexOf(20)),
  sample('bytes', fc.integer({ min: 0, max: 70 }).chain(hexOf)),
  bits.chain(size => sample(`uint${size}`, fc.bigInt({ min: 0n, max: 2n ** BigInt(size) - 1n }))),
  bits.chain(size =>
    sample(`int${size}`, fc.bigInt({ min: -(2n ** BigInt(size - 1)), max: 2n ** BigInt(size - 1) - 1n })),
  ),
  fc.integer({ min: 1, max: 32 }).chain(size => sample(`bytes${size}`, hexOf(size))),
);

/** Several samples of one type: the values of an array. Every draw of `seed` gives the same type, other values. */
const samples: fc.Arbitrary<Sample> = fc.letrec<{ any: Sample }>(tie => ({
  any: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    elementary,
    fc
      .tuple(tie('any') as fc.Arbitrary<Sample>, fc.integer({ min: 0, max: 3 }), fc.boolean())
      .map(([{ parameter, given, printed }, length, fixed]) => ({
        parameter: { ...parameter, type: `${parameter.type}[${fixed ? length : ''}]` },
        given: Array.from({ length }, () => given),
        printed: Array.from({ length }, () => printed),
      }))
      .filter(({ parameter }) => !parameter.type.includes('[0]')),
    fc.array(tie('any') as fc.Arbitrary<Sample>, { minLength: 1, maxLength: 4 }).map(fields => ({
      parameter: {
        name: 'x',
        type: 'tuple',
        components: fields.map(({ parameter }, index) => ({ ...parameter, name: `f${index}` })),
      },
      given: Object.fromEntries(fields.map(({ given }, index) => [`f${index}`, given])),
      printed: fields.map(({ printed }) => printed),
    })),
  ),
})).any;

const strip = ({ value }: DecodedValue): unknown => (typeof value === 'string' ? value : value.map(strip));

const fields = (parameters: readonly AbiParameter[]) => {
  const parsed = parseAbiParameters(parameters);
  if (parsed === null) throw new Error(`no types: ${JSON.stringify(parameters)}`);
  return parsed;
};

const decode = (parameters: readonly AbiParameter[], data: string) =>
  decodeValues(fields(parameters), hexToBytes(data as Hex))?.map(strip) ?? null;

const word = (value: bigint | number) => BigInt(value).toString(16).padStart(64, '0');

describe('decodeValues', () => {
  test('decodes what an independent encoder encoded', () => {
    fc.assert(
      fc.property(fc.array(samples, { minLength: 1, maxLength: 4 }), all => {
        const parameters = all.map(({ parameter }) => parameter);
        const data = encodeAbiParameters(parameters as never, all.map(({ given }) => given) as never);
        expect(decode(parameters, data)).toEqual(all.map(({ printed }) => printed));
      }),
      { seed: 20_261_121, numRuns: 600 },
    );
  });

  test('rejects truncated data of every length', () => {
    const parameters = [
      { name: 'a', type: 'string[]' },
      { name: 'b', type: 'tuple', components: [{ name: 'c', type: 'bytes' }] },
    ];
    const data = encodeAbiParameters(parameters as never, [['one', 'two'], { c: '0x1234' }] as never);
    // The last bytes are padding: without them the value is still all there.
    for (let length = 2; length < data.length - 60; length += 2)
      expect(decode(parameters, data.slice(0, length))).toBeNull();
    expect(decode(parameters, data)).toEqual([['one', 'two'], ['0x1234']]);
  });

  test.each([
    ['an address with more than 20 bytes', 'address', word(1n << 160n)],
    ['a bool that is 2', 'bool', word(2)],
    ['a uint8 that is 256', 'uint8', word(256)],
    ['an int8 that is 128', 'int8', word(128)],
    ['a bytes4 of five bytes', 'bytes4', '1122334455'.padEnd(64, '0')],
    ['an offset beyond the data', 'string', word(1 << 20)],
    ['an offset of 2^255', 'string', word(1n << 255n)],
    ['a length beyond the data', 'bytes', word(32) + word(1000)],
    ['an array that claims 2^40 elements', 'uint256[]', word(32) + word(1n << 40n)],
    ['no data at all', 'uint256', ''],
  ])('rejects %s', (_, type, data) => {
    expect(decode([{ name: 'x', type }], `0x${data}`)).toBeNull();
  });

  test('bounds an array whose elements all have the same offset', () => {
    // 1,000 arrays that share one array of 1,000 that share one ...: 10^9 values in 100 kB.
    const level = (offset: number) => word(1000) + word(offset).repeat(1000);
    const data = word(32) + level(1000 * 32) + level(1000 * 32) + level(1000 * 32) + word(7);
    const took = measureCpuMs(
      () => expect(decode([{ name: 'x', type: 'uint256[][][]' }], `0x${data}`)).toBeNull(),
      2_000,
    );
    expect(took).toBeLessThan(2_000);
  });

  test('bounds byte strings and texts that all have the same offset', () => {
    // 2,000 elements that share one of 64 kB: 260 MB of hex.
    const shared = word(65_536) + '00'.repeat(65_536);
    const data = `0x${word(32)}${word(2_000)}${word(2_000 * 32).repeat(2_000)}${shared}`;
    for (const type of ['bytes[]', 'string[]']) expect(decode([{ name: 'x', type }], data)).toBeNull();
  });
});

describe('decodeTopic', () => {
  const topic = hexToBytes(`0x${word(5)}`);
  const of = (type: string) => decodeTopic(fields([{ name: 'x', type }])[0] as never, topic);
  test('decodes elementary values', () => {
    expect(of('uint256')).toEqual({ name: 'x', type: 'uint256', value: '5' });
    expect(of('address')?.value).toBe(`0x${'0'.repeat(39)}5`);
    expect(of('bool')).toBeNull();
  });
  test('returns the hash of strings, arrays and tuples', () => {
    for (const type of ['string', 'bytes', 'uint256[2]']) {
      expect(of(type)).toEqual({ name: 'x', type, value: `0x${word(5)}`, hashed: true });
    }
  });
});

describe('parseAbiParameters', () => {
  test.each([
    'uint7',
    'uint264',
    'uint08',
    'bytes33',
    'bytes0',
    'adress',
    'uint256[',
    'uint256[-1]',
    'tuple[9999999]',
    'fixed128x18',
    'tuple',
    '',
  ])('%s is not a type', type => expect(parseAbiParameters([{ name: 'x', type }])).toBeNull());
  test('makes short names canonical', () => {
    expect(fields([{ name: 'x', type: 'uint[2][]' }])[0]?.canonicalType).toBe('uint256[2][]');
    const components = [
      { name: 'a', type: 'int' },
      { name: 'b', type: 'function' },
    ];
    expect(fields([{ name: 'x', type: 'tuple[]', components }])[0]?.canonicalType).toBe('(int256,function)[]');
  });
  test('rejects types that are too deep or too long', () => {
    let parameter: AbiParameter = { name: 'x', type: 'uint256' };
    for (let depth = 0; depth < 40; depth++) parameter = { name: 'x', type: 'tuple', components: [parameter] };
    expect(parseAbiParameters([parameter])).toBeNull();
    expect(parseAbiParameters([{ name: 'x', type: `uint256${'[1]'.repeat(40)}` }])).toBeNull();
  });
});
