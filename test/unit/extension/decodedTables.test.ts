// What tables of logs and internal transactions show of the decoded data, and what an export adds.
import {
  encodeAbiParameters,
  encodeErrorResult,
  encodeEventTopics,
  encodeFunctionData,
  parseAbi,
  toEventHash,
} from 'viem';
import { describe, expect, test } from 'vitest';
import type { Hex } from '../../../src/base/hex.ts';
import { readAbi } from '../../../src/decode/abiItem.ts';
import { createAbiRegistry } from '../../../src/decode/abiRegistry.ts';
import { addNameColumns, decodeTable, omitRepeatedLabels } from '../../../src/extension/inspector/decodedTables.ts';
import { createDecoder } from '../../../src/extension/inspector/decoder.ts';
import { toPlainText } from '../../../src/protocol/linkedText.ts';
import { toReplyTables } from '../../../src/protocol/replyTables.ts';
import type { CellKind, Table, TableCell } from '../../../src/protocol/table.ts';
import { getColumnWidths, orderColumns } from '../../../src/webview/inspector/grid/columnWidths.ts';

const alice = `0x${'a1'.repeat(20)}` as const;
const vault = `0x${'7a'.repeat(20)}` as const;
const abi = parseAbi([
  'function deposit(uint256 amount) returns (uint256 shares, address owner)',
  'event Withdrawn(address indexed owner, uint256 shares)',
  'event Note(string text)',
  'event Refused(bytes reason)',
  'error Locked(uint256 until)',
  'error CallFailed(bytes reason)',
  'event Moved(address indexed keeper, uint256 amount)',
  'event Named(string indexed name)',
]);
const registry = createAbiRegistry();
registry.set({ id: 'Vault', items: readAbi(abi, 'Vault') });
const getName = (address: string) => (address.toLowerCase() === alice ? 'Alice' : null);
const token = { kind: 'token', symbol: 'MFT', decimals: 2 } as const;
const decoder = createDecoder({
  current: () => registry,
  load: async () => registry,
  getName,
  identify: async () => null,
  fetchToken: async contract => (contract.toLowerCase() === vault ? { ...token, standard: 'ERC20' } : null),
});

const coin = { symbol: 'ETH', decimals: 18 };
const empty = { topic0: null, topic1: null, topic2: null, topic3: null };
const withdrawn = (shares: bigint) => {
  const [topic0, topic1] = encodeEventTopics({ abi, eventName: 'Withdrawn', args: { owner: alice } });
  const data = encodeAbiParameters([{ type: 'uint256' }], [shares]);
  return { ...empty, address: vault, topic0, topic1, data, logIndex: 0, transactionHash: `0x${'01'.repeat(32)}` };
};
const note = {
  ...withdrawn(0n),
  topic0: encodeEventTopics({ abi, eventName: 'Note' })[0],
  topic1: null,
  data: encodeAbiParameters([{ type: 'string' }], ['hello']),
};
const getTable = (transaction: object, name: string): Table => {
  const all = { logs: [], internalTransactions: [], input: '0x', toAddress: vault, fromAddress: alice, ...transaction };
  const { tables } = toReplyTables('transaction', all as never, coin, decoder.isPossibleCall);
  return tables.find(table => table.name === name) ?? { name, columns: [], rows: [] };
};
const toRecords = ({ columns, rows }: Pick<Table, 'columns' | 'rows'>) => {
  const read = (cell: TableCell | undefined, kind: CellKind) =>
    kind === 'linkedText' && cell ? toPlainText(String(cell)) : cell;
  return rows.map(row => Object.fromEntries(columns.map(({ key, kind }, index) => [key, read(row[index], kind)])));
};
const getShownKeys = ({ columns }: Table) =>
  columns.filter(({ detailOnly }) => detailOnly !== true).map(({ key }) => key);

