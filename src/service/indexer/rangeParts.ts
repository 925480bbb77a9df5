// Divides a range of blocks so that what is read of it at once fits into memory: by their headers, before their logs are read.
import { TRANSACTION_GAS } from '../../api/transactionFee.ts';
import { parseSafeQuantity } from '../../base/hex.ts';
import type { BlockHeader } from '../evm/blockHeader.ts';
import { mayContainLogs } from '../evm/logsBloom.ts';
import { getTransactionHashes } from './fetchTransactions.ts';
import { INDEXED_LOGS } from './logFilters.ts';

export interface RangePart {
  readonly headers: readonly BlockHeader[];
  /** Indexed logs that its blocks can have at most, by the gas that they used; with its transactions, which count for several. */
  readonly maxLogs: number;
}

/** 7 MB as a node sends them. */
export const MAX_PART_LOGS = 10_000;
/** Its traces, which are parsed as a whole, take as much memory as so many logs. */
const LOGS_PER_TRANSACTION = 4;
/** A transfer of CryptoKitties, whose arguments are not indexed; others take a little more, and the transaction far more. */
const MIN_LOG_GAS = 1_500;

/** In the order of the chain; a block that can have more than a part should is one by itself. */
export function* toRangeParts(headers: readonly BlockHeader[]): Iterable<RangePart> {
  let start = 0;
  let maxLogs = 0;
  for (const [index, header] of headers.entries()) {
    const blockLogs = getMaxLogs(header);
    if (index > start && maxLogs + blockLogs > MAX_PART_LOGS) {
      yield { headers: headers.slice(start, index), maxLogs };
      start = index;
      maxLogs = 0;
    }
    maxLogs += blockLogs;
  }
  yield { headers: headers.slice(start), maxLogs };
}

function getMaxLogs(header: BlockHeader): number {
  const { gasUsed, logsBloom } = header.wire;
  const transactions = getTransactionHashes(header).length;
  const gasOfCalls = (parseSafeQuantity(gasUsed) ?? 0) - transactions * Number(TRANSACTION_GAS);
  const hasLogs = mayContainLogs(logsBloom, INDEXED_LOGS) !== false && gasOfCalls > 0;
  return transactions * LOGS_PER_TRANSACTION + (hasLogs ? Math.floor(gasOfCalls / MIN_LOG_GAS) : 0);
}
