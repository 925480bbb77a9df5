// The tab Gas of a transaction: blocks inside each other, by pointer and keyboard, and tables.

// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import type { GasTreeEntry, TransactionGas } from '../../../src/api/transactionGas.ts';
import type { Hex } from '../../../src/base/hex.ts';
import { toGasBlocks } from '../../../src/view/source/gasBlocks.ts';
import type { Grid } from '../../../src/webview/inspector/grid/grid.ts';
import { ok } from './connectedPanel.ts';
import { find, textOf } from './dom.ts';
import { createPageFixture, eventually, shows } from './openPage.ts';

const { open } = createPageFixture();
const hash = `0x${'12'.repeat(32)}`;
const vault: Hex = `0x${'b2'.repeat(20)}`;
const burn: Hex = '0x000000000000000000000000000000000000dead';

const share = (gas: number) => ({ gas, helpers: 0, coldAccess: 0, memory: 0 });
const inner: GasTreeEntry = {
  ...{ contract: null, function: null, address: burn, calls: 2, total: 10_000, lines: [], children: [] },
};
const tree: GasTreeEntry = {
  ...{ contract: 'Vault', function: 0, address: vault, calls: 1, total: 60_000 },
  lines: [{ source: 0, line: 40, gas: 45_000 }],
  children: [inner],
};
const gas: TransactionGas = {
  ...{ kind: 'gas', gasUsed: 79_000, codeDeposit: 0, tree },
  fixed: { transaction: 21_000, data: 0, accessList: 0, authorizations: 0, refund: 2_000, floor: 0 },
  sources: [
    {
      source: 'src/Vault.sol',
      file: '0/src/Vault.sol',
      isChanged: false,
      lines: [{ line: 40, ...share(45_000) }],
      unreached: [],
    },
  ],
  functions: [
    {
      ...{
        contract: 'Vault',
        functionName: 'deposit',
        parameterTypes: [],
        source: 'src/Vault.sol',
        file: '0/src/Vault.sol',
        line: 38,
      },
      ...{ calls: 1, total: 60_000, ...share(45_000) },
    },
  ],
  unmapped: [{ contract: 'Vault', ...share(5_000) }],
  unknown: [{ address: burn, ...share(10_000) }],
};

test('the blocks inside one are never more than it, and all together are what was used before the refund', () => {
  const root = toGasBlocks(gas, () => null);
  expect(root.gas).toBe(81_000);
  expect(root.children.map(({ label, gas: own }) => [label, own])).toEqual([
    ['Vault.deposit', 60_000],
    ['The transaction itself', 21_000],
  ]);
  expect(root.children[0]?.children.map(({ label, gas: own }) => [label, own])).toEqual([
    ['Vault.sol:41', 45_000],
    ['0x0000…dead', 10_000],
    ['Code without a line', 5_000],
  ]);
});

const openGas = (shown: TransactionGas = gas) =>
  open({
    target: { kind: 'transaction', chain: 'local', hash, tab: 'gas' },
    reply: async () =>
      ok({
        hash,
        receipt_status: '1',
        from_address: vault,
        to_address: vault,
        input: '0x',
        value: '0',
        receipt_gas_used: '79000',
        gas: '100000',
      }),
    fetchGas: async () => shown,
  });

const blocks = (): readonly HTMLElement[] => {
  const chart = find(document.body, '[role="tree"]');
  return [...(chart?.querySelectorAll<HTMLElement>('.block') ?? [])];
};
const labels = () => blocks().map(each => textOf(each).replace(/\s+/g, ' ').trim());

test('shows blocks with names that the address book has, and opens the line of one', async () => {
  const { connected } = await openGas();
  await shows('Vault.deposit');
  expect(labels()).toEqual([
    'Transaction 81,000',
    'Vault.deposit 60,000',
    'The transaction itself 21,000',
    'Vault.sol:41 45,000',
    '<b>Burn</b>· 10,000',
    'Code without a line 5,000',
  ]);
  blocks()[3]?.click();
  await eventually(() =>
    expect(connected.opened.map(({ file, start }) => [file, start.line])).toEqual([['0/src/Vault.sol', 40]]),
  );
});

test('shows a block in the whole width with Enter, and all of them again with Escape', async () => {
  await openGas();
  await shows('Vault.deposit');
  const press = (key: string) =>
    find(document.body, '.block[tabindex="0"]')?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
  press('ArrowDown');
  await eventually(() =>
    expect(textOf(find(document.body, '.block[tabindex="0"]') as HTMLElement)).toContain('Vault.deposit'),
  );
  press('Enter');
  await eventually(() => expect(labels()[0]).toBe('Vault.deposit 60,000'));
  press('Escape');
  await eventually(() => expect(labels()[0]).toBe('Transaction 81,000'));
});

async function showTable(name: string, text: string): Promise<void> {
  await shows('Vault.deposit');
  const select = find(document.body, '.bar select') as HTMLSelectElement;
  select.value = name;
  select.dispatchEvent(new Event('change'));
  await shows(text);
}

test('has tables of functions, lines and what is beside them', async () => {
  await openGas();
  await showTable('others', 'Refund');
});

const cells = (): readonly HTMLElement[] => [
  ...(find(document.body, 'hl-grid')?.shadowRoot?.querySelectorAll<HTMLElement>('[role=gridcell]') ?? []),
];
const vaultLine = (line: number) => [['0/src/Vault.sol', line]];

test.each([
  ['functions', 'Vault.deposit', vaultLine(38)],
  ['functions', 'src/Vault.sol:39', vaultLine(38)],
  ['lines', 'src/Vault.sol:41', vaultLine(40)],
])('opens the source from the table of %s, by a click on %s and by Enter', async (table, text, expected) => {
  const { connected } = await openGas();
  await showTable(table, text);
  const cell = await eventually(() => {
    const found = cells().find(each => textOf(each) === text);
    expect(found?.querySelector('a')).toBeTruthy();
    return found as HTMLElement;
  });
  const opened = () => connected.opened.map(({ file, start }) => [file, start.line]);
  cell.querySelector('a')?.click();
  await eventually(() => expect(opened()).toEqual(expected));
  const grid = find(document.body, 'hl-grid') as Grid;
  grid.focusCell({ row: 0, column: Number(cell.dataset['column']) });
  await grid.updateComplete;
  cell.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, composed: true }));
  await eventually(() => expect(opened()).toEqual([...expected, ...expected]));
});

test('a row whose file was edited since the build opens nothing', async () => {
  const sources = gas.sources.map(each => ({ ...each, isChanged: true }));
  await openGas({ ...gas, sources });
  await showTable('lines', 'src/Vault.sol:41');
  const cell = cells().find(each => textOf(each) === 'src/Vault.sol:41');
  expect([cell?.textContent, cell?.querySelector('a')]).toEqual(['src/Vault.sol:41', null]);
});
