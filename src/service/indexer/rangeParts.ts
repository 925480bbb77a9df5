// Divides a range of blocks so that what is read of it at once fits into memory: by their headers, before their logs are read.
import { TRANSACTION_GAS } from '../../api/transactionFee.ts';
import { parseSafeQuantity } from '../../base/hex.ts';
import type { BlockHeader } from '../evm/blockHeader.ts';
import { mayContainLogs } from '../evm/logsBloom.ts';
import { getTransactionHashes } from './fetchTransactions.ts';
import { INDEXED_LOGS } from './logFilters.ts';

export interface RangePart {
  readonly headers: readonly BlockHeader[];
  /** Indexed logs that its blocks can have at most, by the gas that they used. */
  readonly maxLogs: number;
  /** Those that they probably have; with their transactions, which count for several. */
  readonly weight: number;
}

/** By weight: 7 MB as a node sends them. */
export const MAX_PART_WEIGHT = 10_000;
/** Its traces, which are parsed as a whole, take as much memory as so many logs. */
const LOGS_PER_TRANSACTION = 4;
/** A transfer of CryptoKitties, whose arguments are not indexed; others take a little more, and the transaction far more. */
const MIN_LOG_GAS = 1_500;
/** A contract that stores balances needs 20 times the gas of its log. */
const MIN_LOG_SHARE = 1 / 16;

/** Learns how many of the logs that blocks can have by their gas they do have: at first, all. */
export class LogShare {
  #share = 1;

  get value(): number {
    return this.#share;
  }

  /** Notes the logs that a part has: the next ones may have twice as many. */
  record(logs: number, { maxLogs }: RangePart): void {
    if (maxLogs > 0) this.#share = Math.min(1, Math.max((2 * logs) / maxLogs, this.#share / 2, MIN_LOG_SHARE));
  }
}

/** In the order of the chain; a block that weighs more than a part should is one by itself. */
export function* toRangeParts(headers: readonly BlockHeader[], logShare: number): Iterable<RangePart> {
  let start = 0;
  let [maxLogs, weight] = [0, 0];
  for (const [index, header] of headers.entries()) {
    const blockLogs = getMaxLogs(header);
    const blockWeight = getTransactionHashes(header).length * LOGS_PER_TRANSACTION + blockLogs * logShare;
    if (index > start && weight + blockWeight > MAX_PART_WEIGHT) {
      yield { headers: headers.slice(start, index), maxLogs, weight };
      start = index;
      [maxLogs, weight] = [0, 0];
    }
    maxLogs += blockLogs;
    weight += blockWeight;
  }
  yield { headers: headers.slice(start), maxLogs, weight };
}

function getMaxLogs(header: BlockHeader): number {
  const { gasUsed, logsBloom } = header.wire;
  const gasOfCalls = (parseSafeQuantity(gasUsed) ?? 0) - getTransactionHashes(header).length * Number(TRANSACTION_GAS);
  const hasLogs = mayContainLogs(logsBloom, INDEXED_LOGS) !== false && gasOfCalls > 0;
  return hasLogs ? Math.floor(gasOfCalls / MIN_LOG_GAS) : 0;
}
