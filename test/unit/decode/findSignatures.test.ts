// The bundled signatures: every line is what it says, and is found by its hash.

import * as AbiItem from 'ox/AbiItem';
import { keccak256 } from 'ox/Hash';
import * as Hex from 'ox/Hex';
import { describe, expect, it } from 'vitest';
import { ERROR_SIGNATURES } from '../../../src/decode/signatures/errorSignatures.ts';
import { EVENT_SIGNATURES } from '../../../src/decode/signatures/eventSignatures.ts';
import {
  findErrorSignatures,
  findEventSignatures,
  findFunctionSignatures,
  getInterfaceName,
  parseSignatureLine,
} from '../../../src/decode/signatures/findSignatures.ts';
import { FUNCTION_SIGNATURES } from '../../../src/decode/signatures/functionSignatures.ts';

const tables = [
  { keyword: 'event', table: EVENT_SIGNATURES, lookUp: findEventSignatures, digits: 66 },
  { keyword: 'function', table: FUNCTION_SIGNATURES, lookUp: findFunctionSignatures, digits: 10 },
  { keyword: 'error', table: ERROR_SIGNATURES, lookUp: findErrorSignatures, digits: 10 },
];

describe.each(tables)('$keyword table', ({ keyword, table, lookUp, digits }) => {
  const lines = table.trim().split('\n');
  const entries = lines.filter(line => !line.startsWith('#'));

  it('starts and ends with a line end, headings before entries', () => {
    expect(table).toMatch(/^\n#[^\n]+\n[0-9a-f]{4} /);
    expect(table).toMatch(/\)\n$/);
    expect(lines.filter((line, i) => line.startsWith('#') && (lines[i + 1] ?? '#').startsWith('#'))).toEqual([]);
  });

  it('has no duplicate lines', () => {
    const named = lines.map((line, i) =>
      line.startsWith('#') ? line : `${lines.slice(0, i).findLast(above => above.startsWith('#'))} ${line}`,
    );
    expect(named.filter((line, i) => named.indexOf(line) !== i)).toEqual([]);
  });

  it.each(entries)('%s', line => {
    const { canonical, text, hash, name, indexedCount } = parseSignatureLine(line.slice(5), '');
    expect(hash).toBe(keccak256(Hex.fromString(canonical)));
    // The index in the table: the first two bytes.
    expect(line.slice(0, 4)).toBe(hash.slice(2, 6));
    // An independent reader of human-readable ABI gets the same hash.
    const readable: readonly string[] = [`${keyword} ${text}`];
    const item = AbiItem.from(readable as never) as AbiItem.AbiItem; // its types want a literal
    expect(AbiItem.getSignatureHash(item)).toBe(hash);
    const inputs = 'inputs' in item ? (item.inputs as readonly { indexed?: boolean }[]) : [];
    expect(inputs.filter(input => input.indexed).length).toBe(indexedCount);
    expect(indexedCount).toBeLessThanOrEqual(keyword === 'event' ? 3 : 0);
    const found = lookUp(hash.slice(0, digits));
    expect(found.map(signature => signature.canonical)).toContain(canonical);
    expect(found.map(signature => signature.name)).toContain(name);
    expect(lookUp(hash.slice(0, digits).toUpperCase().replace('X', 'x'))).toEqual(found);
  });
});

describe('findSignatures', () => {
  it('returns all candidates with their standard', () => {
    const transfers = findEventSignatures('0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef');
    expect(transfers.map(({ standard, text, indexedCount }) => [standard, text, indexedCount])).toEqual([
      ['ERC-20', 'Transfer(address indexed from, address indexed to, uint256 value)', 2],
      ['ERC-721', 'Transfer(address indexed from, address indexed to, uint256 indexed tokenId)', 3],
    ]);
    expect(findFunctionSignatures('0x23b872dd').map(({ text }) => text)).toEqual([
      'transferFrom(address from, address to, uint256 amount)',
    ]);
    expect(findFunctionSignatures('0x1fad948c').map(({ standard }) => standard)).toEqual(['ERC-4337']);
    expect(findErrorSignatures('0x4e487b71').map(({ text }) => text)).toEqual(['Panic(uint256 code)']);
    expect(findErrorSignatures('0xe450d38c').map(({ standard, name }) => [standard, name])).toEqual([
      ['ERC-6093', 'ERC20InsufficientBalance'],
    ]);
  });

  it.each(['', '0x', '0xa9', '0xa9059cbb00', 'a9059cbb', '0x00000001', `0x${'ddf252ad'.repeat(8)}`, '0xa905ffff'])(
    '%j is unknown',
    text => {
      expect([...findEventSignatures(text), ...findFunctionSignatures(text), ...findErrorSignatures(text)]).toEqual([]);
    },
  );

  it('contains the well-known ones', () => {
    const events = {
      '0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925': 'Approval',
      '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62': 'TransferSingle',
      '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb': 'TransferBatch',
      '0xe1fffcc4923d04b559f4d29a8bfc6cda04eb5b0d3c460751c2402c5c5cc9109c': 'Deposit',
      '0x8be0079c531659141344cd1fd0a4f28419497f9722a3daafe3b4186f6b6457e0': 'OwnershipTransferred',
      '0x9d9af8e38d66c62e2c12f0225249fd9d721c54b83f48d9352c97c6cacdcb6f31': 'OrderFulfilled',
      '0xd78ad95fa46c994b6551d0da85fc275fe613ce37657fb8d5e3d130840159d822': 'Swap',
      '0xc42079f94a6350d7e6235f29174924f928cc2ac818eb64fed8004e115fbcca67': 'Swap',
    };
    for (const [topic, name] of Object.entries(events)) expect(findEventSignatures(topic)[0]?.name).toBe(name);
  });
});

