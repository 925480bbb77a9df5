// Pure functions over rows: order, column widths, conditions, call trees, row window, images, histograms, texts.
import { describe, expect, test, vi } from 'vitest';
import { setTranslations } from '../../../src/base/localize.ts';
import { noHexNames } from '../../../src/protocol/hexNames.ts';
import { linkAddress } from '../../../src/protocol/linkedText.ts';
import {
  type CellKind,
  cellKinds,
  type TableCell,
  type TableColumn,
  type TableRow,
} from '../../../src/protocol/table.ts';
import { compileRowFilter } from '../../../src/view/table/rowFilter.ts';
import { addContentWidths, getColumnWidths } from '../../../src/webview/inspector/grid/columnWidths.ts';
import { moveCell } from '../../../src/webview/inspector/grid/gridNavigation.ts';
import { getRowWindow } from '../../../src/webview/inspector/grid/rowWindow.ts';
import { buildCallTrees, getVisibleNodes } from '../../../src/webview/inspector/rows/callTree.ts';
import {
  type FormatContext,
  formatCell,
  formatCellForClipboard,
  formatFullCell,
  getNumberClass,
  type Preferences,
  toVisibleText,
} from '../../../src/webview/inspector/rows/cellFormat.ts';
import { createHistogram, DAY_MS, formatTimeBin } from '../../../src/webview/inspector/rows/histogram.ts';
import { filterAndSortRows } from '../../../src/webview/inspector/rows/rowOrder.ts';
import {
  createCondition,
  createSearchableRows,
  listFilterExamples,
  replaceRangeCondition,
} from '../../../src/webview/inspector/rows/searchableRows.ts';
import { getTokenImage } from '../../../src/webview/inspector/rows/tokenImage.ts';

const context: FormatContext = { names: noHexNames, now: 0, preferences: { time: 'utc', numbers: 'decimal' } };
const coin: TableColumn = { key: 'value', label: 'Value', kind: 'coin', decimals: 18, unit: 'ETH' };

describe('order', () => {
  const rows: readonly TableRow[] = [['9'], [null], ['10'], ['-1'], ['123456789012345678901234567890'], ['-20']];

  test('is exact beyond 2^53, and rows without a value come last in both directions', () => {
    expect(filterAndSortRows([coin], rows, null, { column: 'value', descending: false })).toEqual([5, 3, 0, 2, 4, 1]);
    expect(filterAndSortRows([coin], rows, null, { column: 'value', descending: true })).toEqual([4, 2, 0, 3, 5, 1]);
  });

  test('of amounts is that of whole tokens, with those that are no amounts last', () => {
    const columns: readonly TableColumn[] = [
      { key: 'address', label: 'Address', kind: 'address' },
      { key: 'amount', label: 'Amount', kind: 'tokenAmount' },
    ];
    const amounts: readonly TableRow[] = [
      ['0xda1', '1000000000000000'], // 0.001 DAI
      ['0xbad', '7'],
      ['0x05dc', '1000000'], // 1 USDC
      ['0xda1', '2000000000000000000'],
    ];
    const units = { '0xda1': { symbol: 'DAI', decimals: 18 }, '0x05dc': { symbol: 'USDC', decimals: 6 } };
    const sort = { column: 'amount', descending: true };
    expect(filterAndSortRows(columns, amounts, null, sort, units)).toEqual([3, 2, 0, 1]);
  });
});

test('a block of a chain whose clock is ahead is not yet to come, unlike the end of a sign-in message', () => {
  const now = Date.UTC(2026, 0, 1);
  const show = (key: string) =>
    formatCell({ key, label: key, kind: 'time' }, now + 120_000, {
      ...context,
      now,
      preferences: { ...context.preferences, time: 'relative' },
    });
  expect(show('blockTimestamp')).toBe('2 minutes ahead of your clock');
  expect(show('expirationTime')).toBe('in 2 minutes');
});

