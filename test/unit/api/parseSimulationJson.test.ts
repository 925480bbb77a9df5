// Which words of a simulated call a node gets.
import { expect, test } from 'vitest';
import { listWords } from '../../../src/api/parseSimulationJson.ts';
import type { Hex } from '../../../src/base/hex.ts';

const [one, two] = ['11'.repeat(32), '22'.repeat(32)];
const account: Hex = `0x${'aa'.repeat(20)}`;

test.each([
  ['after a selector', { data: `0x12345678${one}${two}` }],
  ['without a selector', { data: `0x${one}${two}` }],
  ['after code of any length', { data: `0x60016002${'00'.repeat(7)}${one}${two}` }],
  ['as slot and value', { data: '0x', overrides: { [account]: { stateDiff: { [`0x${one}`]: `0x${two}` } } } }],
  ['as balance and nonce', { data: '0x', overrides: { [account]: { balance: `0x${one}`, nonce: `0x${two}` } } }],
  ['in code that replaces another', { data: '0x', overrides: { [account]: { code: `0x607f${one}7f${two}5b` } } }],
  ['in code that pushes them', { data: `0x607f${one}00007f${two}5b` }],
  ['and the data and code themselves', { data: `0x${one}`, overrides: { [account]: { code: `0x${two}` } } }],
] as const)('lists words %s', (_, simulation) => {
  expect(listWords(simulation)).toEqual(expect.arrayContaining([`0x${one}`, `0x${two}`]));
});
