// The decoder in tables: whether a selector is shown as a call of its well-known function.
import { encodeAbiParameters, encodeErrorResult, encodeEventTopics, encodeFunctionData, parseAbi } from 'viem';
import { expect, test } from 'vitest';
import type { Hex } from '../../../src/base/hex.ts';
import { readAbi } from '../../../src/decode/abiItem.ts';
import { createAbiRegistry } from '../../../src/decode/abiRegistry.ts';
import { createDecoder } from '../../../src/extension/inspector/decoder.ts';
import { toReplyTables } from '../../../src/protocol/replyTables.ts';

const registry = createAbiRegistry();
const decoder = createDecoder({
  current: () => null,
  load: async () => registry,
  getName: () => null,
  identify: async () => null,
});
const to = '0x4e59b44847b379578588920ca78fbf26c0b4956c';
const getMethodCells = (input: string) => {
  const transaction = { toAddress: to, input, logs: [], internalTransactions: [{ input }] } as never;
  const { tables } = toReplyTables('transaction', transaction, { symbol: 'ETH', decimals: 18 }, decoder.isPossibleCall);
  return ['record', 'internal'].map(tableName => {
    const { columns = [], rows = [] } = tables.find(({ name }) => name === tableName) ?? {};
    return rows[0]?.[columns.findIndex(({ key }) => key === 'method')];
  });
};

test('does not decode a call of the CREATE2 deployer as a market order', () => {
  expect(getMethodCells(`0x${'0'.repeat(64)}6080604052`)).toEqual(['0x00000000…', '0x00000000…']);
  expect(decoder.getFunctionSignatures('0x00000000…')).toEqual([]);
});

test('shows the selector of well-known and unknown calls', () => {
  const data = encodeFunctionData({ abi: parseAbi(['function transfer(address,uint256)']), args: [to, 1n] });
  expect(getMethodCells(data)).toEqual(['0xa9059cbb', '0xa9059cbb']);
  expect(getMethodCells('0x12345678')).toEqual(['0x12345678', '0x12345678']);
  expect(getMethodCells('0xa9059cbb')).toEqual(['0xa9059cbb…', '0xa9059cbb…']);
});

test('an error in the bytes of a log is decoded beside them', async () => {
  const abi = parseAbi(['event PriceFailed(bytes reason)', 'error StalePrice(uint256 age)']);
  const own = createAbiRegistry();
  own.set({ id: 'Oracle', items: readAbi(abi, 'Oracle') });
  const logs = createDecoder({
    current: () => own,
    load: async () => own,
    getName: () => null,
    identify: async () => null,
  });
  const reason = encodeErrorResult({ abi, errorName: 'StalePrice', args: [99n] });
  const topics = encodeEventTopics({ abi, eventName: 'PriceFailed' }) as Hex[];
  const data = encodeAbiParameters([{ type: 'bytes' }], [reason]);
  const [decoded] = await logs.decodeLog({ chain: 'local', address: to, topics, data });
  expect(decoded?.values).toBe('reason: StalePrice(age: 99)');
  expect(decoded?.args).toEqual([
    { name: 'reason', type: 'bytes', value: reason, depth: 0, isHash: false, meaning: 'StalePrice(age: 99)' },
  ]);
});
