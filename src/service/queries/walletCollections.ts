// A wallet's collections without those that look like spam.
import type { Hex } from '../../base/hex.ts';
import type { CollectionRow, PageQuery, StoreReader } from '../store/store.ts';
import { describeTokens, type GetTokenTrust } from './describeTokens.ts';
import { readCollectionsAtBlock } from './ownersAtBlock.ts';

/** Collections per read. */
const CHUNK_SIZE = 100;

/** As of block `atBlock`, in the order of the index: `page.limit` collections strictly after `page.after`. */
export async function readCollectionsWithoutSpam(
  store: StoreReader,
  owner: Hex,
  atBlock: number,
  { limit, after }: PageQuery<CollectionRow>,
  getTrust: GetTokenTrust,
): Promise<readonly CollectionRow[]> {
  const withoutSpam: CollectionRow[] = [];
  let last = after;
  while (withoutSpam.length < limit) {
    const rows = await readCollectionsAtBlock(store, owner, atBlock, { limit: CHUNK_SIZE, after: last });
    const addresses = rows.map(row => row.token);
    const getToken = await describeTokens(store, addresses, getTrust);
    withoutSpam.push(...rows.filter(row => getToken(row.token).spamReason === null));
    last = rows.at(-1);
    if (rows.length < CHUNK_SIZE || last === undefined) break;
  }
  return withoutSpam.slice(0, limit);
}

/** All of them, for a count or a filter by contract. */
export function readAllCollectionsWithoutSpam(
  store: StoreReader,
  owner: Hex,
  atBlock: number,
  getTrust: GetTokenTrust,
): Promise<readonly CollectionRow[]> {
  return readCollectionsWithoutSpam(store, owner, atBlock, { limit: Number.POSITIVE_INFINITY }, getTrust);
}
