// Extracting the ABI from artifacts of all tools, without reading the text after it.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { extractAbiText, getContractName, parseArtifact } from '../../../src/decode/parseArtifact.ts';

const abi = [
  { type: 'event', name: 'E', inputs: [{ name: 'a', type: 'tuple[]', components: [{ name: 'b', type: 'uint256' }] }] },
];
const foundry = JSON.stringify({ abi, bytecode: { object: '0x60', sourceMap: '"]}' }, metadata: '{"abi":[1]}' });
const hardhat = JSON.stringify(
  { _format: 'hh-sol-artifact-1', contractName: 'E', note: { abi: [1, 2] }, abi },
  null,
  2,
);

describe('extractAbiText', () => {
  test.each([
    ['Foundry', foundry],
    ['Hardhat', hardhat],
    ['a bare ABI', JSON.stringify(abi)],
    ['a byte order mark', `\ufeff${foundry}`],
  ])('finds the ABI of %s', (_, text) => expect(JSON.parse(extractAbiText(text) ?? 'null')).toEqual(abi));

  test('does not read the rest of the file', () => {
    expect(JSON.parse(extractAbiText(foundry.slice(0, foundry.indexOf('bytecode'))) ?? 'null')).toEqual(abi);
  });

  test('needs more text if the file ends in or before its ABI', () => {
    const end = hardhat.lastIndexOf(']') + 1;
    for (let length = 1; length < end; length++) expect(extractAbiText(hardhat.slice(0, length))).toBeUndefined();
    expect(extractAbiText(hardhat.slice(0, end))).toBeTypeOf('string');
  });

  test.each(['', '1', '"abi"', '{}', '{"abi":{}}', '{"a":{"abi":[]}}', '{"x":"\\"abi\\":[1]"}', 'nonsense'])(
    'finds none in %s',
    text => {
      expect(extractAbiText(text) ?? null).toBeNull();
    },
  );

  test('finds what JSON.parse finds', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.array(fc.jsonValue()), (rest, list) => {
        const { abi: _, ...others } = rest;
        const text = JSON.stringify({ ...others, abi: list });
        expect(JSON.parse(extractAbiText(text) ?? 'null')).toEqual(JSON.parse(text).abi);
      }),
      { seed: 7, numRuns: 300 },
    );
  });
});

describe('parseArtifact', () => {
  test('items have the name of their contract', () => {
    expect(parseArtifact(hardhat, '/w/artifacts/contracts/Token.sol/Token.json')).toMatchObject([
      { canonical: 'E((uint256)[])', source: 'E' },
    ]);
    const ofIgnition = '/w/ignition/deployments/chain-1/artifacts/HarborModule#First.json';
    expect(parseArtifact(hardhat, ofIgnition)).toMatchObject([{ source: 'E' }]);
    expect(parseArtifact(foundry, ofIgnition)).toMatchObject([{ source: 'First' }]);
    expect(parseArtifact('{"abi":[1,}]', 'x.json')).toEqual([]);
    expect(parseArtifact('{"a":1}', 'x.json')).toEqual([]);
  });
  test('removes the compiler version that Foundry adds to the name', () => {
    expect(getContractName('out/Token.sol/Token.0.8.30.json')).toBe('Token');
    expect(getContractName('out\\Token.sol\\My-Token.json')).toBe('My-Token');
  });
});
