// Coin activities of whole blocks from the node: newest block first, each read from its end in pages, never whole.
import { mapConcurrently } from '../../evm/rpcClient.ts';
import { compareActivitiesNewestFirst, isAfterKey } from '../activityFilters.ts';
import type { AptosPage, AptosPageRequest } from '../aptosSource.ts';
import type { ActivityKey, CoinActivity } from '../models.ts';
import type { CoinActivityFetcher } from './coinActivityFetcher.ts';
import { type FullnodeClient, MAX_TRANSACTIONS_PER_PAGE, type RestBlock } from './fullnodeClient.ts';

const AT_ONCE = 6;

/** Rejects with the node's faults, `removed` when a block was pruned. A block that is not there yet has no rows. */
export async function fetchBlockCoinActivities(
  node: FullnodeClient,
  restRows: CoinActivityFetcher,
  heights: readonly bigint[],
  slice: AptosPageRequest<ActivityKey>,
  signal: AbortSignal | undefined,
): Promise<AptosPage<CoinActivity>> {
  const { after, offset, limit } = slice;
  const found = await mapConcurrently([...new Set(heights)], AT_ONCE, height =>
    node.fetchBlockByHeight(height, signal),
  );
  const blocks = found
    .filter(block => block !== null)
    .sort((a, b) => compareActivitiesNewestFirst(keyOf(a), keyOf(b)))
    .filter(block => after === undefined || block.firstVersion <= after.transactionVersion);
  const rows: CoinActivity[] = [];
  const wanted = offset + limit + 1;
  for (const block of blocks) {
    // What the page before ended in is where this one begins: nothing newer is read again.
    const newest =
      after === undefined || after.transactionVersion > block.lastVersion
        ? block.lastVersion
        : after.transactionVersion;
    for (let last = newest; last >= block.firstVersion && rows.length < wanted; ) {
      const oldest = last - BigInt(MAX_TRANSACTIONS_PER_PAGE - 1);
      const first = oldest > block.firstVersion ? oldest : block.firstVersion;
      const transactions = await node.fetchTransactionRange(first, last, signal);
      const made = await mapConcurrently(transactions, AT_ONCE, transaction =>
        restRows.fetchCoinActivities({ transaction, blockHeight: block.blockHeight }, signal),
      );
      rows.push(
        ...made
          .flat()
          .sort(compareActivitiesNewestFirst)
          .filter(row => isAfterKey(row, after)),
      );
      last = first - 1n;
    }
    if (rows.length >= wanted) break;
  }
  return { rows: rows.slice(offset, offset + limit), hasNext: rows.length >= wanted, partialReason: null };
}

const keyOf = ({ lastVersion }: RestBlock): ActivityKey => ({ transactionVersion: lastVersion, eventIndex: 0 });
