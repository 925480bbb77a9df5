// Rows of the token contracts that a store has no row of yet.
import type { Hex } from '../../base/hex.ts';
import type { TokenRow } from '../store/rows.ts';
import type { Store } from '../store/store.ts';
import type { PendingRows } from './indexWriter.ts';
import type { TokenContractCache } from './tokenContractCache.ts';

const MOST_LOOKED_UP = 500;

export interface Known {
  readonly store: Pick<Store, 'tokens'>;
  readonly book: TokenContractCache;
  /** Contracts whose row is surely in the store. */
  readonly named: ReadonlySet<Hex>;
}

/** Asks the contracts of `pending` that nobody has asked. Rejects with the node's and the store's faults. */
export async function fetchMissingTokens(
  { store, book, named }: Known,
  { shapes, samples }: PendingRows,
  signal: AbortSignal,
): Promise<readonly TokenRow[]> {
  const missing = new Map([...shapes].filter(([token]) => !named.has(token)));
  const all = [...missing.keys()];
  for (let from = 0; from < all.length; from += MOST_LOOKED_UP)
    for (const token of (await store.readTokens(all.slice(from, from + MOST_LOOKED_UP))).keys()) missing.delete(token);
  return missing.size === 0 ? [] : book.fetchRows(missing, samples, signal);
}
