// The newest transactions of some blocks, so many at most.
import type { Hex } from '../../base/hex.ts';

export interface NewestTransactions {
  /** The oldest first. */
  readonly hashes: readonly Hex[];
  /** Older ones were left out. */
  readonly hasMore: boolean;
}

/** Of the blocks after `after` up to `newest`. `listBlock`: hashes of a block in their order. */
export async function listNewestTransactions(
  listBlock: (block: number) => Promise<readonly Hex[]>,
  { newest, after }: { readonly newest: number; readonly after: number },
  limit: number,
): Promise<NewestTransactions> {
  const found: Hex[] = [];
  for (let block = newest; block > after && found.length <= limit; block--)
    found.push(...(await listBlock(block)).toReversed());
  return { hashes: found.slice(0, limit).reverse(), hasMore: found.length > limit };
}
