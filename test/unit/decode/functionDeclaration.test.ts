// Declarations of functions as people write them, and the read-only functions of well-known interfaces.
import * as AbiFunction from 'ox/AbiFunction';
import { describe, expect, test } from 'vitest';
import { parseFunctionDeclaration } from '../../../src/decode/functionDeclaration.ts';
import { getReadOnlyFunctions, mergeReadOnlyFunctions } from '../../../src/decode/readOnlyFunctions.ts';

const parse = (text: string) => parseFunctionDeclaration(text, 'test');

describe('parseFunctionDeclaration', () => {
  test.each([
    'balanceOf(address owner) view returns (uint256 balance)',
    'function f((address to, uint256[2] amounts)[] orders, bytes) pure returns ((uint8 a, string b) pair, bool)',
    '  name() external view returns (string memory) ; ',
    'pay(address,uint256)',
  ])('reads %s as ox does', text => {
    const expected = AbiFunction.from(
      `function ${text.replace(/^\s*(?:function )?|\s*;\s*$/g, '').trim()}` as 'function f()',
    );
    const item = parse(text);
    expect(item?.hash.slice(0, 10)).toBe(AbiFunction.getSelector(expected));
    expect(item?.inputs.map(({ type }) => type)).toEqual(expected.inputs.map(({ type }: { type: string }) => type));
    expect(item?.outputs?.map(({ type }) => type)).toEqual(
      text.includes('returns') ? expected.outputs.map(({ type }: { type: string }) => type) : undefined,
    );
    expect(item?.isReadOnly === true).toBe(/\b(?:view|pure)\b/.test(text));
  });

  test.each(['', 'totalSupply', 'f(', 'f)', 'f(uint257)', 'f(uint256) returns', 'f(uint256) returns (x y z)', '1+f()'])(
    'refuses %j',
    text => {
      expect(parse(text)).toBeNull();
    },
  );

  test('refuses a text of a megabyte at once', () => {
    expect(parse(`f(${'('.repeat(1_000_000)}`)).toBeNull();
  });
});

describe('read-only functions', () => {
  test.each(['ERC-20', 'ERC-721', 'ERC-1155', 'Safe', 'ERC-2535'] as const)('of %s are all valid', name => {
    const items = getReadOnlyFunctions(name);
    expect(items.length).toBeGreaterThanOrEqual(4);
    expect(items.every(({ isReadOnly, outputs }) => isReadOnly === true && outputs !== undefined)).toBe(true);
    expect(items.map(({ source }) => source)).toEqual(items.map(() => name));
  });

  test('have the selectors of their standards', () => {
    const selectors = getReadOnlyFunctions('ERC-20').map(({ hash }) => hash.slice(0, 10));
    expect(selectors).toEqual(['0x06fdde03', '0x95d89b41', '0x313ce567', '0x18160ddd', '0x70a08231', '0xdd62ed3e']);
    // EIP-2535: the ERC-165 id of the loupe is the XOR of its selectors.
    const loupe = getReadOnlyFunctions('ERC-2535').reduce((xor, { hash }) => xor ^ BigInt(hash.slice(0, 10)), 0n);
    expect(loupe.toString(16)).toBe('48e2b093');
  });

  test('are listed once, as the first list declares them; what writes or returns nothing is not among them', () => {
    const own = [
      'name() view returns (string title)',
      'name(uint256) view returns (string)',
      'set(uint256)',
      'check() view',
    ].flatMap(text => parseFunctionDeclaration(text, 'Own') ?? []);
    const merged = mergeReadOnlyFunctions([own, getReadOnlyFunctions('ERC-20')]);
    expect(merged.map(({ canonical, source }) => `${source} ${canonical}`)).toEqual([
      'Own name()',
      'Own name(uint256)',
      'ERC-20 symbol()',
      'ERC-20 decimals()',
      'ERC-20 totalSupply()',
      'ERC-20 balanceOf(address)',
      'ERC-20 allowance(address,address)',
    ]);
  });
});
