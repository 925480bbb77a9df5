// What a token's `Transfer` event says, of an ERC-20 or an ERC-721.
import { formatInteger, formatTokenAmount } from '../base/formatUnits.ts';
import { isAddress } from '../base/hex.ts';
import { getAmountTokens } from './amountTokens.ts';
import type { DecodedItem } from './decodeAbi.ts';
import { type DecodedItemFormat, formatAddressName } from './formatDecodedItem.ts';

export interface TransferTexts {
  /** `12 MFT`; `12` where the unit is unknown; `#7` for a token id. */
  readonly amount: string;
  readonly from: string;
  readonly to: string;
}

/** Untrusted texts; `null` for other events. */
export function formatTransfer(
  decoded: DecodedItem,
  contract: string | null,
  format: Pick<DecodedItemFormat, 'getName' | 'getUnit'>,
): TransferTexts | null {
  if (decoded.item.canonical !== 'Transfer(address,address,uint256)') return null;
  const [from, to, amount] = decoded.values;
  if (typeof from?.value !== 'string' || typeof to?.value !== 'string' || typeof amount?.value !== 'string')
    return null;
  if (!isAddress(from.value) || !isAddress(to.value)) return null;
  const token = getAmountTokens(decoded, contract).get(amount);
  const unit = token === undefined ? null : (format.getUnit?.(token) ?? null);
  const isTokenId = decoded.item.inputs[2]?.indexed === true;
  const number = BigInt(amount.value);
  const raw = isTokenId ? `#${number}` : formatInteger(number);
  return {
    amount: unit === null ? raw : formatTokenAmount(number, unit),
    from: formatAddressName(from.value, format.getName),
    to: formatAddressName(to.value, format.getName),
  };
}
