// What an export has of decoded logs, calls and amounts: all of them in full, in any display language.
import {
  encodeAbiParameters,
  encodeErrorResult,
  encodeEventTopics,
  encodeFunctionData,
  getAddress,
  keccak256,
  parseAbi,
} from 'viem';
import { afterEach, describe, expect, test } from 'vitest';
import { setTranslations } from '../../../src/base/localize.ts';
import { readAbi } from '../../../src/decode/abiItem.ts';
import { createAbiRegistry } from '../../../src/decode/abiRegistry.ts';
import { decodeTable } from '../../../src/extension/inspector/decodedTables.ts';
import { createDecoder } from '../../../src/extension/inspector/decoder.ts';
import { ExportedTables } from '../../../src/extension/inspector/exportedTables.ts';
import { createExportWriter } from '../../../src/extension/inspector/tableExport.ts';
import { toReplyTables } from '../../../src/protocol/replyTables.ts';
import type { Table } from '../../../src/protocol/table.ts';

const alice = getAddress(`0x${'a1'.repeat(20)}`);
const harbor = getAddress(`0x${'7a'.repeat(20)}`);
const label = 'north quay';
const abi = parseAbi([
  'struct Berth { address keeper; uint256[] slots; bool open; }',
  'function dock(uint256 tons, bool heavy) returns (uint256 berth, address keeper)',
  'event Docked(string indexed label, address indexed keeper, uint256 amount, bool heavy, string note, bytes cargo)',
  'event Moved(Berth berth, int256 delta)',
  'event Renamed(address indexed transactionHash, string topic0Name)',
  'error Full(uint256 tons, Berth berth)',
]);
const registry = createAbiRegistry();
registry.set({ id: 'Harbor', items: readAbi(abi as never, 'Harbor') });
const getName = (address: string) => (address.toLowerCase() === alice.toLowerCase() ? 'Alice' : null);
const decoder = createDecoder({
  current: () => registry,
  load: async () => registry,
  getName,
  identify: async () => null,
  fetchToken: async () => ({ kind: 'token', standard: 'ERC20', symbol: 'TON', decimals: 3 }),
});
const deps = { decoder, getName };

afterEach(() => setTranslations({}));

const empty = { topic0: null, topic1: null, topic2: null, topic3: null };
const base = { ...empty, address: harbor.toLowerCase(), logIndex: 0, transactionHash: `0x${'01'.repeat(32)}` };
const cargo = `0x${'c0'.repeat(600)}` as const;
const toDocked = (amount: bigint) => {
  const [topic0, topic1, topic2] = encodeEventTopics({ abi, eventName: 'Docked', args: { label, keeper: alice } });
  const types = [{ type: 'uint256' }, { type: 'bool' }, { type: 'string' }, { type: 'bytes' }] as const;
  return { ...base, topic0, topic1, topic2, data: encodeAbiParameters(types, [amount, true, '=cmd, "x"', cargo]) };
};
const berth = { keeper: alice, slots: [1_000_019n, 2n], open: false } as const;
const berthType = {
  type: 'tuple',
  components: [{ type: 'address' }, { type: 'uint256[]' }, { type: 'bool' }],
} as const;
const moved = {
  ...base,
  topic0: encodeEventTopics({ abi, eventName: 'Moved' })[0],
  data: encodeAbiParameters([berthType, { type: 'int256' }], [[alice, [1_000_019n, 2n], false], -1_000_019n]),
};
const movedJson = { berth: { keeper: alice, slots: ['1000019', '2'], open: false }, delta: '-1000019' };
const labelHash = keccak256(new TextEncoder().encode(label));
const docked = { keeper: alice, amount: '1000019', heavy: true, note: '=cmd, "x"', cargo };

const getTable = (transaction: object, name: string): Table => {
  const all = {
    logs: [],
    internalTransactions: [],
    input: '0x',
    toAddress: harbor,
    fromAddress: alice,
    ...transaction,
  };
  const { tables } = toReplyTables('transaction', all as never, { symbol: 'ETH', decimals: 18 });
  return tables.find(table => table.name === name) ?? { name, columns: [], rows: [] };
};
/** The rows as they are in the JSON that is exported of what the page shows. */
async function exportShown(transaction: object, name: string): Promise<Record<string, unknown>[]> {
  const shown = await decodeTable(getTable(transaction, name), 'local', decoder);
  const writer = createExportWriter('json');
  const table = await new ExportedTables('local', deps, true).convert(shown, true);
  return JSON.parse(writer.formatPage(table) + writer.formatEnd());
}

