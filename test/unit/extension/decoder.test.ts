// Which rows of a block are calls of what their selector is known for.
import { encodeFunctionData, parseAbi } from 'viem';
import { expect, test } from 'vitest';
import { createAbiRegistry } from '../../../src/decode/abiRegistry.ts';
import { createDecoder } from '../../../src/extension/inspector/decoder.ts';
import { toReplyTables } from '../../../src/protocol/replyTables.ts';

const book = createAbiRegistry();
const describer = createDecoder({ current: () => null, load: async () => book });
const to = '0x4e59b44847b379578588920ca78fbf26c0b4956c';
const methodOf = (input: string) => {
  const transaction = { toAddress: to, input, logs: [], internalTransactions: [{ input }] } as never;
  const { tables } = toReplyTables(
    'transaction',
    transaction,
    { symbol: 'ETH', decimals: 18 },
    describer.isPossibleCall,
  );
  return ['record', 'internal'].map(wanted => {
    const { columns = [], rows = [] } = tables.find(({ name }) => name === wanted) ?? {};
    return rows[0]?.[columns.findIndex(({ key }) => key === 'method')];
  });
};

test('a call of the CREATE2 deployer is no market order, in lists, facts and internal calls', () => {
  expect(methodOf(`0x${'0'.repeat(64)}6080604052`)).toEqual(['0x00000000…', '0x00000000…']);
  expect(describer.getFunctionSignatures('0x00000000…')).toEqual([]);
});

test('calls keep their selector, also those that nobody knows', () => {
  const data = encodeFunctionData({ abi: parseAbi(['function transfer(address,uint256)']), args: [to, 1n] });
  expect(methodOf(data)).toEqual(['0xa9059cbb', '0xa9059cbb']);
  expect(methodOf('0x12345678')).toEqual(['0x12345678', '0x12345678']);
  expect(methodOf('0xa9059cbb')).toEqual(['0xa9059cbb…', '0xa9059cbb…']);
});
