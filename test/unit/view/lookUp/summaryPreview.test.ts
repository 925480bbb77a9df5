// Summaries as plain lines.
import { expect, test } from 'vitest';
import type { RawTransaction } from '../../../../src/view/lookUp/rawTransaction.ts';
import { formatRawTransaction } from '../../../../src/view/lookUp/summaryPreview.ts';

const transaction = {
  ...{ type: 2, chainId: 7, nonce: 1n, gas: 21_000n, gasPrice: 2_500_000_000n, value: 150_000_000n, data: '0x' },
  ...{ to: `0x${'ab'.repeat(20)}`, hash: `0x${'cd'.repeat(32)}` },
} as unknown as RawTransaction;

test.each([
  ['a coin with 18 decimals', { coin: 'TST', decimals: 18 }, 'Value 0.00000000015 TST', 'at most 2.5 gwei each'],
  ['a coin with 8 decimals', { coin: 'TST', decimals: 8 }, 'Value 1.5 TST', 'at most 25 TST each'],
])('a signed transaction of a chain with %s shows its amounts in that coin', (_, chain, value, price) => {
  const lines = formatRawTransaction(transaction, null, chain, () => null);
  expect(lines).toContain(value);
  expect(lines.join('\n')).toContain(price);
});
