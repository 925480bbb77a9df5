import { expect, test } from 'vitest';
import { parseOutline, type Statement } from '../../../../src/decode/source/solidityOutline.ts';
import { toByteText } from '../../../../src/decode/source/solidityTokens.ts';

const describe = (source: string) =>
  parseOutline(toByteText(source)).functions.map(
    ({ contract, kind, name, parameterTypes }) =>
      `${contract === null ? '' : `${contract.name}.`}${name} ${kind} (${parameterTypes.join()})`,
  );
const span = (found: { readonly start: number; readonly end: number } | undefined) => found ?? { start: 0, end: 0 };
const textOf = (source: string, { start, end }: { start: number; end: number }) => toByteText(source).slice(start, end);

test('finds functions of all kinds, with the types of their parameters', () => {
  const source = `
    pragma solidity ^0.8.0;
    import {A as B} from "./a.sol";
    struct Point { uint x; uint y; }
    function free(uint256 a, mapping(address => uint) storage b) pure returns (uint) { return a; }
    contract Vault is Base(1), Owned {
      using Lib for uint256;
      uint256 public total = 5;
      mapping(address owner => Point) public points;
      address internal keeper;
      function(uint) internal pure returns (uint) hook;
      event Moved(address indexed who);
      constructor(address payable who) Base(2) payable {}
      modifier only() { _; }
      receive() external payable {}
      fallback(bytes calldata data) external returns (bytes memory) {}
      function set(Point memory point, uint8[] calldata list, I.Kind kind) external only() virtual override(A, B) {}
      function none() external;
    }`;
  expect(describe(source)).toEqual([
    'free function (uint256,mapping(address=>uint))',
    'Vault.total getter ()',
    'Vault.points getter ()',
    'Vault.constructor constructor (address)',
    'Vault.only modifier ()',
    'Vault.receive receive ()',
    'Vault.fallback fallback (bytes)',
    'Vault.set function (Point,uint8[],I.Kind)',
    'Vault.none function ()',
  ]);
  const [vault] = parseOutline(toByteText(source)).contracts;
  expect(vault?.bases.map(({ name, argumentCount }) => `${name}/${argumentCount}`)).toEqual(['Base/1', 'Owned/0']);
  const set = vault?.functions.find(({ name }) => name === 'set');
  expect(set?.invocations.map(({ name }) => name)).toEqual(['only']);
});

test('knows constructors and fallback functions of Solidity before 0.5', () => {
  expect(describe('contract Old { function Old(uint a) public {} function () payable {} }')).toEqual([
    'Old.constructor constructor (uint)',
    'Old.fallback fallback ()',
  ]);
});

test('counts bytes, not characters, and skips comments and strings with braces', () => {
  const source = 'contract Ü { /* } */ string s = "}{\\""; function f() public { g("}"); } // }\n }'.replace('Ü', 'U');
  const [definition] = parseOutline(toByteText(`// größer 费\n${source}`)).functions;
  expect(textOf(`// größer 费\n${source}`, span(definition))).toBe('function f() public { g("}"); }');
});

test('finds calls with what is before their name, and creations', () => {
  const source = `contract C { function f() public {
    a(1, [2, 3]); super.b(); Lib.c(x, y); token.d{value: 1, gas: 2}(z); list[i].e().g(1); new Child(1, 2); uint h = i;
  } }`;
  const [definition] = parseOutline(toByteText(source)).functions;
  expect(
    definition?.calls.map(call => `${call.isNew ? 'new ' : ''}${call.qualifier}|${call.name}/${call.argumentCount}`),
  ).toEqual(['|a/2', 'super|b/0', 'Lib|c/2', 'token|d/1', 'list[i]|e/0', 'list[i].e()|g/1', 'new |Child/2']);
  expect(textOf(source, span(definition?.calls[3]))).toBe('token.d{value: 1, gas: 2}(z)');
  expect(definition?.mentions.has('i')).toBe(true);
});

test('takes a conversion to an elementary type for no call', () => {
  const source = 'function f(int256 a) { uint8(a); address(a); payable(b); bytes32(a); string(c); Price(a); }';
  const [definition] = parseOutline(toByteText(source)).functions;
  expect(definition?.calls.map(({ name }) => name)).toEqual(['Price']);
});

test('knows blocks whose arithmetic is not checked', () => {
  const [definition] = parseOutline(toByteText('function f() { unchecked { a++; } { b++; } }')).functions;
  expect(definition?.body?.children.map(({ isUnchecked }) => isUnchecked === true)).toEqual([true, false]);
});

test('nests statements as the source does', () => {
  const source = `contract C { function f() public {
    if (a) { b(); } else if (c) revert D();
    for (uint i = 0; i < 3; i++) unchecked { e += i; }
    while (g) { h(); }
    do { i(); } while (j);
    try k.l{gas: 1}() returns (uint) { m(); } catch Error(string memory) { n(); } catch { o(); }
    assembly ("memory-safe") { p := 1 }
    return q;
  } }`;
  const [definition] = parseOutline(toByteText(source)).functions;
  const show = ({ kind, children }: Statement): string =>
    children.length === 0 ? kind : `${kind}(${children.map(show).join(' ')})`;
  expect(show(definition?.body as Statement)).toBe(
    'block(if(block(simple) if(simple)) loop(block(simple)) loop(block(simple)) loop(block(simple)) ' +
      'try(block(simple) block(simple) block(simple)) assembly simple)',
  );
});

test('ends a try statement before what is behind it, also where that begins with a parenthesis', () => {
  const source = `contract C { function f() public {
    try k.l{gas: 1}() { m(); } catch Error(string memory) { n(); }
    (bool isDone, ) = k.o();
  } }`;
  const [definition] = parseOutline(toByteText(source)).functions;
  expect(definition?.body?.children.map(({ kind, children }) => [kind, children.length])).toEqual([
    ['try', 2],
    ['simple', 0],
  ]);
});

test('finds state variables that are function pointers', () => {
  const source = `contract C {
    function(uint256) external returns (bool) internal hook;
    function (address) internal view returns (uint256)[] private rates;
    function f() public { }
  }`;
  const { variables, functions } = parseOutline(toByteText(source));
  expect(variables.map(({ name }) => name)).toEqual(['hook', 'rates']);
  expect(functions.map(({ name }) => name)).toEqual(['f']);
});

test('reads what it can of a text that ends in the middle or has no Solidity in it', () => {
  for (const source of [
    'contract C { function f(uint a',
    'contract',
    '}}}} function',
    '"',
    '/*',
    'contract C is',
    '{"a": 1}',
  ])
    expect(() => parseOutline(source)).not.toThrow();
  expect(describe('contract C { function f() public { g(; } function h() {} ')).toContain('C.f function ()');
});

test('tells abstract contracts from those that can be deployed', () => {
  const source = 'abstract contract Base {} contract Vault is Base {} interface IVault {} library Fees {}';
  expect(parseOutline(source).contracts.map(({ name, isAbstract }) => [name, isAbstract])).toEqual([
    ['Base', true],
    ['Vault', false],
    ['IVault', false],
    ['Fees', false],
  ]);
});
