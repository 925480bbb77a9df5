import { expect, test } from 'vitest';
import { listInlineNames } from '../../../src/extension/debug/inlineValues.ts';

const TEXT = `contract Pool {
    uint256 total;

    function add(uint256 amount) external {
        uint256 fee = amount / 100 + amount; // fee of é
        account.fee = cut("total", fee);
        total += fee;
    }
}`;

test.each([
  ['the first statement', 'uint256 fee', ['amount', 'fee', 'amount']],
  ['the last statement', 'total += fee', ['amount', 'fee', 'amount', 'account', 'fee', 'total', 'fee']],
  ['outside of functions', 'uint256 total', []],
])('names of variables are those of the function up to the line, once in each: %s', (_, stopped, expected) => {
  const types = new Set(['function', 'uint256', 'external']);
  const names = listInlineNames(TEXT, TEXT.indexOf(stopped));
  expect(names.map(({ text }) => text).filter(text => !types.has(text))).toEqual(expected);
  for (const { text, start, end } of names) expect(TEXT.slice(start, end)).toBe(text);
});
