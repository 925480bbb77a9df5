// Contracts that a store has no row of yet.
import type { Hex } from '../../base/hex.ts';
import type { Store } from '../store/store.ts';

const MOST_LOOKED_UP = 500;

/** Those of the contracts, with what is said of each. */
export async function unstored<T>(
  store: Pick<Store, 'tokens'>,
  contracts: ReadonlyMap<Hex, T>,
): Promise<ReadonlyMap<Hex, T>> {
  const all = [...contracts.keys()];
  const missing = new Map(contracts);
  for (let from = 0; from < all.length; from += MOST_LOOKED_UP)
    for (const token of (await store.tokens(all.slice(from, from + MOST_LOOKED_UP))).keys()) missing.delete(token);
  return missing;
}
