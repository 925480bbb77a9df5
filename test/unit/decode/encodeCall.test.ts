// Arguments become call data exactly as ox encodes them, and wrong ones are named.
import * as AbiFunction from 'ox/AbiFunction';
import { describe, expect, test } from 'vitest';
import { type Hex, hexToBytes } from '../../../src/base/hex.ts';
import { type AbiItem, getAbiFields, parseAbiItem } from '../../../src/decode/abiItem.ts';
import { parseAbiParameters } from '../../../src/decode/abiType.ts';
import { decodeValues } from '../../../src/decode/decodeValues.ts';
import { decodeCallResult, encodeCall, validateArgument } from '../../../src/decode/encodeCall.ts';

const alice = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

function item(text: string): AbiItem {
  const parsed = parseAbiItem(AbiFunction.from(text as 'function f()'), 'Test');
  if (parsed === null) throw new Error(`not a function: ${text}`);
  return parsed;
}

test('a function value is an address and a selector', () => {
  const field = { name: 'callback', type: 'function' };
  const set = parseAbiItem(
    {
      type: 'function',
      name: 'set',
      inputs: [field, { name: 'all', type: 'tuple[]', components: [{ ...field, type: 'function[2]' }] }],
    },
    '',
  );
  const [one, two] = [`0x${'ab'.repeat(24)}`, `0x${'cd'.repeat(24)}`];
  if (set === null) throw new Error('no item');
  const data = encodeCall(set, [one, [[[one, two]]]]);
  expect(decodeValues(getAbiFields(set), hexToBytes(`0x${data.slice(10)}`))).toMatchObject([
    { type: 'function', value: one },
    { value: [{ value: [{ value: [{ value: one }, { value: two }] }] }] },
  ]);
});

