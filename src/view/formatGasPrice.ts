import type { Chain } from '../api/chains.ts';
import { getGasPriceUnit } from '../api/transactionFee.ts';
import { formatAmount } from '../base/formatUnits.ts';

/** A price per gas with its unit: `1.5 gwei`, on a chain whose coin has few decimals in the coin. */
export function formatGasPrice(price: bigint, { coin, decimals }: Pick<Chain, 'coin' | 'decimals'>): string {
  const unit = getGasPriceUnit({ symbol: coin, decimals });
  return `${formatAmount(price, unit.decimals)} ${unit.symbol}`;
}