describe('column widths', () => {
  const name: TableColumn = { key: 'name', label: 'Name', kind: 'text' };
  const address: TableColumn = { key: 'address', label: 'Address', kind: 'address' };
  const sum = (widths: readonly number[]) => widths.reduce((total, width) => total + width, 0);

  test('never grow for numbers; texts share the remaining width', () => {
    const [, least = 0] = getColumnWidths([address, coin], new Map(), 0);
    expect(getColumnWidths([address, coin], new Map(), 2_000)[1]).toBe(least);
    const [first = 0, , last = 0] = getColumnWidths([name, coin, { ...name, key: 'symbol' }], new Map(), 700);
    expect(first).toBe(last);
    expect(first).toBeGreaterThan(getColumnWidths([name], new Map(), 0)[0] ?? 0);
  });

  test('fit all digits of raw amounts, unless dragged', () => {
    const amount: TableColumn = { key: 'coinAmount', label: 'Amount', kind: 'amount' };
    const widthIn = (text: string, dragged: [string, number][] = []) =>
      getColumnWidths(
        [amount],
        addContentWidths(
          new Map(dragged),
          [address, amount],
          [
            ['0x1', '1'],
            ['0x1', null],
            ['0x1', text],
          ],
          context,
          0,
        ),
        0,
      )[0] ?? 0;
    expect(widthIn('1000')).toBe(widthIn('1'));
    expect(widthIn('18446744073709551615')).toBeGreaterThan(26 * 7);
    expect(widthIn('9'.repeat(78))).toBe(widthIn('9'.repeat(60)));
    expect(widthIn('18446744073709551615', [['coinAmount', 90]])).toBe(90);
  });

  test('fit all digits of coins and tokens as they are shown', () => {
    const widthOf = (column: TableColumn, columns: readonly TableColumn[], row: TableRow) =>
      addContentWidths(new Map(), columns, [row], context, 0).get(column.key) ?? 0;
    const small = '408804'; // 0.000000000000408804 ETH
    expect(widthOf(coin, [coin], [small])).toBeGreaterThan(24 * 7);
    expect(widthOf({ ...coin, detailOnly: true }, [{ ...coin, detailOnly: true }], [small])).toBe(0);
    const gas: TableColumn = { key: 'gas', label: 'Gas', kind: 'number' };
    expect(widthOf(gas, [gas], [46_630_000])).toBeGreaterThan('46,630,000'.length * 7);
    const amount: TableColumn = { key: 'value', label: 'Value', kind: 'tokenAmount' };
    const decimals: TableColumn = { key: 'tokenDecimals', label: 'Decimals', kind: 'number' };
    const symbol: TableColumn = { key: 'tokenSymbol', label: 'Symbol', kind: 'text' };
    const row = ['1325810999123456789012', 18, 'LONGSYMBOL'];
    expect(widthOf(amount, [amount, decimals, symbol], row)).toBeGreaterThan('1,325.810999 LONGSYMBOL'.length * 7);
  });

  test('fit the names of contracts, and leave the rest to texts that are cut', () => {
    const names = { addresses: { '0xab': 'HarborVault (proxy, build)' }, events: {}, methods: {} };
    const widthsAt = (availableWidth: number) =>
      addContentWidths(new Map(), [address, name], [['0xab', 'Short']], { ...context, names }, availableWidth);
    expect(widthsAt(1_400).get('address')).toBeGreaterThan('HarborVault (proxy, build)'.length * 7);
    expect(widthsAt(400).has('address')).toBe(false);
    const values: TableColumn = { ...name, key: 'values' };
    const [short = 0, long = 0] = getColumnWidths(
      [name, values],
      addContentWidths(new Map(), [name, values], [['HarborVault.deposit()', 'x'.repeat(200)]], context, 900),
      900,
    );
    expect(short + long).toBe(900);
    expect(long).toBeGreaterThan(short * 2);
  });

  test('of the last column fill the grid, unless it is a number or was dragged', () => {
    expect(sum(getColumnWidths([coin, address], new Map(), 2_000))).toBe(2_000);
    expect(getColumnWidths([coin, address], new Map([['address', 60]]), 2_000)[1]).toBe(60);
  });
});

