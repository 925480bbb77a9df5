// Names of addresses among the values of a debugger.
import { expect, test } from 'vitest';
import { ShownValues } from '../../../src/extension/debug/shownValues.ts';

const OWNER = `0x${'0a'.repeat(20)}`;
const TOKEN = `0x${'0b'.repeat(20)}`;

const show = async (value: string, amountOf?: string) => {
  const variable = {
    name: 'x',
    value,
    type: null,
    reference: null,
    count: null,
    memory: null,
    ...(amountOf && { amountOf }),
  };
  const host = {
    nameOf: (address: string) => (address === OWNER ? 'Treasury of the harbor' : null),
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
