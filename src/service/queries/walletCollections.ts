// The collections that a wallet holds something of: page by page, or all of them without those that look like spam.
import type { Hex } from '../../base/hex.ts';
import type { CollectionRow, PageQuery, Store } from '../store/store.ts';
import { describeTokens, type GetTokenTrust } from './describeTokens.ts';
import { readCollectionsAtBlock } from './ownersAtBlock.ts';

/** Collections per read. */
const CHUNK = 100;

/** A wallet's collections as of a block, in their order, without possible spam: `slice.limit` of them strictly after `slice.after`. */
export async function readCollectionsWithoutSpam(
  store: Store,
  owner: Hex,
  at: number,
  { limit, after }: PageQuery<CollectionRow>,
  marks: GetTokenTrust,
): Promise<readonly CollectionRow[]> {
  const clean: CollectionRow[] = [];
  let last = after;
  while (clean.length < limit) {
    const rows = await readCollectionsAtBlock(store, owner, at, { limit: CHUNK, after: last });
    const tokenOf = await describeTokens(
      store,
      rows.map(row => row.token),
      marks,
    );
    clean.push(...rows.filter(row => tokenOf(row.token).spamReason === null));
    last = rows.at(-1);
    if (rows.length < CHUNK || last === undefined) break;
  }
  return clean.slice(0, limit);
}

/** All of them: what a count or a filter by contract needs. */
export function readAllCollectionsWithoutSpam(
  store: Store,
  owner: Hex,
  at: number,
  marks: GetTokenTrust,
): Promise<readonly CollectionRow[]> {
  return readCollectionsWithoutSpam(store, owner, at, { limit: Number.POSITIVE_INFINITY }, marks);
}