describe('the condition for a cell', () => {
  const status: TableColumn = { key: 'receiptStatus', label: 'Status', kind: 'status' };
  const rows: readonly TableRow[] = [
    ['1000000000000000000', 1],
    ['1', 0],
    ['1', null],
  ];

  test.each([
    [coin, 0, '1', [1, 2]],
    [coin, 0, '1000000000000000000', [0]],
    [status, 1, 0, [1]],
    [status, 1, null, [2]],
  ] as const)('finds the rows with it: %j', (column, _at, cell, expected) => {
    const { fields, getText: textOf } = createSearchableRows([coin, status], rows, context);
    const { test: fits, problems } = compileRowFilter(createCondition(column, cell, context), fields, textOf);
    expect(problems).toEqual([]);
    expect(rows.map((_, index) => index).filter(fits)).toEqual(expected);
  });
});

describe('the condition for a cell of any kind finds its row', () => {
  const hex = (digits: string, bytes: number) => `0x${digits.repeat(bytes)}`;
  const cells: readonly (readonly [CellKind, TableCell, TableCell])[] = [
    ['address', hex('ab', 20), hex('cd', 20)],
    ['transaction', hex('ab', 32), hex('cd', 32)],
    ['blockHash', hex('ab', 32), hex('cd', 32)],
    ['block', 12, 13],
    ['topic', hex('ab', 32), hex('cd', 32)],
    ['method', '0xa9059cbb', ''],
    ['method', '', '0xa9059cbb'],
    ['word', hex('ab', 32), hex('cd', 32)],
    ['hex', '0x12ff', '0x13'],
    ['amount', '-5', '5'],
    ['amount', '115792089237316195423570985008687907853269984665640564039457584007913129639935', '1'],
    ['coin', '1500000000000000001', '1500000000000000000'],
    ['coin', '-7', '7'],
    ['tokenAmount', '1500000', '1500001'],
    ['number', 3, 30],
    ['time', 1_700_000_000_000, 1_700_000_001_000],
    ['tokenId', '7', '77'],
    ['text', 'owner: "Alice", shares: 5', 'owner: Bob'],
    ['text', 'C:\\x y', 'D'],
    ['linkedText', linkAddress('Alice', `0x${'a1'.repeat(20)}`), linkAddress('Bob', `0x${'b0'.repeat(20)}`)],
    ['text', null, 'D'],
    ['flag', true, false],
    ['flag', null, true],
    ['status', 0, 1],
    ['status', null, 1],
    ['json', '{"a":[1,"b c"]}', '{}'],
    ['aptos', '0x1', '0x2'],
  ];

  test('which are all kinds', () => {
    expect(new Set(cells.map(([kind]) => kind))).toEqual(new Set(cellKinds));
  });

  test.each(cells)('%s %j, not %j', (kind, cell, other) => {
    for (const key of ['_value', '$x', 'fromAddress', 'constructor']) {
      const column: TableColumn = { key, label: key, kind };
      const columns = [
        column,
        { key: 'decimals', label: '', kind: 'number' },
        { key: 'symbol', label: '', kind: 'text' },
      ];
      const found: readonly TableRow[] = [
        [cell, 6, 'T'],
        [other, 6, 'T'],
      ];
      const { fields, getText } = createSearchableRows(columns as TableColumn[], found, context);
      const condition = createCondition(column, cell, context, { symbol: 'T', decimals: 6 });
      const filter = compileRowFilter(condition, fields, getText);
      expect(filter.problems).toEqual([]);
      expect([condition, filter.test(0), filter.test(1)]).toEqual([condition, true, false]);
    }
  });
});

