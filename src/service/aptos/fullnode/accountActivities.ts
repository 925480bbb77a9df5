// A slice of rows made from the transactions that accounts sent, newest first: read no further than the slice needs.
import type { Hex } from '../../../base/hex.ts';
import { compareActivitiesNewestFirst, isAfterKey } from '../activityFilters.ts';
import type { AptosPageRequest } from '../aptosSource.ts';
import type { ActivityKey } from '../models.ts';
import { iterateAccountTransactions } from '../sentTransactions.ts';
import type { RestTransaction } from '../transaction.ts';
import type { FullnodeClient } from './fullnodeClient.ts';

/** Transactions that are looked at for one page: filters may let only few of them through. */
export const MAX_SCANNED_TRANSACTIONS = 5_000;

export interface AccountActivities<Row> {
  readonly rows: readonly Row[];
  readonly hasNext: boolean;
  /** There may be more behind what was looked at, though nobody can go on from here. */
  readonly isTruncated: boolean;
}

/** Rejects with the node's faults. */
export async function fetchAccountActivities<Row extends ActivityKey>(
  node: FullnodeClient,
  addresses: readonly Hex[],
  { limit, offset, after }: AptosPageRequest<ActivityKey>,
  signal: AbortSignal,
  rowsOf: (transaction: RestTransaction) => Promise<readonly Row[]>,
): Promise<AccountActivities<Row>> {
  const rows: Row[] = [];
  const wanted = offset + limit + 1;
  let lookedAt = 0;
  for await (const transaction of iterateAccountTransactions(node, addresses, after?.transactionVersion, signal)) {
    const made = [...(await rowsOf(transaction))].sort(compareActivitiesNewestFirst);
    rows.push(...made.filter(row => isAfterKey(row, after)));
    if (rows.length >= wanted || ++lookedAt >= MAX_SCANNED_TRANSACTIONS) break;
  }
  const hasNext = rows.length >= wanted;
  return {
    rows: rows.slice(offset, offset + limit),
    hasNext,
    isTruncated: !hasNext && lookedAt >= MAX_SCANNED_TRANSACTIONS,
  };
}
