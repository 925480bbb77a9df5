// A page of activities from the transactions that accounts sent: what a fullnode can list without an indexer.
import type { Hex } from '../../../base/hex.ts';
import { compareActivitiesNewestFirst, isAfterKey } from '../activityFilters.ts';
import type { AptosPageRequest } from '../aptosSource.ts';
import { parseU64 } from '../jsonFields.ts';
import type { ActivityKey } from '../models.ts';
import type { RestTransaction } from '../restTransaction.ts';
import { type FullnodeClient, MAX_TRANSACTIONS_PER_PAGE } from './fullnodeClient.ts';

/** Transactions read for one page: filters may let only few of them through. */
export const MAX_SCANNED_TRANSACTIONS = 5_000;

export interface AccountActivities<Row> {
  readonly rows: readonly Row[];
  readonly hasNext: boolean;
  /** The scan ended at `MAX_SCANNED_TRANSACTIONS`; older activities cannot be listed. */
  readonly isTruncated: boolean;
}

/** Newest first; reads only as many transactions as the page needs. Rejects with the faults of the node. */
export async function fetchAccountActivities<Row extends ActivityKey>(
  fullnode: FullnodeClient,
  addresses: readonly Hex[],
  { limit, offset, after }: AptosPageRequest<ActivityKey>,
  signal: AbortSignal,
  getActivities: (transaction: RestTransaction) => Promise<readonly Row[]>,
): Promise<AccountActivities<Row>> {
  const rows: Row[] = [];
  const neededCount = offset + limit + 1;
  let scannedCount = 0;
  for await (const transaction of iterateTransactions(fullnode, addresses, after?.transactionVersion, signal)) {
    const activities = [...(await getActivities(transaction))].sort(compareActivitiesNewestFirst);
    rows.push(...activities.filter(activity => isAfterKey(activity, after)));
    if (rows.length >= neededCount || ++scannedCount >= MAX_SCANNED_TRANSACTIONS) break;
  }
  const hasNext = rows.length >= neededCount;
  return {
    rows: rows.slice(offset, offset + limit),
    hasNext,
    isTruncated: !hasNext && scannedCount >= MAX_SCANNED_TRANSACTIONS,
  };
}

const getVersion = (transaction: RestTransaction): bigint => parseU64(transaction['version']) ?? -1n;

/** The transactions of all accounts, merged newest first. Rejects with the faults of the node. */
async function* iterateTransactions(
  fullnode: FullnodeClient,
  addresses: readonly Hex[],
  maxVersion: bigint | undefined,
  signal: AbortSignal | undefined,
): AsyncGenerator<RestTransaction> {
  const iterators = [...new Set(addresses)].map(address =>
    iterateAccountTransactions(fullnode, address, maxVersion, signal),
  );
  const heads = await Promise.all(iterators.map(async iterator => ({ iterator, next: await iterator.next() })));
  for (;;) {
    let newest: (typeof heads)[number] | undefined;
    for (const head of heads) {
      if (head.next.done) continue;
      if (newest === undefined || newest.next.done || getVersion(head.next.value) > getVersion(newest.next.value))
        newest = head;
    }
    if (newest === undefined || newest.next.done) return;
    yield newest.next.value;
    newest.next = await newest.iterator.next();
  }
}

/** One account's transactions with a version of at most `maxVersion`, newest first, without orderless transactions. */
async function* iterateAccountTransactions(
  fullnode: FullnodeClient,
  address: Hex,
  maxVersion: bigint | undefined,
  signal: AbortSignal | undefined,
): AsyncGenerator<RestTransaction> {
  const account = await fullnode.fetchAccount(address, signal);
  if (account === null) return;
  let end = account.sequenceNumber;
  if (maxVersion !== undefined) end = await findFirstAfterVersion(fullnode, address, end, maxVersion, signal);
  while (end > 0n) {
    const start = end > BigInt(MAX_TRANSACTIONS_PER_PAGE) ? end - BigInt(MAX_TRANSACTIONS_PER_PAGE) : 0n;
    const page = await fullnode.fetchAccountTransactions(address, start, Number(end - start), signal);
    if (page.length === 0) return;
    yield* [...page].reverse();
    end = start;
  }
}

/** The sequence number of the account's first transaction after `version`, or `count` when there is none. */
async function findFirstAfterVersion(
  fullnode: FullnodeClient,
  address: Hex,
  count: bigint,
  version: bigint,
  signal: AbortSignal | undefined,
): Promise<bigint> {
  let low = 0n;
  let high = count;
  while (low < high) {
    const middle = (low + high) / 2n;
    const [transaction] = await fullnode.fetchAccountTransactions(address, middle, 1, signal);
    const middleVersion = parseU64(transaction?.['version']);
    // A missing transaction is pruned, so it is older than all others.
    if (middleVersion === null || middleVersion <= version) low = middle + 1n;
    else high = middle;
  }
  return low;
}
