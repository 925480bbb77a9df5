// What a log says, with values: `Transfer`, `12 MFT Alice → Bob`.
import type { contractLog } from '../../api/records/evmRecords.ts';
import type { InferRecord } from '../../api/records/record.ts';
import { sanitizeText } from '../../base/displayText.ts';
import { formatAbiItem } from '../../decode/abiItem.ts';
import { decodeEventLog } from '../../decode/decodeAbi.ts';
import { type DecodedItemFormat, formatDecodedItem } from '../../decode/formatDecodedItem.ts';
import { formatTransfer } from '../../decode/formatTransfer.ts';

export interface LogText {
  readonly event: string;
  /** Declaration of the event. */
  readonly signature: string;
  /** Sanitized. */
  readonly values: string;
}

type Log = Pick<InferRecord<typeof contractLog>, 'address' | 'topic0' | 'topic1' | 'topic2' | 'topic3' | 'data'>;

const MAX_LENGTH = 200;

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
  const transfer = formatTransfer(decoded, contract, format);
  const text = transfer === null ? all : `${transfer.amount} ${transfer.from} → ${transfer.to}`;
  const values = sanitizeText(text, MAX_LENGTH);
  return { event: item.name, signature: formatAbiItem(item), values };
}
