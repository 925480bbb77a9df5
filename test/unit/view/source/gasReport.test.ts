// The page and the sums of the gas of lines.
import { afterEach, expect, test } from 'vitest';
import type { FunctionGas, TransactionGas } from '../../../../src/api/transactionGas.ts';
import { setTranslations } from '../../../../src/base/localize.ts';
import { formatShare } from '../../../../src/view/formatShare.ts';
import { formatGasReport, GasTotals, listLineMarks } from '../../../../src/view/source/gasReport.ts';

afterEach(() => setTranslations(undefined));

const NO_SHARE = { helpers: 0, coldAccess: 0, memory: 0 };

function createGas(source: string, file: string): TransactionGas {
  const run: FunctionGas = {
    ...{
      contract: 'Vault',
      functionName: 'deposit',
      parameterTypes: ['uint256'],
      source,
      file,
      line: 4,
      calls: 1,
      total: 500,
      gas: 500,
    },
    ...NO_SHARE,
  };
  return {
    ...{ kind: 'gas', gasUsed: 21_500, codeDeposit: 0, unmapped: [], unknown: [], tree: null },
    fixed: { transaction: 21_000, data: 0, accessList: 0, authorizations: 0, refund: 0, floor: 0 },
    sources: [{ source, file, isChanged: false, lines: [{ line: 4, gas: 500, ...NO_SHARE }], unreached: [] }],
    functions: [run],
  };
}

test('names of files and contracts are text of the page: no table, link or HTML of them', () => {
  const totals = new GasTotals();
  totals.add({
    ...createGas('src/a|b[c](https://d.example)<img>.sol', 'src/a.sol'),
    unmapped: [{ contract: '[x](https://y.example)', gas: 3, ...NO_SHARE }],
  });
  const report = formatGasReport(totals, null, 'Gas of <img>');
  expect(report).toContain('# Gas of \\<img\\>');
  expect(report).toContain('| `src/a\\|b[c](https://d.example)<img>.sol:5` |');
  expect(report).toContain('\\[x\\]\\(https\\:\\/\\/y\\.example\\)');
});

test('the page says what its sums lack', () => {
  const totals = new GasTotals();
  totals.add(createGas('src/Vault.sol', 'src/Vault.sol'));
  const lines = formatGasReport(totals, null, 'Gas', ['Only the newest transactions, <b>']).split('\n');
  expect(lines.slice(2, 6)).toEqual([
    '21,500 gas in 1 transaction.',
    '',
    '- Only the newest transactions, \\<b\\>',
    '',
  ]);
});

test('functions of one name are compared with the run before by their parameters, on other lines too', () => {
  const createRun = (line: number, costs: readonly (readonly [type: string, gas: number])[]) => {
    const gas = createGas('src/Vault.sol', 'src/Vault.sol');
    const [first] = gas.functions as [FunctionGas];
    const functions = costs.map(([type, own], i) => ({ ...first, parameterTypes: [type], gas: own, line: line + i }));
    const totals = new GasTotals();
    totals.add({ ...gas, functions });
    return totals;
  };
  // A comment was added above both, and the second one was not called before.
  const before = createRun(4, [['address', 900]]);
  const now = createRun(7, [
    ['uint256', 300],
    ['address', 800],
  ]);
  const rows = formatGasReport(now, before, 'Gas').split('\n');
  expect(rows.filter(row => row.startsWith('| `Vault.deposit`'))).toEqual([
    '| `Vault.deposit` | 800 | 500 | 1 | 800 | 900 (−100) | `src/Vault.sol:9` |',
    '| `Vault.deposit` | 300 | 500 | 1 | 300 |  | `src/Vault.sol:8` |',
  ]);
});

test('a modifier has no runs of its own, and so no gas per run', () => {
  const gas = createGas('src/Vault.sol', 'src/Vault.sol');
  const [run] = gas.functions as [FunctionGas];
  const totals = new GasTotals();
  totals.add({ ...gas, functions: [{ ...run, functionName: 'onlyOwner', calls: 0 }] });
  const [row] = formatGasReport(totals, totals, 'Gas')
    .split('\n')
    .filter(each => each.includes('onlyOwner'));
  expect(row).toBe('| `Vault.onlyOwner` | 500 | 500 |  |  |  | `src/Vault.sol:5` |');
});

test('files of one name in two projects are two files', () => {
  const totals = new GasTotals();
  totals.add(createGas('src/Vault.sol', 'one/src/Vault.sol'));
  totals.add(createGas('src/Vault.sol', 'two/src/Vault.sol'));
  expect(totals.files().map(({ file, lines }) => [file, lines.get(4)?.gas])).toEqual([
    ['one/src/Vault.sol', 500],
    ['two/src/Vault.sol', 500],
  ]);
  expect(totals.functions().map(({ file, calls }) => [file, calls])).toEqual([
    ['one/src/Vault.sol', 1],
    ['two/src/Vault.sol', 1],
  ]);
});

test.each([
  [300, '30%', '30 %'],
  [15, '1.5%', '1,5 %'],
  [20, '2%', '2 %'],
  [-15, '-1.5%', '-1,5 %'],
])('%i of 1,000 gas is %s, in German %s', (gas, english, german) => {
  expect(formatShare(gas, 1_000)).toBe(english);
  setTranslations({ '1,234.5': '1.234,5', '{0}%': '{0} %' });
  expect(formatShare(gas, 1_000)).toBe(german);
});

test('says how much gas a line cost, where it says what of it was paid for', () => {
  const lines = new Map([
    [3, { line: 3, gas: 300, ...NO_SHARE, coldAccess: 200, memory: 9 }],
    [4, { line: 4, gas: 100, ...NO_SHARE }],
  ]);
  const file = { source: 'src/Vault.sol', file: null, isChanged: false, lines, unreached: new Set<number>() };
  const marks = listLineMarks(file, 400, [{ first: 0, last: 9 }]).flat();
  expect(marks.map(({ text, explanation }) => [text, explanation])).toEqual([
    [
      '█ 300 gas (75%)',
      ['300 gas (75%)', '200 of it for the first access to slots and accounts', '9 of it for more memory'],
    ],
    ['█ 100 gas (25%)', []],
  ]);
});

test('only lines in the given ranges have marks, by their share of the gas of all lines', () => {
  const lines = new Map([3, 4, 5, 6, 90].map(line => [line, { line, gas: 10 * line, ...NO_SHARE }]));
  const file = { source: 'src/Vault.sol', file: null, isChanged: false, lines, unreached: new Set<number>() };
  const ranges = [
    { first: 4, last: 5 },
    { first: 80, last: 90 },
  ];
  const marks = listLineMarks(file, 1_080, ranges);
  expect(marks.map(each => each.map(({ line }) => line))).toEqual([[], [], [4, 5], [], [90]]);
});
