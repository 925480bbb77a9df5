// A table whose rows change while the user works with them: selection, details and copies stay with their rows.

// @vitest-environment happy-dom
import { describe, expect, test } from 'vitest';
import { noHexNames } from '../../../src/protocol/hexNames.ts';
import type { TableColumn, TableRow } from '../../../src/protocol/table.ts';
import type { TableView } from '../../../src/webview/inspector/components/tableView.ts';
import type { Grid } from '../../../src/webview/inspector/grid/grid.ts';
import { joinTables } from '../../../src/webview/inspector/rows/joinTables.ts';
import { ok } from './connectedPanel.ts';
import { textOf } from './dom.ts';
import { createPageFixture, eventually, shows } from './openPage.ts';

const { open } = createPageFixture();
const number: TableColumn = { key: 'number', label: 'Block', kind: 'block' };
const miner: TableColumn = { key: 'miner', label: 'Miner', kind: 'text' };

const createTable = (rows: readonly TableRow[], columns: readonly TableColumn[] = [number, miner]) => ({
  ...{ name: 'blocks', columns, rows, rowCount: rows.length },
});

async function openTable(
  rows: readonly TableRow[],
  columns?: readonly TableColumn[],
  pageState: Record<string, string> = {},
) {
  const { page, connected } = await open({
    target: { kind: 'operation', operation: 'contractLogs', parameters: { address: `0x${'11'.repeat(20)}` } },
    reply: () => ok({ result: [], cursor: null, page: 0, page_size: 25 }),
  });
  await shows('No rows.');
  const view = document.createElement('hl-table') as TableView;
  Object.assign(view, {
    table: createTable(rows, columns),
    names: noHexNames,
    context: {
      ...{ channel: page.channel, chain: 'local', target: { kind: 'block', chain: 'local', block: 'latest' } },
      ...{ preferences: { numbers: 'decimal', time: 'utc' }, now: 0, pageState },
      setPageState: (name: string, value: string) => {
        pageState[name] = value;
      },
    },
  });
  document.body.append(view);
  const grid = await eventually(() => {
    const found = view.shadowRoot?.querySelector('hl-grid') as Grid | null | undefined;
    expect(found?.shadowRoot?.querySelectorAll('[role=gridcell]').length).toBeGreaterThan(0);
    return found as Grid;
  });
  const getCell = (row: number) => {
    const cell = grid.shadowRoot?.querySelector(`[data-row='${row}'] [data-column='1']`);
    if (!cell) throw new Error(`There is no row ${row}`);
    return cell;
  };
  const show = async (next: readonly TableRow[], nextColumns?: readonly TableColumn[]) => {
    view.table = createTable(next, nextColumns);
    await view.updateComplete;
    await grid.updateComplete;
  };
  const click = async (row: number, options: MouseEventInit = {}) => {
    getCell(row).dispatchEvent(new MouseEvent('click', { bubbles: true, composed: true, ...options }));
    await view.updateComplete;
    await grid.updateComplete;
  };
  const choose = async (row: number, label: string) => {
    getCell(row).dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, composed: true }));
    await view.updateComplete;
    const items = await eventually(() => {
      const menu = view.shadowRoot?.querySelector('hl-popup-menu')?.shadowRoot;
      const found = [...(menu?.querySelectorAll('button') ?? [])];
      expect(found.length).toBeGreaterThan(0);
      return found;
    });
    items.find(({ textContent }) => textContent === label)?.click();
    await view.updateComplete;
  };
  const getDetails = () => textOf(view.shadowRoot?.querySelector('.details hl-record') ?? document.createElement('p'));
  return { view, grid, connected, pageState, show, click, choose, getDetails };
}

const [a, b, c]: TableRow[] = [
  [101, 'Alice'],
  [100, 'Bob'],
  [99, 'Carol'],
];
const rows = [a, b, c] as TableRow[];

describe('selection and details stay with their row', () => {
  test('when rows are added above it', async () => {
    const { connected, show, click, choose, getDetails, grid } = await openTable(rows);
    await click(1);
    expect(getDetails()).toContain('Bob');
    await show([[102, 'Dave'], ...rows]);
    expect(getDetails()).toContain('Bob');
    expect(grid.activeCell.row).toBe(2);
    await choose(2, 'Copy row');
    await eventually(() => expect(connected.copied).toEqual(['100\tBob']));
  });

  test('after a refresh that brings equal rows as other objects', async () => {
    const { view, show, click } = await openTable(rows);
    await click(1);
    await click(2, { ctrlKey: true });
    await show([[102, 'Dave'], [...(a as TableRow)], [...(b as TableRow)], [...(c as TableRow)]]);
    expect([...view.selectedRows]).toEqual([2, 3]);
    expect(view.detailsRow).toBe(2);
  });

  test('when other columns come beside those it has', async () => {
    const { view, show, click } = await openTable(rows);
    await click(1);
    const size: TableColumn = { key: 'size', label: 'Size', kind: 'number' };
    const added = createTable([[98, 7]], [number, size]);
    const joined = joinTables('blocks', [added, createTable(rows)]);
    await show(joined.rows, joined.columns);
    expect(joined.columns.map(({ key }) => key)).toEqual(['number', 'miner', 'size']);
    expect(view.detailsRow).toBe(2);
  });

  test('until the row is gone', async () => {
    const { view, show, click } = await openTable(rows);
    await click(1);
    await show([
      [101, 'Alice'],
      [100, 'Mallory'],
    ]);
    expect(view.detailsRow).toBeNull();
    expect(view.selectedRows.size).toBe(0);
  });
});

