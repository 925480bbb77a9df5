import { encodeAbiParameters, parseAbiParameters } from 'viem';
import { expect, test } from 'vitest';
import { parseTokenTransfers } from '../../../src/api/tokenTransfer.ts';

const word = (digit: string) => `0x${'0'.repeat(24)}${digit.repeat(40)}`;
const [address, from, to] = [`0x${'9'.repeat(40)}`, `0x${'a'.repeat(40)}`, `0x${'b'.repeat(40)}`];
const BATCH = '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb';
const SINGLE = '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62';
const parties = [word('c'), word('a'), word('b')];
const encode = (ids: readonly bigint[], amounts: readonly bigint[]) =>
  encodeAbiParameters(parseAbiParameters('uint256[], uint256[]'), [ids, amounts]);

test('a batch of an ERC-1155 is one transfer for each id', () => {
  expect(parseTokenTransfers({ address, topics: [BATCH, ...parties], data: encode([1n, 7n], [5n, 8n]) })).toEqual([
    { tokenAddress: address, from, to, tokenId: 1n, amount: 5n },
    { tokenAddress: address, from, to, tokenId: 7n, amount: 8n },
  ]);
  const single = encodeAbiParameters(parseAbiParameters('uint256, uint256'), [3n, 4n]);
  expect(parseTokenTransfers({ address, topics: [SINGLE, ...parties], data: single })).toEqual([
    { tokenAddress: address, from, to, tokenId: 3n, amount: 4n },
  ]);
});

test('a batch whose arrays differ in length, or are not in its data, is none', () => {
  const whole = encode([1n, 7n], [5n, 8n]);
  for (const data of [encode([1n], [5n, 8n]), whole.slice(0, -64), `0x${'f'.repeat(128)}`, '0x', '0x00', null])
    expect(parseTokenTransfers({ address, topics: [BATCH, ...parties], data }), String(data)).toEqual([]);
});
