import { expect, test } from 'vitest';
import type { SolidityType } from '../../../../src/api/contractDeclarations.ts';
import { readContractState, SeenKeys } from '../../../../src/decode/source/contractState.ts';

const UINT: SolidityType = { kind: 'uint', text: 'uint256', bytes: 32, slots: 1n };
const HASH: SolidityType = { kind: 'fixedBytes', text: 'bytes32', bytes: 32, slots: 1n };
const members = Array.from({ length: 16 }, (_, i) => ({ name: `m${i}`, type: 0, slot: BigInt(i), offset: 0 }));
const ORDER: SolidityType = { kind: 'struct', text: 'Order', members, bytes: 32, slots: 16n };
const ORDERS: SolidityType = { kind: 'mapping', text: 'mapping', key: 1, value: 2, bytes: 32, slots: 1n };

test('reads a variable behind a mapping for which more keys were seen than one answer may try', async () => {
  const storage = [
    { name: 'orders', contract: 'Desk', type: 3, slot: 0n, offset: 0 },
    { name: 'total', contract: 'Desk', type: 0, slot: 1n, offset: 0 },
  ];
  const keys = new SeenKeys();
  for (let i = 0n; i < 400n; i++) keys.addWord((1n << 200n) + i);
  const fetchWords = async (slots: readonly bigint[]) => slots.map(slot => (slot === 1n ? 7n : 0n));
  const { entries, isCut } = await readContractState({ types: [UINT, HASH, ORDER, ORDERS], storage }, keys, [
    fetchWords,
  ]);
  expect(entries.map(({ values }) => values)).toEqual([[null], ['7']]);
  expect(isCut).toBe(true);
});
