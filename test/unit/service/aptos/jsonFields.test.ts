// Numbers and addresses of JSON, by short ways for the usual ones, against the plain rules.
import { describe, expect, it } from 'vitest';
import { parseAptosAddress } from '../../../../src/base/aptosAddress.ts';
import { asUnsigned } from '../../../../src/service/aptos/jsonFields.ts';

describe('an unsigned integer', () => {
  it('has any number of digits up to 80, and nothing else', () => {
    for (let digits = 1; digits <= 82; digits++)
      for (const text of ['9'.repeat(digits), '0'.repeat(digits), `1${'0'.repeat(digits - 1)}`])
        expect(asUnsigned(text)).toBe(digits <= 80 ? BigInt(text) : null);
    for (const number of [0, 7, 255, 256, 257, 4_294_967_296]) expect(asUnsigned(String(number))).toBe(BigInt(number));
    for (const text of [
      '',
      ' ',
      '-1',
      '+1',
      '1.0',
      '1e3',
      '0x1',
      '1_0',
      ' 1',
      '1 ',
      '１',
      `${'9'.repeat(15)}/`,
      `${'9'.repeat(15)}:`,
    ])
      expect(asUnsigned(text)).toBeNull();
  });
});

describe('an address', () => {
  const ends = ['0000', '1111', 'ffff', 'f0f0'];

  it('is the same when it was parsed before, and when another one with the same end was', () => {
    const long = ends.flatMap(end => Array.from({ length: 9 }, (_, digit) => `0x${String(digit).repeat(60)}${end}`));
    for (const address of [...long, ...long.toReversed(), ...long]) expect(parseAptosAddress(address)).toBe(address);
  });

  it('is not taken for one that was parsed before when it only resembles it', () => {
    for (const end of ends) {
      const address = `0x${'a'.repeat(60)}${end}`;
      expect(parseAptosAddress(address)).toBe(address);
      expect(parseAptosAddress(address.toUpperCase().replace('0X', '0x'))).toBe(address);
      for (const other of [`0x${'g'.repeat(60)}${end}`, `1x${address.slice(2)}`, `${address}0`])
        expect(parseAptosAddress(other)).toBeNull();
      expect(parseAptosAddress(`0x${'b'.repeat(59)}${end}`)).toBe(`0x0${'b'.repeat(59)}${end}`);
    }
  });
});
