// What a transaction paid, by the fields that receipts of different chains have.
import { describe, expect, it } from 'vitest';
import { getGasPriceUnit, getRecordFee } from '../../../src/api/transactionFee.ts';
import { getReceiptFee } from '../../../src/service/evm/receiptFee.ts';

const token = `0x${'7c'.repeat(20)}`;
const gas = { gasUsed: '0x5208', effectiveGasPrice: '0x64' }; // 21,000 at 100
const [ethereum, base, scroll, arbitrum, celo, unknown] = [1, 8453, 534_352, 42_161, 42_220, 987_654_321];

describe('the fee of a receipt', () => {
  it.each([
    ['is what the gas cost', ethereum, {}, gas, 2_100_000n, false],
    [
      'is what the gas cost by the price in the transaction, where the receipt has none',
      ethereum,
      { gasPrice: '0x2' },
      { gasUsed: '0x5208' },
      42_000n,
      false,
    ],
    ['has the L1 fee of Base', base, {}, { ...gas, l1Fee: '0x3e8', l1GasUsed: '0x640' }, 2_101_000n, false],
    ['has the L1 fee of Scroll', scroll, {}, { ...gas, l1Fee: '0x3e8' }, 2_101_000n, false],
    ['is at least the gas where a node of Base leaves out the L1 fee', base, {}, gas, 2_100_000n, true],
    [
      'is at least the gas where an unknown chain has L1 fields without a fee',
      unknown,
      {},
      { ...gas, l1GasUsed: '0x640' },
      2_100_000n,
      true,
    ],
    [
      'is nothing for a deposit of the OP stack',
      base,
      { type: '0x7e', gasPrice: '0x0' },
      { gasUsed: '0x5208' },
      0n,
      false,
    ],
    [
      'has the blobs',
      ethereum,
      { type: '0x3' },
      { ...gas, blobGasUsed: '0x20000', blobGasPrice: '0x3' },
      2_493_216n,
      false,
    ],
    ['is at least the gas where the price of blobs is missing', ethereum, { type: '0x3' }, gas, 2_100_000n, true],
    [
      'has the L1 gas of Arbitrum once: it is in the gas used',
      arbitrum,
      {},
      { ...gas, gasUsedForL1: '0x1000', l1BlockNumber: '0x1' },
      2_100_000n,
      false,
    ],
    [
      'is at least what is known where the operator takes a fee',
      base,
      {},
      { ...gas, l1Fee: '0x1', operatorFeeConstant: '0x5' },
      2_100_001n,
      true,
    ],
    [
      'is whole where the operator takes none',
      base,
      {},
      { ...gas, l1Fee: '0x1', operatorFeeConstant: '0x0' },
      2_100_001n,
      false,
    ],
  ] as const)('is known: %s', (_title, chainId, transaction, receipt, amount, isMinimum) => {
    expect(getReceiptFee(transaction, receipt, chainId)).toEqual({ amount, isMinimum, token: null });
  });

  it('is in the token that a sender on Celo chose', () => {
    expect(getReceiptFee({ feeCurrency: token, type: '0x7b' }, gas, celo)).toEqual({
      ...{ amount: 2_100_000n, isMinimum: false, token },
    });
    expect(getReceiptFee({ feeCurrency: null, type: '0x2' }, gas, celo)?.token).toBeNull();
  });

  it('is not known before the transaction is mined, nor without a price', () => {
    expect(getReceiptFee({ gasPrice: '0x1' }, null, ethereum)).toBeNull();
    expect(getReceiptFee({}, { gasUsed: '0x5208' }, ethereum)).toBeNull();
  });
});

describe('the fee of a record', () => {
  const record = {
    ...{ receiptFee: null, receiptFeeToken: null, receiptFeeIncomplete: null },
    ...{ receiptGasUsed: 21_000n, gasPrice: 100n },
  };

  it('is what the service says', () => {
    expect(getRecordFee({ ...record, receiptFee: 2_101_000n }, base)).toEqual({
      ...{ amount: 2_101_000n, isMinimum: false, token: null },
    });
    expect(getRecordFee({ ...record, receiptFee: 5n, receiptFeeIncomplete: true })?.isMinimum).toBe(true);
  });

  it('of a host is at least what the gas cost, on a chain with an L1 fee', () => {
    expect(getRecordFee(record, base)).toEqual({ amount: 2_100_000n, isMinimum: true, token: null });
    expect(getRecordFee(record, ethereum)).toEqual({ amount: 2_100_000n, isMinimum: false, token: null });
    expect(getRecordFee({ ...record, gasPrice: null }, ethereum)).toBeNull();
  });
});

it('shows prices of gas in gwei, a billionth of the coin, whatever its decimals are', () => {
  expect(getGasPriceUnit({ symbol: 'ETH', decimals: 18 })).toEqual({ symbol: 'gwei', decimals: 9 });
  expect(getGasPriceUnit({ symbol: 'USDX', decimals: 12 })).toEqual({ symbol: 'gwei', decimals: 3 });
  expect(getGasPriceUnit({ symbol: 'SIX', decimals: 6 })).toEqual({ symbol: 'SIX', decimals: 6 });
});
