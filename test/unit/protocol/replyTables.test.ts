// Which columns the lists of a wallet show, and that amounts of tokens are never taken for the chain's coin.
import { describe, expect, test } from 'vitest';
import type { OperationId, Output } from '../../../src/api/operations/operations.ts';
import type { Hex } from '../../../src/base/hex.ts';
import { toReplyTables } from '../../../src/protocol/replyTables.ts';
import { getContractsWithAmounts, getRowUnit } from '../../../src/protocol/rowUnits.ts';
import type { Table } from '../../../src/protocol/table.ts';
import { type FormatContext, formatCell } from '../../../src/webview/inspector/rows/cellFormat.ts';

const ETHER = { symbol: 'ETH', decimals: 18 };
const address = (digit: string): Hex => `0x${digit.repeat(40)}`;
const hash = (digit: string): Hex => `0x${digit.repeat(64)}`;
const format: FormatContext = {
  preferences: { time: 'utc', numbers: 'decimal' },
  names: { addresses: {}, events: {}, methods: {} },
  now: 0,
  units: {},
};

function listTable<Id extends OperationId>(id: Id, rows: readonly object[]): Table {
  const page = { result: rows, cursor: null, total: null, page: 1, pageSize: 100 };
  const [table] = toReplyTables(id, page as unknown as Output<Id>, ETHER).tables;
  if (table === undefined) throw new Error('no table');
  return table;
}

const getShownKeys = ({ columns }: Table) => columns.filter(({ detailOnly }) => !detailOnly).map(({ key }) => key);

/** The text of a cell of the first row. */
function showCell({ columns, rows }: Table, key: string): string {
  const [row = []] = rows;
  const index = columns.findIndex(column => column.key === key);
  const column = columns[index];
  if (column === undefined) throw new Error(`no column ${key}`);
  return formatCell(column, row[index] ?? null, format, getRowUnit(columns, row, format.units));
}

const transfer = {
  tokenName: 'Test Dollar',
  tokenSymbol: 'USDX',
  tokenDecimals: 6,
  transactionHash: hash('1'),
  address: address('a'),
  fromAddress: address('b'),
  toAddress: address('c'),
  blockNumber: 7,
  blockTimestamp: new Date(0),
  value: 1_250_000n,
  valueDecimal: '1.25',
};

describe('ERC-20 transfers', () => {
  test('show who moved how much of what, in this order', () => {
    expect(getShownKeys(listTable('walletErc20Transfers', [transfer]))).toEqual([
      'blockNumber',
      'fromAddress',
      'toAddress',
      'value',
      'tokenName',
      'address',
      'transactionHash',
      'blockTimestamp',
    ]);
  });

  test.each([
    [6, 'USDX', '1.25 USDX'],
    [0, 'USDX', '1,250,000 USDX'],
    [null, 'USDX', '1,250,000'],
    [6, null, '1.25'],
    [6, '000', '1.25'], // a symbol of digits would read as more digits
    [200, 'USDX', '1,250,000'], // more decimals than are trusted
  ])('with %s decimals and the symbol %s show %j', (tokenDecimals, tokenSymbol, text) => {
    for (const id of ['walletErc20Transfers', 'contractErc20Transfers'] as const)
      expect(showCell(listTable(id, [{ ...transfer, tokenDecimals, tokenSymbol }]), 'value')).toBe(text);
  });

  test('need no request for the unit of their token', () => {
    const { columns, rows } = listTable('walletErc20Transfers', [transfer]);
    expect(getContractsWithAmounts(columns, rows)).toEqual(new Set());
  });
});

test('ERC-20 mints and balances are amounts of their token', () => {
  const mint = { ...transfer, contractAddress: address('a'), toWallet: address('c') };
  expect(showCell(listTable('erc20Mints', [mint]), 'value')).toBe('1.25 USDX');
  const balance = { tokenAddress: address('a'), name: 'Test Dollar', symbol: 'USDX', decimals: 6, balance: 1_250_000n };
  const { tables } = toReplyTables('walletErc20Balances', [balance] as unknown as Output<'walletErc20Balances'>, ETHER);
  expect(showCell(tables[0] as Table, 'balance')).toBe('1.25 USDX');
});

test('transactions of a wallet show status, method and fee', () => {
  const input = `0xa9059cbb${'0'.repeat(128)}` as Hex;
  const transaction = { hash: hash('1'), receiptStatus: 1, fromAddress: address('b'), toAddress: address('c'), input };
  const fee = { receiptFee: 42n * 10n ** 12n, receiptFeeToken: null, receiptFeeIncomplete: null };
  const amounts = { value: 10n ** 18n, gasPrice: 10n ** 9n, receiptGasUsed: 21_000n, blockNumber: 7, ...fee };
  const table = listTable('walletTransactions', [{ ...transaction, ...amounts, blockTimestamp: new Date(0) }]);
  expect(getShownKeys(table)).toEqual([
    'receiptStatus',
    'hash',
    'method',
    'fromAddress',
    'toAddress',
    'value',
    'fee',
    'blockNumber',
    'blockTimestamp',
  ]);
  expect(showCell(table, 'value')).toBe('1 ETH');
  expect(showCell(table, 'fee')).toBe('0.000042 ETH');
  expect(table.rows[0]?.[table.columns.findIndex(({ key }) => key === 'method')]).toBe('0xa9059cbb');
});

test('a fee in a token is none of the coin, and named among the details', () => {
  const fee = { receiptFee: 5_000n, receiptFeeToken: address('7'), receiptFeeIncomplete: null };
  const table = listTable('walletTransactions', [
    { hash: hash('1'), input: '0x', gasPrice: 1n, receiptGasUsed: 5_000n, ...fee },
  ]);
  expect(showCell(table, 'fee')).toBe('0 ETH');
  const getCell = (wanted: string) => table.rows[0]?.[table.columns.findIndex(({ key }) => key === wanted)];
  expect([getCell('receiptFee'), getCell('receiptFeeToken')]).toEqual(['5000', address('7')]);
});
