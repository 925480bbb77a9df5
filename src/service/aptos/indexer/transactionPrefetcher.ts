// Pages of transactions in order: as large as the node gives them, a few asked for ahead of the one that is waited for.
import type { Clock } from '../../../base/clock.ts';
import { HexLensError, isFault } from '../../../base/errors.ts';
import { type FullnodeReader, MAX_TRANSACTIONS_PER_PAGE } from '../fullnode/fullnodeClient.ts';
import { asUnsigned, getField } from '../jsonFields.ts';
import type { RestTransaction } from '../transaction.ts';

export interface PrefetchLimits {
  /** Stops behind the page with which there are so many transactions. */
  readonly maxTransactions: number;
  /** Stops behind the first page that is there after this moment. */
  readonly deadlineMs: number;
}

export interface TransactionPrefetcher {
  /** Transactions from version `from` on, at least one, without gaps, none above `to`. */
  fetch(from: bigint, to: bigint, limits: PrefetchLimits, signal: AbortSignal): Promise<readonly RestTransaction[]>;
  /** How many transactions the next page asks for. */
  readonly pageSize: number;
}

const AHEAD = 3;
const SMALLEST = 1;
/** A page that takes longer than this is too large for this node. */
const SLOW_MS = 4_000;

interface Page {
  readonly start: bigint;
  readonly asked: number;
  readonly coming: Promise<readonly RestTransaction[]>;
  readonly begun: number;
}

export function createTransactionPrefetcher(rest: FullnodeReader, clock: Clock): TransactionPrefetcher {
  let size = MAX_TRANSACTIONS_PER_PAGE;
  /** What the node gives at most, whatever it is asked for. */
  let ceiling = MAX_TRANSACTIONS_PER_PAGE;

  const shrink = () => {
    size = Math.max(SMALLEST, size >> 1);
  };

  const readAhead = async (
    from: bigint,
    to: bigint,
    { maxTransactions: most, deadlineMs: until }: PrefetchLimits,
    signal: AbortSignal,
  ): Promise<readonly RestTransaction[]> => {
    const read: RestTransaction[] = [];
    const ahead: Page[] = [];
    let next = from;
    const ask = () => {
      while (ahead.length < AHEAD && next <= to && Number(next - from) < most) {
        const asked = Number(to - next) < size ? Number(to - next) + 1 : size;
        const coming = rest.fetchTransactions(next, asked, signal);
        coming.catch(() => {}); // it is awaited in its turn, unless an earlier one fails
        ahead.push({ start: next, asked, coming, begun: clock.now() });
        next += BigInt(asked);
      }
    };
    for (;;) {
      ask();
      const page = ahead.shift();
      if (page === undefined) return read;
      let transactions: readonly RestTransaction[];
      try {
        transactions = await page.coming;
      } catch (error) {
        if (read.length > 0) return read; // what is there need not be read again
        throw error;
      }
      check(page.start, transactions.slice(0, page.asked));
      read.push(...transactions.slice(0, page.asked));
      if (clock.now() - page.begun > SLOW_MS) shrink();
      else if (size < ceiling) size = Math.min(ceiling, size * 2);
      if (transactions.length < page.asked) {
        // Not the end of the ledger, which is behind `to`: the node's own limit is lower.
        if (transactions.length > 0) {
          ceiling = transactions.length;
          size = ceiling;
        }
        return read;
      }
      if (clock.now() >= until) return read;
    }
  };

  return {
    get pageSize() {
      return size;
    },
    async fetch(from, to, limits, signal) {
      for (;;) {
        // What was asked for ahead is not waited for.
        const leaving = new AbortController();
        try {
          return await readAhead(from, to, limits, AbortSignal.any([signal, leaving.signal]));
        } catch (error) {
          // A page with huge transactions may be more than node or client can carry.
          if (size === SMALLEST || !isFault(error, 'node-timeout', 'too-large')) throw error;
          shrink();
        } finally {
          leaving.abort();
        }
      }
    },
  };
}

/** A node that sends other versions than those it was asked for would make an index with holes. */
function check(start: bigint, transactions: readonly RestTransaction[]): void {
  for (const [index, transaction] of transactions.entries()) {
    const version = asUnsigned(getField(transaction, 'version'));
    if (version === start + BigInt(index)) continue;
    throw new HexLensError(
      'node-answer',
      `The Aptos node was asked for version ${start + BigInt(index)} and sent ${version ?? 'a transaction without one'}.`,
    );
  }
}
