// What a transaction paid: for gas, for its data on the chain below, for blobs; on Celo in a token.
import type { Hex } from '../base/hex.ts';

export interface TransactionFee {
  /** In the smallest unit of the coin, or of `token`. */
  readonly amount: bigint;
  /** A part of the fee is not known. */
  readonly isMinimum: boolean;
  /** The token that it was paid in; `null` for the coin. */
  readonly token: Hex | null;
}

/** Chains of the OP stack, Scroll and Morph, which charge the data on the chain below as `l1Fee` of a receipt. */
const L1_FEE_CHAINS: ReadonlySet<number> = new Set([
  10, 130, 169, 185, 204, 252, 255, 288, 291, 360, 424, 480, 690, 919, 1_135, 1_301, 1_750, 1_868, 2_818, 4_801, 5_000,
  5_330, 8_453, 8_866, 34_443, 48_900, 57_073, 60_808, 81_457, 84_532, 534_351, 534_352, 7_777_777, 11_155_420,
  168_587_773, 999_999_999,
]);

/** Whether a fee without an `l1Fee` lacks a part of it. */
export const hasL1Fee = (chainId: number): boolean => L1_FEE_CHAINS.has(chainId);

interface FeeFields {
  readonly receiptFee: bigint | null;
  readonly receiptFeeToken: Hex | null;
  readonly receiptFeeIncomplete: boolean | null;
  readonly receiptGasUsed: bigint | null;
  readonly gasPrice: bigint | null;
}

/**
 * The fee in a record; `null` when it is not known. Hosts do not send it: there it is what the gas cost.
 *
 * @param chainId Where it is known, tells whether that is all.
 */
export function getRecordFee(record: FeeFields, chainId?: number): TransactionFee | null {
  const { receiptFee, receiptFeeToken, receiptFeeIncomplete, receiptGasUsed, gasPrice } = record;
  const gasFee = receiptGasUsed === null || gasPrice === null ? null : receiptGasUsed * gasPrice;
  const amount = receiptFee ?? gasFee;
  if (amount === null) return null;
  const lacksL1Fee = receiptFee === null && chainId !== undefined && hasL1Fee(chainId);
  return { amount, isMinimum: receiptFeeIncomplete === true || lacksL1Fee, token: receiptFeeToken };
}

/** What a transaction costs that runs no code and has no data. */
export const TRANSACTION_GAS = 21_000n;

/** The unit that prices of gas are shown in: gwei, a billionth of the coin, where the coin has so many decimals. */
export const getGasPriceUnit = (coin: {
  readonly symbol: string;
  readonly decimals: number;
}): { readonly symbol: string; readonly decimals: number } =>
  coin.decimals < 9 ? coin : { symbol: 'gwei', decimals: coin.decimals - 9 };