test('conditions of guides find a status and a flag in every language, as those in its own words do', () => {
  const columns: readonly TableColumn[] = [
    { key: 'receiptStatus', label: 'Status', kind: 'status' },
    { key: 'possibleSpam', label: 'Spam', kind: 'flag' },
  ];
  setTranslations({ Failed: 'Fehlgeschlagen', Yes: 'Ja', No: 'Nein' });
  try {
    const { fields, getText } = createSearchableRows(columns, [[0, true]], context);
    const finds = (filter: string) => compileRowFilter(filter, fields, getText).test(0);
    expect(['status:failed', 'status:fehlgeschlagen', 'spam:yes', 'spam:ja'].map(finds)).toEqual(Array(4).fill(true));
    expect(['status:success', 'spam:no', 'spam:nein'].map(finds)).toEqual(Array(3).fill(false));
  } finally {
    setTranslations(undefined);
  }
});

test.each<readonly [columns: readonly (readonly [key: string, kind: CellKind])[], examples: readonly string[]]>([
  [
    [
      ['receiptStatus', 'status'],
      ['hash', 'transaction'],
      ['fromAddress', 'address'],
      ['value', 'coin'],
    ],
    ['from:0x…', 'value>1.5', 'status:failed'],
  ],
  [
    [
      ['ownerOf', 'address'],
      ['blockNumber', 'block'],
      ['amount', 'amount'],
    ],
    ['owner:0x…', 'block>100'],
  ],
  [[['name', 'text']], []],
])('the empty filter of %j has conditions that its rows can meet', (columns, expected) => {
  const examples = listFilterExamples(columns.map(([key, kind]) => ({ key, label: key, kind })));
  expect(examples).toEqual(expected);
});

test('a filter finds numbers as they are shown, and as they are', () => {
  const gas: TableColumn = { key: 'gasUsed', label: 'Gas used', kind: 'amount' };
  const { fields, getText } = createSearchableRows([gas, coin], [['1234567', '1500000000000000000']], context);
  const finds = (query: string) => compileRowFilter(query, fields, getText).test(0);
  expect(['1,234', '1234567', '"1.5 ETH"', 'gasused:1234567', 'value:1.5'].map(finds)).toEqual(Array(5).fill(true));
  expect(finds('1,235')).toBe(false);
});

test('finds numbers in the text of a decoded log by their digits too', () => {
  const values: TableColumn = { key: 'values', label: 'Values', kind: 'text' };
  const { fields, getText } = createSearchableRows([values], [['amount: 1,250,000, memo: "a,b"']], context);
  const finds = (filter: string) => compileRowFilter(filter, fields, getText).test(0);
  expect(['1,250', '1250000', 'values:1250000', 'a,b', '250,1'].map(finds)).toEqual([true, true, true, true, false]);
});

