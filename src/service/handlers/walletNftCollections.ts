// `walletNftCollections`: the collections that a wallet owns tokens of, by last change, newest first.

import { FIRST_PAGE_NUMBER } from '../../api/decisions.ts';
import { type CursorKey, parseCursorAddress } from '../../api/wire/cursor.ts';
import type { Hex } from '../../base/hex.ts';
import type { Handler } from '../handler.ts';
import { describeTokens, type GetTokenTrust } from '../queries/describeTokens.ts';
import {
  decodeLogPosition,
  encodeLogPosition,
  getPageQuery,
  getSyncStatus,
  LOG_POSITION_FIELDS,
  openListing,
  readConsistently,
} from '../queries/listing.ts';
import { readCollectionsAtBlock } from '../queries/ownersAtBlock.ts';
import type { CollectionRow, PageQuery, StoreReader } from '../store/store.ts';

/** Collections per read. */
const CHUNK_SIZE = 100;

/** A wallet's collections that do not look like spam, as of block `atBlock`: `page.limit` strictly after `page.after`. */
async function readCollectionsWithoutSpam(
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
    const addresses = rows.map(row => row.tokenAddress);
    const getToken = await describeTokens(store, addresses, getTrust);
    withoutSpam.push(...rows.filter(row => getToken(row.tokenAddress).spamReason === null));
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

export const walletNftCollections: Handler<'walletNftCollections'> = async (input, context, signal) => {
  const scope = { kind: 'wallet', address: input.address } as const;
  const listing = await openListing('walletNftCollections', input, FIRST_PAGE_NUMBER.status, scope, context, signal);
  const { store, isSynced } = listing.source;
  const atBlock = listing.range.to;
  const { getTrust } = context.getAddressBook(listing.node.selector);
  const { address, excludeSpam = false, tokenCounts = false } = input;
  return readConsistently(listing.source, async () => {
    const page = getPageQuery(listing, decodeKey);
    const rows = await (excludeSpam
      ? readCollectionsWithoutSpam(store, address, atBlock, page, getTrust)
      : readCollectionsAtBlock(store, address, atBlock, page));
    const count = async () =>
      excludeSpam
        ? (await readAllCollectionsWithoutSpam(store, address, atBlock, getTrust)).length
        : store.countCollections(address);
    const total = listing.shouldCount ? await count() : null;
    const tokens = rows.slice(0, listing.limit).map(row => row.tokenAddress);
    const [getToken, counts] = await Promise.all([
      describeTokens(store, tokens, getTrust),
      Promise.all(
        tokens.map(token => (tokenCounts ? store.countOwners({ owner: address, contracts: [token] }) : null)),
      ),
    ]);
    const records = tokens.map((token, index) => {
      const { row, spamReason, isVerified } = getToken(token);
      return {
        tokenAddress: token,
        contractType: row?.standard ?? null,
        name: row?.name ?? null,
        symbol: row?.symbol ?? null,
        possibleSpam: spamReason !== null,
        verifiedCollection: isVerified,
        count: counts[index] ?? null,
      };
    });
    return listing.finish({ rows, total, encodeKey, records, extra: { status: getSyncStatus(isSynced) } });
  });
};

const encodeKey = ({ changedAt, tokenAddress }: CollectionRow): CursorKey => [
  ...encodeLogPosition(changedAt),
  tokenAddress,
];

const decodeKey = (key: CursorKey): CollectionRow => ({
  changedAt: decodeLogPosition(key),
  tokenAddress: parseCursorAddress(key[LOG_POSITION_FIELDS]),
});
