// A slice of rows made from the transactions that accounts sent, newest first: read no further than the slice needs.

import type { Hex } from '../../../base/hex.ts';
import { compareActivitiesNewestFirst, isAfterKey } from '../activityFilters.ts';
import type { AptosPageRequest } from '../aptosSource.ts';
import type { ActivityKey } from '../models.ts';
import type { RestTransaction } from '../transaction.ts';
import { type FullnodeClient, MAX_TRANSACTIONS_PER_PAGE, parseU64 } from './fullnodeClient.ts';

// Transactions that accounts sent, newest first, from the node alone: what is left to serve while the indexer is down.
/** Sequence number of the first transaction of the account that is newer than `version`; one past its last when none is. */
async function firstNewer(
  node: FullnodeClient,
  address: Hex,
  count: bigint,
  version: bigint,
  signal: AbortSignal | undefined,
): Promise<bigint> {
  let low = 0n;
  let high = count;
  while (low < high) {
    const middle = (low + high) / 2n;
    const [transaction] = await node.fetchAccountTransactions(address, middle, 1, signal);
    const at = parseU64(transaction?.['version']);
    // One that is missing was pruned, and so is older than all that is there.
    if (at === null || at <= version) low = middle + 1n;
    else high = middle;
  }
  return low;
}

/** One account's, from the newest whose version is at most `from`. Orderless transactions have no number and are not among them. */
async function* sentBy(
  node: FullnodeClient,
  address: Hex,
  from: bigint | undefined,
  signal: AbortSignal | undefined,
): AsyncGenerator<RestTransaction> {
  const account = await node.fetchAccount(address, signal);
  if (account === null) return;
  let end = account.sequenceNumber;
  if (from !== undefined) end = await firstNewer(node, address, end, from, signal);
  while (end > 0n) {
    const start = end > BigInt(MAX_TRANSACTIONS_PER_PAGE) ? end - BigInt(MAX_TRANSACTIONS_PER_PAGE) : 0n;
    const page = await node.fetchAccountTransactions(address, start, Number(end - start), signal);
    if (page.length === 0) return;
    yield* [...page].reverse();
    end = start;
  }
}

/** All of the accounts', newest first. Rejects with the node's faults. */
export async function* iterateAccountTransactions(
  node: FullnodeClient,
  addresses: readonly Hex[],
  from: bigint | undefined,
  signal: AbortSignal | undefined,
): AsyncGenerator<RestTransaction> {
  const sources = [...new Set(addresses)].map(address => sentBy(node, address, from, signal));
  const heads = await Promise.all(sources.map(async source => ({ source, next: await source.next() })));
  for (;;) {
    let newest: (typeof heads)[number] | undefined;
    for (const head of heads) {
      if (head.next.done) continue;
      if (newest === undefined || newest.next.done || versionOf(head.next.value) > versionOf(newest.next.value))
        newest = head;
    }
    if (newest === undefined || newest.next.done) return;
    yield newest.next.value;
    newest.next = await newest.source.next();
  }
}

const versionOf = (transaction: RestTransaction): bigint => parseU64(transaction['version']) ?? -1n;

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