describe('internal transactions', () => {
  const columns: readonly TableColumn[] = ['transactionHash', 'type', 'from', 'to'].map(key => ({
    key,
    label: key,
    kind: 'text',
  }));
  const shape = (rows: readonly TableRow[]) =>
    [...buildCallTrees({ name: 'internal', columns, rows, rowCount: rows.length })].map(([, nodes]) =>
      getVisibleNodes(nodes, new Set()).map(({ depth }) => depth),
    );

  test('are children of the frame whose code made them', () => {
    expect(
      shape([
        ['t', 'CALL', 'a', 'b'],
        ['t', 'CALL', 'b', 'c'],
        ['t', 'CALL', 'c', 'd'],
        ['t', 'CALL', 'a', 'e'],
      ]),
    ).toEqual([[0, 1, 2, 0]]);
  });

  test('of delegated code are children of the delegated call', () => {
    expect(
      shape([
        ['t', 'CALL', 'a', 'proxy'],
        ['t', 'DELEGATECALL', 'proxy', 'code'],
        ['t', 'CALL', 'proxy', 'x'],
      ]),
    ).toEqual([[0, 1, 2]]);
  });

  test('are inside the transaction’s own call, whatever they are from', () => {
    const table = {
      name: 'internal',
      columns: [...columns, { key: 'isRoot', label: '', kind: 'flag' as const }],
      rows: [
        ['t', 'call', 'a', 'b', true],
        ['t', 'CALL', 'b', 'c', null],
        ['t', 'CALL', 'unknown', 'd', null],
      ],
      rowCount: 3,
    };
    const [nodes = []] = [...buildCallTrees(table).values()];
    expect(getVisibleNodes(nodes, new Set()).map(({ depth }) => depth)).toEqual([0, 1, 1]);
  });

  test('of a contract to itself are inside each other only where their gas allows that', () => {
    const withGas = (rows: readonly TableRow[]) => {
      const gas = ['gas', 'gasUsed'].map(key => ({ key, label: '', kind: 'amount' as const }));
      const table = { name: 'internal', columns: [...columns, ...gas], rows, rowCount: rows.length };
      const [nodes = []] = [...buildCallTrees(table).values()];
      return getVisibleNodes(nodes, new Set()).map(({ depth }) => depth);
    };
    expect(
      withGas([
        ['t', 'CALL', 'a', 'b', '900000', '66000'],
        ['t', 'CALL', 'b', 'b', '850000', '9000'],
        ['t', 'CALL', 'b', 'b', '820000', '14000'], // more than the call before it used
        ['t', 'STATICCALL', 'b', 'c', '790000', '2800'],
        ['t', 'CALL', 'b', 'b', '836000', '5000'], // more gas than the call before it can pass on
        ['t', 'CALL', 'b', 'b', '800000', '4000'],
      ]),
    ).toEqual([0, 1, 1, 2, 1, 2]);
  });

  test('are where their depth says, also where gas and addresses would permit more', () => {
    const more = [
      { key: 'isRoot', label: '', kind: 'flag' as const },
      { key: 'depth', label: '', kind: 'number' as const },
    ];
    const rows: readonly TableRow[] = [
      ['t', 'call', 'a', 'b', true, null],
      ['t', 'CALL', 'b', 'b', null, 1],
      ['t', 'CALL', 'b', 'b', null, 1],
      ['t', 'CALL', 'b', 'b', null, 2],
      ['t', 'CALL', 'b', 'c', null, 1],
    ];
    const table = { name: 'internal', columns: [...columns, ...more], rows, rowCount: rows.length };
    const [nodes = []] = [...buildCallTrees(table).values()];
    expect(getVisibleNodes(nodes, new Set()).map(({ depth }) => depth)).toEqual([0, 1, 1, 2, 1]);
  });

  test.each([
    ['a call around them failed', null, [1, 2, 2, 1], [false, true, true, true, false]],
    ['the transaction failed', 'failed', [1, 2, 2, 1], [true, true, true, true, true]],
    ['a call failed that only may be around them', null, null, [false, true, false, false, false]],
    ['the transaction failed, whatever is around them', 'failed', null, [true, true, true, true, true]],
  ])('are undone where %s', (_, error, depths, expected) => {
    const more = [
      { key: 'isRoot', label: '', kind: 'flag' as const },
      { key: 'depth', label: '', kind: 'number' as const },
      { key: 'error', label: '', kind: 'text' as const },
    ];
    const calls = ['out of gas', null, null, null].map(
      (own, at): TableRow => ['t', 'CALL', at === 1 ? 'c' : 'b', 'c', null, depths?.[at] ?? null, own],
    );
    const rows: readonly TableRow[] = [['t', 'call', 'a', 'b', true, null, error], ...calls];
    const table = { name: 'internal', columns: [...columns, ...more], rows, rowCount: rows.length };
    const [nodes = []] = [...buildCallTrees(table).values()];
    expect(getVisibleNodes(nodes, new Set()).map(({ isUndone }) => isUndone)).toEqual(expected);
  });

  test('of two transactions form two trees', () => {
    expect(
      shape([
        ['t', 'CALL', 'a', 'b'],
        ['u', 'CALL', 'b', 'c'],
      ]),
    ).toEqual([[0], [0]]);
  });
});

