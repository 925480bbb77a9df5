// Names of addresses among the values of a debugger.
import { expect, test } from 'vitest';
import { toShortDisplayAddress } from '../../../src/base/displayAddress.ts';
import { ShownValues } from '../../../src/extension/debug/shownValues.ts';

const OWNER = `0x${'0a'.repeat(20)}`;
const TOKEN = `0x${'0b'.repeat(20)}`;

const value = (name: string, text: string, amountOf?: string) => ({
  ...{ name, value: text, type: null, reference: null, count: null, memory: null },
  ...(amountOf && { amountOf }),
});

/** With members, of which the first are in its row. */
const parent = (name: string, type: string, preview: readonly object[], count: number | null = null) => ({
  ...{ name, value: type, type, reference: { kind: 'plain', members: [] }, count, memory: null, preview },
});

const show = (text: string, amountOf?: string) => showVariable(value('x', text, amountOf));

const showVariable = async (variable: object) => {
  const host = {
    nameOf: async (address: string) => (address === OWNER ? 'Treasury of the harbor' : null),
    formatAmount: async () => '1.5 TIDE',
  };
  const opened = { coin: { symbol: 'ETH', decimals: 18 } };
  const values = new ShownValues(
    host as never,
    { opened, send: async () => ({ variable }) } as never,
    () => ({}) as never,
  );
  return (await values.evaluate(0, 'x', undefined, false)).result;
};

test('a name is before its address, which a narrow view cuts, and an amount behind its number', async () => {
  expect(await show(OWNER)).toBe(`Treasury of the harbor (${OWNER})`);
  expect(await show(TOKEN)).toBe(TOKEN);
  expect(await show('1500000', TOKEN)).toBe('1500000 (1.5 TIDE)');
});

test('a struct has its members in its row, with names of addresses, units of amounts and what is deeper left out', async () => {
  const members = [
    value('owner', OWNER),
    value('token', TOKEN),
    value('amount', '1500000', TOKEN),
    value('label', JSON.stringify('a'.repeat(50))),
    parent('parts', 'uint256[]', [value('[0]', '1')], 1),
  ];
  expect(await showVariable(parent('x', 'Vault.Position', members.slice(0, 3)))).toBe(
    `{owner: Treasury of the harbor, token: ${toShortDisplayAddress(TOKEN)}, amount: 1.5 TIDE}`,
  );
  expect(await showVariable(parent('x', 'Vault.Position', members.slice(3)))).toBe(
    `{label: "${'a'.repeat(37)}…", parts: […]}`,
  );
  expect(await showVariable(parent('x', 'Vault.Position', members))).toMatch(/, amount: 1\.5 TIDE, …\}$/);
});

test('an array has its length and first elements in its row, and a mapping the keys that are known', async () => {
  const numbers = [1, 2, 3, 4, 5, 6].map((each, i) => value(`[${i}]`, `${each}`));
  expect(await showVariable(parent('x', 'uint256[]', numbers.slice(0, 3), 3))).toBe('(3) [1, 2, 3]');
  expect(await showVariable(parent('x', 'uint256[]', numbers, 700))).toBe('(700) [1, 2, 3, 4, 5, …]');
  expect(await showVariable(parent('x', 'uint256[]', [], 0))).toBe('(0) []');
  const balances = [value(`[${OWNER}]`, '1500000', TOKEN), value('["b\u202ec"]', '2')];
  expect(await showVariable(parent('x', 'mapping(address => uint256)', balances))).toBe(
    '{Treasury of the harbor: 1.5 TIDE, "b·c": 2, …}',
  );
  const unknown = 'mapping(address => uint256)';
  expect(await showVariable(parent('x', unknown, []))).toBe(unknown);
});
