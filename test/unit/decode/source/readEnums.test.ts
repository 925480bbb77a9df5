// Members of enums in the sources of a build.
import { expect, test } from 'vitest';
import { readEnums } from '../../../../src/decode/source/readEnums.ts';

const TEXT = `
enum Side { Left, Right }
/* enum Old { A } */
contract Ballot {
  enum Status { Pending, /// not open yet
    Active, Closed }
  Status public status;
}`;
const OTHER_TEXT = 'enum Side { Up, Down } library Ballot { enum Status { Pending, Active, Closed } }';
const files: Readonly<Record<string, unknown>> = {
  'artifacts/contracts/Ballot.sol/Ballot.json': { contractName: 'Ballot', sourceName: 'contracts/Ballot.sol', abi: [] },
  'artifacts/contracts/Ballot.sol/Ballot.dbg.json': { buildInfo: '../../build-info/b1.json' },
  'artifacts/contracts/Pair.sol/Pair.json': { contractName: 'Pair', sourceName: 'contracts/Pair.sol', abi: [] },
  'artifacts/contracts/Pair.sol/Pair.dbg.json': { buildInfo: '../../build-info/b2.json' },
  'artifacts/build-info/b2.json': {
    input: { sources: { 'contracts/Pair.sol': { content: TEXT }, 'contracts/Other.sol': { content: OTHER_TEXT } } },
    output: {
      sources: { 'contracts/Pair.sol': { id: 0 }, 'contracts/Other.sol': { id: 1 } },
      contracts: { 'contracts/Pair.sol': { Pair: { evm: { deployedBytecode: { sourceMap: '1:2:0' } } } } },
    },
  },
  'artifacts/build-info/b1.json': {
    input: { sources: { 'contracts/Ballot.sol': { content: TEXT } } },
    output: {
      sources: { 'contracts/Ballot.sol': { id: 0 } },
      contracts: { 'contracts/Ballot.sol': { Ballot: { evm: { deployedBytecode: { sourceMap: '1:2:0' } } } } },
    },
  },
};
const read = (artifact: string) =>
  readEnums(
    { read: async path => (files[path] === undefined ? null : new TextEncoder().encode(JSON.stringify(files[path]))) },
    artifact,
  );

test('reads enums of files and contracts, with the contract that declares them', async () => {
  expect([...(await read('artifacts/contracts/Ballot.sol/Ballot.json'))]).toEqual([
    ['Side', ['Left', 'Right']],
    ['Ballot.Status', ['Pending', 'Active', 'Closed']],
  ]);
});

test('knows none that two sources declare differently', async () => {
  expect([...(await read('artifacts/contracts/Pair.sol/Pair.json'))]).toEqual([
    ['Ballot.Status', ['Pending', 'Active', 'Closed']],
  ]);
});

test('knows none of an artifact without a build', async () => {
  expect((await read('artifacts/contracts/Gone.sol/Gone.json')).size).toBe(0);
});
