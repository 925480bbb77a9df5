// A slice of rows made from the transactions that accounts sent, newest first: read no further than the slice needs.
import type { Hex } from '../../../base/hex.ts';
import { isAfter, newestFirst } from '../activityFilters.ts';
import type { AptosSlice } from '../aptosSource.ts';
import type { ActivityKey } from '../models.ts';
import { sentTransactions } from '../sentTransactions.ts';
import type { RestTransaction } from '../transaction.ts';
import type { Fullnode } from './fullnodeClient.ts';

/** Transactions that are looked at for one page: filters may let only few of them through. */
export const MOST_LOOKED_AT = 5_000;

export interface SentRows<Row> {
  readonly rows: readonly Row[];
  readonly hasNext: boolean;
  /** There may be more behind what was looked at, though nobody can go on from here. */
  readonly cut: boolean;
}

/** Rejects with the node's faults. */
export async function sentRows<Row extends ActivityKey>(
  node: Fullnode,
  addresses: readonly Hex[],
  { limit, offset, after }: AptosSlice<ActivityKey>,
  signal: AbortSignal,
  rowsOf: (transaction: RestTransaction) => Promise<readonly Row[]>,
): Promise<SentRows<Row>> {
  const rows: Row[] = [];
  const wanted = offset + limit + 1;
  let lookedAt = 0;
  for await (const transaction of sentTransactions(node, addresses, after?.transactionVersion, signal)) {
    const made = [...(await rowsOf(transaction))].sort(newestFirst);
    rows.push(...made.filter(row => isAfter(row, after)));
    if (rows.length >= wanted || ++lookedAt >= MOST_LOOKED_AT) break;
  }
  const hasNext = rows.length >= wanted;
  return { rows: rows.slice(offset, offset + limit), hasNext, cut: !hasNext && lookedAt >= MOST_LOOKED_AT };
}