describe('logs', () => {
  test('of one event have a column per argument, with topics and data in the details', async () => {
    const table = await decodeTable(getTable({ logs: [withdrawn(5n), withdrawn(6n)] }, 'logs'), 'local', decoder);
    expect(getShownKeys(table)).toEqual(['logIndex', 'address', 'topic0', 'owner', 'shares', 'transactionHash']);
    expect(toRecords(table).map(({ shares }) => shares)).toEqual(['5', '6']);
    expect(table.columns.map(({ key }) => key)).toContain('topic1');
  });

  test('of an event with an encoded error have the error in its column', async () => {
    const reason = encodeErrorResult({ abi, errorName: 'Locked', args: [7n] });
    const log = (data: Hex) => ({
      ...note,
      topic0: encodeEventTopics({ abi, eventName: 'Refused' })[0],
      data: encodeAbiParameters([{ type: 'bytes' }], [data]),
    });
    const table = await decodeTable(getTable({ logs: [log(reason), log('0x12345678')] }, 'logs'), 'local', decoder);
    expect(toRecords(table).map(record => record['reason'])).toEqual(['Locked(until: 7)', '0x12345678']);
  });

  test('of an event with two arguments of one name have a column of its own for each', async () => {
    const twice = {
      type: 'event',
      name: 'Twice',
      inputs: [1, 2].map(() => ({ name: 'data', type: 'uint256', indexed: false })),
    };
    const other = createAbiRegistry();
    other.set({ id: 'Twice', items: readAbi([twice] as never, 'Twice') });
    const topic0 = toEventHash('Twice(uint256,uint256)');
    const data = encodeAbiParameters([{ type: 'uint256' }, { type: 'uint256' }], [5n, 6n]);
    const log = { ...withdrawn(0n), topic0, topic1: null, data };
    const ofOther = createDecoder({
      current: () => other,
      load: async () => other,
      getName,
      identify: async () => null,
    });
    const { columns, rows } = await decodeTable(getTable({ logs: [log] }, 'logs'), 'local', ofOther);
    expect(new Set(columns.map(({ key }) => key)).size).toBe(columns.length);
    expect(rows[0]?.filter((_, index) => columns[index]?.label === 'data')).toEqual(['5', '6']);
  });

  test('of a list have the values in one line too, for further pages with other events', async () => {
    const table = await decodeTable({ ...getTable({ logs: [withdrawn(5n)] }, 'logs'), name: 'rows' }, 'local', decoder);
    expect(getShownKeys(table)).not.toContain('values');
    expect(toRecords(table)).toEqual([expect.objectContaining({ shares: '5', values: 'owner: Alice, shares: 5' })]);
  });

  test('of several events have their values in one line', async () => {
    const table = await decodeTable(getTable({ logs: [withdrawn(5n), note] }, 'logs'), 'local', decoder);
    expect(toRecords(table).map(({ values }) => values)).toEqual(['owner: Alice, shares: 5', 'text: "hello"']);
  });

  test('of several events show a transfer as who sent what to whom, in the unit of the token', async () => {
    const transferAbi = parseAbi(['event Transfer(address indexed from, address indexed to, uint256 value)']);
    const zero = `0x${'0'.repeat(40)}` as const;
    const [topic0, topic1, topic2] = encodeEventTopics({
      abi: transferAbi,
      eventName: 'Transfer',
      args: { from: zero, to: alice },
    });
    const transfer = { ...withdrawn(1_250n), topic0, topic1, topic2 };
    const elsewhere = { ...transfer, address: `0x${'0b'.repeat(20)}` };
    const table = await decodeTable(getTable({ logs: [transfer, elsewhere, note] }, 'logs'), 'local', decoder);
    expect(toRecords(table).map(({ values }) => values)).toEqual([
      'zero address → Alice · 12.5 MFT',
      'zero address → Alice · 1,250',
      'text: "hello"',
    ]);
  });

  const moved = (amount: bigint) => {
    const [topic0, topic1] = encodeEventTopics({ abi, eventName: 'Moved', args: { keeper: vault } });
    return { ...withdrawn(0n), topic0, topic1, data: encodeAbiParameters([{ type: 'uint256' }], [amount]) };
  };

  test('of the workspace have amounts in the unit of the token, and the names of contracts that only the build knows', async () => {
    const learned: string[] = [];
    const withBuilds = createDecoder({
      current: () => registry,
      load: async () => registry,
      getName: address => (learned.includes(address) ? 'Vault (build)' : getName(address)),
      learnNames: async (_, addresses) => void learned.push(...addresses),
      identify: async () => null,
      fetchToken: async () => ({ ...token, standard: 'ERC20' }),
    });
    const table = await decodeTable(getTable({ logs: [moved(1_250n), note] }, 'logs'), 'local', withBuilds);
    expect(toRecords(table).map(({ values }) => values)).toEqual([
      'keeper: Vault (build), amount: 12.5 MFT',
      'text: "hello"',
    ]);
  });

  test('of a hash have the text that the transaction passed', async () => {
    const topics = encodeEventTopics({ abi, eventName: 'Named', args: { name: 'Bramley' } });
    const named = { ...withdrawn(0n), topic0: topics[0], topic1: topics[1], data: '0x' };
    const table = getTable({ logs: [named, note] }, 'logs');
    const [unknown, known] = [
      await decodeTable(table, 'local', decoder),
      await decodeTable(table, 'local', decoder, ['Bramley']),
    ];
    expect(toRecords(unknown)[0]?.['values']).toMatch(/^name: hash 0x/);
    expect(toRecords(known)[0]?.['values']).toMatch(/^name: "Bramley" \(hash 0x/);
  });

  test('have the event and its values first where the table is narrow', async () => {
    const shown = ({ columns }: Table) =>
      orderColumns(
        columns.filter(({ detailOnly }) => detailOnly !== true),
        360,
      ).map(({ key }) => key);
    const mixed = await decodeTable(getTable({ logs: [withdrawn(5n), note] }, 'logs'), 'local', decoder);
    expect(shown(mixed).slice(0, 2)).toEqual(['topic0', 'values']);
    const narrow = orderColumns(
      mixed.columns.filter(({ detailOnly }) => detailOnly !== true),
      360,
    );
    const [event = 0, values = 0] = getColumnWidths(narrow, new Map(), 360);
    expect(event + values).toBe(360);
    const single = await decodeTable(getTable({ logs: [withdrawn(5n)] }, 'logs'), 'local', decoder);
    expect(shown(single)).toEqual(['owner', 'shares', 'logIndex', 'address', 'topic0', 'transactionHash']);
    expect(orderColumns(single.columns, 1_200)).toBe(single.columns);
  });

  test('that nothing is known of stay as they are', async () => {
    const unknown = { ...withdrawn(1n), topic0: `0x${'99'.repeat(32)}` };
    const table = getTable({ logs: [unknown] }, 'logs');
    expect(await decodeTable(table, 'local', decoder)).toEqual(table);
  });
});

describe('internal transactions', () => {
  const input = encodeFunctionData({ abi, functionName: 'deposit', args: [7n] });
  const locked = encodeErrorResult({ abi, errorName: 'Locked', args: [9n] });
  const call = (fields: object) => ({
    type: 'CALL',
    from: vault,
    to: vault,
    input,
    output: null,
    error: null,
    ...fields,
  });

  test('begin with the transaction’s own call, and show arguments, returned values and nested errors', async () => {
    const output = encodeAbiParameters([{ type: 'uint256' }, { type: 'address' }], [3n, alice]);
    const failed = encodeErrorResult({ abi, errorName: 'CallFailed', args: [locked] });
    const internalTransactions = [call({ output }), call({ error: 'execution reverted', output: failed })];
    const table = getTable({ input, internalTransactions, receiptStatus: 1 }, 'internal');
    const records = toRecords(await decodeTable(table, 'local', decoder));
    expect(records.map(({ isRoot, call: text, result }) => [isRoot, text, result])).toEqual([
      [true, 'deposit(amount: 0.07 MFT)', null],
      [null, 'deposit(amount: 0.07 MFT)', '(shares: 3, owner: Alice)'],
      [null, 'deposit(amount: 0.07 MFT)', 'CallFailed(reason: Locked(until: 9))'],
    ]);
  });
});

describe('exports', () => {
  test('name addresses, functions and events in columns of their own', async () => {
    const table = await decodeTable(getTable({ logs: [withdrawn(5n)] }, 'logs'), 'local', decoder);
    const [row] = toRecords(addNameColumns(table, 'local', decoder, getName, true));
    expect(row).toMatchObject({ ownerName: 'Alice', topic0Name: 'Withdrawn(address,uint256)', shares: '5' });
    expect(row).not.toHaveProperty('addressName');
  });

  test('have one column for the name of an address, whether the service or the address book knows it', () => {
    const read = (fromAddressLabel: string | null) => {
      const table = getTable({ fromAddressLabel }, 'record');
      const named = addNameColumns(table, 'local', decoder, getName, false);
      expect(named.columns.map(({ key }) => key)).not.toContain('fromAddressName');
      return toRecords(named)[0]?.['fromAddressLabel'];
    };
    expect([read(null), read('Exchange 1')]).toEqual(['Alice', 'Exchange 1']);
  });

  test('name no contract of a creation that failed', () => {
    const creation = { toAddress: null, receiptContractAddress: vault };
    const read = (receiptStatus: number) =>
      toRecords(getTable({ ...creation, receiptStatus }, 'record'))[0]?.['receiptContractAddress'];
    expect([read(0), String(read(1)).toLowerCase()]).toEqual([null, vault]);
  });
});

test('omits labels that repeat the saved names', () => {
  const labels = (label: string) =>
    omitRepeatedLabels(getTable({ fromAddressLabel: label }, 'record'), 'local', getName).columns.some(
      ({ key }) => key === 'fromAddressLabel',
    );
  expect([labels('Alice'), labels('Exchange 1')]).toEqual([false, true]);
});