describe('the window of a grid', () => {
  test('is bounded for any length of the list', () => {
    for (const top of [0, 1_000, 26 * 100_000]) {
      const { start, end } = getRowWindow(top, 600, 100_000);
      expect(end - start).toBeLessThan(50);
      expect(start).toBeGreaterThanOrEqual(0);
      expect(end).toBeLessThanOrEqual(100_000);
    }
  });

  test('keys never leave the grid', () => {
    const size = { rows: 3, columns: 2, pageRows: 10 };
    expect(moveCell({ row: -1, column: 0 }, 'ArrowUp', false, size)).toEqual({ row: -1, column: 0 });
    expect(moveCell({ row: 0, column: 0 }, 'End', true, size)).toEqual({ row: 2, column: 1 });
    expect(moveCell({ row: 1, column: 1 }, 'PageDown', false, size)).toEqual({ row: 2, column: 1 });
    expect(moveCell({ row: 0, column: 0 }, 'x', false, size)).toBeNull();
  });
});

describe('token images', () => {
  const svg = 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';

  test('are data URIs of an image type, encoded', () => {
    const { dataUri: source } = getTokenImage(JSON.stringify({ name: 'x', image: svg }), null);
    expect(source).toMatch(/^data:image\/svg\+xml,/);
    expect(source).not.toMatch(/[<>"\s]/);
  });

  test.each([
    'https://tracker.example/x.png',
    'ipfs://x',
    'data:text/html,<b>',
    'javascript:alert(1)',
    'data:image/png;base64,!',
  ])('are not made of %s', image => expect(getTokenImage(JSON.stringify({ image }), null).dataUri).toBeNull());
});

describe('texts', () => {
  test('show invisible characters', () => {
    expect(toVisibleText('a\u202eb\u200bc\ud800d\u0000e\nf')).toBe('a·b·c·d·e\nf');
  });

  test('of a 32-byte word are its address or its number', () => {
    const word: TableColumn = { key: 'topic1', label: 'Topic 1', kind: 'word' };
    expect(formatCell(word, `0x${'0'.repeat(24)}${'ab'.repeat(20)}`, context)).toBe('0xabab…abab');
    expect(formatCell(word, `0x${'0'.repeat(61)}3e8`, context)).toBe('1,000');
    expect(formatCell(word, `0x${'ab'.repeat(32)}`, context)).toBe('0xabab…abab');
  });
});

test('histograms count per bin', () => {
  expect(createHistogram([], 10)).toEqual({ counts: [], start: 0, binWidth: 1 });
  expect(createHistogram([5, 5, 7], 10)).toEqual({ counts: [2, 0, 1], start: 5, binWidth: 1 });
  expect(createHistogram([0, 99], 10).counts).toHaveLength(10);
  // Round parts, so that their names are round numbers too.
  expect(createHistogram([1_003, 1_027], 10)).toEqual({ counts: [1, 0, 0, 0, 0, 1], start: 1_000, binWidth: 5 });
});

describe('bins of time', () => {
  const at = (text: string) => Date.parse(text);
  const preferences: Preferences = { time: 'utc', numbers: 'decimal' };

  test.each([
    ['2023-11-14T22:13:20Z', '2023-11-14T22:13:56Z', 1_000],
    ['2023-11-14T22:13:20Z', '2023-11-14T22:43:20Z', 60_000],
    ['2023-11-14T22:13:20Z', '2023-11-16T22:13:20Z', 3_600_000],
    ['2023-11-14T22:13:20Z', '2023-12-12T22:13:20Z', 12 * 3_600_000],
    ['2015-07-30T00:00:00Z', '2026-11-21T00:00:00Z', 90 * DAY_MS],
  ])('are those that people count in: %s to %s', (from, to, width) => {
    const found = createHistogram([at(from), at(to)], 60, 'time');
    expect(found.binWidth).toBe(width);
    expect(found.counts.length).toBeLessThanOrEqual(60);
    expect(found.start % width).toBe(0);
    expect(found.counts.reduce((sum, count) => sum + count, 0)).toBe(2);
  });

  test('exist for any range', () => {
    expect(createHistogram([0, 8.64e15], 60, 'time').counts.length).toBeLessThanOrEqual(60);
  });

  test('have a full label, and a short one for the axis', () => {
    const start = at('2023-11-14T22:10:00Z');
    expect(formatTimeBin(start, 60_000, true, preferences)).toEqual({
      label: '2023-11-14 22:10 UTC',
      shortLabel: '22:10',
    });
    expect(formatTimeBin(start, 10_000, false, preferences)).toEqual({
      label: '2023-11-14 22:10:00 UTC',
      shortLabel: '11-14 22:10:00',
    });
    expect(formatTimeBin(at('2023-11-14'), DAY_MS, false, preferences)).toEqual({
      label: '2023-11-14',
      shortLabel: '2023-11-14',
    });
  });
});

test('a bar’s range replaces the previous range in the filter', () => {
  expect(replaceRangeCondition('', 'block', '5..9')).toBe('block:5..9');
  expect(replaceRangeCondition('event:transfer block:1..2 from:0xab', 'block', '5..9')).toBe(
    'event:transfer from:0xab block:5..9',
  );
  expect(replaceRangeCondition('myblock:7', 'block', '5..9')).toBe('myblock:7 block:5..9');
});

test('a Move type is shortened at its start, and complete in the tooltip', () => {
  const type: TableColumn = { key: 'activityType', label: 'Activity', kind: 'text' };
  const shown = (text: string) => formatCell(type, text, context);
  expect(shown('0x1::aptos_coin::GasFeeEvent')).toBe('0x1::…::GasFeeEvent');
  expect(shown(`0x${'ab'.repeat(32)}::market::Sold<0x1::aptos_coin::AptosCoin>`)).toBe(
    '0xabab…abab::…::Sold<0x1::…::AptosCoin>',
  );
  expect(shown('0x1::aptos_account::transfer')).toBe('0x1::aptos_ac…::transfer');
  expect(shown('0x1::primary_fungible_store::transfer_with_a_long_name')).toBe('0x1::…::transfer_with_a_long_name');
  expect(shown(`0x${'ab'.repeat(32)}::coin::mint`)).toBe('0xabab…abab::coin::mint');
  expect(shown('0x1::coin::Deposit')).toBe('0x1::coin::Deposit');
  expect(shown('a name :: with colons that is long')).toBe('a name :: with colons that is long');
  expect(formatFullCell(type, '0x1::aptos_coin::GasFeeEvent', context)).toBe('0x1::aptos_coin::GasFeeEvent');
});

test('a long amount has thousands separators in the tooltip, and none in the clipboard', () => {
  expect(formatFullCell(coin, '49989850000000000000001000', context)).toBe('49,989,850.000000000000001 ETH');
  expect(formatCellForClipboard(coin, '49989850000000000000001000')).toBe('49989850.000000000000001');
});

test('a time has one text where local time is UTC, and two elsewhere', () => {
  const column = { key: 'blockTimestamp', label: 'Time', kind: 'time' } as const;
  const offset = vi.spyOn(Date.prototype, 'getTimezoneOffset').mockReturnValue(0);
  const format = () => formatFullCell(column, Date.UTC(2023, 10, 14, 22, 13, 20), { names: noHexNames });
  try {
    expect(format()).toBe('2023-11-14 22:13:20 UTC');
    offset.mockReturnValue(-60);
    expect(format()).toMatch(/^2023-11-1\d \d\d:\d\d:20 \(local\)\n2023-11-14 22:13:20 UTC$/);
  } finally {
    offset.mockRestore();
  }
});

test.each([
  ['175,000,000,000,000,000,000', 'number'],
  ['-8,388,608', 'number'],
  ['9,999.999925374702017596 ETH', 'number'],
  ['0x9fe46736679d2d9a65f0992f2272de9f3c7fa6e0', ''],
  ['"1 text"', ''],
  ['3 little words here', ''],
])('%s stays on one line only where it is a number', (text, expected) => {
  expect(getNumberClass(text)).toBe(expected);
});