describe('a range is selected', () => {
  const many = Array.from({ length: 6 }, (_, index): TableRow => [index, `row ${index}`]);
  const getSelected = ({ selectedRows }: TableView) => [...selectedRows].sort();

  test('from the clicked row to the one clicked with Shift', async () => {
    const { view, click } = await openTable(many);
    await click(1);
    await click(4, { shiftKey: true });
    expect(getSelected(view)).toEqual([1, 2, 3, 4]);
    await click(0, { shiftKey: true });
    expect(getSelected(view)).toEqual([0, 1]);
    await click(5, { shiftKey: true, ctrlKey: true });
    expect(getSelected(view)).toEqual([0, 1, 2, 3, 4, 5]);
  });

  test('by Shift and keys', async () => {
    const { view, grid, click } = await openTable(many);
    const press = async (key: string, shiftKey: boolean) => {
      grid.shadowRoot
        ?.querySelector('[role=grid]')
        ?.dispatchEvent(new KeyboardEvent('keydown', { key, shiftKey, bubbles: true }));
      await grid.updateComplete;
      await view.updateComplete;
      await grid.updateComplete;
    };
    await click(0);
    await press('ArrowDown', false);
    await press('PageDown', true);
    expect(getSelected(view)).toEqual([1, 2, 3, 4, 5]);
    await press('ArrowUp', true);
    expect(getSelected(view)).toEqual([1, 2, 3, 4]);
  });
});

describe('a page that is shown again', () => {
  const many = Array.from({ length: 200 }, (_, index): TableRow => [index, `row ${index}`]);

  test('is sorted by the same column, wherever it is now', async () => {
    const { grid, pageState } = await openTable(rows);
    grid.shadowRoot?.querySelectorAll<HTMLElement>('[role=columnheader]')[1]?.click();
    expect(pageState['sort.blocks']).toBe('miner+');
    const again = await openTable(
      [
        ['x', ...(c as TableRow)],
        ['y', ...(a as TableRow)],
      ],
      [{ ...miner, key: 'other' }, number, miner],
      pageState,
    );
    expect(again.grid.order).toEqual([1, 0]);
  });

  test('begins at the same row, with the widths that were dragged', async () => {
    const { grid, pageState } = await openTable(many);
    const scroller = grid.shadowRoot?.querySelector('.scroll') as HTMLElement;
    scroller.scrollTop = 26 * 120;
    scroller.dispatchEvent(new Event('scrollend'));
    const press = (key: string, shiftKey = false) =>
      scroller.dispatchEvent(new KeyboardEvent('keydown', { key, shiftKey, bubbles: true }));
    press('ArrowRight', true);
    expect(pageState).toEqual({ 'scroll.blocks': '120', 'widths.blocks': expect.stringMatching(/^number=\d+$/) });
    const again = await openTable(many, undefined, pageState);
    expect(again.grid.shadowRoot?.querySelector('.scroll')?.scrollTop).toBe(26 * 120);
    expect(again.grid.draggedWidths).toEqual(grid.draggedWidths);
  });
});

test('the menu opens the details of its row', async () => {
  const { click, choose, getDetails } = await openTable(rows);
  await click(0);
  expect(getDetails()).toContain('Alice');
  await choose(1, 'Show details');
  await eventually(() => expect(getDetails()).toContain('Bob'));
});

