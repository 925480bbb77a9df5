import { expect, test } from 'vitest';
import type { Hex } from '../../../../src/base/hex.ts';
import {
  type ArithmeticOperator,
  fitEvidence,
  type RevertEvidence,
  toRevertEvidence,
} from '../../../../src/decode/source/revertEvidence.ts';

const word = (value: number) => value.toString(16).padStart(64, '0');

test('reads what return data says', () => {
  const names = (selector: string) => (selector === 'aabbccdd' ? 'Stale' : null);
  const read = (output: string) => toRevertEvidence(output as Hex, names, null);
  expect(read('0x')).toEqual({ kind: 'empty' });
  expect(read(`0x4e487b71${word(0x11)}`)).toEqual({ kind: 'panic', code: 0x11, operator: null });
  const text = `${Buffer.from('zu früh').toString('hex')}`.padEnd(64, '0');
  expect(read(`0x08c379a0${word(32)}${word(8)}${text}`)).toEqual({ kind: 'string', text: 'zu früh' });
  expect(read('0xaabbccdd')).toEqual({ kind: 'customError', name: 'Stale', selector: 'aabbccdd', data: '' });
  expect(read('0x11223344ff')).toEqual({ kind: 'customError', name: null, selector: '11223344', data: 'ff' });
  expect(read('0x08c379a0')).toMatchObject({ kind: 'customError' }); // cut off
});

const find = (source: string, evidence: RevertEvidence) => {
  const found = fitEvidence(source, evidence);
  return found === null ? null : `${found.strength}: ${source.slice(found.start, found.end)}`;
};

test('finds the statement with a reason, also one that is a constant or is put together', () => {
  const evidence = { kind: 'string', text: 'too late' } as const;
  expect(find('require(now > end, "too late")', evidence)).toBe('exact: require(now > end, "too late")');
  expect(find('if (x) revert("too late");', evidence)).toBe('exact: revert("too late")');
  expect(find('require(now > end, "too early")', evidence)).toBeNull();
  expect(find('require(now > end, TOO_LATE)', evidence)).toBe('possible: require(now > end, TOO_LATE)');
  expect(find('require(now > end)', evidence)).toBeNull();
  expect(find(String.raw`revert("too\x20late")`, evidence)).toBe(String.raw`exact: revert("too\x20late")`);
  expect(find('require(ok, string.concat("vault: ", why))', { kind: 'string', text: 'vault: empty' })).toMatch(
    /^exact/,
  );
});

test('takes a reason that is one literal for the whole reason, also one in several parts', () => {
  const evidence = { kind: 'string', text: 'much too late' } as const;
  expect(find('require(now > end, "too late")', evidence)).toBeNull();
  expect(find('require(now > end, "much " "too late")', evidence)).toMatch(/^exact/);
  expect(find('revert(string.concat(how, "too late"))', evidence)).toMatch(/^exact/);
});

test('takes no custom error whose literals the data does not have', () => {
  const text = Buffer.from('heavy').toString('hex').padEnd(64, '0');
  const data = word(7) + word(64) + word(5) + text;
  const refused = { kind: 'customError', name: 'Refused', selector: 'aabbccdd', data } as const;
  expect(find('revert Refused(index, "heavy");', refused)).toMatch(/^exact/);
  expect(find('revert Refused(7, reason);', refused)).toMatch(/^exact/);
  expect(find('revert Refused(index + 3, text("light"));', refused)).toMatch(/^exact/);
  expect(find('revert Refused(index, "light");', refused)).toBeNull();
  expect(find('require(ok, Refused(8, reason))', refused)).toBeNull();
});

test('finds the statement with a custom error', () => {
  const stale = { kind: 'customError', name: 'Stale', selector: 'aabbccdd', data: '' } as const;
  expect(find('revert Stale(age);', stale)).toBe('exact: revert Stale(age)');
  expect(find('revert Oracle.Stale(age);', stale)).toBe('exact: revert Oracle.Stale(age)');
  expect(find('require(age < 5, Stale(age))', stale)).toBe('exact: require(age < 5, Stale(age))');
  expect(find('revert Other(age);', stale)).toBeNull();
  expect(find('mstore(0, 0xaabbccdd) revert(0x1c, 4)', stale)).toBe('exact: revert(0x1c, 4)');
});

