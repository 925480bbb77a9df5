// Fetches consecutive transactions in pages of the size that the fullnode allows, some of them ahead of time.
import type { Clock } from '../../../base/clock.ts';
import { HexLensError, isFault } from '../../../base/errors.ts';
import { type FullnodeReader, MAX_TRANSACTIONS_PER_PAGE } from '../fullnode/fullnodeClient.ts';
import { asUnsigned, getField } from '../jsonFields.ts';
import type { RestTransaction } from '../restTransaction.ts';

export interface PrefetchLimits {
  /** Stops after the page with which this number is reached. */
  readonly maxTransactions: number;
  /** Stops after the first page that arrives after this time of the clock. */
  readonly deadlineMs: number;
}

const MAX_CONCURRENT_PAGES = 3;
const MIN_PAGE_SIZE = 1;
/** A page that takes longer is too large for the node. */
const SLOW_PAGE_MS = 4_000;

interface PendingPage {
  readonly start: bigint;
  readonly limit: number;
  readonly response: Promise<readonly RestTransaction[]>;
  readonly requestedAtMs: number;
}

export type TransactionPrefetcher = ReturnType<typeof createTransactionPrefetcher>;

export function createTransactionPrefetcher(fullnode: FullnodeReader, clock: Clock) {
  let pageSize = MAX_TRANSACTIONS_PER_PAGE;
  /** The limit of the node, whatever is requested. */
  let maxPageSize = MAX_TRANSACTIONS_PER_PAGE;

  const shrinkPages = () => {
    pageSize = Math.max(MIN_PAGE_SIZE, pageSize >> 1);
  };

  const fetchPages = async (
    from: bigint,
    to: bigint,
    { maxTransactions, deadlineMs }: PrefetchLimits,
    signal: AbortSignal,
  ): Promise<readonly RestTransaction[]> => {
    const transactions: RestTransaction[] = [];
    const pendingPages: PendingPage[] = [];
    let next = from;
    const requestPages = () => {
      while (pendingPages.length < MAX_CONCURRENT_PAGES && next <= to && Number(next - from) < maxTransactions) {
        const limit = Number(to - next) < pageSize ? Number(to - next) + 1 : pageSize;
        const response = fullnode.fetchTransactions(next, limit, signal);
        response.catch(() => {}); // awaited below, unless an earlier page fails
        pendingPages.push({ start: next, limit, response, requestedAtMs: clock.now() });
        next += BigInt(limit);
      }
    };
    for (;;) {
      requestPages();
      const page = pendingPages.shift();
      if (page === undefined) return transactions;
      let received: readonly RestTransaction[];
      try {
        received = await page.response;
      } catch (error) {
        if (transactions.length > 0) return transactions; // the failed page is fetched again by the next call
        throw error;
      }
      const accepted = received.slice(0, page.limit);
      checkVersions(page.start, accepted);
      transactions.push(...accepted);
      if (clock.now() - page.requestedAtMs > SLOW_PAGE_MS) shrinkPages();
      else if (pageSize < maxPageSize) pageSize = Math.min(maxPageSize, pageSize * 2);
      if (received.length < page.limit) {
        // `to` is in the ledger, so a short page shows the limit of the node.
        if (received.length > 0) {
          maxPageSize = received.length;
          pageSize = maxPageSize;
        }
        return transactions;
      }
      if (clock.now() >= deadlineMs) return transactions;
    }
  };

  return {
    /** Transactions from version `from`, at least one, without gaps, up to version `to` at most. */
    async fetch(
      from: bigint,
      to: bigint,
      limits: PrefetchLimits,
      signal: AbortSignal,
    ): Promise<readonly RestTransaction[]> {
      for (;;) {
        const pendingRequests = new AbortController();
        try {
          return await fetchPages(from, to, limits, AbortSignal.any([signal, pendingRequests.signal]));
        } catch (error) {
          // Huge transactions can make a page exceed a limit of the node or of the client.
          if (pageSize === MIN_PAGE_SIZE || !isFault(error, 'node-timeout', 'too-large')) throw error;
          shrinkPages();
        } finally {
          pendingRequests.abort();
        }
      }
    },
  };
}

/** Rejects versions other than the requested ones, which would leave gaps in the index. */
function checkVersions(start: bigint, transactions: readonly RestTransaction[]): void {
  for (const [index, transaction] of transactions.entries()) {
    const expected = start + BigInt(index);
    const version = asUnsigned(getField(transaction, 'version'));
    if (version === expected) continue;
    throw new HexLensError(
      'node-answer',
      `The Aptos node returned ${version === null ? 'a transaction without a version' : `version ${version}`} instead of version ${expected}.`,
    );
  }
}