describe('a table of logs', () => {
  const column = (key: string, kind: TableColumn['kind'], more: Partial<TableColumn> = {}): TableColumn => ({
    ...{ key, label: key, kind },
    ...more,
  });
  const isDecoded = { isDecoded: true } as const;
  const topic = column('topic0', 'topic');
  const line = column('values', 'text', isDecoded);
  const hiddenLine = { ...line, detailOnly: true } as const;
  const from = column('from', 'text', isDecoded);
  const owner = column('owner', 'text', isDecoded);
  const getShown = (columns: readonly TableColumn[]) =>
    columns.filter(({ detailOnly }) => detailOnly !== true).map(({ key }) => key);

  test('decodes the log of the row in its details, where the columns of the grid do not repeat it', async () => {
    const columns = [topic, from, column('data', 'hex', { detailOnly: true })];
    const { view, click, getDetails } = await openTable([[`0x${'dd'.repeat(32)}`, 'Alice', '0x']], columns);
    await click(0);
    expect(getDetails()).toContain('topic0');
    expect(getDetails()).not.toContain('Alice');
    expect(view.shadowRoot?.querySelector('hl-decoded')).toHaveProperty('source.log.topics', [`0x${'dd'.repeat(32)}`]);
  });

  test.each([
    ['of one event', [topic, from, hiddenLine], [topic, from, hiddenLine], ['topic0', 'from']],
    [
      'of different events on different pages',
      [topic, from, hiddenLine],
      [topic, owner, hiddenLine],
      ['topic0', 'values'],
    ],
    ['of several events on one of the pages', [topic, from, hiddenLine], [topic, line], ['topic0', 'values']],
  ])('whose pages are %s shows columns of arguments, or else all values in one line', (_, first, second, shown) => {
    const toTable = (columns: readonly TableColumn[]) => createTable([columns.map(({ key }) => key)], columns);
    for (const pages of [
      [first, second],
      [second, first],
    ])
      expect(getShown(joinTables('rows', pages.map(toTable)).columns)).toEqual(shown);
  });
});

describe('tables that are joined', () => {
  test('show a column that is for details in one of them only where the other one shows it', () => {
    const data: TableColumn = { key: 'data', label: 'Data', kind: 'hex' };
    const hidden: TableColumn = { ...data, detailOnly: true };
    const columnsOf = (...all: TableColumn[]) =>
      joinTables(
        'rows',
        all.map(column => createTable([['0x']], [column])),
      ).columns;
    expect(columnsOf(hidden, data)).toEqual([data]);
    expect(columnsOf(hidden, hidden)).toEqual([hidden]);
  });

  test('hold texts where they have values of different kinds under one key', () => {
    const amount: TableColumn = { key: 'value', label: 'Value', kind: 'tokenAmount' };
    const { columns } = joinTables('rows', [
      createTable([['1']], [amount]),
      createTable([['one']], [{ ...amount, kind: 'hex' }]),
    ]);
    expect(columns).toEqual([{ ...amount, kind: 'text' }]);
  });
});

test('an argument of an event is shown whatever it is: that it is false or zero is what the event says', async () => {
  const columns: TableColumn[] = [
    number,
    { key: 'won', label: 'won', kind: 'flag', isDecoded: true },
    { key: 'amount', label: 'amount', kind: 'amount', isDecoded: true },
  ];
  const { grid } = await openTable(
    [
      [1, false, '0'],
      [2, false, '0'],
    ],
    columns,
  );
  expect(grid.columns.map(({ label }) => label)).toEqual(['Block', 'won', 'amount']);
});

test('columns that say nothing of any row are in the details only; of a single row that is only a flag that is not set', async () => {
  const spam: TableColumn = { key: 'possibleSpam', label: 'Spam', kind: 'flag' };
  const value: TableColumn = { key: 'value', label: 'Value', kind: 'coin', decimals: 18, unit: 'ETH' };
  const columns = [number, miner, spam, value];
  const { grid, show } = await openTable(
    [
      [1, 'a', false, '0'],
      [2, 'b', false, '0'],
    ],
    columns,
  );
  const getLabels = () => grid.columns.map(({ label }) => label);
  expect(getLabels()).toEqual(['Block', 'Miner']);
  await show([[1, 'a', false, '0']], columns);
  expect(getLabels()).toEqual(['Block', 'Miner', 'Value']);
  await show(
    [
      [1, 'a', true, '0'],
      [2, 'b', false, '0'],
    ],
    columns,
  );
  expect(getLabels()).toEqual(['Block', 'Miner', 'Spam']);
});

test('what a token contract has once is in the details only on the pages of the contract and of its tokens', async () => {
  const contract = `0x${'70'.repeat(20)}`;
  const columns: readonly TableColumn[] = [
    { key: 'tokenAddress', label: 'Contract', kind: 'address' },
    { key: 'tokenId', label: 'Token ID', kind: 'number' },
    { key: 'contractType', label: 'Standard', kind: 'text' },
    { key: 'ownerOf', label: 'Owner', kind: 'address' },
    { key: 'name', label: 'Name', kind: 'text' },
  ];
  const rows = [
    [contract, '7', 'ERC1155', `0x${'a1'.repeat(20)}`, 'Relics'],
    [contract, '7', 'ERC1155', `0x${'b2'.repeat(20)}`, 'Relics'],
  ];
  const { grid, view, show } = await openTable(rows, columns);
  const getLabels = async (parameters: Readonly<Record<string, string>>) => {
    view.context = { ...view.context, target: { kind: 'operation', operation: 'nftOwners', parameters } };
    await show(rows, columns);
    return grid.columns.map(({ label }) => label);
  };
  expect(await getLabels({ address: contract, tokenId: '7' })).toEqual(['Owner']);
  expect(await getLabels({ address: contract })).toEqual(['Token ID', 'Owner']);
  expect(await getLabels({ address: `0x${'a1'.repeat(20)}` })).toEqual(columns.map(({ label }) => label));
});