test('finds the operation of a panic', () => {
  const panic = (code: number, operator: ArithmeticOperator | null = null) =>
    ({ kind: 'panic', code, operator }) as const;
  expect(find('a - b', panic(0x11))).toBe('exact: a - b');
  expect(find('a - b', panic(0x11, '+'))).toBeNull();
  expect(find('total += x', panic(0x11, '+'))).toBe('exact: total += x');
  expect(find('i++', panic(0x11, 'unary'))).toBe('exact: i++');
  expect(find('i += 1', panic(0x11, 'unary'))).toBeNull();
  expect(find('i++', panic(0x11, '+'))).toBeNull();
  expect(find('-a', panic(0x11, 'unary'))).toBe('exact: -a');
  expect(find('b - a', panic(0x11, 'unary'))).toBeNull();
  expect(find('a / b', panic(0x11, '/'))).toBe('exact: a / b');
  expect(find('addmod(a, b, n)', panic(0x12))).toBe('exact: addmod(a, b, n)');
  expect(find('a / b', panic(0x11))).toBeNull();
  expect(find('a / b', panic(0x12))).toBe('exact: a / b');
  expect(find('a % 4 + b / 1_000 + c / 1e18', panic(0x12))).toBeNull();
  expect(find('a % 4 + b / c', panic(0x12))).toMatch(/^exact/);
  expect(find('list[i]', panic(0x32))).toBe('exact: list[i]');
  expect(find('data[4:8]', panic(0x32))).toBeNull();
  expect(find('uint256[] memory copy = list', panic(0x32))).toBeNull();
  expect(find('rows[a > b ? a : b]', panic(0x32))).toMatch(/^exact/);
  expect(find('assert(x == y);', panic(0x01))).toBe('exact: assert(x == y)');
  expect(find('list.pop()', panic(0x31))).toBe('exact: list.pop()');
  expect(find('Phase(value)', panic(0x21))).toBe('exact: Phase(value)');
  expect(find('new uint256[](n)', panic(0x41))).toBe('exact: new uint256[](n)');
  expect(find('if (a) b = c;', panic(0x51))).toBeNull();
});

test('finds the operator of an expression of several lines', () => {
  const minus = { kind: 'panic', code: 0x11, operator: '-' } as const;
  expect(find('(a * b)\n  - c', minus)).toBe('exact: - c');
  expect(find('(a - b)\n  + d\n  - (e - f)', minus)).toBe('exact: - (e - f)');
  expect(find('x = a - b\n  - c;', minus)).toBe('possible: x = a - b\n  - c;');
});

test('finds the instruction of inline assembly that halted', () => {
  const halt = { kind: 'halt', opcode: 0x55 } as const;
  expect(find('assembly { let x := sload(0) sstore(1, x) }', halt)).toBe('exact: sstore(1, x)');
  expect(find('assembly { sstore(0, 1) sstore(1, 2) }', halt)).toMatch(/^possible/);
  expect(find('total += 1', halt)).toBe('exact: total += 1');
});

test('finds the revert of inline assembly behind the selector that is written there', () => {
  const stale = { kind: 'customError', name: null, selector: 'aabbccdd', data: '' } as const;
  const text = 'assembly { if a { mstore(0, 0x11223344) revert(28, 4) } mstore(0, 0xaabbccdd) revert(0x1c, 4) }';
  expect(find(text, stale)).toBe('exact: revert(0x1c, 4)');
  expect(
    find('assembly { mstore(0, 0xaabbccdd) if a { revert(0, 4) } mstore(0, 0xaabbccdd) revert(1, 4) }', stale),
  ).toBe('possible: revert(0, 4)');
  expect(find('revert(28, 4)', stale)).toBe('exact: revert(28, 4)');
});

test('takes no revert of inline assembly whose size is not that of the data', () => {
  const text = 'assembly { if a { mstore(0, 0xf00) revert(28, 4) } if b { revert(0, 0) } }';
  expect(find(text, { kind: 'empty' })).toBe('exact: revert(0, 0)');
  expect(find('assembly { if a { revert(0, 0) } revert(0, size) }', { kind: 'empty' })).toBe('possible: revert(0, 0)');
  expect(find('revert(0, 0)', { kind: 'string', text: 'why' })).toBeNull();
  expect(find('revert(28, 0x24)', { kind: 'panic', code: 0x11, operator: null })).toBe('exact: revert(28, 0x24)');
});

test('finds what fails without data', () => {
  const empty = { kind: 'empty' } as const;
  expect(find('require(a > b)', empty)).toBe('exact: require(a > b)');
  expect(find('require(a > b, "why")', empty)).toBeNull();
  expect(find('revert();', empty)).toBe('exact: revert()');
  expect(find('assembly { revert(0, 0) }', empty)).toBe('exact: revert(0, 0)');
  expect(find('abi.decode(data, (uint256))', empty)).toBe('exact: abi.decode(data, (uint256))');
  expect(find('data[4:8]', empty)).toBe('exact: data[4:8]');
  expect(find('a = b;', empty)).toBeNull();
  expect(find('if (a > b) throw;', empty)).toBe('exact: throw');
});

test('finds calls of other contracts', () => {
  const call = { kind: 'call', names: ['price', 'call'], opcode: 0xf4 } as const;
  expect(find('uint x = oracle.price() + 1', call)).toBe('exact: uint x = oracle.price() + 1');
  expect(find('target.call{value: 1}("")', call)).toBe('exact: target.call{value: 1}("")');
  expect(find('{ let ok := delegatecall(gas(), a, 0, 0, 0, 0) }', call)).toBe(
    'exact: delegatecall(gas(), a, 0, 0, 0, 0)',
  );
  expect(find('assembly { a := create(0, 0, 9) b := delegatecall(gas(), a, 0, 0, 0, 0) }', call)).toMatch(
    /^exact: delegatecall/,
  );
  expect(find('assembly { a := create(0, 0, 9) }', call)).toBeNull();
  expect(find('price()', call)).toBeNull(); // of the contract itself
});