describe('encodeCall', () => {
  test('encodes text as values of every type', () => {
    const f = 'function f(address a, uint8 b, int16 c, bool d, bytes e, bytes4 g, string h, uint256[] i)';
    const args = [alice, '255', '-3', 'true', '0x1234', '0xdeadbeef', 'hello', '[1, "2"]'];
    expect(encodeCall(item(f), args)).toBe(
      AbiFunction.encodeData(AbiFunction.from(f), [alice, 255, -3, true, '0x1234', '0xdeadbeef', 'hello', [1n, 2n]]),
    );
  });

  test('encodes tuples given as lists or as objects, with and without field names', () => {
    const named = 'function f((address to, uint256 amount) order)';
    const expected = AbiFunction.encodeData(AbiFunction.from(named), [{ to: alice, amount: 5n }]);
    expect(encodeCall(item(named), [[alice, '5']])).toBe(expected);
    expect(encodeCall(item(named), [{ amount: 5, to: alice }])).toBe(expected);
    expect(encodeCall(item('function f((address, uint256) order)'), [`["${alice}", 5]`])).toBe(expected);
  });

  test('takes lists and tuples without quotes, in parentheses and by name, with all digits of numbers', () => {
    const text = 'function f((address to, uint256 amount)[] orders, uint256[] ids, string[] names)';
    const large = 2n ** 200n + 1n;
    const expected = AbiFunction.encodeData(AbiFunction.from(text), [
      [
        { to: alice, amount: large },
        { to: alice, amount: 42n },
      ],
      [1n, 255n],
      ['a, (b]', 'true'],
    ]);
    const names = '["a, (b]", "true"]';
    expect(encodeCall(item(text), [`[(${alice}, ${large}), (${alice}, 0x2a)]`, '[1,0xff]', names])).toBe(expected);
    expect(
      encodeCall(item(text), [
        `[{to: ${alice}, amount: ${large}}, {"amount": "42", to: ${alice}}]`,
        ' [ 1, "255" ] ',
        names,
      ]),
    ).toBe(expected);
  });

  test('names a wrong value inside of a list or a tuple', () => {
    const [orders] = item('function f((address to, uint8 amount)[] orders)').inputs;
    const field = parseAbiParameters(orders === undefined ? [] : [orders])?.[0];
    if (field === undefined) throw new Error('no field');
    expect(validateArgument(field, 0, `[(${alice}, 1), (${alice}, 256)]`)).toBe(
      'orders[1].amount must be a whole number of uint8, from 0 to 255',
    );
    expect(validateArgument(field, 0, `[(${alice})]`)).toBe('orders[0] must be a tuple of 2 values: (to, amount)');
    expect(validateArgument(field, 0, `[(${alice}, 1)`)).toBe('orders must be a list such as [(…), (…)]');
    expect(validateArgument(field, 0, '[]')).toBeNull();
  });

  test('spends linear time on hostile text', () => {
    const [list] = item('function f(uint256[] ids)').inputs;
    const field = parseAbiParameters(list === undefined ? [] : [list])?.[0];
    if (field === undefined) throw new Error('no field');
    for (const part of ['"', '\\"', '(', '[', '1,'])
      expect(validateArgument(field, 0, `[${part.repeat(500_000)}`)).toMatch(/^ids must be a list/);
  });

  test('names every wrong argument and what it must be', () => {
    const f = item('function f(address to, uint8 small, bool)');
    const wrongChecksum = alice.replace('C51812', 'c51812');
    expect(() => encodeCall(f, [wrongChecksum, '256', 'yes'])).toThrow(
      /to must be an address with its EIP-55 checksum.*small must be a whole number of uint8.*from 0 to 255.*argument 3 must be true or false/s,
    );
    expect(() => encodeCall(f, [alice])).toThrow(/args must hold 3 values, as in f\(address,uint8,bool\), not 1/);
    expect(() => encodeCall(item('function f(uint256 n)'), [1.5])).toThrow(/n must be a whole number/);
    expect(() => encodeCall(item('function f(uint256 n)'), [2 ** 60])).toThrow(/n must be a whole number/);
    expect(() => encodeCall(item('function f(uint256[2] n)'), ['[1]'])).toThrow(/n must be a list of 2 values/);
  });

  test.each([
    ['uint8', '0', '255', '256'],
    ['uint256', '0', String(2n ** 256n - 1n), String(2n ** 256n)],
    ['int8', '-128', '127', '128'],
    ['int256', String(-(2n ** 255n)), String(2n ** 255n - 1n), String(2n ** 255n)],
  ])('takes %s from %s to %s', (type, least, greatest, tooGreat) => {
    const f = `function f(${type} n)`;
    for (const number of [least, greatest])
      expect(encodeCall(item(f), [number])).toBe(
        AbiFunction.encodeData(AbiFunction.from(f as never), [BigInt(number)] as never),
      );
    for (const number of [tooGreat, String(BigInt(least) - 1n), '', '1.5', '1e3', '0x', '0xg', `0x${'0'.repeat(65)}`])
      expect(() => encodeCall(item(f), [number]), number).toThrow(/n must be a whole number/);
  });

  test.each([
    ['bytes', ['0x123', '0xgg', '1234', 12, null], '0x'],
    ['bytes4', ['0xdeadbe', '0xdeadbeef00', 'deadbeef'], '0x00000000'],
    ['address', [alice.slice(2), `${alice}00`, '0x', 1, null], alice.toLowerCase()],
    ['bool', ['False', '1', 1, null], 'false'],
    ['string', [1, null], ''],
  ])('rejects what is no %s', (type, wrong, right) => {
    const f = item(`function f(${type} n)`);
    expect(encodeCall(f, [right])).toMatch(/^0x/);
    for (const value of wrong) expect(() => encodeCall(f, [value]), String(value)).toThrow(/n must be/);
  });

  test('encodes false as zero, and tuples whose fields share a name by position', () => {
    expect(encodeCall(item('function f(bool n)'), [false]).slice(10)).toBe('0'.repeat(64));
    const same = parseAbiItem(
      {
        type: 'function',
        name: 'f',
        inputs: [
          {
            name: 't',
            type: 'tuple',
            components: [
              { name: 'a', type: 'uint8' },
              { name: 'a', type: 'uint8' },
            ],
          },
        ],
      },
      '',
    );
    expect(encodeCall(same ?? item(''), [['1', '2']]).slice(10)).toBe(
      `${'1'.padStart(64, '0')}${'2'.padStart(64, '0')}`,
    );
  });
});

describe('decodeCallResult', () => {
  test('decodes what a function returns, and nothing where its outputs are unknown or others', () => {
    const f = item('function f() view returns (uint256 a, string b)');
    expect(f.isReadOnly).toBe(true);
    const output = AbiFunction.encodeResult(AbiFunction.from('function f() returns (uint256 a, string b)'), [7n, 'x']);
    expect(decodeCallResult(f, output)).toEqual([
      { name: 'a', type: 'uint256', value: '7' },
      { name: 'b', type: 'string', value: 'x' },
    ]);
    expect(decodeCallResult(f, '0x')).toBeNull();
    expect(decodeCallResult(f, output.slice(0, 66) as Hex)).toBeNull();
    expect(decodeCallResult(parseAbiItem({ type: 'function', name: 'f', inputs: [] }, '') ?? f, output)).toBeNull();
  });

  test('decodes the bytes32 that the first tokens return as their symbol', () => {
    const symbol = item('function symbol() view returns (string)');
    const word = (text: string): Hex => `0x${Buffer.from(text).toString('hex').padEnd(64, '0')}`;
    const decode = (output: Hex) => decodeCallResult(symbol, output)?.[0]?.value;
    expect(decode(word('MKR'))).toBe('MKR');
    expect(decode(word('a text of exactly 32 characters.'))).toBe('a text of exactly 32 characters.');
    expect(decode(word(''))).toBe('');
    expect(decode(`${word('MKR')}${'00'.repeat(32)}`)).toBeUndefined();
    expect(decodeCallResult(item('function f() view returns (bytes)'), word('MKR'))).toBeNull();
  });
});
