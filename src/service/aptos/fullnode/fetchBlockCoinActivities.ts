// Coin activities of whole blocks from the node: newest block first, each read from its end in pages, never whole.
import { eachAtOnce } from '../../evm/rpcClient.ts';
import { isAfter, newestFirst } from '../activityFilters.ts';
import type { AptosRows, AptosSlice } from '../aptosSource.ts';
import type { ActivityKey, CoinActivity } from '../models.ts';
import { MOST_TRANSACTIONS, type RestBlock } from '../rest.ts';
import type { RestRows } from './coinActivityFetcher.ts';
import type { Fullnode } from './fullnodeClient.ts';

const AT_ONCE = 6;

/** Rejects with the node's faults, `removed` when a block was pruned. A block that is not there yet has no rows. */
export async function blockTransfers(
  node: Fullnode,
  restRows: RestRows,
  heights: readonly bigint[],
  slice: AptosSlice<ActivityKey>,
  signal: AbortSignal | undefined,
): Promise<AptosRows<CoinActivity>> {
  const { after, offset, limit } = slice;
  const found = await eachAtOnce([...new Set(heights)], AT_ONCE, height => node.blockByHeight(height, signal));
  const blocks = found
    .filter(block => block !== null)
    .sort((a, b) => newestFirst(keyOf(a), keyOf(b)))
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
      const oldest = last - BigInt(MOST_TRANSACTIONS - 1);
      const first = oldest > block.firstVersion ? oldest : block.firstVersion;
      const transactions = await node.range(first, last, signal);
      const made = await eachAtOnce(transactions, AT_ONCE, transaction =>
        restRows.coins({ transaction, blockHeight: block.blockHeight }, signal),
      );
      rows.push(
        ...made
          .flat()
          .sort(newestFirst)
          .filter(row => isAfter(row, after)),
      );
      last = first - 1n;
    }
    if (rows.length >= wanted) break;
  }
  return { rows: rows.slice(offset, offset + limit), hasNext: rows.length >= wanted, problem: null };
}

const keyOf = ({ lastVersion }: RestBlock): ActivityKey => ({ transactionVersion: lastVersion, eventIndex: 0 });
