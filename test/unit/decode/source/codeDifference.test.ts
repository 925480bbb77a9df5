// Which functions of a build differ in the code of a deployment.
import { expect, test } from 'vitest';
import type { Hex } from '../../../../src/base/hex.ts';
import { SourceBuilds } from '../../../../src/decode/source/sourceBuilds.ts';
import type { CompilerSettings } from '../../../support/source/sourceProject.ts';
import { compileArtifact } from '../../../support/source/sourceProject.ts';

const SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity >=0.8.24;
abstract contract Fees {
    uint256 public fee = 3;
    function charge(uint256 value) internal view returns (uint256) { return value * fee / 1000; }
}
contract Vault is Fees {
    address immutable owner;
    mapping(address => uint256) public balances;
    event Moved(address who, uint256 value);
    constructor(address owner_) { owner = owner_; }
    function deposit(uint256 value) external { balances[msg.sender] += value - charge(value); emit Moved(msg.sender, value); }
    function withdraw(uint256 value) external { require(msg.sender == owner, "owner"); balances[msg.sender] -= value; }
    function sweep(address[] calldata all) external { for (uint256 i = 0; i < all.length; i++) balances[all[i]] = 0; }
}`;

const edit = (from: string, to: string) => SOURCE.replace(from, to);

const compare = async (deployedSource: string, settings: CompilerSettings) => {
  const own = compileArtifact('Vault', SOURCE, settings);
  const deployed = compileArtifact('Vault', deployedSource, settings);
  const builds = new SourceBuilds({ read: async path => own.files.get(path) ?? null });
  await builds.update(new Map([[own.artifact, '1']]));
  // The immutable is set, as in a deployment.
  const code = deployed.code.replace(/7f0{64}/g, `7f${'00'.repeat(12)}${'a1'.repeat(20)}`);
  return builds.compareFunctions(own.artifact, `0x${code}` as Hex);
};

test.each([
  ['legacy', {}],
  ['optimized', { optimizer: { enabled: true, runs: 200 } }],
  ['via IR', { viaIR: true }],
])('names functions whose code differs, whatever moved: %s', async (_, settings: CompilerSettings) => {
  const differs = async (source: string) => (await compare(source, settings))?.different;
  expect(await differs(SOURCE)).toEqual([]);
  // A comment changes the metadata only.
  expect(await differs(edit('abstract contract', '// edited\nabstract contract'))).toEqual([]);
  expect(await differs(edit('value * fee / 1000', 'value * fee / 10000'))).toEqual(['Fees.charge']);
  expect(await differs(edit('"owner"', '"only owner"'))).toEqual(['Vault.withdraw']);
  // A function before the others moves all that follows.
  expect(
    await differs(edit('    function deposit', '    function added() external { fee = 9; }\n    function deposit')),
  ).toEqual([]);
  expect(
    await differs(
      edit('balances[msg.sender] -= value', 'balances[msg.sender] = 7').replace(
        'i++) balances[all[i]] = 0',
        'i += 2) balances[all[i]] = 0',
      ),
    ),
  ).toEqual(['Vault.withdraw', 'Vault.sweep']);
});

test('names all functions that use a constant whose value differs, and a function that is new', async () => {
  const text = `pragma solidity >=0.8.24;
contract Shop {
    uint256 constant RATE = 1000;
    uint256 public constant CAP = 50;
    uint256 public sold;
    mapping(address => uint256) public paid;
    function buy(uint256 n) external { paid[msg.sender] += n * RATE; sold += n; }
    function quote(uint256 n) public view returns (uint256) { return n * RATE + sold; }
    function refund(uint256 n) external { require(n < CAP, "cap"); paid[msg.sender] -= n; }
}`;
  const deployed = compileArtifact('Shop', text, {});
  const differs = async (from: string, to: string) => {
    const own = compileArtifact('Shop', text.replace(from, to), {});
    const builds = new SourceBuilds({ read: async path => own.files.get(path) ?? null });
    await builds.update(new Map([[own.artifact, '1']]));
    return (await builds.compareFunctions(own.artifact, `0x${deployed.code}`))?.different.toSorted();
  };
  expect(await differs('RATE = 1000', 'RATE = 2000')).toEqual(['Shop.buy', 'Shop.quote']);
  expect(await differs('CAP = 50', 'CAP = 51')).toEqual(['Shop.CAP', 'Shop.refund']);
  const drain = 'function drain(address who) external { paid[who] = 0; }';
  expect(await differs('    function quote', `    ${drain}\n    function quote`)).toEqual(['Shop.drain']);
});

test('says that names are inferred by the optimizer of the IR, which puts functions into others', async () => {
  const settings = { viaIR: true, optimizer: { enabled: true, runs: 200 } };
  const found = await compare(edit('"owner"', '"only owner"'), settings);
  expect(found?.isInferred).toBe(true);
  expect(found?.different).toContain('Vault.withdraw');
});

test.each([
  ['legacy', {}],
  ['via IR', { viaIR: true }],
])('does not name functions that create a contract whose code moved: %s', async (_, settings: CompilerSettings) => {
  const text = `pragma solidity >=0.8.24;
contract Room { uint256 public size; constructor(uint256 size_) { size = size_; } }
contract Vault {
    Room public last;
    uint256 public sum;
    function open(uint256 size) external { last = new Room(size); }
    function add(uint256 by) external { sum += by * 3; }
}`;
  const own = compileArtifact('Vault', text, settings);
  const deployed = compileArtifact('Vault', text.replace('by * 3', 'by * 3 + by / 2'), settings);
  const builds = new SourceBuilds({ read: async path => own.files.get(path) ?? null });
  await builds.update(new Map([[own.artifact, '1']]));
  expect((await builds.compareFunctions(own.artifact, `0x${deployed.code}`))?.different).toEqual(['Vault.add']);
});

test('knows nothing of an artifact that it has not read', async () => {
  const builds = new SourceBuilds({ read: async () => null });
  expect(await builds.compareFunctions('out/Vault.json', '0x6001')).toBeNull();
});