it.each([
  ['0x01ffc9a7', 'ERC-165', ['supportsInterface(bytes4)']],
  [
    '0x36372b07',
    'ERC-20',
    [
      'totalSupply()',
      'balanceOf(address)',
      'transfer(address,uint256)',
      'transferFrom(address,address,uint256)',
      'approve(address,uint256)',
      'allowance(address,address)',
    ],
  ],
  ['0xa219a025', 'ERC-20 metadata', ['name()', 'symbol()', 'decimals()']],
  [
    '0x80ac58cd',
    'ERC-721',
    [
      'balanceOf(address)',
      'ownerOf(uint256)',
      'approve(address,uint256)',
      'getApproved(uint256)',
      'setApprovalForAll(address,bool)',
      'isApprovedForAll(address,address)',
      'transferFrom(address,address,uint256)',
      'safeTransferFrom(address,address,uint256)',
      'safeTransferFrom(address,address,uint256,bytes)',
    ],
  ],
  ['0x5b5e139f', 'ERC-721 metadata', ['name()', 'symbol()', 'tokenURI(uint256)']],
  [
    '0x780e9d63',
    'ERC-721 enumerable',
    ['totalSupply()', 'tokenOfOwnerByIndex(address,uint256)', 'tokenByIndex(uint256)'],
  ],
  ['0x150b7a02', 'ERC-721 receiver', ['onERC721Received(address,address,uint256,bytes)']],
  [
    '0xd9b67a26',
    'ERC-1155',
    [
      'balanceOf(address,uint256)',
      'balanceOfBatch(address[],uint256[])',
      'setApprovalForAll(address,bool)',
      'isApprovedForAll(address,address)',
      'safeTransferFrom(address,address,uint256,uint256,bytes)',
      'safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)',
    ],
  ],
  ['0x0e89341c', 'ERC-1155 metadata URI', ['uri(uint256)']],
  [
    '0x4e2312e0',
    'ERC-1155 receiver',
    [
      'onERC1155Received(address,address,uint256,uint256,bytes)',
      'onERC1155BatchReceived(address,address,uint256[],uint256[],bytes)',
    ],
  ],
  ['0x2a55205a', 'ERC-2981 royalties', ['royaltyInfo(uint256,uint256)']],
  ['0x7f5828d0', 'ERC-173 ownership', ['owner()', 'transferOwnership(address)']],
  [
    '0x7965db0b',
    'AccessControl',
    [
      'hasRole(bytes32,address)',
      'getRoleAdmin(bytes32)',
      'grantRole(bytes32,address)',
      'revokeRole(bytes32,address)',
      'renounceRole(bytes32,address)',
    ],
  ],
  ['0x1626ba7e', 'ERC-1271 signature validation', ['isValidSignature(bytes32,bytes)']],
  [
    '0x9d8ff7da',
    'ERC-2612 permit',
    ['permit(address,address,uint256,uint256,uint8,bytes32,bytes32)', 'nonces(address)', 'DOMAIN_SEPARATOR()'],
  ],
  [
    '0x48e2b093',
    'ERC-2535 diamond loupe',
    ['facets()', 'facetFunctionSelectors(address)', 'facetAddresses()', 'facetAddress(bytes4)'],
  ],
  ['0x5604e225', 'ERC-4494 permit', ['permit(address,uint256,uint256,bytes)', 'nonces(uint256)', 'DOMAIN_SEPARATOR()']],
  ['0xad092b5c', 'ERC-4907 rental', ['setUser(uint256,address,uint64)', 'userOf(uint256)', 'userExpires(uint256)']],
  [
    '0xb0202a11',
    'ERC-1363',
    [
      'transferAndCall(address,uint256)',
      'transferAndCall(address,uint256,bytes)',
      'transferFromAndCall(address,address,uint256)',
      'transferFromAndCall(address,address,uint256,bytes)',
      'approveAndCall(address,uint256)',
      'approveAndCall(address,uint256,bytes)',
    ],
  ],
])('interface %s is %s', (id, name, functions) => {
  const xor = functions.reduce((sum, text) => sum ^ BigInt(keccak256(Hex.fromString(text)).slice(0, 10)), 0n);
  expect(`0x${xor.toString(16).padStart(8, '0')}`).toBe(id);
  expect(getInterfaceName(id)).toBe(name);
  expect(getInterfaceName(id.toUpperCase().replace('X', 'x'))).toBe(name);
});

it('returns null for unknown interfaces', () => {
  expect(getInterfaceName('0x12345678')).toBeNull();
  expect(getInterfaceName('0x')).toBeNull();
  // ERC-4906 has no function; its id is the number of the standard, twice.
  expect(getInterfaceName('0x49064906')).toBe('ERC-4906 metadata update');
});
