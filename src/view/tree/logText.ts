// What a log says, with values: `Transfer`, `12 MFT Alice → Bob`.
import type { contractLog } from '../../api/records/evmRecords.ts';
import type { InferRecord } from '../../api/records/record.ts';
import { sanitizeText } from '../../base/displayText.ts';
import { formatTokenAmount } from '../../base/formatUnits.ts';
import { isAddress } from '../../base/hex.ts';
import { formatAbiItem } from '../../decode/abiItem.ts';
import { getAmountTokens } from '../../decode/amountTokens.ts';
import { type DecodedItem, decodeEventLog } from '../../decode/decodeAbi.ts';
import { type DecodedItemFormat, formatAddressName, formatDecodedItem } from '../../decode/formatDecodedItem.ts';

export interface LogText {
  readonly event: string;
  /** Declaration of the event. */
  readonly signature: string;
  /** Sanitized. */
  readonly values: string;
}

type Log = Pick<InferRecord<typeof contractLog>, 'address' | 'topic0' | 'topic1' | 'topic2' | 'topic3' | 'data'>;

const MAX_LENGTH = 200;

/** `12 MFT Alice → Bob`, `#7 Alice → Bob`; `null` for other events. */
function formatTransfer(decoded: DecodedItem, contract: string | null, format: DecodedItemFormat): string | null {
  if (decoded.item.canonical !== 'Transfer(address,address,uint256)') return null;
  const [from, to, amount] = decoded.values;
  if (typeof from?.value !== 'string' || typeof to?.value !== 'string' || typeof amount?.value !== 'string')
    return null;
  if (!isAddress(from.value) || !isAddress(to.value)) return null;
  const token = getAmountTokens(decoded, contract).get(amount);
  const unit = token === undefined ? null : (format.getUnit?.(token) ?? null);
  const isTokenId = decoded.item.inputs[2]?.indexed === true;
  const text = unit === null ? `${isTokenId ? '#' : ''}${amount.value}` : formatTokenAmount(BigInt(amount.value), unit);
  return `${text} ${formatAddressName(from.value, format.getName)} → ${formatAddressName(to.value, format.getName)}`;
}

/** `null` when no ABI of the workspace and no well-known event matches. */
export function describeLog(
  { address, topic0, topic1, topic2, topic3, data }: Log,
  format: DecodedItemFormat,
): LogText | null {
  const topics = [topic0, topic1, topic2, topic3].filter(topic => topic !== null);
  const [decoded] = decodeEventLog(format.registry, { topics, data: data ?? '0x' });
  if (decoded === undefined) return null;
  const { item } = decoded;
  const contract = address?.toLowerCase() ?? null;
  const all = formatDecodedItem(decoded, format, contract).slice(item.name.length + 1, -1);
  const values = sanitizeText(formatTransfer(decoded, contract, format) ?? all, MAX_LENGTH);
  return { event: item.name, signature: formatAbiItem(item), values };
}
