// The fee of a mined transaction, from its receipt.
import { hasL1Fee, type TransactionFee } from '../../api/transactionFee.ts';
import { isAddress, parseQuantity, toLowerHex } from '../../base/hex.ts';
import type { WireObject } from './responseFields.ts';

/** A deposit of the OP stack was paid for on the chain below. */
const DEPOSIT = 0x7e;
const BLOBS = 3;
/** Fields of receipts that are there where an `l1Fee` is charged. */
const L1_FIELDS = ['l1GasUsed', 'l1GasPrice', 'l1FeeScalar', 'l1BaseFeeScalar', 'l1BlobBaseFee', 'l1BlobBaseFeeScalar'];

/** `null` before the transaction is mined, and where the node does not say what gas cost. */
export function getReceiptFee(
  transaction: WireObject,
  receipt: WireObject | null,
  chainId: number,
): TransactionFee | null {
  if (receipt === null) return null;
  const read = (key: string): bigint | null => parseQuantity(receipt[key]);
  const gasUsed = read('gasUsed');
  const gasPrice = read('effectiveGasPrice') ?? parseQuantity(transaction['gasPrice']);
  if (gasUsed === null || gasPrice === null) return null;
  const gasFee = gasUsed * gasPrice; // Arbitrum's `gasUsed` includes its gas for the chain below
  const token = transaction['feeCurrency'] ?? receipt['feeCurrency'];
  // Celo takes the price per gas in the unit of the token that the sender chose.
  if (isAddress(token)) return { amount: gasFee, isMinimum: false, token: toLowerHex(token) };
  const type = parseQuantity(transaction['type']) ?? read('type');
  const [l1Fee, blobGas, blobPrice] = [read('l1Fee'), read('blobGasUsed'), read('blobGasPrice')];
  const isDeposit = Number(type) === DEPOSIT;
  const lacksL1Fee = l1Fee === null && !isDeposit && (hasL1Fee(chainId) || L1_FIELDS.some(key => receipt[key] != null));
  const hasBlobs = Number(type) === BLOBS || (blobGas ?? 0n) > 0n;
  const lacksBlobFee = hasBlobs && (blobGas === null || blobPrice === null);
  // Forks of the OP stack compute the fee of the operator in two ways.
  const lacksOperatorFee = ['operatorFeeScalar', 'operatorFeeConstant'].some(key => (read(key) ?? 0n) > 0n);
  return {
    amount: gasFee + (l1Fee ?? 0n) + (blobGas ?? 0n) * (blobPrice ?? 0n),
    isMinimum: lacksL1Fee || lacksBlobFee || (lacksOperatorFee && !isDeposit),
    token: null,
  };
}
