// Which chain the text around an address names.
import { expect, test } from 'vitest';
import { findNamedChain } from '../../../src/detect/namedChain.ts';

test.each([
  ['a chain ID as key', '{ "31337": { "vault": "@" } }', 31337],
  ['a chain ID as key, further out', '{ 8453: { tokens: { usd: "@" } } }', 8453],
  ['the name of a network of this machine', 'const config = { localhost: { url: "x", vault: "@" } };', 'local'],
  ['the name of a public chain', '{ base: { vault: "@" } }', 8453],
  ['`chainId` beside it', '{ "chainId": 31337, "vault": "@" }', 31337],
  ['`chainId` beside the object that has it', '{ "chainId": 10, "users": { "alice": "@" } }', 10],
  ['`chain_id` in hex', '{ chain_id: "0x2105", vault: "@" }', 8453],
  ['`chainId` at the top of a file', 'chainId = 31337\nvault = "@"', 31337],
  ['the inner one of two', '{ mainnet: { 10: { vault: "@" } } }', 10],
  ['none in a sibling', '{ base: { vault: "x" }, other: { vault: "@" } }', null],
  ['none where keys are names', '{ contracts: { vault: "@" } }', null],
  ['none of a number that is no chain', '{ 0: "@" }', null],
])('finds the chain of %s', (_title, text, expected) => {
  expect(findNamedChain(text.replace('@', `0x${'a1'.repeat(20)}`), text.indexOf('@'))).toBe(expected);
});

test('takes linear time for text of many braces', () => {
  const text = '{a:'.repeat(200_000);
  const start = performance.now();
  findNamedChain(text, text.length);
  expect(performance.now() - start).toBeLessThan(1_000);
});
