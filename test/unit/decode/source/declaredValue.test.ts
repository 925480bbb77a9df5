// Which name of Solidity is a state variable or view function, and which is something else of the same name.
import { expect, test } from 'vitest';
import { findDeclaredValue } from '../../../../src/decode/source/declaredValue.ts';
import { parseOutline } from '../../../../src/decode/source/solidityOutline.ts';
import { toByteText } from '../../../../src/decode/source/solidityTokens.ts';

/** `«name»` marks the name that is looked up. */
function find(marked: string): string | null {
  const [before = '', name = '', after = ''] = marked.split(/[«»]/);
  const source = toByteText(before + name + after);
  const found = findDeclaredValue(source, parseOutline(source), toByteText(before).length + 1);
  if (found === null) return null;
  const { contract, variable, start, end } = found;
  expect(source.slice(start, end)).toBe(name);
  return `${contract.name}.${found.name} ${variable === null ? 'function' : variable.isConstant ? 'constant' : variable.isPublic ? 'public' : 'variable'}`;
}

const inVault = (members: string) =>
  `/* é */ contract Base { uint256 internal floor; } contract Vault is Base { ${members} }`;

test.each([
  ['uint256 public «total» = 5;', 'Vault.total public'],
  ['uint256 private «total»;', 'Vault.total variable'],
  ['uint256 internal constant «MAX» = 2 ** 8;', 'Vault.MAX constant'],
  ['address immutable «owner»;', 'Vault.owner variable'],
  ['uint256 total; function f() external { «total» += 1; }', 'Vault.total variable'],
  ['uint256 total; function f() external { return «total»; }', 'Vault.total variable'],
  ['function f() external { «floor» = 1; }', 'Base.floor variable'],
  ['uint256 total; function f() external { this.«total»(); }', 'Vault.total variable'],
  ['uint256 constant A = 1; uint256 constant B = «A» * 2;', 'Vault.A constant'],
  ['function «share»() public view returns (uint256) { return 1; }', 'Vault.share function'],
  [
    'function share() public view returns (uint256) { return 1; } function f() external { «share»(); }',
    'Vault.share function',
  ],
])('finds what a name is in %s', (members, expected) => {
  expect(find(inVault(members))).toBe(expected);
});

test.each([
  ['a parameter', 'uint256 total; function f(uint256 total) external { «total» + 1; }'],
  ['a local variable', 'uint256 total; function f() external { uint256[] memory total; «total»; }'],
  ['a variable of assembly', 'uint256 total; function f() external { assembly { let total := 1 sstore(0, «total») } }'],
  ['a value that is returned', 'uint256 total; function f() external returns (uint256 total) { «total» = 1; }'],
  ['a member of another contract', 'uint256 total; function f(Vault other) external { other.«total»(); }'],
  ['a named argument', 'uint256 total; function f() external { g({«total»: 1}); }'],
  ['a parameter of an event', 'uint256 total; event Changed(uint256 «total»);'],
  ['a word of a comment', 'uint256 total; /* the «total» */'],
  ['a word of a text', 'uint256 total; string name = "the «total»";'],
  ['a function with arguments', 'function «share»(address who) public view returns (uint256) { return 1; }'],
  ['a function that changes the state', 'function «poke»() external returns (uint256) { return 1; }'],
  ['a name that is not declared', 'function f() external { «missing»; }'],
])('takes %s for no value of the contract', (_, members) => {
  expect(find(inVault(members))).toBeNull();
});