describe('logs', () => {
  test('of one event have each argument in full in a column of its own', async () => {
    const [row, other] = await exportShown({ logs: [toDocked(1_000_019n), toDocked(5n)] }, 'logs');
    const { amount, ...rest } = docked;
    expect(row).toMatchObject({ ...rest, label: labelHash, keeperName: 'Alice', event_amount: amount });
    expect(other).toMatchObject({ event_amount: '5', event_amountDecimal: '0.005', event_amountUnit: 'TON' });
    expect(row).not.toHaveProperty('values');
    expect(row).not.toHaveProperty('arguments');
  });

  test('of several events have the arguments by name as JSON, in full', async () => {
    const rows = await exportShown({ logs: [toDocked(1_000_019n), moved] }, 'logs');
    expect(rows.map(row => row['arguments'])).toEqual([{ label: { keccak256: labelHash }, ...docked }, movedJson]);
    expect(rows[0]).not.toHaveProperty('values');
  });

  test('have structs and lists as JSON in the columns of one event', async () => {
    expect((await exportShown({ logs: [moved] }, 'logs'))[0]).toMatchObject(movedJson);
  });

  test('have no two columns of one key', async () => {
    const [topic0, topic1] = encodeEventTopics({ abi, eventName: 'Renamed', args: { transactionHash: alice } });
    const data = encodeAbiParameters([{ type: 'string' }], ['quay']);
    const [row] = await exportShown({ logs: [{ ...base, topic0, topic1, data }] }, 'logs');
    expect(row).toMatchObject({
      ...{ transactionHash: base.transactionHash, event_transactionHash: alice, event_transactionHashName: 'Alice' },
      ...{ topic0Name: 'quay', topic0Name2: 'Renamed(address,string)' },
    });
  });

  test('of a list keep the JSON on all pages, and have columns where the list is of one event', async () => {
    const convert = async (isOneEvent: boolean) => {
      const exported = new ExportedTables('local', deps, isOneEvent);
      const first = await exported.convert(getTable({ logs: [moved] }, 'logs'), false);
      const second = await exported.convert(getTable({ logs: [toDocked(7n)] }, 'logs'), false);
      expect(second.columns.map(({ key }) => key)).toEqual(first.columns.map(({ key }) => key));
      const read = (key: string) => second.rows[0]?.[second.columns.findIndex(column => column.key === key)];
      return [first.columns.some(({ key }) => key === 'delta'), read('delta') ?? null, read('arguments')];
    };
    const json = JSON.stringify({ label: { keccak256: labelHash }, ...docked, amount: '7' });
    expect(await convert(true)).toEqual([true, null, json]);
    expect(await convert(false)).toEqual([false, null, json]);
  });

  test('are the same in a language with other separators', async () => {
    const logs = [toDocked(1_000_019n), moved];
    const english = await exportShown({ logs }, 'logs');
    setTranslations({ '1,234.5': '1.234,5', 'hash {0}': 'Hash {0}', Failed: 'Fehlgeschlagen' });
    expect(await exportShown({ logs }, 'logs')).toEqual(english);
  });
});

test('calls have their arguments, results and errors as JSON', async () => {
  const input = encodeFunctionData({ abi, functionName: 'dock', args: [1_000_019n, true] });
  const call = { type: 'CALL', from: alice, to: harbor, input, output: null, error: null };
  const output = encodeAbiParameters([{ type: 'uint256' }, { type: 'address' }], [3_000_000n, alice]);
  const full = encodeErrorResult({ abi, errorName: 'Full', args: [1_000_019n, berth] });
  const internalTransactions = [
    { ...call, output },
    { ...call, output: full, error: 'execution reverted' },
  ];
  const rows = await exportShown({ receiptStatus: 0, internalTransactions }, 'internal');
  const dock = { signature: 'dock(uint256 tons, bool heavy)', arguments: { tons: '1000019', heavy: true } };
  expect(rows.map(({ call: shown, result, error }) => [shown, result, error])).toEqual([
    [null, null, 'failed'],
    [dock, { berth: '3000000', keeper: alice }, null],
    [
      dock,
      {
        signature: expect.stringMatching(/^Full\(uint256 tons, /),
        arguments: { tons: '1000019', berth: movedJson.berth },
      },
      'execution reverted',
    ],
  ]);
});

test('calls are exported without the name of the place that threw, which is a text of the page', async () => {
  const table = getTable({ internalTransactions: [] }, 'internal');
  const place = { key: 'place', label: '', kind: 'text' } as const;
  const shown = { columns: [...table.columns, place], rows: table.rows.map(row => [...row, 'Harbor.dock']) };
  const { columns, rows } = await new ExportedTables('local', deps, true).convert(shown, true);
  expect(columns.map(({ key }) => key)).not.toContain('place');
  expect(rows.flat()).not.toContain('Harbor.dock');
});

test('amounts of coins are exported raw and with decimals', async () => {
  const [row] = await exportShown(
    { value: 1_500_000_000_000_000_000_000n, gasPrice: 1_500_000_000n, receiptGasUsed: null },
    'record',
  );
  expect(row).toMatchObject({
    ...{ value: '1500000000000000000000', valueDecimal: '1500', valueUnit: 'ETH' },
    ...{ gasPrice: '1500000000', gasPriceDecimal: '1.5', gasPriceUnit: 'gwei' },
  });
});
